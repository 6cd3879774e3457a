"""The one loop: a model, a stream of batches and a config in; weights in a run folder out. Resume is exact."""

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch.optim import Optimizer

from clearhead.errors import InputError
from clearhead.models import Model
from clearhead.training.folders.run_folder import CHECKPOINTS, METRICS
from clearhead.training.recipes.config import TrainConfig
from clearhead.training.steps.batches import Batch
from clearhead.training.steps.checkpoints import Progress, latest, load_checkpoint, save_checkpoint, steps_in
from clearhead.training.steps.metrics import append_metrics, forget_after
from clearhead.training.steps.optimisers import build_optimisers, clip, scale_rates
from clearhead.training.steps.schedule import factor
from clearhead.training.steps.streams import Stream

LOG_SECONDS = 2.0
EXPLODED = 100.0  # times the smallest loss so far, or 1 nat: nothing is learned from there on


@dataclass(frozen=True, slots=True)
class Report:
    """What a person watching wants to know."""

    step: int
    tokens: int
    total: int
    loss: float  # mean since the last report
    tokens_per_second: float
    seconds_left: float


Watcher = Callable[[Report], None]


def unwatched(report: Report) -> None:
    """Nobody looks."""


class Stopped(Exception):
    """The run stopped before its end because somebody asked it to; `checkpoint` is where it goes on from."""

    def __init__(self, checkpoint: Path) -> None:
        super().__init__(str(checkpoint))
        self.checkpoint = checkpoint


def train(
    model: Model,
    batches: Stream,
    config: TrainConfig,
    folder: Path,
    watch: Watcher = unwatched,
    note: Callable[[str], None] = lambda text: None,
    save_first: bool = False,
) -> Progress:
    """Train up to `config.tokens`, from the last good checkpoint of the folder if there is one.

    With `save_first` there is a checkpoint after the first step too: from there on what the weights started from is not needed.
    """
    optimisers = build_optimisers(model, config)
    progress = resume(model, optimisers, batches, folder, note)
    model.train()
    log = LossLog(folder / METRICS, config.tokens, progress, watch)
    exploded = math.inf
    with asked_to_stop() as stop:
        while progress.tokens < config.tokens:
            batch = batches.next()
            scale_rates(optimisers, factor(config, progress.tokens))
            loss = one_step(model, optimisers, batch, config)
            if not math.isfinite(loss) or loss > exploded:
                raise InputError(diverged(loss, progress.step + 1, folder))
            exploded = min(exploded, EXPLODED * max(loss, 1.0))
            progress.step += 1
            progress.tokens += batch.tokens
            log.add(loss, batch.tokens)
            due = progress.step % config.save_every == 0 or (save_first and progress.step == 1)
            if stop.is_set() or due or progress.tokens >= config.tokens:
                log.flush()
                progress.seconds = log.seconds
                saved = save_checkpoint(folder / CHECKPOINTS, model, optimisers, progress, batches.position)
                if stop.is_set() and progress.tokens < config.tokens:
                    raise Stopped(saved)
    model.train(False)
    return progress


def one_step(model: Model, optimisers: list[Optimizer], batch: Batch, config: TrainConfig) -> float:
    """Loss of a batch, gradients, clipping, update; the loss, or no number where the weights were left as they are."""
    freeze(model, batch.frozen)
    loss = model.loss(batch.inputs, batch.targets)
    value = loss.item()
    if not math.isfinite(value):
        return value  # the weights stay as they are
    loss.backward()  # type: ignore[no-untyped-call]  # torch does not type it
    sound = math.isfinite(clip(model, config.clip))  # a finite loss can have a gradient that is not
    for optimiser in optimisers:
        if sound:
            optimiser.step()
        optimiser.zero_grad(set_to_none=True)
    return value if sound else math.nan


def freeze(model: Model, parts: tuple[str, ...]) -> None:
    """Let the named parts of a model be read but not changed, and every other part learn."""
    for name, weight in model.named_parameters():
        weight.requires_grad_(not name.startswith(parts) if parts else True)


def resume(model: Model, optimisers: list[Optimizer], batches: Stream, folder: Path, note: Callable[[str], None]) -> Progress:
    """Take up the newest good checkpoint of a folder, or start from nothing."""
    checkpoint, notes = latest(folder / CHECKPOINTS)
    for text in notes:
        note(f"{text} Going on from an older one.")
    if checkpoint is None:
        folder.mkdir(parents=True, exist_ok=True)
        forget_after(folder / METRICS, -1)
        return Progress()
    progress, position = load_checkpoint(checkpoint, model, optimisers)
    batches.go_to(position)
    forget_after(folder / METRICS, progress.step)
    note(f"going on from {checkpoint}")
    return progress


def diverged(loss: float, step: int, folder: Path) -> str:
    """One sentence on a loss that is no number, or as good as none."""
    steps = steps_in(folder / CHECKPOINTS)
    last = f"the last good checkpoint is {folder / CHECKPOINTS / str(steps[-1])}" if steps else "nothing was saved yet"
    return f"the loss became {loss:.3g} at step {step}; {last}. Try lower rates in another folder."


class LossLog:
    """Collects losses and, every few seconds, writes a line and tells the watcher."""

    def __init__(self, path: Path, total: int, progress: Progress, watch: Watcher) -> None:
        self.path, self.total, self.progress, self.watch = path, total, progress, watch
        self.before, self.started, self.last = progress.seconds, time.monotonic(), time.monotonic()
        self.losses: list[float] = []
        self.tokens = 0

    @property
    def seconds(self) -> float:
        """Spent so far, over all sittings."""
        return self.before + time.monotonic() - self.started

    def add(self, loss: float, tokens: int) -> None:
        self.losses.append(loss)
        self.tokens += tokens
        if time.monotonic() - self.last > LOG_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write down what has come together since the last time."""
        if not self.losses:
            return
        spent = max(time.monotonic() - self.last, 1e-9)
        loss, speed = sum(self.losses) / len(self.losses), self.tokens / spent
        record: dict[str, Any] = {
            "step": self.progress.step,
            "tokens": self.progress.tokens,
            "loss": round(loss, 5),
            "tokens_per_second": round(speed, 1),
            "seconds": round(self.seconds, 2),
        }
        append_metrics(self.path, record)
        left = max(self.total - self.progress.tokens, 0) * self.seconds / max(self.progress.tokens, 1)
        self.watch(Report(self.progress.step, self.progress.tokens, self.total, loss, speed, left))
        self.losses, self.tokens, self.last = [], 0, time.monotonic()


@contextmanager
def asked_to_stop() -> Iterator[threading.Event]:
    """An event that Ctrl-C (or a polite kill) sets; a second Ctrl-C stops at once, without saving."""
    asked = threading.Event()

    def ask(number: int, frame: Any) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()

    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
