"""What is done to scores before the softmax: scaled, cooled, masked; and the scores of two heads in closed form."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from clearhead.exact.expressions import ZERO, Cell, finite, inverse
from clearhead.exact.matrices import Matrix, matrix
from clearhead.exact.notation import bracketed
from clearhead.exact.powers import sqrt
from clearhead.working.rules.rule import Show


@dataclass(frozen=True, slots=True)
class OverRoot:
    """Every cell divided by √d_k."""

    d_k: int

    def __call__(self, *inputs: Matrix) -> Matrix:
        factor = inverse(sqrt(Fraction(self.d_k)))
        return inputs[0].map(lambda cell: cell if isinstance(cell, float) else cell * factor)

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"{show(inputs[0][i, j])} / √{self.d_k}"


Temperature: TypeAlias = Fraction | float
"""A fraction, or ∞."""


@dataclass(frozen=True, slots=True)
class OverTemperature:
    """Every cell divided by T; by an infinite T, 0."""

    temperature: Temperature

    def __call__(self, *inputs: Matrix) -> Matrix:
        return inputs[0].map(self.divide)

    def divide(self, cell: Cell) -> Cell:
        return ZERO if isinstance(self.temperature, float) or isinstance(cell, float) else cell / self.temperature

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        below = "T as T → ∞" if isinstance(self.temperature, float) else bracketed(show(self.temperature))
        return f"{bracketed(show(inputs[0][i, j]))} / {below}"


@dataclass(frozen=True, slots=True)
class CausalMask:
    """−∞ wherever a query would look at a later key."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        rows = inputs[0].rows
        return Matrix(tuple(tuple(cell if j <= i else -math.inf for j, cell in enumerate(row)) for i, row in enumerate(rows)))

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"{show(inputs[0][i, j])}, kept: {j + 1} ≤ {i + 1}" if j <= i else f"hidden: {j + 1} > {i + 1}"


@dataclass(frozen=True, slots=True)
class HeadScores:
    """One row for each γ: λ(1 + γ) for key a and λ for key b, where the query looks for them; 0 else. From γ and λ."""

    count: int
    a: int | None  # counted from 0; None: this head does not look for key a
    b: int | None

    def __call__(self, *inputs: Matrix) -> Matrix:
        gammas, strength = inputs[0].rows[0], finite(inputs[1].cell)
        return matrix(
            [
                [strength * (1 + finite(gamma)) if i == self.a else strength if i == self.b else 0 for i in range(self.count)]
                for gamma in gammas
            ]
        )

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        strength = bracketed(show(inputs[1].cell))
        if j == self.a:
            return f"{strength}·(1 + {bracketed(show(inputs[0][0, i]))})"
        return strength if j == self.b else "perpendicular: 0"
