"""Numbers that say by their digits what they are: a right value to three digits or more, or one written on the way."""

from clearhead.working.reading.hypotheses.evidence import TELLING, Evidence, is_telling
from clearhead.working.reading.hypotheses.possible_steps import EXACTLY, Target, agreement
from clearhead.working.reading.names.synonyms import TURNED
from clearhead.working.reading.numbers.amounts import Amount
from clearhead.working.reading.page.unit import Unit
from clearhead.working.written import Place


class TellingNumbers(Evidence):
    """Units that nothing else explains."""

    def by_digits(self, unit: Unit) -> None:
        """A number that is right to three digits or more for a cell that nothing was found for."""
        cell = unit.final.cells[0][0] if unit.final.layout == "number" else None
        if (
            not isinstance(cell, Amount)
            or not is_telling(unit)
            or unit.final.worked
            or any("√" in text for text in unit.labels[-1:])
        ):
            return
        found = self.right_for(unit, cell)
        free = [(near, step, place, sign) for near, step, place, sign in found if (step, place) not in self.done.taken]
        if not free:
            if found and not self.names_free_cell(unit):
                self.done.units.add(unit.order)  # said once more
            return
        nearest = max(near for near, *_ in free)
        best = [one for one in free if one[0] == nearest]
        if len({step for _, step, _, _ in best}) == 1 and (nearest > 0 or len(best) == 1):
            near, step, place, sign = best[0]
            fit = self.atlas.fit(unit.final, Target(step, (place,)), sign)
            self.done.add(self.claim(unit, fit, near, sure=True, why="digits"))

    def right_for(self, unit: Unit, cell: Amount) -> list[tuple[float, str, Place, int]]:
        found = []
        for step in self.atlas.steps:
            near = self.near(unit, step)
            if near < 0:
                continue
            for i, row in enumerate(self.atlas.of[step]):
                for j, right in enumerate(row):
                    sign = next((s for s in ((1, -1) if step in TURNED else (1,)) if agreement(cell, right, s) == EXACTLY), 0)
                    if sign:
                        found.append((near, step, (i, j), sign))
        return found

    def on_the_way(self, unit: Unit) -> None:
        """Exponentials, sums and logarithms are no step: nothing is claimed for them."""
        cell = unit.final.cells[0][0] if unit.final.layout == "number" else None
        if isinstance(cell, Amount) and any(self.is_made_of_needs(unit, step) for step, *_ in self.named_cells(unit)):
            return  # it has a step's name, and was made from what that step is made from
        found = isinstance(cell, Amount) and is_telling(unit) and self.aside.holds(cell)
        if found or any(fit.full and fit.weight >= TELLING for fit in self.aside.fits(unit)):
            self.done.intermediate.add(unit.order)
            self.done.units.add(unit.order)
