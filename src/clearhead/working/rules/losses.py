"""Losses: how surprised a model is by what came, how far off it is, and what its weights cost."""

import math
from collections.abc import Iterator
from fractions import Fraction

from clearhead.exact.enclosures import compare
from clearhead.exact.expressions import ONE, ZERO, Cell, Exact, finite
from clearhead.exact.logarithms import surprise
from clearhead.exact.matrices import Matrix, cell_by_cell, dot, multiplied, number, sum_of
from clearhead.exact.notation import bracketed
from clearhead.exact.order import largest, size_of
from clearhead.working.rules.log_bases import other_bases
from clearhead.working.rules.rule import Reach, Rule, Show, Slip, Term


class NegativeLog(Rule):
    """−Σ ln of the cells at the given places of a table of probabilities; rows and columns counted from 0."""

    places: tuple[tuple[int, int], ...]

    def __call__(self, *inputs: Matrix) -> Matrix:
        return number(sum_of(surprise(inputs[0][place]) for place in self.places))

    def with_logs(self, factor: Exact, *inputs: Matrix) -> Matrix:
        return multiplied(self(*inputs), factor)

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        found = [surprise(inputs[0][place]) for place in self.places]
        return [Term((), cell) for cell in found if not isinstance(cell, float)]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return " ".join(f"- ln {bracketed(show(inputs[0][place]))}" for place in self.places).replace("- ", "-", 1)

    def slips(self, *needs: str) -> Iterator[Slip]:
        return other_bases(self.with_logs)


class CrossEntropy(Rule):
    """−Σ yᵢ ln ŷᵢ, from ŷ and y; where yᵢ is 0 nothing is added, whatever ŷᵢ is."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        return number(sum_of(times(y, surprise(p)) for p, y in pairs(*inputs)))

    def with_logs(self, factor: Exact, *inputs: Matrix) -> Matrix:
        return multiplied(self(*inputs), factor)

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        found = [times(y, surprise(p)) for p, y in pairs(*inputs)]
        return [Term((), cell) for cell in found if not isinstance(cell, float)]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        terms = (f"- {'' if y == 1 else bracketed(show(y)) + '·'}ln {bracketed(show(p))}" for p, y in pairs(*inputs))
        return " ".join(terms).replace("- ", "-", 1)

    def slips(self, *needs: str) -> Iterator[Slip]:
        return other_bases(self.with_logs)


def pairs(predicted: Matrix, wanted: Matrix) -> list[tuple[Cell, Cell]]:
    """Each ŷ with its y, where y counts."""
    return [(p, y) for p, y in zip(predicted.rows[0], wanted.rows[0], strict=True) if compare(y, ZERO) != 0]


def times(factor: Cell, cell: Cell) -> Cell:
    """A product in which ∞ stays ∞."""
    if isinstance(factor, float) or isinstance(cell, float):
        return math.inf
    return factor * cell


class HalfSquare(Rule):
    """½(h − y)²."""

    reach = (Reach.CELL,) * 2

    def __call__(self, *inputs: Matrix) -> Matrix:
        return cell_by_cell(lambda h, y: (h - y) * (h - y) / 2, *inputs)

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        h, y = (0, i, j), (1, i, j)
        return [Term((h, h), ONE / 2), Term((h, y), -ONE), Term((y, y), ONE / 2)]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"1/2·({show(inputs[0][i, j])} - {bracketed(show(inputs[1][i, j]))})^2"


def heaviest(w: Matrix) -> list[int]:
    """The places of the largest |w_i|; ties all count."""
    return largest(tuple(size_of(finite(cell)) for cell in w.rows[0]))


class Penalty(Rule):
    """λ/2 times the squared length of w: Σ w_i² ("l2") or the largest w_i² ("max-norm")."""

    norm: str
    strength: Fraction

    def __call__(self, *inputs: Matrix) -> Matrix:
        row = self.counted(inputs[0])
        return number(dot(row, row) * self.strength / 2)

    def counted(self, w: Matrix) -> tuple[Exact, ...]:
        row = tuple(finite(cell) for cell in w.rows[0])
        return row if self.norm == "l2" else (row[heaviest(w)[0]],)

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        w = inputs[0]
        counted = range(w.shape[1]) if self.norm == "l2" else heaviest(w)[:1]
        return [Term(((0, 0, c), (0, 0, c)), self.strength / 2) for c in counted]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        squares = " + ".join(f"{bracketed(show(cell))}^2" for cell in self.counted(inputs[0]))
        return f"{bracketed(show(self.strength))}/2·({squares})"


class LabelAsShare(Rule):
    """(y + 1) / 2: a label of −1 or 1 as 0 or 1."""

    reach = (Reach.CELL,)

    def __call__(self, *inputs: Matrix) -> Matrix:
        return inputs[0].map(lambda y: (finite(y) + 1) / 2)

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, i, j),), ONE / 2), Term((), ONE / 2)]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"({show(inputs[0][i, j])} + 1) / 2"


class LogisticLoss(Rule):
    """−ln p where y is 1, −ln(1 − p) where y is 0, plus the penalty where there is one: from p, y and the penalty."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        return number(sum_of([surprise(self.hit(*inputs)), *(extra.cell for extra in inputs[2:])]))

    def hit(self, p: Matrix, y: Matrix, *extra: Matrix) -> Exact:
        """The probability of what came."""
        return finite(p.cell) if y.cell == 1 else 1 - finite(p.cell)

    def with_logs(self, factor: Exact, *inputs: Matrix) -> Matrix:
        found = surprise(self.hit(*inputs))
        return number(sum_of([found if isinstance(found, float) else found * factor, *(extra.cell for extra in inputs[2:])]))

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        found = surprise(self.hit(*inputs))
        return [] if isinstance(found, float) else [Term((), found), *(Term(((2 + n, 0, 0),)) for n in range(len(inputs) - 2))]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        p = bracketed(show(inputs[0].cell))
        added = "".join(f" + {show(extra.cell)}" for extra in inputs[2:])
        return (f"-ln {p}" if inputs[1].cell == 1 else f"-ln(1 - {p})") + added

    def slips(self, *needs: str) -> Iterator[Slip]:
        return other_bases(self.with_logs)
