"""What is told while a run goes on: a line of metrics every few seconds, and a report to whoever watches."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clearhead.training.steps.checkpoints import Progress
from clearhead.training.steps.metrics import append_metrics

LOG_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Report:
    """What a person watching wants to know."""

    step: int
    tokens: int
    total: int
    loss: float  # mean since the last report
    tokens_per_second: float
    seconds_left: float
    held_out: float | None = None  # loss on what is held out, when it was last looked at


Watcher = Callable[[Report], None]
Recorder = Callable[[dict[str, Any]], None]
"""Somebody who keeps every line of the metrics in a form of their own."""


def unwatched(report: Report) -> None:
    """Nobody looks."""


def unrecorded(record: dict[str, Any]) -> None:
    """Nobody keeps it."""


class LossLog:
    """Collects losses and, every few seconds, writes a line and tells the watcher; only the first process writes."""

    def __init__(
        self, path: Path, total: int, progress: Progress, watch: Watcher, writes: bool = True, keep: Recorder = unrecorded
    ) -> None:
        self.path, self.total, self.progress, self.watch, self.writes = path, total, progress, watch, writes
        self.keep = keep
        self.before, self.started, self.last = progress.seconds, time.monotonic(), time.monotonic()
        self.losses: list[float] = []
        self.tokens = 0
        self.held_out: float | None = None

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
        self.write({"loss": round(loss, 5), "tokens_per_second": round(speed, 1), "seconds": round(self.seconds, 2)})
        left = max(self.total - self.progress.tokens, 0) * self.seconds / max(self.progress.tokens, 1)
        self.watch(Report(self.progress.step, self.progress.tokens, self.total, loss, speed, left, self.held_out))
        self.losses, self.tokens, self.last = [], 0, time.monotonic()

    def look(self, held_out: float) -> None:
        """Write down the loss on what is held out."""
        self.held_out = held_out
        self.write({"held_out_loss": round(held_out, 5)})
        self.last = max(self.last, time.monotonic()) if not self.losses else self.last

    def write(self, record: dict[str, Any]) -> None:
        whole = {"step": self.progress.step, "tokens": self.progress.tokens} | record
        if self.writes:
            append_metrics(self.path, whole)
            self.keep(whole)
