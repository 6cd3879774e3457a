"""The mean logarithm of probabilities, and the perplexity it stands for."""

from collections.abc import Iterator
from fractions import Fraction

from clearhead.exact.expressions import Exact
from clearhead.exact.logarithms import Base, negative, power, surprise
from clearhead.exact.matrices import Matrix, multiplied, number, sum_of
from clearhead.exact.notation import bracketed
from clearhead.working.rules.log_bases import other_bases
from clearhead.working.rules.rule import MOST_WRITTEN_OUT, Rule, Show, Slip, Term


class MeanLog(Rule):
    """The average of log_b p over the tokens."""

    base: Base

    def __call__(self, *inputs: Matrix) -> Matrix:
        row = inputs[0].rows[0]
        mean = sum_of(negative(surprise(cell)) for cell in row)
        if isinstance(mean, float):
            return number(mean if self.base.number is None or self.base.number > 1 else -mean)
        return number(self.base.divide(mean) / len(row))

    def with_logs(self, factor: Exact, *inputs: Matrix) -> Matrix:
        return multiplied(self(*inputs), factor)

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        row = inputs[0].rows[0]
        found = [surprise(cell) for cell in row]
        return [Term((), self.base.divide(-cell) / len(row)) for cell in found if not isinstance(cell, float)]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        row = inputs[0].rows[0]
        written = row if len(row) <= MOST_WRITTEN_OUT else (*row[:2], row[-1])
        logs = [f"{self.base.log_name} {bracketed(show(cell))}" for cell in written]
        return f"({' + '.join(logs if written is row else [*logs[:2], '…', logs[2]])}) / {len(row)}"

    def slips(self, *needs: str) -> Iterator[Slip]:
        return other_bases(self.with_logs, self.base.log)


class MeanOfNumbers(Rule):
    """The average of all cells of a row."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        row = inputs[0].rows[0]
        total = sum_of(row)
        return number(total if isinstance(total, float) else total / len(row))

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        count = inputs[0].shape[1]
        return [Term(((0, 0, k),), Fraction(1, count)) for k in range(count)]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        row = inputs[0].rows[0]
        cells = [bracketed(show(cell)) for cell in (row if len(row) <= MOST_WRITTEN_OUT else (*row[:2], row[-1]))]
        return f"({' + '.join(cells if len(row) <= MOST_WRITTEN_OUT else [*cells[:2], '…', cells[2]])}) / {len(row)}"


class Perplexity(Rule):
    """b to the power of minus the mean logarithm."""

    base: Base

    def __call__(self, *inputs: Matrix) -> Matrix:
        mean = inputs[0].cell
        return number(mean if isinstance(mean, float) and mean > 0 else power(self.base, negative(mean)))

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"{bracketed(self.base.name)}^{bracketed(show(negative(inputs[0].cell)))}"
