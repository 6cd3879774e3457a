"""`clearhead runs`: the runs of a folder, and a run as one file that can be carried elsewhere."""

from pathlib import Path
from typing import Annotated

import typer

from clearhead.commands.training_extra import require_training
from clearhead.errors import InputError


def add_to(app: typer.Typer) -> None:
    app.command("runs")(runs)


def runs(
    folder: Annotated[Path, typer.Argument(help="The folder to look in; with --unpack, where to unpack.")] = Path("runs"),
    pack: Annotated[
        tuple[Path, Path] | None,
        typer.Option("--pack", help="A run folder, and the .tar.gz to write.", metavar="RUN FILE"),
    ] = None,
    unpack: Annotated[Path | None, typer.Option("--unpack", help="A packed run to put into the folder.")] = None,
    best: Annotated[
        tuple[Path, Path] | None,
        typer.Option("--best", help="A run folder, and a new one for its best checkpoint.", metavar="RUN NEW"),
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Look again and again, until Ctrl-C.")] = False,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """List runs: what each is, how far, how good, how large; or pack one into a file, which opens elsewhere without its data.

    Where training.validate_every looked at what is held out, --best makes a run of the checkpoint that did best on it.

    Example: clearhead runs --watch
    """
    require_training()
    from clearhead.progress import redrawn
    from clearhead.training.folders.best_checkpoint import copy_best
    from clearhead.training.folders.run_archive import pack_run, unpack_run
    from clearhead.training.folders.run_list import list_json, list_text, runs_in
    from clearhead.training.folders.run_list import watch as watch_runs

    if watch and json:
        raise InputError("--watch is for people and --json for programs; say one.")
    if sum(said is not None for said in (pack, unpack, best)) > 1:
        raise InputError("--pack, --unpack and --best cannot be done at once; say one.")
    if pack is not None:
        typer.echo(f"packed: {pack_run(*pack)}")
    elif unpack is not None:
        typer.echo(f"unpacked: {unpack_run(unpack, folder)}")
    elif best is not None:
        typer.echo(copy_best(*best))
    elif watch:
        with redrawn() as show:
            watch_runs(folder, show)
    else:
        rows = runs_in(folder)
        typer.echo(list_json(rows) if json else list_text(rows))
