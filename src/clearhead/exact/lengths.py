"""Roots, lengths and right angles of exact rows."""

import math
from fractions import Fraction

from clearhead.exact.enclosures import compare, gathered
from clearhead.exact.expressions import ONE, ZERO, Exact, Expression, Monomial, finite
from clearhead.exact.matrices import Matrix, dot, product, transposed
from clearhead.exact.powers import exp, log, sqrt


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
    """‖x‖ of a row of cells."""
    return root(gathered(dot(cells, cells)))


def row(table: Matrix, i: int) -> tuple[Exact, ...]:
    """Row i of a table, every cell finite."""
    return tuple(finite(cell) for cell in table.rows[i])


def is_orthonormal(rows: Matrix) -> bool:
    """Whether the rows are perpendicular to one another and of length 1."""
    found = product(rows, transposed(rows))
    return all(found[i, j] == (1 if i == j else 0) for i, j in found.places())


def is_zero_table(table: Matrix) -> bool:
    """Whether every cell is 0."""
    return all(cell == 0 for cells in table.rows for cell in cells)
