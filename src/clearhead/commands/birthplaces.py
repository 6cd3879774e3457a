"""`clearhead birthplaces`: the knowledge experiment, its stages one by one or all at once."""

import time
from pathlib import Path
from typing import Annotated

import typer

from clearhead.commands.training_extra import Device, Shard, TensorBoard, computing_on, require_training, teller, training

Out = Annotated[Path, typer.Option("--out", help="The run folder.")]
RecipeName = Annotated[str, typer.Option("--recipe", help="A shipped recipe (fast, course-fast, course) or a file.")]
Variant = Annotated[str, typer.Option("--variant", help="Which model: vanilla, perceiver (the course's) or perceiver-causal.")]
Data = Annotated[str, typer.Option("--data", help="A folder with the course's four files, or the built-in world.")]
Other = Annotated[str, typer.Option("--data", help="Questions of another corpus than the run's own.")]
Minutes = Annotated[float, typer.Option("--minutes", help="Time for everything, e.g. 1.5; else as the recipe says.")]
Seed = Annotated[int, typer.Option("--seed", help="The same seed gives the same weights.")]
Settings = Annotated[list[str] | None, typer.Option("--set", help="Change the recipe: --set pretrain.epochs=20.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the run in --out.")]
Start = Annotated[str, typer.Option("--start", help="The pretrained run to start from; else a blank model.")]
Control = Annotated[bool, typer.Option("--control", help="Also finetune a blank model, for comparison.")]
Questions = Annotated[str, typer.Option("--questions", "--on", help="dev, test, or a file of questions.")]
Predictions = Annotated[str, typer.Option("--predictions", help="Where the answers go; else into the run folder.")]

Strangers = Annotated[
    float, typer.Option("--strangers", help="How many of those it will be asked about it never read of: 0 to 1.")
]


def add_to(app: typer.Typer) -> None:
    group = typer.Typer(
        help="Where was somebody born? Pretrain on biographies, finetune on questions, ask about others.\n\n"
        "Example: clearhead birthplaces run --minutes 3 --control --out runs/first",
        no_args_is_help=True,
    )
    group.command("pretrain")(pretrain)
    group.command("finetune")(finetune)
    group.command("evaluate")(evaluate)
    group.command("run")(run)
    app.add_typer(group, name="birthplaces")


def pretrain(
    out: Out,
    recipe: RecipeName = "fast",
    variant: Variant = "vanilla",
    data: Data = "world",
    minutes: Minutes = 0.0,
    seed: Seed = 0,
    settings: Settings = None,
    resume: Resume = False,
    device: Device = "auto",
    shard: Shard = False,
    tensorboard: TensorBoard = False,
) -> None:
    """Pretrain a blank model on biographies.

    Example: clearhead birthplaces pretrain --out runs/pretrained --minutes 2
    """
    since = time.monotonic()
    with training(f"birthplaces pretrain --out {out}", device):
        from clearhead.experiment.stages import Wish, prepare_pretraining, prepared_once
        from clearhead.training import open_run, train_stage
        from clearhead.training.folders.stage import Sitting

        wish = Wish(
            recipe=recipe, variant=variant, data=data, seed=seed, minutes=minutes, settings=tuple(settings or ()), shard=shard
        )
        prepared_once(wish, out, resume, lambda: prepare_pretraining(wish, out, since, teller()))
        train_stage(open_run(out), "pretrain", teller(), Sitting(shard=shard, tensorboard=tensorboard))
    typer.echo(f"next: clearhead birthplaces finetune --start {out} --out {out}-finetuned")


def finetune(
    out: Out,
    start: Start = "",
    recipe: RecipeName = "fast",
    variant: Variant = "vanilla",
    data: Data = "world",
    minutes: Minutes = 0.0,
    seed: Seed = 0,
    settings: Settings = None,
    resume: Resume = False,
    device: Device = "auto",
    shard: Shard = False,
    tensorboard: TensorBoard = False,
) -> None:
    """Finetune on the training questions, from a pretrained run or from a blank model.

    Example: clearhead birthplaces finetune --start runs/pretrained --out runs/finetuned
    """
    since = time.monotonic()
    with training(f"birthplaces finetune --out {out}", device):
        from clearhead.experiment.stages import Wish, prepare_finetuning, prepared_once
        from clearhead.training import open_run, train_stage
        from clearhead.training.folders.stage import Sitting

        wish = Wish(
            recipe=recipe, variant=variant, data=data, seed=seed, minutes=minutes, settings=tuple(settings or ()), shard=shard
        )
        prepared_once(wish, out, resume, lambda: prepare_finetuning(wish, out, start, since, teller()))
        train_stage(open_run(out), "finetune", teller(), Sitting(shard=shard, tensorboard=tensorboard))
    typer.echo(f"next: clearhead birthplaces evaluate --out {out}")


def evaluate(
    out: Out,
    questions: Questions = "dev",
    data: Other = "",
    predictions: Predictions = "",
    strangers: Strangers = 0.5,
    device: Device = "auto",
) -> None:
    """Ask a trained run and count the right answers; where they are not known, write the answers only.

    On its own dev questions also: how sure it may be, when it does not know, and whether it goes by the sound of a name.

    Example: clearhead birthplaces evaluate --out runs/finetuned --questions test
    """
    require_training()
    from clearhead.experiment.results import evaluated
    from clearhead.progress import spinner

    with computing_on(device), spinner("asking"):
        told = evaluated(out, questions, data, predictions, strangers)
    typer.echo(told)


def run(
    out: Out,
    recipe: RecipeName = "fast",
    variant: Variant = "vanilla",
    data: Data = "world",
    minutes: Minutes = 0.0,
    seed: Seed = 0,
    control: Control = False,
    settings: Settings = None,
    resume: Resume = False,
    device: Device = "auto",
    shard: Shard = False,
    tensorboard: TensorBoard = False,
) -> None:
    """Pretrain, finetune and evaluate, and write RUN/figures.json.

    Example: clearhead birthplaces run --minutes 3 --control --out runs/first
    """
    since = time.monotonic()
    with training(f"birthplaces run --out {out}", device):
        from clearhead.experiment.results import result_text, run_experiment
        from clearhead.experiment.stages import Wish, prepare_experiment, prepared_once
        from clearhead.training.folders.stage import Sitting

        wish = Wish(
            recipe=recipe, variant=variant, data=data, seed=seed, minutes=minutes, settings=tuple(settings or ()), shard=shard
        )
        prepared_once(wish, out, resume, lambda: prepare_experiment(wish, out, control, since, teller()))
        result = run_experiment(out, since, teller(), Sitting(shard=shard, tensorboard=tensorboard))
        typer.echo(result_text(result) if result else "")
