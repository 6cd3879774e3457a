"""What a marked working is, as data, and how its numbers are shown."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from clearhead.exact.decimals import decimal_text, is_terminating
from clearhead.exact.expressions import Cell
from clearhead.exact.notation import text
from clearhead.working.written import Note, Place

SHORT = 40  # characters: an exact value longer than that is shown as a decimal


@dataclass(frozen=True, slots=True)
class FirstError:
    """Where a working first goes wrong; no cell where the whole table has the wrong shape."""

    step: str
    cell: Place | None
    got: str
    expected: str
    slip: str | None
    hint: str


class CellMark(NamedTuple):
    """One cell as written, what is right there, and the verdict."""

    cell: Place
    got: str
    expected: str
    verdict: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class StepMark:
    """One step: its verdict, its cells, what it earned, and why it is wrong where that is known."""

    name: str
    verdict: str
    cells: tuple[CellMark, ...]
    score: float
    max_score: float  # 0 where the step does not count
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """The whole judgement on one working."""

    file: str
    score: float | None  # None: more than half is undecided, so that there is no mark
    max_score: float
    first_error: FirstError | None
    steps: tuple[StepMark, ...]
    notes: tuple[Note, ...]
    undecided: int = 0  # cells that count neither way until somebody decides
    page: str = ""  # what was marked, where it is a page

    @property
    def share(self) -> float | None:
        """What was earned of what could be, from 0 to 1; None where there is no mark."""
        return None if self.score is None else self.score / self.max_score if self.max_score else 0.0

    @property
    def said(self) -> str:
        """The score in words."""
        if self.score is None:
            return f"not marked: {self.undecided} cells are undecided"
        open_cells = f", {self.undecided} cells undecided" if self.undecided else ""
        return f"{round(self.score, 2):g} of {round(self.max_score, 4):g}{open_cells}"


def shown(cell: Cell, decimals: int | None) -> str:
    """Exactly where that is short, else to the digits that the person used."""
    if isinstance(cell, Fraction) and (decimals is None or is_terminating(cell)) and len(text(cell)) <= SHORT:
        return plain_decimal(cell) if decimals is not None else text(cell)
    if decimals is None and len(text(cell)) <= SHORT:
        return text(cell)
    return decimal_text(cell, 4 if decimals is None else decimals)


def plain_decimal(cell: Fraction) -> str:
    """A decimal that ends, written out to its end: 5/2 is 2.5."""
    decimals = 0
    while (cell * 10**decimals).denominator != 1:
        decimals += 1
    return decimal_text(cell, decimals)


def as_written(text: str) -> str:
    """A number in the signs that its LaTeX had."""
    return text.replace("√", "\\sqrt") if "\\frac" in text else text


def sized(shape: Place) -> str:
    return f"{shape[0]}×{shape[1]}"


def counted_from_one(place: Place) -> str:
    return f"({place[0] + 1}, {place[1] + 1})"


def as_json(mark: Mark) -> Mapping[str, object]:
    """The contract's tree: cells counted from 1, row first."""
    error = mark.first_error
    return {
        "file": mark.file,
        "score": mark.score,
        "max_score": mark.max_score,
        "undecided": mark.undecided,
        "first_error": None
        if error is None
        else {
            "step": error.step,
            "cell": None if error.cell is None else [error.cell[0] + 1, error.cell[1] + 1],
            "got": error.got,
            "expected": error.expected,
            "slip": error.slip,
            "hint": error.hint,
        },
        "steps": [
            {
                "name": step.name,
                "verdict": step.verdict,
                "cells": [
                    {"cell": [c.cell[0] + 1, c.cell[1] + 1], "got": c.got, "expected": c.expected, "verdict": c.verdict}
                    for c in step.cells
                ],
            }
            for step in mark.steps
        ],
        "notes": [{"step": note.step, "line": note.line, "text": note.text} for note in mark.notes],
    }
