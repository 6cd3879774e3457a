"""What else a page may hold: a step as a known slip makes it, or as it follows from what the person wrote before."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from clearhead.working.reading.hypotheses.lists import Lists, grouped
from clearhead.working.reading.hypotheses.made_rows import MadeRows
from clearhead.working.reading.hypotheses.operands import Operands
from clearhead.working.reading.hypotheses.phrases import HEADING
from clearhead.working.reading.hypotheses.possible_steps import Rows
from clearhead.working.reading.hypotheses.single_numbers import SingleNumbers
from clearhead.working.reading.hypotheses.telling_numbers import TellingNumbers
from clearhead.working.reading.hypotheses.whole_values import WholeValues
from clearhead.working.reading.page.unit import Unit

COMPARED = re.compile(
    r"without|unscaled|instead|compar|would|had we|wrong|sans |ohne |senza|\bsin |sem |bez |без |不|如果|若|なし|없이",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Otherwise:
    """Other values of some steps, and whether they are a person's own (else a slip's, which their words must bear out)."""

    values: dict[str, Rows]
    own: bool = False


Slips = Callable[[], tuple[Otherwise, ...]]
"""What the steps come to after each known slip; worked out where it is asked for."""


class OtherValues(WholeValues, MadeRows, Lists, SingleNumbers, TellingNumbers, Operands):
    """Units that no right value explains, tried against other values."""

    def by_other_values(self, own: Otherwise | None, slips: Slips) -> None:
        """What follows from a person's own values; then, where something is left that has a step's name, the slips."""
        if own is not None:
            self.try_values([unit for unit in self.units if self.is_open(unit)], own)
        left = [unit for unit in self.units if self.is_open(unit) and self.is_named_at_all(unit)]
        if any(unit.final.layout != "number" for unit in left) or grouped(left, self.phrases):
            for other in slips():
                self.try_values([unit for unit in left if self.is_open(unit)], other)

    def by_own_values(self, own: Otherwise) -> None:
        """Tables and vectors all of whose numbers follow from the person's own: before anything that is only partly right."""
        truth, fits = self.atlas, self.fits
        self.atlas = truth.otherwise(own.values)
        units = [unit for unit in self.units if self.is_open(unit) and unit.table < 0 and unit.final.layout != "number"]
        self.fits = {unit.order: self.atlas.fits(unit) for unit in units}
        for look in (self.by_value, self.by_function, self.by_most):
            for unit in units:
                if self.is_open(unit):
                    look(unit)
        self.atlas, self.fits = truth, fits

    def is_named_at_all(self, unit: Unit) -> bool:
        return any(self.near(unit, step) >= HEADING for step in self.atlas.steps)

    def is_open(self, unit: Unit) -> bool:
        return unit.order not in self.done.units and bool(unit.final.cells)

    def try_values(self, units: list[Unit], other: Otherwise) -> None:
        truth, fits = self.atlas, self.fits
        self.atlas = truth.otherwise(other.values)
        bearing = [unit for unit in units if other.own or self.bears_out(unit, other)]
        self.fits = {unit.order: self.atlas.fits(unit) for unit in bearing}
        for unit in bearing:
            self.by_value(unit)
        for unit in bearing:
            if self.is_open(unit) and unit.final.layout == "number" and self.near_any(unit, other) >= HEADING:
                self.by_index(unit)
        for unit in bearing if other.own else ():
            if self.is_open(unit):
                self.by_digits(unit)
        for group in grouped([unit for unit in bearing if self.is_open(unit)], self.phrases):
            if len(group[0].final.cells[0]) > 1:
                self.row_group(group, whole=True)
            else:
                self.cell_group(group, whole=True)
        self.atlas, self.fits = truth, fits

    def near_any(self, unit: Unit, other: Otherwise) -> float:
        return max(self.near(unit, step) for step in other.values)

    def bears_out(self, unit: Unit, other: Otherwise) -> bool:
        """Whether the words near a unit name a step that a slip changes, and do not say that it is only a comparison."""
        said = " ".join([unit.own, unit.tail, *unit.above[:1]])
        return self.near_any(unit, other) >= HEADING and not COMPARED.search(said)
