"""What a written unit could be: every step, row, column or cell of its size, and how well the numbers agree."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from clearhead.exact.decimals import as_float
from clearhead.exact.matrices import Matrix
from clearhead.working.reading.numbers.amounts import Amount, ReadCell
from clearhead.working.reading.page.sides import Side
from clearhead.working.reading.page.unit import Unit
from clearhead.working.written import Place

HIDDEN = -999.0  # what stands for −∞: −1e9, −10000
EXACTLY, ROUGHLY = 1.0, 0.7
ROUGH_UNITS = 1.6  # of the last digit, by which rounding on the way moves a number; one digit behind the point tells too little
NOT_WHOLE = 0.02
Cells = list[tuple[Place, Amount]]
Rows = list[list[float]]


@dataclass(frozen=True, slots=True)
class Target:
    """One thing that a unit may be: a step (or a given) and the places of its cells."""

    step: str
    places: tuple[Place | None, ...]  # for the unit's cells in reading order; None: not a cell of the step
    turned: bool = False
    partial: bool = False  # only a part of a row

    @property
    def rows(self) -> set[int]:
        return {place[0] for place in self.places if place is not None}


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a unit's numbers agree with a target: 1 where all do."""

    target: Target
    share: float  # of what it weighs
    weight: float  # how much the agreeing cells tell: 0 and 1 tell little
    full: bool
    matched: int
    side: Side
    flipped: bool = False  # agrees with its sign turned
    coarse: bool = False  # whole numbers for what is none: they agree with much


class Atlas:
    """The values of a plan as floats."""

    def __init__(self, worked: Mapping[str, Matrix], steps: list[str], given: list[str]) -> None:
        self.steps, self.given = steps, given
        self.of: dict[str, list[list[float]]] = {
            name: [[as_float(cell) for cell in row] for row in worked[name].rows] for name in (*steps, *given) if name in worked
        }
        self.known = list(self.of)  # what a unit may be

    def otherwise(self, values: Mapping[str, Rows]) -> "Atlas":
        """The same with other values of some steps, of which alone a unit may be."""
        atlas = Atlas({}, [name for name in self.steps if name in values], [])
        atlas.of = {**self.of, **values}
        atlas.known = atlas.steps
        return atlas

    def shape(self, name: str) -> Place:
        rows = self.of[name]
        return len(rows), len(rows[0])

    def targets(self, side: Side) -> Iterator[Target]:
        """Everything of a side's size."""
        if not side.cells:
            return
        height, width = len(side.cells), len(side.cells[0])
        for name in self.known:
            rows, columns = self.shape(name)
            if side.layout == "size" or (rows == 1 and columns == 3 and is_size(side)):
                if (rows == 1 and columns == width >= 2) or (rows == 1 and columns == 3 and width == 2):
                    yield from sizes(name, width, columns)
                continue
            if (height, width) == (rows, columns):
                yield Target(name, tuple((i, j) for i in range(rows) for j in range(columns)))
            if (height, width) == (columns, rows) and (rows > 1 or columns > 1):
                line = rows == 1  # a row written as a column is no transpose
                yield Target(name, tuple((j, i) for i in range(columns) for j in range(rows)), turned=not line)
            cells = width if height == 1 else height if width == 1 else 0
            if cells > 1:
                yield from self.lines(name, cells, rows, columns)
            elif cells == 1 and (rows > 1 or columns > 1):
                yield from (Target(name, ((i, j),)) for i in range(rows) for j in range(columns))

    def lines(self, name: str, cells: int, rows: int, columns: int) -> Iterator[Target]:
        if columns == cells and rows > 1:
            yield from (Target(name, tuple((i, j) for j in range(columns))) for i in range(rows))
        if rows == cells and columns > 1:
            yield from (Target(name, tuple((i, j) for i in range(rows)), turned=True) for j in range(columns))
        if rows > 1 and columns > 1 and cells == rows * columns:  # w1, w2, w3, w4 of a table, row by row or column by column
            yield Target(name, tuple((i, j) for i in range(rows) for j in range(columns)), partial=True)
            yield Target(name, tuple((i, j) for j in range(columns) for i in range(rows)), partial=True)
        if 2 <= cells < columns and rows == 1:
            yield Target(name, tuple((0, j) for j in range(cells)), partial=True)

    def fit(self, side: Side, target: Target, sign: int = 1) -> Fit:
        values = self.of[target.step]
        total = found = 0.0
        matched = 0
        full = True
        flat = [cell for row in side.cells for cell in row]
        whole = all(not isinstance(cell, Amount) or cell.decimals == 0 for cell in flat)
        coarse = False
        for place, cell in zip(target.places, flat, strict=True):
            if place is None or not isinstance(cell, Amount):
                continue
            right = values[place[0]][place[1]]
            weight = 0.3 if right in (0.0, 1.0) or cell.value in (0, 1) or math.isinf(right) else 1.0
            good = agreement(cell, right, sign)
            coarse = coarse or (whole and good > 0 and is_coarse(cell, right))
            total += weight
            found += weight * good
            matched += good > 0
            full = full and good > 0
        share = found / total if total else 0.0
        return Fit(target, share, found, full and total > 0, matched, side, sign < 0, coarse)

    def fits(self, unit: Unit) -> list[Fit]:
        """How each target of a unit's size agrees with its value; a single number agrees with too much to tell."""
        side = unit.final
        return [] if side.layout == "number" else [self.fit(side, target) for target in self.targets(side)]

    def holds(self, cell: Amount, least: float = ROUGHLY) -> bool:
        """Whether a number is right for some cell."""
        return any(agreement(cell, right) >= least for name in self.known for row in self.of[name] for right in row)


def is_coarse(cell: Amount, right: float) -> bool:
    """Whether a whole number of one digit stands for what is none."""
    return not math.isinf(right) and abs(right - round(right)) > NOT_WHOLE and len(cell.text.strip("+-")) < 2


def is_size(side: Side) -> bool:
    """Three whole numbers in brackets may be a size with its channels first or last."""
    cells = side.cells[0]
    return (
        side.layout == "vector"
        and len(cells) == 3
        and all(isinstance(c, Amount) and c.text.isdigit() and c.text != "0" for c in cells)
    )


def sizes(name: str, width: int, columns: int) -> Iterator[Target]:
    """A size as channels, height, width, or with the channels last; two numbers are height and width."""
    if width == 2 and columns == 3:
        yield Target(name, ((0, 1), (0, 2)))
        return
    yield Target(name, tuple((0, j) for j in range(width)))
    if width == 3:
        yield Target(name, ((0, 1), (0, 2), (0, 0)))


def agreement(cell: Amount, right: float, sign: int = 1) -> float:
    """1 where a number is the right one to its digits, a little less where it was rounded on the way, 0 otherwise."""
    best = 0.0
    for value in (cell.value, cell.otherwise):
        if value is None:
            continue
        written = sign * as_float(value)
        if math.isinf(right):
            best = max(best, EXACTLY if written == right or (right < 0 and written <= HIDDEN) else 0.0)
            continue
        if math.isinf(written):
            continue
        gap = abs(written - right)
        unit = 10.0**-cell.decimals if cell.decimals is not None else 1e-9 * max(1.0, abs(right))
        if gap <= 0.5 * unit * (1 + 1e-9) + 1e-12:
            best = EXACTLY
        elif cell.decimals and gap <= max(
            ROUGH_UNITS * unit if cell.decimals > 1 or abs(right) > 2 else 0.0, 0.006 * abs(right)
        ):
            best = max(best, ROUGHLY)
    return best


def agrees_all(cells: Sequence[ReadCell], row: Sequence[float]) -> bool:
    """Whether a vector is a row of values."""
    return len(cells) == len(row) and all(isinstance(c, Amount) and agreement(c, r) for c, r in zip(cells, row, strict=True))
