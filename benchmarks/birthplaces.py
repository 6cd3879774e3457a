"""The table of the knowledge experiment: each row a command with a budget in minutes, each with three seeds.

Run on a quiet machine: CLEARHEAD_DATA=… .venv/bin/python benchmarks/birthplaces.py [RUNS] [row …]. Runs go side by side, each
pinned to one core with one thread, which is less than a person with two cores has. Those that are done in the folder RUNS are
not run again, so it can be stopped and gone on with. The result goes to benchmarks/birthplaces.md.
"""

import json
import os
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from cores import side_by_side
from machine import described

from clearhead.answering.answers import answer, score
from clearhead.training.folders.runs import trained

HERE = Path(__file__).parent
SEEDS = (0, 1, 2)


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    name: str
    minutes: float
    options: tuple[str, ...] = ()
    real: bool = True


ROWS = {
    "fast1.5": Row("`--minutes 1.5`", 1.5),
    "fast4": Row("`--minutes 4 --control`", 4, ("--control",)),
    "fast20": Row("`--minutes 20`", 20),
    "coursefast20": Row("`--recipe course-fast --minutes 20`", 20, ("--recipe", "course-fast")),
    "world3": Row("built-in world, `--minutes 3 --control`", 3, ("--control",), real=False),
}


def command(key: str, seed: int, runs: Path, data: str) -> list[str]:
    """What starts a run, or goes on with it."""
    folder, row = runs / f"{key}-{seed}", ROWS[key]
    begun = [sys.executable, "-m", "clearhead", "birthplaces", "run", "--out", str(folder)]
    if (folder / "recipe.toml").exists():
        return [*begun, "--resume"]
    return [*begun, "--minutes", str(row.minutes), "--seed", str(seed), *row.options, *(["--data", data] if row.real else [])]


def figures_of(folder: Path) -> dict[str, Any]:
    """The figures of a run, and how many its question alone gets right."""
    figures: dict[str, Any] = json.loads((folder / "figures.json").read_text(encoding="utf-8"))
    known = trained(folder)
    alone = score(answer(known.model, known.vocabulary, known.corpus.dev), known.corpus.dev)
    return {**figures, "alone": alone.tree()}


def line(row: Row, all_figures: list[dict[str, Any]]) -> str:
    def mean(key: str) -> str:
        values = [figures[key]["accuracy"] for figures in all_figures if figures[key]]
        each = ", ".join(f"{value:.1%}" for value in values)
        return f"{statistics.mean(values):.1%} ({each})" if values else ""

    minutes = ", ".join(f"{figures['minutes']:.2f}" for figures in all_figures)
    speed = statistics.mean(figures["tokens_per_second"] for figures in all_figures)
    cells = [row.name, *map(mean, ("dev", "alone", "dev_without_pretraining", "baseline")), minutes, f"{speed:,.0f}"]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    runs, wanted = Path(sys.argv[1] if len(sys.argv) > 1 else "out/birthplaces"), sys.argv[2:] or list(ROWS)
    data = str(Path(os.environ["CLEARHEAD_DATA"]) / "birthplaces")
    left = [(key, seed) for key in wanted for seed in SEEDS if not (runs / f"{key}-{seed}" / "figures.json").exists()]
    side_by_side([command(key, seed, runs, data) for key, seed in left])
    head = ["`clearhead birthplaces run …`", "dev, mean (each seed)", "asked the question alone", "without pretraining"]
    head += ["baseline", "minutes measured", "tokens/s"]
    lines = ["# Birthplaces", "", described(), ""]
    lines += [f"| {' | '.join(head)} |", f"| {' | '.join('---' for _ in head)} |"]
    lines += [line(ROWS[key], [figures_of(runs / f"{key}-{seed}") for seed in SEEDS]) for key in wanted]
    lines += [
        "",
        f"Seeds {', '.join(map(str, SEEDS))}. Everything from a blank model to the printed accuracy is in the minutes. "
        f"Each run had one core and one thread, other work beside it on the other core. torch {torch.__version__}.",
        "",
        "Shown by: `python benchmarks/birthplaces.py RUNS`",
    ]
    text = "\n".join(lines) + "\n"
    (HERE / "birthplaces.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
