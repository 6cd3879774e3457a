"""What is done to scores before the softmax: scaled, cooled, masked."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from clearhead.exact.expressions import ZERO, Cell, inverse
from clearhead.exact.matrices import Matrix, multiplied
from clearhead.exact.notation import bracketed
from clearhead.exact.powers import sqrt
from clearhead.working.rules.rule import Reach, Rule, Show, Slip


@dataclass(frozen=True, slots=True)
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


Temperature: TypeAlias = Fraction | float
"""A fraction, or ∞."""


@dataclass(frozen=True, slots=True)
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


class CausalMask(Rule):
    """−∞ wherever a query would look at a later key."""

    reach = (Reach.CELL,)

    def __call__(self, *inputs: Matrix) -> Matrix:
        rows = inputs[0].rows
        return Matrix(tuple(tuple(cell if j <= i else -math.inf for j, cell in enumerate(row)) for i, row in enumerate(rows)))

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"{show(inputs[0][i, j])}, kept: {j + 1} ≤ {i + 1}" if j <= i else f"hidden: {j + 1} > {i + 1}"

    def slips(self, *needs: str) -> Iterator[Slip]:
        yield Slip("no-mask", lambda scores: scores, "the causal mask was left out: later tokens can be seen")
        hint = "the mask came after the softmax, so the rows no longer sum to 1"
        yield Slip("late-mask", lambda scores: scores, hint, afterwards=hidden)


def hidden(weights: Matrix) -> Matrix:
    """0 wherever a query would look at a later key."""
    rows = weights.rows
    return Matrix(tuple(tuple(cell if j <= i else ZERO for j, cell in enumerate(row)) for i, row in enumerate(rows)))
