"""Rows that show what they were made from: softmax([2, 1]) = […], 0.7 × [1, 0] + 0.3 × [0, 1] = […]."""

import re

from clearhead.working.reading.hypotheses.evidence import Evidence, tells
from clearhead.working.reading.hypotheses.phrases import ABOVE
from clearhead.working.reading.hypotheses.possible_steps import Fit, Rows, agrees_all
from clearhead.working.reading.numbers.amounts import Amount, ReadCell
from clearhead.working.reading.page.sides import vector_of
from clearhead.working.reading.page.unit import Unit

CALL = re.compile(r"(\w+)\}?\s*\(\s*\[([^\[\]]*)\]\s*\)\s*$")  # of a vector, and nothing behind it


class MadeRows(Evidence):
    """Vectors behind a function of a row, or behind vectors that are added up."""

    def by_function(self, unit: Unit) -> None:
        """softmax([0.71, 0]) = [0.67, 0.33]: whatever it comes to, it is made of one row of the scores, and so is that row."""
        if unit.final.layout == "table" and len(unit.factors) > 1:
            self.by_factors(unit)
        if unit.final.layout != "vector" or unit.final.worked:
            return
        calls = [found for text in (*unit.labels, *unit.worked) for found in CALL.finditer(text)]
        argument = (vector_of(calls[0][2]) or []) if len(calls) == 1 else []
        tells_apart = len({cell.text for cell in argument if isinstance(cell, Amount)}) > 1
        fits = [fit for fit in self.fits[unit.order] if tells_apart and self.is_made_of(fit, calls[0][1].lower(), argument)]
        fits = fits or [fit for fit in self.fits[unit.order] if self.is_sum_of(fit, unit)]
        if len(fits) == 1:
            near = max(self.near(unit, fits[0].target.step), ABOVE)
            self.done.add(self.claim(unit, fits[0], near, sure=True, why="function"))

    def by_factors(self, unit: Unit) -> None:
        """Q = [X] [W_Q] = […]: whatever it comes to, the tables that it is the product of say which step it is."""
        fits = [
            fit
            for fit in self.fits[unit.order]
            if fit.target.step in self.order and not fit.target.turned and self.near(unit, fit.target.step) > 0
            if (needs := [self.atlas.of.get(need, []) for need in self.phrases.steps[fit.target.step].needs])
            and len(needs) == len(unit.factors)
            and all(map(is_table, unit.factors, needs))
        ]
        if len(fits) == 1:
            self.done.add(self.claim(unit, fits[0], self.near(unit, fits[0].target.step), sure=True, why="factors"))

    def is_sum_of(self, fit: Fit, unit: Unit) -> bool:
        """Whether vectors were added up that come to a row of a step, whatever was written for their sum."""
        target, width = fit.target, len(unit.final.cells[0])
        if target.step not in self.order or target.turned or target.partial or len(target.rows) != 1:
            return False
        right = self.atlas.of[target.step][min(target.rows)]
        sums = [side.cells[0] for side in unit.sides if side.added and len(side.cells[0]) == width == len(right)]
        return any(
            all(isinstance(cell, Amount) and tells(cell, one) for cell, one in zip(row, right, strict=True)) for row in sums
        )

    def is_made_of(self, fit: Fit, function: str, argument: list[ReadCell]) -> bool:
        """Whether a target is a row that its step's rule, called by a function's name, makes of a vector, to every digit."""
        step, rows = self.phrases.steps.get(fit.target.step), fit.target.rows
        if step is None or step.rule is None or step.rule.called != function or fit.target.turned or fit.target.partial:
            return False
        needs = [self.atlas.of[need] for need in step.needs if need in self.atlas.of]
        return len(rows) == 1 and len(needs) == 1 and len(needs[0]) > min(rows) and agrees_all(argument, needs[0][min(rows)])


def is_table(cells: list[list[ReadCell]], values: Rows) -> bool:
    """Whether a table holds these values, to every digit."""
    return len(cells) == len(values) and all(agrees_all(row, right) for row, right in zip(cells, values, strict=True))
