"""Tables of exact cells, and the arithmetic on whole tables that every kind of problem shares."""

import math
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from operator import mul
from typing import Any

from clearhead.exact.decimals import as_float, decimal_text
from clearhead.exact.expressions import (
    UNIT,
    ZERO,
    Cell,
    Exact,
    Expression,
    Monomial,
    alike,
    collected,
    finite,
    inverse_counts,
    total_of,
)
from clearhead.exact.notation import text

LONGEST_EXACT = 24  # characters of an exact cell at a prompt


@dataclass(frozen=True, slots=True, repr=False)
class Matrix:
    """Rows of cells. A vector is one row (rank 1), a number one cell (rank 0): only how they are shown differs."""

    rows: tuple[tuple[Cell, ...], ...]
    rank: int = 2

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.rows[0])

    def __getitem__(self, place: tuple[int, int]) -> Cell:
        return self.rows[place[0]][place[1]]

    def column(self, j: int) -> tuple[Cell, ...]:
        return tuple(row[j] for row in self.rows)

    def places(self) -> Iterator[tuple[int, int]]:
        return ((i, j) for i, row in enumerate(self.rows) for j in range(len(row)))

    def map(self, change: Callable[[Cell], Cell]) -> "Matrix":
        return Matrix(tuple(tuple(change(cell) for cell in row) for row in self.rows), self.rank)

    @property
    def cell(self) -> Cell:
        """The one cell of a number."""
        return self.rows[0][0]

    def __repr__(self) -> str:
        rows = [f"[{', '.join(map(short, row))}]" for row in self.rows]
        inside = f"[{', '.join(rows)}]" if self.rank == 2 else rows[0] if self.rank == 1 else rows[0][1:-1]
        return f"Matrix({inside})"

    def tolist(self) -> Any:
        """The nearest floats: a number, a list, or a list of rows."""
        rows = [[as_float(cell) for cell in row] for row in self.rows]
        return rows if self.rank == 2 else rows[0] if self.rank == 1 else rows[0][0]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """What `np.asarray` takes; only numpy calls it, so numpy is there."""
        return sys.modules["numpy"].array(self.tolist(), dtype=dtype)


def short(cell: Cell) -> str:
    """A cell for a prompt: exactly where that is short, else to six decimals."""
    written = text(cell)
    return written if len(written) <= LONGEST_EXACT else f"≈{decimal_text(cell, 6)}"


def matrix(rows: Iterable[Iterable[Cell | int]]) -> Matrix:
    """A table from rows of cells or whole numbers.

    >>> matrix([[1, 2], [3, 4]]).shape
    (2, 2)
    """
    return Matrix(tuple(tuple(Fraction(c) if isinstance(c, int) else c for c in row) for row in rows))


def vector(cells: Iterable[Cell | int]) -> Matrix:
    """One row, shown as a vector."""
    return Matrix(matrix([cells]).rows, 1)


def number(cell: Cell | int) -> Matrix:
    """One cell, shown as a number."""
    return Matrix(matrix([[cell]]).rows, 0)


def transposed(a: Matrix) -> Matrix:
    """Aᵀ."""
    return Matrix(tuple(zip(*a.rows, strict=True)), 2)


def product(a: Matrix, b: Matrix) -> Matrix:
    """AB, in whole numbers over common denominators wherever B (or A too) is all fractions.

    >>> product(matrix([[1, 2]]), matrix([[3], [4]])).cell
    Fraction(11, 1)
    """
    columns = [b.column(j) for j in range(b.shape[1])]
    rank = a.rank if a.rank < 2 else 2
    if all_fractions(b):
        below, bottom = over_common(columns)  # (m, d)
        if all_fractions(a):
            above, top = over_common(a.rows)  # (n, d)
            whole = top * bottom
            if whole == 1:
                return Matrix(tuple(tuple(Fraction(sum(map(mul, r, c))) for c in below) for r in above), rank)
            return Matrix(tuple(tuple(Fraction(sum(map(mul, r, c)), whole) for c in below) for r in above), rank)
        if not any(isinstance(cell, float) for row in a.rows for cell in row):
            return Matrix(tuple(mixed(row, below, bottom) for row in a.rows), rank)
    return Matrix(tuple(tuple(dot(row, column) for column in columns) for row in a.rows), rank)


def all_fractions(a: Matrix) -> bool:
    """Whether no cell is an expression or infinite."""
    return all(type(cell) is Fraction for row in a.rows for cell in row)


def over_common(rows: Iterable[tuple[Cell, ...]]) -> tuple[list[list[int]], int]:
    """Numerators over the one denominator that all cells share."""
    ratios = [[c.as_integer_ratio() for c in row if type(c) is Fraction] for row in rows]
    bottom = math.lcm(*{below for row in ratios for _, below in row})
    return [[above * (bottom // below) for above, below in row] for row in ratios], bottom


def mixed(row: tuple[Cell, ...], columns: list[list[int]], bottom: int) -> tuple[Cell, ...]:
    """A row of expressions times columns of whole numbers over `bottom`: for each monomial of the row, one whole sum."""
    places: dict[Monomial, list[tuple[int, Fraction]]] = {}
    for j, cell in enumerate(row):
        if isinstance(cell, Expression):
            for monomial, coefficient in cell.terms.items():
                places.setdefault(monomial, []).append((j, coefficient))
        else:
            places.setdefault(UNIT, []).append((j, Fraction(cell)))
    top = math.lcm(*(c.denominator for found in places.values() for _, c in found))
    whole = top * bottom
    sums = [(m, [(j, c.numerator * (top // c.denominator)) for j, c in found]) for m, found in places.items()]
    known: dict[int, Fraction] = {}  # small whole numbers come again and again: reduce each to lowest terms once
    over = [atom for atom, count in inverse_counts(places).items() if count == len(atom.total.terms)]
    all_over = all(atom.even and len(atom.total.terms) == len(places) for atom in over)  # nothing stands beside a sum
    cells: list[Cell] = []
    for column in columns:
        terms: dict[Monomial, Fraction] = {}
        for monomial, found in sums:
            above = sum([n * column[j] for j, n in found]) if len(found) > 1 else found[0][1] * column[found[0][0]]
            if above:
                terms[monomial] = known.get(above) or known.setdefault(above, Fraction(above, whole))
        whole_row = all_over and len(terms) == len(places) > 1
        cells.append(Expression(terms) if whole_row and not (over and alike(terms.values())) else collected(terms))
    return tuple(cells)


def dot(row: Iterable[Cell], column: Iterable[Cell]) -> Exact:
    """Σ aᵢbᵢ, with the terms of all products gathered once."""
    rational = ZERO
    terms: dict[Monomial, Fraction] = {}
    others: list[Exact] = []
    for a, b in zip(row, column, strict=True):
        if isinstance(a, float) or isinstance(b, float):
            raise ArithmeticError("an infinite cell cannot be multiplied")
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            rational += a * b
        elif isinstance(a, Expression) and isinstance(b, Expression):
            others.append(a * b)
        else:
            expression, factor = (a, b) if isinstance(a, Expression) else (b, a)
            if isinstance(expression, Expression) and isinstance(factor, Fraction) and factor:
                for monomial, coefficient in expression.terms.items():
                    terms[monomial] = terms.get(monomial, ZERO) + coefficient * factor
    return total_of([*others, collected(terms), rational])


def sum_of(cells: Iterable[Cell]) -> Cell:
    """A sum that may hold ∞ or −∞, which then is the sum."""
    listed = list(cells)
    infinite = [cell for cell in listed if isinstance(cell, float)]
    return infinite[0] if infinite else total_of(cell for cell in listed if not isinstance(cell, float))


def multiplied(value: Matrix, factor: Exact) -> Matrix:
    """Every cell times a number; an infinite one stays."""
    return value.map(lambda cell: cell if isinstance(cell, float) else cell * factor)


def cell_by_cell(change: Callable[..., Exact], *inputs: Matrix) -> Matrix:
    """A rule applied to the cells of equal tables, place by place."""
    first = inputs[0]
    if any(other.shape != first.shape for other in inputs):
        raise ArithmeticError("tables of different sizes cannot be taken cell by cell")
    rows = tuple(
        tuple(change(*(finite(table[i, j]) for table in inputs)) for j in range(len(row))) for i, row in enumerate(first.rows)
    )
    return Matrix(rows, first.rank)


def size(a: Matrix) -> str:
    """The size as people write it: 2×3."""
    return f"{a.shape[0]}×{a.shape[1]}"
