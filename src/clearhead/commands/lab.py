"""`clearhead lab`: claims about attention and nets, each with an experiment that can be rerun."""

from pathlib import Path
from typing import Annotated

import typer

HELP = """List the claims, or rerun one: its numbers, a verdict made from them, and a picture.

Examples:

  clearhead lab

  clearhead lab scaling --out scaling.svg

  clearhead lab --quick --json
"""


def add_to(app: typer.Typer) -> None:
    app.command("lab", help=HELP)(lab)


def lab(
    name: Annotated[str, typer.Argument(help="The claim to rerun.", metavar="[NAME]")] = "",
    quick: Annotated[
        bool, typer.Option("--quick", help="Smaller; without a name: all of them, in under four minutes.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same numbers.", min=0, max=2**32)] = 0,
    out: Annotated[Path | None, typer.Option("--out", help="The picture (.svg or .png); of all: a folder for them.")] = None,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    from clearhead.errors import InputError
    from clearhead.lab import CLAIMS, Trial, listing
    from clearhead.lab.table import claims_json, rerun_all, rerun_one

    if not name and not quick:
        if out is not None:
            raise InputError("--out draws what was rerun: name a claim, or take --quick for all of them.")
        typer.echo(claims_json(CLAIMS) if json else listing(CLAIMS), nl=False)
        return
    from clearhead.commands.training_extra import require_training
    from clearhead.progress import spinner

    require_training()
    trial = Trial(seed=seed, quick=quick)
    reports = iter([]) if name else rerun_all(trial, out, json)
    with spinner(f"trying {name or 'the first claim'}"):
        told = rerun_one(name, trial, out, json) if name else next(reports)
    while told:
        typer.echo(told, nl=False)
        with spinner("trying the next claim"):
            told = next(reports, "")
