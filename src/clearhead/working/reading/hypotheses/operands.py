"""What stands inside arithmetic, softmax([3, 1, -1]) or [7.39, 2.72] / 10.11: read only where it is right to every digit."""

import re

from clearhead.working.reading.hypotheses.evidence import TELLING, Evidence, arguments_of
from clearhead.working.reading.hypotheses.phrases import ABOVE
from clearhead.working.reading.hypotheses.possible_steps import Fit
from clearhead.working.reading.numbers.amounts import Amount
from clearhead.working.reading.page.sides import Side, number_of
from clearhead.working.reading.page.unit import Unit

DIVISOR = re.compile(r"[\])]\s*/\s*(\d+\.\d+)")
FEWEST_DIGITS = 4  # of a single number inside arithmetic


class Operands(Evidence):
    """Vectors and divisors inside arithmetic."""

    def operands(self) -> None:
        """The steps that nothing was found for, where they stand only as operands."""
        missing = [step for step in self.atlas.steps if not any(name == step for name, _ in self.done.taken)]
        for unit in self.units if missing else ():
            for vector in reversed(arguments_of(unit)):
                self.operand(unit, Side([list(vector)], "vector"), missing)
            for text in (*unit.labels, *unit.worked):
                for mark in DIVISOR.finditer(text):
                    number = number_of(mark[1]) if len(mark[1]) > FEWEST_DIGITS else None
                    if isinstance(number, Amount):
                        self.operand(unit, Side([[number]], "number", number.text), missing)

    def operand(self, unit: Unit, side: Side, missing: list[str]) -> None:
        side.line = unit.line
        fits = [self.atlas.fit(side, target) for target in self.atlas.targets(side)]
        found: list[Fit] = [fit for fit in fits if fit.full and fit.share == 1 and not fit.target.turned and not fit.coarse]
        best = found[0] if len({fit.target.step for fit in found}) == 1 else None
        if best is not None and best.target.step in missing and (side.layout == "number" or best.weight >= TELLING):
            self.done.add(self.claim(unit, best, ABOVE, sure=True, why="operand"))
