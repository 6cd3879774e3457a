"""`clearhead errors`: what a classifier got wrong, and what pushed it there."""

from pathlib import Path
from typing import Annotated

import typer

from clearhead.commands.training_extra import Device, computing_on, require_training


def add_to(app: typer.Typer) -> None:
    app.command("errors")(errors)


def errors(
    run: Annotated[Path, typer.Argument(help="The run folder of a classifier: sentiment or digits.")],
    count: Annotated[int, typer.Option("--count", help="How many mistakes to show.")] = 5,
    seed: Annotated[int, typer.Option("--seed", help="The same seed shows the same ones.")] = 0,
    baseline: Annotated[bool, typer.Option("--baseline", help="Also a logistic regression on the same split.")] = False,
    html: Annotated[Path | None, typer.Option("--html", help="Write a page with coloured words.")] = None,
    on: Annotated[
        str, typer.Option("--on", help="A test set of your own, all of it: a table, a folder, a file of digits.")
    ] = "",
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    device: Device = "auto",
) -> None:
    """Mistakes on what a run held out: how many, a sample, the words that pushed each, and computed reasons.

    Example: clearhead errors runs/sentiment --count 3 --html errors.html
    """
    require_training()
    from clearhead.mistakes.mistakes import answered
    from clearhead.progress import spinner

    with computing_on(device), spinner("judging"):
        told = answered(run, count, seed, baseline, html, json, on)
    typer.echo(told)
