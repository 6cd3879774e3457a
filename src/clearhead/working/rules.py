"""How one named step is made from those before it: the rules of attention, each also able to explain any of its cells.

A rule is called with the values it needs and returns the new value, exactly; `explain` writes out how one cell came about.
Marking calls the same rules on a person's own values, so what follows from them is the steps' own graph.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, TypeAlias, runtime_checkable

from clearhead.errors import InputError
from clearhead.working.enclosures import compare
from clearhead.working.expressions import ONE, ZERO, Cell, Exact, inverse, total_of
from clearhead.working.matrices import Matrix, product, transposed
from clearhead.working.powers import exp, sqrt

Show: TypeAlias = Callable[[Cell], str]
"""Writes a cell the way the page writes cells."""


class Rule(Protocol):
    """Values in, value out."""

    def __call__(self, *inputs: Matrix) -> Matrix: ...

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        """How cell (i, j) was made, without its value: `1·0 + (-1)·1 + 2·1`."""
        ...


@dataclass(frozen=True, slots=True)
class Term:
    """One term of the sum that a cell is: some cells of the inputs (which input, row and column), times a number."""

    cells: tuple[tuple[int, int, int], ...]
    times: Exact = ONE


@runtime_checkable
class Summed(Rule, Protocol):
    """A rule whose cells are sums: one term dropped, doubled or turned is a slip that can be told."""

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]: ...


@runtime_checkable
class Logarithmic(Rule, Protocol):
    """A rule that takes logarithms, so that somebody may take them to another base."""

    def with_logs(self, factor: Exact, *inputs: Matrix) -> Matrix:
        """What comes out if every logarithm is `factor` times as large."""
        ...


def multiplied(value: Matrix, factor: Exact) -> Matrix:
    """Every cell times a number; an infinite one stays."""
    return value.map(lambda cell: cell if isinstance(cell, float) else cell * factor)


@dataclass(frozen=True, slots=True)
class Product:
    """AB."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        a, b = inputs
        return product(a, b)

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, i, k), (1, k, j))) for k in range(inputs[0].shape[1])]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        a, b = inputs
        return sum_of_products(a.rows[i], b.column(j), show)


@dataclass(frozen=True, slots=True)
class ProductTransposed:
    """ABᵀ: each cell is a row of A times a row of B."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        a, b = inputs
        return product(a, transposed(b))

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, i, k), (1, j, k))) for k in range(inputs[0].shape[1])]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        a, b = inputs
        return sum_of_products(a.rows[i], b.rows[j], show)


@dataclass(frozen=True, slots=True)
class OverRoot:
    """Every cell divided by √d_k."""

    d_k: int

    def __call__(self, *inputs: Matrix) -> Matrix:
        factor = inverse(sqrt(Fraction(self.d_k)))
        return inputs[0].map(lambda cell: cell if isinstance(cell, float) else cell * factor)

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"{show(inputs[0][i, j])} / √{self.d_k}"


@dataclass(frozen=True, slots=True)
class CausalMask:
    """−∞ wherever a query would look at a later key."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        rows = inputs[0].rows
        return Matrix(tuple(tuple(cell if j <= i else -math.inf for j, cell in enumerate(row)) for i, row in enumerate(rows)))

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"{show(inputs[0][i, j])}, kept: {j + 1} ≤ {i + 1}" if j <= i else f"hidden: {j + 1} > {i + 1}"


@dataclass(frozen=True, slots=True)
class Softmax:
    """Each row e^(x/T) over its sum; at T = 0 the largest cells share the row equally; −∞ gets 0."""

    temperature: Fraction = ONE

    def __call__(self, *inputs: Matrix) -> Matrix:
        return Matrix(tuple(softmax_row(row, self.temperature) for row in inputs[0].rows), inputs[0].rank)

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        row = inputs[0].rows[i]
        if self.temperature == 0:
            best = largest(row)
            if j not in best:
                return f"not the largest of row {i + 1}: 0"
            return f"the largest of row {i + 1}" + (f", shared by {len(best)}: 1/{len(best)}" if len(best) > 1 else ": 1")
        below = "" if self.temperature == 1 else f"/{show(self.temperature)}"
        powers = [f"e^({show(cell)}{below})" for cell in row if not isinstance(cell, float)]
        if isinstance(row[j], float):
            return "e^(-∞) = 0"
        return f"e^({show(row[j])}{below}) / ({' + '.join(powers)})"


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Several tables joined, row by row: what the heads give, concatenated."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        return Matrix(
            tuple(tuple(cell for part in parts for cell in part) for parts in zip(*(m.rows for m in inputs), strict=True))
        )

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        for head, part in enumerate(inputs, start=1):
            width = part.shape[1]
            if j < width:
                return f"row {i + 1}, column {j + 1} of head {head}: {show(part[i, j])}"
            j -= width
        raise IndexError(j)


def softmax_row(row: tuple[Cell, ...], temperature: Fraction) -> tuple[Cell, ...]:
    """
    >>> softmax_row((Fraction(5), -math.inf, Fraction(5)), Fraction(0))
    (Fraction(1, 2), Fraction(0, 1), Fraction(1, 2))
    """
    if temperature == 0:
        best = largest(row)
        return tuple(Fraction(1, len(best)) if j in best else ZERO for j in range(len(row)))
    cooled = row if temperature == 1 else tuple(c if isinstance(c, float) else c / temperature for c in row)
    powers: list[Exact] = [exp(cell) for cell in cooled]
    turned = inverse(total_of(powers))
    return tuple(power * turned for power in powers)


def largest(row: tuple[Cell, ...]) -> list[int]:
    """The places of the largest cells, by exact comparison; ties all count."""
    best: list[int] = []
    for j, cell in enumerate(row):
        order = 1 if not best else compared(cell, row[best[0]])
        best = [j] if order > 0 else [*best, j] if order == 0 else best
    return best


def compared(a: Cell, b: Cell) -> int:
    """−1, 0 or 1 as a is below, equal to or above b."""
    if isinstance(a, float) or isinstance(b, float):
        left = a if isinstance(a, float) else 0.0
        right = b if isinstance(b, float) else 0.0
        return (left > right) - (left < right)
    if isinstance(b, Fraction):
        return compare(a, b)
    return compare(a - b, ZERO)


def sum_of_products(row: tuple[Cell, ...], column: tuple[Cell, ...], show: Show) -> str:
    """
    >>> sum_of_products((Fraction(1), Fraction(2)), (Fraction(3), Fraction(-4)), str)
    '1·3 + 2·(-4)'
    """

    def factor(cell: Cell) -> str:
        written = show(cell)
        plain = not written.startswith(("-", "−")) and " " not in written
        return written if plain else f"({written})"

    return " + ".join(f"{factor(a)}·{factor(b)}" for a, b in zip(row, column, strict=True))


def require_product(left: str, a: Matrix, right: str, b: Matrix) -> None:
    """Two givens that are to be multiplied must fit, and the error names both."""
    if a.shape[1] != b.shape[0]:
        turn = f" {right} looks transposed." if a.shape[1] == b.shape[1] else ""
        raise InputError(
            f"{left} is {size(a)} and {right} is {size(b)}: "
            f"{left}·{right} needs as many columns in {left} as rows in {right}.{turn}"
        )


def size(a: Matrix) -> str:
    return f"{a.shape[0]}×{a.shape[1]}"
