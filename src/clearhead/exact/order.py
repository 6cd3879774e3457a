"""Which of two exact cells is larger, decided without loss; ties are ties."""

from fractions import Fraction

from clearhead.exact.enclosures import compare
from clearhead.exact.expressions import ZERO, Cell, Exact


def compared(a: Cell, b: Cell) -> int:
    """−1, 0 or 1 as a is below, equal to or above b."""
    if isinstance(a, float) or isinstance(b, float):
        left = a if isinstance(a, float) else 0.0
        right = b if isinstance(b, float) else 0.0
        return (left > right) - (left < right)
    if isinstance(b, Fraction):
        return compare(a, b)
    return compare(a - b, ZERO)


def largest(row: tuple[Cell, ...]) -> list[int]:
    """The places of the largest cells, by exact comparison; ties all count."""
    best: list[int] = []
    for j, cell in enumerate(row):
        order = 1 if not best else compared(cell, row[best[0]])
        best = [j] if order > 0 else [*best, j] if order == 0 else best
    return best


def size_of(cell: Exact) -> Exact:
    """|x|."""
    return -cell if compare(cell, ZERO) < 0 else cell
