"""The gradient of a logistic loss, and one step against a gradient."""

from collections.abc import Iterator
from fractions import Fraction

from clearhead.exact.expressions import ONE, ZERO, Exact, finite
from clearhead.exact.matrices import Matrix, cell_by_cell, vector
from clearhead.exact.notation import bracketed
from clearhead.working.rules.losses import Penalty, heaviest
from clearhead.working.rules.rule import Reach, Rule, Show, Slip, Term


class LogisticGradient(Rule):
    """(p − y)x plus the penalty's part: λw, or λ times the first largest weight in its own place. From p, y, x and w."""

    penalty: Penalty | None

    reach = (Reach.WHOLE, Reach.WHOLE, Reach.CELL)

    def __call__(self, *inputs: Matrix) -> Matrix:
        p, y, x, w = inputs
        off = finite(p.cell) - finite(y.cell)
        return vector([finite(cell) * off + self.part(w, j) for j, cell in enumerate(x.rows[0])])

    def part(self, w: Matrix, j: int) -> Exact:
        if self.penalty is None or (self.penalty.norm == "max-norm" and j != heaviest(w)[0]):
            return ZERO
        return finite(w[0, j]) * self.penalty.strength

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        part = self.part(inputs[3], j)
        return [Term(((0, 0, 0), (2, 0, j))), Term(((1, 0, 0), (2, 0, j)), -ONE), *([Term((), part)] if part != 0 else [])]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        p, y, x, w = inputs
        start = f"({show(p.cell)} - {bracketed(show(y.cell))})·{bracketed(show(x[0, j]))}"
        if self.penalty is None:
            return start
        if self.penalty.norm == "max-norm" and j != heaviest(w)[0]:
            return f"{start} + 0"
        return f"{start} + {bracketed(show(self.penalty.strength))}·{bracketed(show(w[0, j]))}"


class Descent(Rule):
    """One step of stochastic gradient descent: w − ηd."""

    rate: Fraction

    reach = (Reach.CELL,) * 2

    def __call__(self, *inputs: Matrix) -> Matrix:
        return cell_by_cell(lambda w, d: w - d * self.rate, *inputs)

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, i, j),)), Term(((1, i, j),), -self.rate)]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"{show(inputs[0][i, j])} - {bracketed(show(self.rate))}·{bracketed(show(inputs[1][i, j]))}"

    def slips(self, *needs: str) -> Iterator[Slip]:
        hint = "the gradient was added; a step of descent goes against it"
        yield Slip("sign", lambda w, d: cell_by_cell(lambda a, b: a + b * self.rate, w, d), hint)
