"""What is done to scores before the softmax: scaled, cooled, masked."""

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TypeAlias

from clearhead.exact.expressions import ZERO, Cell, finite, inverse
from clearhead.exact.matrices import Matrix, multiplied
from clearhead.exact.notation import bracketed, plain
from clearhead.exact.order import largest
from clearhead.exact.policies import rounded
from clearhead.exact.powers import sqrt
from clearhead.working.rules.rule import Reach, Rule, Show, Slip, Term


class OverRoot(Rule):
    """Every cell divided by √d_k."""

    d_k: int

    reach = (Reach.CELL,)

    def __call__(self, *inputs: Matrix) -> Matrix:
        factor = inverse(sqrt(Fraction(self.d_k)))
        return multiplied(inputs[0], factor)

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"{show(inputs[0][i, j])} / √{self.d_k}"

    def slips(self, *needs: str) -> Iterator[Slip]:
        below = Fraction(1, self.d_k)
        yield Slip("no-scale", lambda scores: scores, "the scores were not divided by the root of d_k")
        yield Slip("d_k", lambda scores: multiplied(scores, below), "the scores were divided by d_k, not by its root")

    def rounded_inside(self, decimals: int) -> Iterator[Callable[..., Matrix]]:
        """Divided by √d_k as people write it: 1.4 or 1.41 for √2; or times 0.71."""
        for root in (sqrt(Fraction(self.d_k)), inverse(sqrt(Fraction(self.d_k)))):
            near = rounded(root, decimals)
            if near not in (0, root) and not isinstance(near, float):
                factor = near if root != sqrt(Fraction(self.d_k)) else inverse(near)
                yield lambda scores, factor=factor: multiplied(scores, factor)


Temperature: TypeAlias = Fraction | float
"""A fraction, or ∞."""


class OverTemperature(Rule):
    """Every cell divided by T; by an infinite T, 0."""

    temperature: Temperature

    reach = (Reach.CELL,)

    def __call__(self, *inputs: Matrix) -> Matrix:
        return inputs[0].map(self.divide)

    def divide(self, cell: Cell) -> Cell:
        return ZERO if isinstance(self.temperature, float) or isinstance(cell, float) else cell / self.temperature

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        below = "T as T → ∞" if isinstance(self.temperature, float) else bracketed(show(self.temperature))
        return f"{bracketed(show(inputs[0][i, j]))} / {below}"


class MinusLargest(Rule):
    """Every cell less the largest of its row."""

    reach = (Reach.ROW,)

    def __call__(self, *inputs: Matrix) -> Matrix:
        return Matrix(tuple(self.lowered(row) for row in inputs[0].rows), inputs[0].rank)

    def lowered(self, row: tuple[Cell, ...]) -> tuple[Cell, ...]:
        top = finite(row[largest(row)[0]])
        return tuple(cell if isinstance(cell, float) else cell - top for cell in row)

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        row = inputs[0].rows[i]
        return f"{show(row[j])} - {bracketed(show(row[largest(row)[0]]))}"


class TimesNumber(Rule):
    """Every cell times a number."""

    factor: Fraction
    reach = (Reach.CELL,)

    def __call__(self, *inputs: Matrix) -> Matrix:
        return multiplied(inputs[0], self.factor)

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [] if isinstance(inputs[0][i, j], float) else [Term(((0, i, j),), self.factor)]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"{bracketed(show(self.factor))}·{bracketed(show(inputs[0][i, j]))}"

    def slips(self, *needs: str) -> Iterator[Slip]:
        yield Slip("no-scale", lambda scores: scores, f"the scores were not multiplied by {plain(self.factor)}")


class MaskRule(Rule):
    """What masks have in common: which places are hidden, and that people leave the mask out or apply it too late."""

    @abstractmethod
    def hides(self, i: int, j: int) -> bool:
        """Whether query i must not look at key j, both counted from 0."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        return self.over(inputs[0], -math.inf)

    def over(self, table: Matrix, instead: Cell) -> Matrix:
        """The table with another cell wherever the mask hides one."""
        rows = enumerate(table.rows)
        return Matrix(tuple(tuple(instead if self.hides(i, j) else cell for j, cell in enumerate(row)) for i, row in rows))

    def slips(self, *needs: str) -> Iterator[Slip]:
        def unmasked(scores: Matrix, *others: Matrix) -> Matrix:
            return scores

        yield Slip("no-mask", unmasked, self.left_out)
        late = "the mask came after the softmax, so the rows no longer sum to 1"
        yield Slip("late-mask", unmasked, late, afterwards=lambda weights: self.over(weights, ZERO))

    @property
    def left_out(self) -> str:
        return "the mask was left out: what it hides can be seen"


class CausalMask(MaskRule):
    """−∞ wherever a query would look at a later key."""

    reach = (Reach.CELL,)

    def hides(self, i: int, j: int) -> bool:
        return j > i

    @property
    def left_out(self) -> str:
        return "the causal mask was left out: later tokens can be seen"

    def slips(self, *needs: str) -> Iterator[Slip]:
        yield from super().slips(*needs)
        yield Slip("axis", self.transposed, "the mask was transposed: earlier tokens are hidden instead of later ones")

    def transposed(self, *inputs: Matrix) -> Matrix:
        """The mask with its rows for its columns."""
        rows = enumerate(inputs[0].rows)
        return Matrix(tuple(tuple(-math.inf if j < i else cell for j, cell in enumerate(row)) for i, row in rows))

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"{show(inputs[0][i, j])}, kept: {j + 1} ≤ {i + 1}" if j <= i else f"hidden: {j + 1} > {i + 1}"


class PaddingMask(MaskRule):
    """−∞ for every key beyond the first so many."""

    length: int
    reach = (Reach.CELL,)

    def hides(self, i: int, j: int) -> bool:
        return j >= self.length

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        real = j < self.length
        return f"{show(inputs[0][i, j])}, kept: {j + 1} ≤ {self.length}" if real else f"hidden: {j + 1} > {self.length}"


class AddedMask(MaskRule):
    """Scores plus a table, from both; the places where the table is −∞ are hidden."""

    hidden: frozenset[tuple[int, int]]
    reach = (Reach.CELL,) * 2

    def hides(self, i: int, j: int) -> bool:
        return (i, j) in self.hidden

    def __call__(self, *inputs: Matrix) -> Matrix:
        scores, table = inputs
        if scores.shape != table.shape:
            raise ArithmeticError("a mask must be as large as the scores")
        return self.over(
            Matrix(tuple(tuple(map(added, *rows)) for rows in zip(scores.rows, table.rows, strict=True))), -math.inf
        )

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return "hidden: M is -∞ there" if self.hides(i, j) else f"{show(inputs[0][i, j])} + {bracketed(show(inputs[1][i, j]))}"


def added(a: Cell, b: Cell) -> Cell:
    """A sum in which −∞ stays."""
    return -math.inf if isinstance(a, float) or isinstance(b, float) else a + b
