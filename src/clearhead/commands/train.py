"""`clearhead train`: any model from a recipe, into a run folder."""

from pathlib import Path
from typing import Annotated

import typer

from clearhead.commands.training_extra import Device, Shard, TensorBoard, Tune, note, teller, training
from clearhead.errors import InputError


def add_to(app: typer.Typer) -> None:
    app.command("train")(train)


def train(
    out: Annotated[Path, typer.Option("--out", help="The run folder.")],
    recipe: Annotated[
        str, typer.Argument(help="A recipe file, or a shipped recipe such as fast or fast:finetune; not needed with --resume.")
    ] = "",
    settings: Annotated[list[str] | None, typer.Option("--set", help="Change the recipe: --set training.rate=0.001.")] = None,
    start: Annotated[
        Path | None, typer.Option("--start", help="A run of a language model to start from: its weights and vocabulary.")
    ] = None,
    minutes: Annotated[float, typer.Option("--minutes", help="Train for so long; else as the recipe says.")] = 0.0,
    seed: Annotated[int | None, typer.Option("--seed", help="The same seed gives the same weights.")] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run in --out; with --set under other rates, or for more tokens.")
    ] = False,
    device: Device = "auto",
    tune: Tune = False,
    shard: Shard = False,
    tensorboard: TensorBoard = False,
) -> None:
    """Train a model as a recipe says; what a run needs to go on is in its folder.

    Example: clearhead train fast --out runs/mine --set pretrain.epochs=5

    By several processes: torchrun --nproc-per-node 2 -m clearhead train fast --out runs/mine
    """
    if not resume and not recipe:
        raise InputError("name a recipe to train by, such as fast; clearhead train --help tells more.")
    with training(f"train {recipe} --out {out}".replace("  ", " "), device):
        from clearhead.training.folders.stage import Sitting, train_stage
        from clearhead.training.folders.wishes import begun

        run = begun(out, recipe, settings or (), minutes, seed, start, note, resume, tune, shard)
        train_stage(run, "train", teller(), Sitting(shard=shard, tensorboard=tensorboard))
