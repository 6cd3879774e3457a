"""A reading as a file: what every number of a page was taken for, written once, corrected by hand, and then law."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clearhead.errors import InputError
from clearhead.working.marking.judge import Judge
from clearhead.working.reading.numbers.amounts import Amount
from clearhead.working.reading.page.sides import cell_of
from clearhead.working.written import Place, Reading, Written, WrittenStep

NUMBER = re.compile(r"(?<![\w.])[+−-]?\d+(?:[.,]\d+)*(?:[eE][+-]?\d{1,2})?%?|[−-]?∞|-inf\b")
LINES_DOWN = 60  # of a table that was read as one statement
WORDS = ("given", "intermediate", "not used")


@dataclass(slots=True)
class Spot:
    """One number of a page: where it stands, and the cell that it was taken for."""

    line: int
    column: int
    written: str
    step: str = ""
    place: Place = (0, 0)
    word: str = ""  # "given" or "intermediate", where it is no cell


def spots_of(
    page: str, cells: Iterable[tuple[str, Place, int, str]], asides: Iterable[tuple[int, str, str]] = ()
) -> list[Spot]:
    """Every number of a page, counted from 1, with the cell (step, place, line, as written) that it was taken for."""
    spots = [
        Spot(line, mark.start() + 1, mark[0])
        for line, text in enumerate(page.split("\n"), start=1)
        for mark in NUMBER.finditer(text)
    ]
    by_line: dict[int, list[Spot]] = {}
    for spot in spots:
        by_line.setdefault(spot.line, []).append(spot)
    for step, place, line, written in sorted(cells, key=lambda cell: (cell[2], cell[0], cell[1])):
        wanted = plain(written)
        below = (spot for at in range(line, line + LINES_DOWN) for spot in by_line.get(at, ()))
        found = next((spot for spot in below if not spot.step and plain(spot.written) == wanted), None)
        if found is not None:
            found.step, found.place = step, place
    for line, written, word in asides:
        wanted = plain(written)
        below = (spot for at in range(line, line + LINES_DOWN) for spot in by_line.get(at, ()))
        found = next((one for one in below if not one.step and not one.word and plain(one.written) == wanted), None)
        if found is not None:
            found.word = word
    return spots


def plain(text: str) -> str:
    return text.replace("−", "-").replace(" ", "").replace(",", ".").lstrip("+")


def reading_tree(
    name: str, data: bytes, reading: Reading, judge: Judge, asides: Iterable[tuple[int, str, str]] = ()
) -> dict[str, Any]:
    """The contract's tree of a reading."""
    cells = [(step.name, place, c.line, c.text) for step in reading.steps.values() for place, c in step.cells.items()]
    numbers = [number_tree(spot, reading, judge) for spot in spots_of(reading.page, cells, asides)]
    return {"working": name, "sha256": hashlib.sha256(data).hexdigest(), "numbers": numbers}


def number_tree(spot: Spot, reading: Reading, judge: Judge) -> dict[str, Any]:
    key = spot.step, spot.place
    unsure = key in judge.unsure
    taken = {"step": spot.step, "cell": [spot.place[0] + 1, spot.place[1] + 1]} if spot.step else None
    return {
        "line": spot.line,
        "column": spot.column,
        "written": spot.written,
        "is": None if unsure else taken or spot.word or "not used",
        "sure": bool(spot.step or spot.word) and not unsure,
        "rivals": [taken] if unsure else [],
    }


def corrected(path: Path, data: bytes, shapes: Mapping[str, Place]) -> Reading:
    """The reading that a file states, for the page it was made of."""
    try:
        tree = json.loads(path.read_text(encoding="utf-8"))
        numbers = tree["numbers"]
        same = tree["sha256"] == hashlib.sha256(data).hexdigest()
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError(f"{path}: no reading; one is written where there is no such file") from None
    if not same:
        raise InputError(f"{path}: the reading of another page; name another file, or delete this one")
    return reading_stated(numbers, shapes, str(path))


def reading_stated(numbers: Any, shapes: Mapping[str, Place], where: str) -> Reading:
    """The reading that a list of numbers states, each with what it is."""
    steps: dict[str, dict[Place, Written]] = {}
    for at, number in enumerate(numbers if isinstance(numbers, list) else [], start=1):
        found = number.get("is") if isinstance(number, dict) else None
        if found is None or found in WORDS:
            continue
        step, place, written = cell_in(number, found, shapes, f"{where}: number {at}")
        steps.setdefault(step, {})[place] = written
    read = {name: WrittenStep(name, steps[name]) for name in shapes if name in steps}
    return Reading(read)


def cell_in(number: Mapping[str, Any], found: Any, shapes: Mapping[str, Place], where: str) -> tuple[str, Place, Written]:
    """The cell that one entry names, checked against the steps that there are."""
    step, cell = (found.get("step"), found.get("cell")) if isinstance(found, dict) else (None, None)
    if not isinstance(step, str) or step not in shapes:
        raise InputError(f"{where}: `is` must be a cell of a step, one of {', '.join(WORDS)}, or null")
    rows, columns = shapes[step]
    if not (isinstance(cell, list) and len(cell) == 2 and all(isinstance(n, int) for n in cell)):
        raise InputError(f"{where}: `cell` must be a row and a column, counted from 1")
    if not (0 < cell[0] <= rows and 0 < cell[1] <= columns):
        raise InputError(f"{where}: {step} has {rows} rows and {columns} columns, so there is no cell {cell}")
    amount = cell_of(str(number.get("written", "")).replace("−", "-"))
    if not isinstance(amount, Amount):
        raise InputError(f"{where}: {number.get('written')!r} is no number")
    line = number.get("line")
    written = Written(amount.text, amount.value, amount.decimals, amount.otherwise, line if isinstance(line, int) else 0)
    return step, (cell[0] - 1, cell[1] - 1), written
