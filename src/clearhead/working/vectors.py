"""Rules on vectors: multiples, lengths, distances; exactly."""

import math
from dataclasses import dataclass
from fractions import Fraction

from clearhead.working.activations import finite
from clearhead.working.enclosures import compare, gathered
from clearhead.working.expressions import ONE, ZERO, Exact, Expression, Monomial
from clearhead.working.matrices import Matrix, dot, number, product, transposed, vector
from clearhead.working.notation import bracketed
from clearhead.working.powers import exp, log, sqrt
from clearhead.working.rules import Show, Term


def root(cell: Exact) -> Exact:
    """√x of any cell that is not negative; squares of quotients lose their square.

    >>> root(Fraction(9, 4))
    Fraction(3, 2)
    """
    if isinstance(cell, Fraction):
        return sqrt(cell)
    if len(cell.terms) == 1:
        [(monomial, coefficient)] = cell.terms.items()
        halves = frozenset((atom, power // 2) for atom, power in monomial.factors)
        if monomial.root == 1 and all(power % 2 == 0 for _, power in monomial.factors):
            found = Expression({Monomial(1, monomial.exponent / 2, halves): ONE}) * sqrt(coefficient)
            return -found if compare(found, ZERO) < 0 else found
    logarithm = log(cell) if compare(cell, ZERO) > 0 else -math.inf
    return exp(logarithm if isinstance(logarithm, float) else logarithm / 2)


def length(cells: tuple[Exact, ...]) -> Exact:
    return root(gathered(dot(cells, cells)))


def row(table: Matrix, i: int) -> tuple[Exact, ...]:
    return tuple(finite(cell) for cell in table.rows[i])


def is_orthonormal(rows: Matrix) -> bool:
    """Whether the rows are perpendicular to one another and of length 1."""
    found = product(rows, transposed(rows))
    return all(found[i, j] == (1 if i == j else 0) for i, j in found.places())


def is_zero_table(table: Matrix) -> bool:
    return all(cell == 0 for cells in table.rows for cell in cells)


@dataclass(frozen=True, slots=True)
class Along:
    """λ times the sum of some rows of K, from K and λ; rows counted from 0."""

    rows: tuple[int, ...]

    def __call__(self, *inputs: Matrix) -> Matrix:
        keys, strength = inputs[0], finite(inputs[1].cell)
        return vector([sum((finite(keys[i, c]) for i in self.rows), start=ZERO) * strength for c in range(keys.shape[1])])

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, row, j), (1, 0, 0))) for row in self.rows]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        keys, strength = inputs
        inside = " + ".join(bracketed(show(keys[r, j])) for r in self.rows)
        return f"{bracketed(show(strength.cell))}·{f'({inside})' if len(self.rows) > 1 else inside}"


@dataclass(frozen=True, slots=True)
class MeanOfRows:
    """The average of some rows of a table, counted from 0."""

    rows: tuple[int, ...]

    def __call__(self, *inputs: Matrix) -> Matrix:
        table, share = inputs[0], Fraction(1, len(self.rows))
        return vector([sum((finite(table[i, c]) for i in self.rows), start=ZERO) * share for c in range(table.shape[1])])

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, row, j),), Fraction(1, len(self.rows))) for row in self.rows]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        inside = " + ".join(bracketed(show(inputs[0][r, j])) for r in self.rows)
        return f"({inside}) / {len(self.rows)}" if len(self.rows) > 1 else inside


@dataclass(frozen=True, slots=True)
class Distance:
    """How far each row of the first table is from the one row of the second; a number where the first is a vector."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        table, target = inputs
        found = [length(self.off(table, target, i)) for i in range(table.shape[0])]
        return number(found[0]) if table.rank == 1 else vector(found)

    def off(self, table: Matrix, target: Matrix, i: int) -> tuple[Exact, ...]:
        return tuple(gathered(a - b) for a, b in zip(row(table, i), row(target, 0), strict=True))

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        table, target = inputs
        parts = zip(table.rows[j], target.rows[0], strict=True)  # the cells of the result stand in one row
        return "√(" + " + ".join(f"({show(a)} - {bracketed(show(b))})^2" for a, b in parts) + ")"


@dataclass(frozen=True, slots=True)
class Average:
    """The mean of two tables, cell by cell; the second may be one row, which then goes with every row of the first."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        first, second = inputs
        half = ONE / 2
        rows = [
            [(a + b) * half for a, b in zip(row(first, i), row(second, min(i, second.shape[0] - 1)), strict=True)]
            for i in range(first.shape[0])
        ]
        return Matrix(tuple(tuple(cells) for cells in rows), first.rank)

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, i, j),), ONE / 2), Term(((1, min(i, inputs[1].shape[0] - 1), j),), ONE / 2)]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        first, second = inputs
        return f"({show(first[i, j])} + {bracketed(show(second[min(i, second.shape[0] - 1), j]))}) / 2"


@dataclass(frozen=True, slots=True)
class Plus:
    """a + b, cell by cell."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        first, second = inputs
        if first.shape != second.shape:
            raise ArithmeticError("vectors of different lengths cannot be added")
        rows = tuple(tuple(a + b for a, b in zip(row(first, i), row(second, i), strict=True)) for i in range(first.shape[0]))
        return Matrix(rows, first.rank)

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, i, j),)), Term(((1, i, j),))]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"{show(inputs[0][i, j])} + {bracketed(show(inputs[1][i, j]))}"
