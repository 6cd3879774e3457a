"""The table of the knowledge experiment: each row a command with a budget in minutes, each with three seeds.

Run on a quiet machine: CLEARHEAD_DATA=… .venv/bin/python benchmarks/birthplaces.py RUNS [row …]; rows that are done in the
folder RUNS are not run again, so it can be stopped and gone on with. The result goes to benchmarks/birthplaces.md.
"""

import json
import os
import platform
import statistics
import subprocess
import sys
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import torch

HERE = Path(__file__).parent
CLEARHEAD = Path(sys.executable).with_name("clearhead")
SEEDS = (0, 1, 2)


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    name: str
    minutes: float
    options: tuple[str, ...] = ()
    real: bool = True


ROWS = {
    "90s": Row("fast, 90 s", 1.5),
    "3min": Row("fast, 3 min", 3),
    "5min": Row("fast, 5 min, with the control", 5, ("--control",)),
    "15min": Row("fast, 15 min", 15),
    "course-fast": Row("the course's architecture and characters, course-fast, 40 min", 40, ("--recipe", "course-fast")),
    "world": Row("built-in world, 3 min, with the control", 3, ("--control",), real=False),
}


def run(key: str, row: Row, seed: int, runs: Path, data: str) -> dict[str, Any]:
    """The figures of one run, from its folder if it is done."""
    folder = runs / f"{key}-{seed}"
    command = [str(CLEARHEAD), "birthplaces", "run", "--out", str(folder)]
    if (folder / "recipe.toml").exists():
        command.append("--resume")
    else:
        command += ["--minutes", str(row.minutes), "--seed", str(seed), *row.options, *(["--data", data] if row.real else [])]
    if not (folder / "figures.json").exists():
        subprocess.run(command, check=True)
    figures: dict[str, Any] = json.loads((folder / "figures.json").read_text(encoding="utf-8"))
    return figures


def line(row: Row, all_figures: list[dict[str, Any]]) -> str:
    def mean(key: str) -> str:
        values = [figures[key]["accuracy"] for figures in all_figures if figures[key]]
        each = ", ".join(f"{value:.1%}" for value in values)
        return f"{statistics.mean(values):.1%} ({each})" if values else ""

    minutes = ", ".join(f"{figures['minutes']:.2f}" for figures in all_figures)
    speed = statistics.mean(figures["tokens_per_second"] for figures in all_figures)
    return f"| {row.name} | {mean('dev')} | {mean('dev_without_pretraining')} | {mean('baseline')} | {minutes} | {speed:,.0f} |"


def main() -> None:
    runs, wanted = Path(sys.argv[1]), sys.argv[2:] or list(ROWS)
    data = str(Path(os.environ["CLEARHEAD_DATA"]) / "birthplaces")
    lines = [
        "# Birthplaces",
        "",
        "| | dev, mean (each seed) | without pretraining | baseline | minutes measured | tokens/s |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for key in wanted:
        lines.append(line(ROWS[key], [run(key, ROWS[key], seed, runs, data) for seed in SEEDS]))
    lines += [
        "",
        f"Seeds {SEEDS}; everything from a blank model to the printed accuracy. {date.today()}, "
        f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, torch {torch.__version__}.",
    ]
    text = "\n".join(lines) + "\n"
    (HERE / "birthplaces.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
