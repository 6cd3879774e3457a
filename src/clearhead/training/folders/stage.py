"""One stage of training: a run that is open, to its end, with somebody kept informed."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from clearhead.pictures import curves
from clearhead.progress import Bar, unseen
from clearhead.saving import write_whole
from clearhead.training.folders.data_record import record_of, save_record
from clearhead.training.folders.run_folder import CURVE, METRICS
from clearhead.training.folders.runs import Note, Run, unheard
from clearhead.training.folders.writer import only_writer
from clearhead.training.steps.checkpoints import Progress
from clearhead.training.steps.compilation import compiled
from clearhead.training.steps.loop import Report, Watcher, train, unwatched
from clearhead.training.steps.metrics import read_metrics


@dataclass(frozen=True, slots=True)
class Teller:
    """How a person is kept informed: notes, and a bar for what takes long."""

    note: Callable[[str], None] = unheard
    bar: Bar = unseen


def train_stage(run: Run, title: str, tell: Teller) -> Progress:
    """Train a run to its end, from its last checkpoint if it has one, and say how it went."""
    total, started = run.recipe.training.tokens, time.monotonic()
    tell.note(f"{title}: {total:,} tokens, saved in {run.folder}")
    with tell.bar(title, "tokens") as shown:
        progress = train_run(run, lambda report: shown(report.tokens, total, told(report)), tell.note)
    speed = progress.tokens / max(progress.seconds, 1e-9)
    tell.note(f"{title}: done in {time.monotonic() - started:.0f} s, {progress.step:,} steps, {speed:,.0f} tokens/s")
    return progress


def train_run(run: Run, watch: Watcher = unwatched, note: Note = unheard) -> Progress:
    """Train a run to its end, from its last checkpoint if it has one."""
    with only_writer(run.folder):
        run.require_same_data("put the old data back, or start another run with the new")
        if run.data is None:
            save_record(record_of(run.corpus, run.folder), run.folder)  # one of an earlier version: from now on it is known
        model = compiled(run.model, note) if run.recipe.training.compile else run.model
        alone = not run.recipe.start  # else a first checkpoint makes it so
        progress = train(model, run.stream(), run.recipe.training, run.folder, watch, note, save_first=not alone)
        write_curve(run.folder, run.recipe.name)
    return progress


def told(report: Report) -> str:
    """A report in one line.

    >>> told(Report(step=10, tokens=500, total=1000, loss=2.5, tokens_per_second=12345.6, seconds_left=75.2))
    'loss 2.500 · 12,346 tokens/s · 1:15 left'
    """
    minutes, seconds = divmod(round(report.seconds_left), 60)
    return f"loss {report.loss:.3f} · {report.tokens_per_second:,.0f} tokens/s · {minutes}:{seconds:02d} left"


def write_curve(folder: Path, name: str) -> None:
    """The loss over the tokens, as a picture in the run folder."""
    points = [(float(record["tokens"]), float(record["loss"])) for record in read_metrics(folder / METRICS)]
    if points:
        write_whole(folder / CURVE, curves({"loss": points}, name, "tokens", "loss in training, nats a target"))
