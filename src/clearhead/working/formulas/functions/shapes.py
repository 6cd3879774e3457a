"""Rows and columns of what a formula makes, and what does not fit together."""

from dataclasses import dataclass

from clearhead.errors import ClearheadError

MOST_CELLS = 16_384


@dataclass(frozen=True, slots=True)
class Shape:
    """Rows and columns; rank 0 is a number, 1 a vector (one row), 2 a table."""

    rows: int
    columns: int
    rank: int = 2

    def __str__(self) -> str:
        return "a number" if self.rank == 0 else f"{self.rows}×{self.columns}"

    @property
    def size(self) -> tuple[int, int]:
        return self.rows, self.columns

    @property
    def cells(self) -> int:
        return self.rows * self.columns

    def turned(self) -> "Shape":
        return Shape(self.columns, self.rows, 0 if self.rank == 0 else 2)


NUMBER = Shape(1, 1, 0)


class Misfit(ClearheadError):
    """Shapes that do not fit; {0} and {1} in the sentence stand for what was written."""


def cell_by_cell(a: Shape, b: Shape) -> Shape:
    """The shape of a + b: equal ones, a number with anything, a row under every row (or, in derived steps, a column)."""
    if a.rank == 0 or b.rank == 0:
        return b if a.rank == 0 else a
    if (1, 1) in (a.size, b.size):  # one cell is one number
        return b if a.size == (1, 1) else a
    if a.size == b.size:
        return Shape(a.rows, a.columns, max(a.rank, b.rank))
    for small, large in ((a, b), (b, a)):
        if (small.rows == 1 and small.columns == large.columns) or (small.columns == 1 and small.rows == large.rows):
            return large
    turn = ""
    if a.turned().size == b.size:
        turn = "; one of them looks transposed"
    raise Misfit(f"{{0}} is {a} and {{1}} is {b}: cell by cell they must be equal, or one a row as wide as the other{turn}")


def is_column_under(a: Shape, b: Shape) -> bool:
    """Whether one of two would have to be repeated beside itself, which nobody means without saying so."""
    if a.size == b.size or (1, 1) in (a.size, b.size):
        return False
    rows = any(small.rows == 1 and small.columns == large.columns for small, large in ((a, b), (b, a)))
    return not rows


def matrix_product(a: Shape, b: Shape) -> Shape:
    if a.columns != b.rows:
        hint = ""
        if a.columns == b.columns:
            hint = "; did you mean {0} {1}^T?"
        elif a.rows == b.rows:
            hint = "; did you mean {0}^T {1}?"
        elif a.size == b.size:
            hint = "; cell by cell it is {0} ⊙ {1}"
        raise Misfit(f"{{0}} is {a} and {{1}} is {b}: a product needs as many columns on the left as rows on the right{hint}")
    return Shape(a.rows, b.columns, 1 if a.rank == 1 and a.rows == 1 else 2)
