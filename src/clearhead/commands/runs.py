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
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """List runs: what each is, how far, how good; or pack one into a file, which opens elsewhere without its data.

    Example: clearhead runs --pack runs/first first.tar.gz
    """
    require_training()
    from clearhead.training.folders.packing import pack_run, unpack_run
    from clearhead.training.folders.run_list import list_json, list_text, runs_in

    if pack is not None and unpack is not None:
        raise InputError("--pack and --unpack cannot both be done at once; say one.")
    if pack is not None:
        typer.echo(f"packed: {pack_run(*pack)}")
    elif unpack is not None:
        typer.echo(f"unpacked: {unpack_run(unpack, folder)}")
    else:
        rows = runs_in(folder)
        typer.echo(list_json(rows) if json else list_text(rows))
