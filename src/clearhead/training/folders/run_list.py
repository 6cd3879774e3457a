"""The runs of a folder: what each is, how far it is, what it came to, what it takes up; once, or again and again."""

import json
import os
import socket
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from clearhead.errors import ClearheadError, InputError
from clearhead.training.folders.run_folder import CHECKPOINTS, FIGURES, METRICS, RECIPE, WRITER
from clearhead.training.recipes.recipe import read_recipe
from clearhead.training.steps.checkpoints import progress_in
from clearhead.training.steps.metrics import read_metrics

EVERY = 2.0  # seconds between two looks
State = Literal["done", "training", "stopped"]


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run in a list."""

    folder: str
    recipe: str
    corpus: str
    tokens: int
    total: int
    accuracy: float | None  # on what it held out, if that was looked at
    loss: float | None = None  # in training, the last that was written down
    held_out_loss: float | None = None  # the last, if it is looked at while it trains
    tokens_per_second: float | None = None  # when it was last told
    bytes: int = 0  # of everything in its folder, runs inside it left out
    state: State = "stopped"

    @property
    def done(self) -> bool:
        return self.tokens >= self.total


def runs_in(folder: Path) -> list[RunRow]:
    """Every run in a folder and below it, by path."""
    if not folder.is_dir():
        raise InputError(f"{folder}: a folder of runs was expected; there is none.")
    return [row for file in sorted(folder.rglob(RECIPE)) if (row := run_row(file.parent)) is not None]


def run_row(folder: Path) -> RunRow | None:
    """A run in one line; None where it cannot be read."""
    try:
        recipe = read_recipe(folder / RECIPE)
    except ClearheadError:
        return None
    saved, metrics = progress_in(folder / CHECKPOINTS), read_metrics(folder / METRICS)
    active = being_trained(folder)
    tokens = max(saved.tokens, int(last_of(metrics, "tokens") or 0)) if active else saved.tokens
    corpus = Path(recipe.corpus).name if Path(recipe.corpus).is_absolute() else recipe.corpus
    total = recipe.training.tokens
    return RunRow(
        folder=str(folder),
        recipe=recipe.name,
        corpus=corpus,
        tokens=tokens,
        total=total,
        accuracy=accuracy_in(folder),
        loss=last_of(metrics, "loss"),
        held_out_loss=last_of(metrics, "held_out_loss"),
        tokens_per_second=last_of(metrics, "tokens_per_second"),
        bytes=size_of(folder),
        state="training" if active else "done" if saved.tokens >= total else "stopped",
    )


def last_of(metrics: list[dict[str, Any]], key: str) -> float | None:
    """The last number of a name that was written down."""
    return next((float(record[key]) for record in reversed(metrics) if isinstance(record.get(key), int | float)), None)


def being_trained(folder: Path) -> bool:
    """Whether a process trains here now, as far as can be seen from this machine."""
    try:
        told = json.loads((folder / WRITER).read_text(encoding="utf-8"))
        if told["host"] == socket.gethostname():
            os.kill(int(told["process"]), 0)  # nothing is sent; it only has to be there
        return True
    except PermissionError:
        return True
    except (OSError, ValueError, KeyError, TypeError, OverflowError):
        return False


def size_of(folder: Path) -> int:
    """Bytes of a run folder; runs inside it count for themselves."""
    total = 0
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not (Path(place) / name / RECIPE).exists()]
        for name in files:
            try:
                total += (Path(place) / name).stat().st_size
            except OSError:
                continue  # a checkpoint that went while we looked
    return total


def accuracy_in(folder: Path) -> float | None:
    """The accuracy that the figures of a run tell, of whatever kind it is."""
    try:
        figures = json.loads((folder / FIGURES).read_text(encoding="utf-8"))
        return float(figures["accuracy"] if "accuracy" in figures else figures["dev"]["accuracy"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def list_text(rows: list[RunRow]) -> str:
    """The list as a table, for people; columns that nobody has anything in are left out."""
    if not rows:
        return "no run is here; train one: clearhead train fast --out runs/first"
    table = [["run", "recipe", "corpus", "progress", "loss", "held out", "right", "tokens/s", "size"], *map(cells, rows)]
    shown = [column for column in zip(*table, strict=True) if any(column[1:])]
    widths = [max(map(len, column)) for column in shown]
    left = ("run", "recipe", "corpus")
    lines = []
    for line in zip(*shown, strict=True):
        padded = (
            f"{cell:<{width}}" if column[0] in left else f"{cell:>{width}}"
            for cell, width, column in zip(line, widths, shown, strict=True)
        )
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


def cells(row: RunRow) -> list[str]:
    """A run as the cells of a table.

    >>> cells(RunRow("runs/a", "fast", "world", 250, 1000, None, loss=1.5, bytes=2_000_000, state="training"))
    ['runs/a', 'fast', 'world', '25 % …', '1.500', '', '', '', '2 MB']
    """
    far = "done" if row.state == "done" else f"{100 * row.tokens / max(row.total, 1):.0f} %"
    return [
        *(row.folder, row.recipe, row.corpus),
        far + (" …" if row.state == "training" else ""),
        "" if row.loss is None else f"{row.loss:.3f}",
        "" if row.held_out_loss is None else f"{row.held_out_loss:.3f}",
        "" if row.accuracy is None else f"{row.accuracy:.1%}",
        "" if row.tokens_per_second is None or row.state != "training" else f"{row.tokens_per_second:,.0f}",
        f"{row.bytes / 1e6:,.0f} MB" if row.bytes >= 1e6 else f"{row.bytes / 1e3:,.0f} kB",
    ]


def list_json(rows: list[RunRow]) -> str:
    """The list for programs."""
    return json.dumps([asdict(row) | {"done": row.done} for row in rows], indent=1, ensure_ascii=False)


def watch(folder: Path, show: Callable[[str], None], rounds: int = 0, every: float = EVERY) -> None:
    """Show the table, and again whenever it has changed, until somebody stops it or so many looks are done."""
    shown, looks = "", 0
    while True:
        text = list_text(runs_in(folder))
        if text != shown:
            show(text)
            shown = text
        looks += 1
        if looks == rounds:
            return
        time.sleep(every)
