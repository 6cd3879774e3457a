"""One stage of training: a run that is open, to its end, with somebody kept informed."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from clearhead.pictures import curves
from clearhead.progress import Bar, unseen
from clearhead.saving import write_whole
from clearhead.training.folders.data_record import record_of, save_record
from clearhead.training.folders.run_folder import CHECKPOINTS, CURVE, METRICS
from clearhead.training.folders.run_plan import Planning
from clearhead.training.folders.runs import GO_ON, Note, Run, unheard
from clearhead.training.folders.tensorboard import recorder
from clearhead.training.folders.writer import only_writer
from clearhead.training.machines.brief_waits import brief_waits_in_company
from clearhead.training.machines.processes import by_the_first, world
from clearhead.training.machines.validation import held_out_loss
from clearhead.training.recipes.held_out import held_out_batches
from clearhead.training.steps.checkpoints import Progress, progress_in
from clearhead.training.steps.compilation import compiled, recomputing
from clearhead.training.steps.loop import train
from clearhead.training.steps.loss_log import Report, Watcher, unwatched
from clearhead.training.steps.metrics import read_metrics


@dataclass(frozen=True, slots=True)
class Teller:
    """How a person is kept informed: notes, and a bar for what takes long."""

    note: Callable[[str], None] = unheard
    bar: Bar = unseen


@dataclass(frozen=True, kw_only=True)
class Sitting:
    """How a run is trained this time; nothing of it is remembered."""

    shard: bool = False  # cut the weights among the processes
    tensorboard: bool = False  # keep every figure as TensorBoard reads it too


def train_stage(run: Run, title: str, tell: Teller, sitting: Sitting = Sitting()) -> Progress:
    """Train a run to its end, from its last checkpoint if it has one, and say how it went."""
    started, on = time.monotonic(), told_place(run)
    tell.note(f"{title}: {run.recipe.training.tokens:,} tokens{on}, to be saved in {run.folder}")
    with tell.bar(title, "tokens") as shown:
        progress = train_run(run, lambda report: shown(report.tokens, report.total, told(report)), tell.note, sitting)
    speed = progress.tokens / max(progress.seconds, 1e-9)
    tell.note(f"{title}: done in {time.monotonic() - started:.0f} s, {progress.step:,} steps, {speed:,.0f} tokens/s")
    if progress.best_loss is not None:
        place = run.folder / CHECKPOINTS / str(progress.best_step)
        tell.note(f"{title}: best on what is held out at step {progress.best_step:,}, loss {progress.best_loss:.3f}: {place}")
    return progress


def told_place(run: Run) -> str:
    """Where it computes, where that is not one process on the CPU."""
    device, together = run.model.device, world()
    many = f" by {together} processes" if together > 1 else ""
    return many + (f" on {device.type}" if device.type != "cpu" else "")


def train_run(
    run: Run,
    watch: Watcher = unwatched,
    note: Note = unheard,
    sitting: Sitting = Sitting(),
) -> Progress:
    """Train a run to its end, from its last checkpoint if it has one; every process must take part."""
    config = run.recipe.training
    with only_writer(run.folder), brief_waits_in_company(), recorder(run.folder, sitting.tensorboard) as keep:
        by_the_first(lambda: require_known_data(run))
        model = recomputing(run.model, note) if config.recompute else run.model
        model = compiled(model, note) if config.compile else model
        looked_at = held_out_batches(run.recipe, run.vocabulary, run.corpus, model) if config.validate_every else []
        progress = train(
            model,
            run.stream(),
            config,
            run.folder,
            watch,
            note,
            save_first=bool(run.recipe.start),  # from there on it stands alone
            seed=run.recipe.seed,
            shard=sitting.shard,
            plan=Planning(run, progress_in(run.folder / CHECKPOINTS)),
            held_out=(lambda learner: held_out_loss(learner, looked_at)) if looked_at else None,
            keep=keep,
        )
        by_the_first(lambda: write_curve(run.folder, run.recipe.name))
    return progress


def require_known_data(run: Run) -> None:
    """Refuse to go on with other data than the run learned from; one of an earlier version is known from now on."""
    run.require_same_data(GO_ON)
    if run.data is None:
        save_record(record_of(run.corpus, run.folder), run.folder)


def told(report: Report) -> str:
    """A report in one line.

    >>> told(Report(step=10, tokens=500, total=1000, loss=2.5, tokens_per_second=12345.6, seconds_left=75.2))
    'loss 2.500 · 12,346 tokens/s · 1:15 left'
    """
    minutes, seconds = divmod(round(report.seconds_left), 60)
    held_out = "" if report.held_out is None else f" · held out {report.held_out:.3f}"
    return f"loss {report.loss:.3f}{held_out} · {report.tokens_per_second:,.0f} tokens/s · {minutes}:{seconds:02d} left"


def write_curve(folder: Path, name: str) -> None:
    """The loss over the tokens, and that on what is held out, as a picture in the run folder."""
    lines = {"loss": "loss", "held out": "held_out_loss"}
    metrics = read_metrics(folder / METRICS)
    points = {
        title: [(float(record["tokens"]), float(record[key])) for record in metrics if key in record]
        for title, key in lines.items()
    }
    drawn = {title: line for title, line in points.items() if line}
    if drawn:
        write_whole(folder / CURVE, curves(drawn, name, "tokens", "loss, nats a target"))
