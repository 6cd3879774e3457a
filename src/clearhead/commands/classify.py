"""`clearhead classify`: a text or a picture to a trained classifier."""

from pathlib import Path
from typing import Annotated

import typer

from clearhead.commands.training_extra import Device, computing_on, require_training


def add_to(app: typer.Typer) -> None:
    app.command("classify")(classify)


def classify(
    run: Annotated[Path, typer.Argument(help="The run folder of a classifier: sentiment or digits.")],
    thing: Annotated[str, typer.Argument(metavar="TEXT|FILE|-", help="A text, a text file, a picture file; -: what comes in.")],
    lines: Annotated[
        bool, typer.Option("--lines", help="Each line is a text: class, probability and text, a line each.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    device: Device = "auto",
) -> None:
    """What a classifier says of something new: the class, how sure it is, and the words that pushed it there.

    Example: clearhead classify runs/sentiment "The plot is thin, but the cast is a joy."
    """
    require_training()
    from clearhead.mistakes.verdicts_told import classified

    with computing_on(device):
        for told in classified(run, thing, lines, json):
            typer.echo(told)
