"""How many workings a second `clearhead mark` reads and judges on one core: a folder of 1,000, a third of them with a slip.

Run: python benchmarks/marking.py  (writes benchmarks/marking.md)
"""

import random
import tempfile
import time
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

from machine import described

from clearhead.exact.decimals import decimal_text
from clearhead.exact.matrices import Matrix
from clearhead.exact.policies import Policy
from clearhead.working import load_problem
from clearhead.working.marking import Marker, mark_files

HERE = Path(__file__).parent
COUNT, ROUNDS, ASKED = 1000, 3, 200
PROBLEMS = ("examples/self-attention", "examples/cross-attention", "examples/sorter")


def main() -> None:
    lines = [
        "# Marking a folder of workings",
        "",
        described(),
        "",
        f"{COUNT} workings each, a third with one wrong cell that is carried on; seconds of processor time on one core.",
        "",
    ]
    lines += ["| problem | best, workings a second | median | asked |", "| --- | --- | --- | --- |"]
    for name in PROBLEMS:
        rates = sorted(rates_of(name))
        lines.append(f"| {name} | {rates[-1]:.0f} | {rates[len(rates) // 2]:.0f} | {ASKED} |")
        print(lines[-1])
    (HERE / "marking.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def rates_of(name: str) -> list[float]:
    with tempfile.TemporaryDirectory() as room:
        marker = Marker(load_problem(name))
        paths = write_folder(marker, Path(room))
        rates = []
        for _ in range(ROUNDS):
            start = time.process_time()
            marks = list(mark_files(marker, paths))
            rates.append(len(marks) / (time.process_time() - start))
        wrong = sum(mark.first_error is not None for mark in marks)
        assert wrong == sum(number % 3 == 0 for number in range(COUNT)), wrong
        return rates


def write_folder(marker: Marker, room: Path) -> list[Path]:
    chance = random.Random(7)
    paths = []
    for number in range(COUNT):
        path = room / f"{number:04}.md"
        path.write_text(written(own_values(marker, chance, wrong=number % 3 == 0), chance), encoding="utf-8")
        paths.append(path)
    return paths


def own_values(marker: Marker, chance: random.Random, *, wrong: bool) -> Mapping[str, Matrix]:
    """The working rounded to two decimals at every step, with one cell of an early step put wrong or not."""
    plan = marker.key.plan
    values = dict(plan.given)
    steps = [step for step in plan.steps if step.rule is not None]
    spoiled = chance.choice([step.name for step in steps if step.name in ("Q", "K", "V", "scores")]) if wrong else ""
    for step in steps:
        assert step.rule is not None
        value = step.rule(*(values[need] for need in step.needs)).map(Policy(2).settle)
        values[step.name] = off_by_one(value, chance) if step.name == spoiled else value
    return {step.name: values[step.name] for step in steps}


def off_by_one(value: Matrix, chance: random.Random) -> Matrix:
    rows = [list(row) for row in value.rows]
    i, j = chance.randrange(value.shape[0]), chance.randrange(value.shape[1])
    cell = rows[i][j]
    rows[i][j] = cell + 1 if isinstance(cell, Fraction) else cell
    return Matrix(tuple(map(tuple, rows)), value.rank)


def written(values: Mapping[str, Matrix], chance: random.Random) -> str:
    """Every step as a LaTeX matrix, as students hand it in."""
    parts = ["# My answer", ""]
    for name, value in values.items():
        rows = r" \\ ".join(" & ".join(cell_text(cell) for cell in row) for row in value.rows)
        parts += [f"Now for {name} I get:", "", rf"$$\mathrm{{{name}}} = \begin{{bmatrix}} {rows} \end{{bmatrix}}$$", ""]
    return "\n".join(parts)


def cell_text(cell: object) -> str:
    return decimal_text(cell, 2) if isinstance(cell, Fraction) else r"-\infty"


if __name__ == "__main__":
    main()
