"""What speaks for a reading of a unit: its labels, its row, what it was worked out from."""

import math
import re

from clearhead.exact.decimals import as_float
from clearhead.working.reading.hypotheses.claimed_cells import Assignment, CellClaim, sums_of
from clearhead.working.reading.hypotheses.phrases import Phrases
from clearhead.working.reading.hypotheses.possible_steps import EXACTLY, Atlas, Fit, Target, agreement, agrees_all
from clearhead.working.reading.numbers.amounts import Amount
from clearhead.working.reading.page.sides import number_of, vector_of
from clearhead.working.reading.page.unit import Unit
from clearhead.working.written import Place

DECIMAL = re.compile(r"(?<![\d.])\d*\.\d+(?![\d.])")
VECTOR = re.compile(r"[\[(<]([^\[\]()<>]*)[\])>]")
OLD = re.compile(  # the heading of a column of values as they were before an update
    r"(?:(?:old|current|previous|initial|start(?:ing)?)(?: (?:value|weight)s?)?|before|viejo|anterior|actual|alt|altes gewicht|"
    r"vorher|ancien|avant|vecchio|prima|antigo|stare|старое|до|旧|旧值|이전)",
    re.IGNORECASE,
)
TELLING = 1.9  # so much must agree before numbers alone tell what they are
ALMOST = 0.003  # relatively: what was worked out from rounded numbers


class Evidence:
    """The units of one page with the words and values of its problem."""

    def __init__(self, units: list[Unit], phrases: Phrases, atlas: Atlas, aside: Atlas) -> None:
        self.units, self.phrases, self.atlas, self.aside = units, phrases, atlas, aside
        self.done = Assignment(all_units=units)
        self.fits = {unit.order: atlas.fits(unit) for unit in units}
        self.base = self.counted_from()
        self.bases: dict[str, int] = {}  # from where each style of index counts
        self.order = {name: at for at, name in enumerate(atlas.steps)}
        self.truth = atlas
        old = {unit.order for unit in units if unit.column and OLD.fullmatch(unit.column.strip(" *`_:()"))}
        self.done.givens |= old
        self.done.units |= old

    def counted_from(self) -> int:
        """Whether the page counts its rows from 0 or from 1: a row 0 tells, else the values do."""
        said = [(int(number), unit) for unit in self.units if (number := self.phrases.number_said(unit))]
        if any(number == 0 for number, _ in said):
            return 0
        rows = [
            (number, {row for fit in self.fits[unit.order] if fit.full and fit.weight > 1 for row in fit.target.rows})
            for number, unit in said
        ]
        right = [sum(number - base in found for number, found in rows) for base in (0, 1)]
        return 0 if right[0] > right[1] else 1

    def drop_spare(self) -> None:
        """The single cells of a table that has a meaning as a whole are not looked at one by one."""
        whole = {unit.order for unit in self.units if unit.order in self.done.units or self.fitting(unit)}
        self.units = [unit for unit in self.units if unit.table not in whole]

    def fitting(self, unit: Unit) -> bool:
        """Whether anything has the size of a table."""
        return any(not fit.target.partial for fit in self.fits[unit.order])

    def sized(self, unit: Unit) -> bool:
        return unit.final.layout == "size" and len(unit.final.cells[0]) > 2

    def near(self, unit: Unit, step: str) -> float:
        return self.phrases.says(unit, step) if step in self.order else 0.0

    def row_said(self, unit: Unit, step: str) -> int | None:
        """The row that the words of a unit name, if any."""
        names = self.phrases.steps[step].rows
        spots = self.phrases.names_said(unit, names) if names and len(set(names)) == len(names) else []
        if spots and len(set(spots)) == 1:
            return spots[0]
        number = self.phrases.number_said(unit)
        if number and 0 <= int(number) - self.base < self.atlas.shape(step)[0]:
            return int(number) - self.base
        return None

    def argument_row(self, unit: Unit, target: Target) -> float:
        """softmax([…]) = […]: the row of what the step is made from tells its own row."""
        if len(target.rows) != 1 or target.step not in self.order:
            return 0.0
        row = next(iter(target.rows))
        for vector in arguments_of(unit):
            for need in self.phrases.steps[target.step].needs:
                values = self.atlas.of.get(need)
                if values and len(values) > row and agrees_all(vector, values[row]):
                    return 0.8
        return 0.0

    def is_other_head(self, unit: Unit, step: str) -> bool:
        """Whether a unit stands under one head and a step belongs to another."""
        head = self.phrases.head_of(unit)
        return bool(head) and self.phrases.base_of(step) != step and not step.endswith(head)

    def rival(self, unit: Unit, chosen: Fit) -> str:
        """Another step whose right values these are, all of them."""
        for fit in self.fits[unit.order]:
            if fit.full and fit.weight >= TELLING and fit.target.step != chosen.target.step:
                return fit.target.step
        return ""

    def has_right_siblings(self, unit: Unit, step: str) -> bool:
        """Whether other cells of the step stand on the page in the same form, and most of them are right."""
        form, family = skeleton(unit.own, ()), self.phrases.base_of(step)
        alike = [
            claim
            for claim in self.done.claims
            if self.phrases.base_of(claim.step) == family and skeleton(claim.unit.own, ()) == form
        ]
        right = sum(claim.full for claim in alike)
        return right >= 2 or (right >= 1 and right == len(alike))

    def is_aside(self, unit: Unit) -> bool:
        """Whether a single number is exactly one that is written on the way: e^1.5, ln 0.2."""
        cell = unit.final.cells[0][0]
        return isinstance(cell, Amount) and self.aside.holds(cell, EXACTLY)

    def names_free_cell(self, unit: Unit) -> bool:
        """Whether a number's own label names a cell that nothing was found for."""
        return False

    def named_cells(self, unit: Unit) -> list[tuple[str, Place, float]]:
        """The cells that a number may be by its labels, nearest first."""
        return []

    def is_made_of_needs(self, unit: Unit, step: str) -> bool:
        """Whether every decimal that a number was worked out from, two or more, is one of those that its step is made from."""
        used = [number for text in unit.worked for mark in DECIMAL.finditer(text) if (number := number_of(mark[0])) is not None]
        needs = [self.atlas.of[need] for need in self.phrases.steps[step].needs if need in self.atlas.of]
        rights = [right for rows in needs for row in rows for right in row]
        return len(used) > 1 and all(any(agreement(number, right) == EXACTLY for right in rights) for number in used)

    def is_named(self, unit: Unit, step: str) -> bool:
        """Whether one of a chain's own labels is a step's name and nothing else."""
        head = self.phrases.head_of(unit)
        found = [self.phrases.names.resolve(label.strip(" ,.;*`"), head) for label in unit.labels]
        return any(one is not None and one.names[:1] == (step,) and not one.index for one in found)

    def plainly_named(self, unit: Unit, step: str) -> bool:
        """Whether the step's own name and nothing else labels a unit."""
        texts = (*unit.labels, unit.prefix, *(unit.above[:1] if not unit.labels else ()))
        return any(text.strip(" #*`_:=${}") == step for text in texts)

    def worked_fit(self, unit: Unit, target: Target) -> bool:
        """Whether what the value was worked out from is the right value of the target."""
        place = target.places[0]
        if place is None or len(target.places) > 1:
            return False
        right = self.atlas.of[target.step][place[0]][place[1]]
        for side in unit.sides:
            cell = side.cells[0][0] if side.cells and side.worked else None
            if isinstance(cell, Amount) and len(side.cells) == 1 == len(side.cells[0]) and tells(cell, right):
                return True
        return False

    def claim(self, unit: Unit, fit: Fit, near: float, *, sure: bool, why: str, rival: str = "") -> CellClaim:
        flat = [cell for row in fit.side.cells for cell in row]
        cells = {p: c for p, c in zip(fit.target.places, flat, strict=True) if p is not None and isinstance(c, Amount)}
        full = fit.full and (self.atlas is self.truth or self.truth.fit(fit.side, fit.target).full)
        return CellClaim(unit, fit.target.step, cells, full, near, sure, why, rival, sums_of(unit, fit), fit.flipped)


def tells(cell: Amount, right: float) -> bool:
    """Whether what a chain was worked out from is a value, to about three digits: its own factors were rounded."""
    value = as_float(cell.value)
    return math.isfinite(right) and abs(value - right) <= ALMOST * max(abs(right), 0.05)


def is_telling(unit: Unit) -> bool:
    """A number with three digits or more is hardly there by chance."""
    cell = unit.final.cells[0][0]
    return isinstance(cell, Amount) and len(re.sub(r"\D", "", cell.text).strip("0")) >= 3


def arguments_of(unit: Unit) -> list[list[Amount]]:
    """The vectors inside a chain's labels and arithmetic: softmax([…]), […] · […]."""
    found = []
    for text in [*unit.labels, *unit.worked, *([unit.above[0]] if unit.above else [])]:
        for mark in VECTOR.finditer(text):
            cells = vector_of(mark[1])
            if cells is not None and all(isinstance(cell, Amount) for cell in cells):
                found.append([cell for cell in cells if isinstance(cell, Amount)])
        if len(found) >= 2:
            break
    return found


def skeleton(text: str, names: tuple[str, ...]) -> str:
    """A label without its numbers and names: what the rows of one list have in common."""
    text = VECTOR.sub("#", text)
    for name in names:
        text = text.replace(name, "#")
    return re.sub(r"[\s#]+", "#", re.sub(r"[+-]?\d+(?:\.\d+)?", "#", text)).strip("#*` ,.;")


def text_of(unit: Unit) -> str:
    cell = unit.final.cells[0][0]
    return cell.text if isinstance(cell, Amount) else ""
