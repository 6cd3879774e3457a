"""`clearhead train`: any model from a recipe, into a run folder."""

from pathlib import Path
from typing import Annotated

import typer

from clearhead.commands.training_extra import note, require_training, resumable, teller


def add_to(app: typer.Typer) -> None:
    app.command("train")(train)


def train(
    recipe: Annotated[str, typer.Argument(help="A recipe file, or a shipped recipe such as fast or fast:finetune.")],
    out: Annotated[Path, typer.Option("--out", help="The run folder.")],
    settings: Annotated[list[str] | None, typer.Option("--set", help="Change the recipe: --set training.rate=0.001.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in --out.")] = False,
) -> None:
    """Train a model as a recipe says; what a run needs to go on is in its folder.

    Example: clearhead train fast --out runs/mine --set pretrain.epochs=5
    """
    require_training()
    from clearhead.training import named_recipe, open_run, start_run, train_stage

    run = open_run(out) if resume else start_run(named_recipe(recipe, settings or ()), out, note)
    with resumable(f"train {recipe} --out {out}"):
        train_stage(run, "train", teller())
