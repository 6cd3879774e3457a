"""What happens to a cell once its step is done: it stays exact, or is rounded as a person does."""

from dataclasses import dataclass
from fractions import Fraction

from clearhead.exact.expressions import Cell
from clearhead.exact.nearest import nearest_whole


@dataclass(frozen=True, slots=True)
class Policy:
    """What happens to each cell once a named step is done: nothing (exact), or rounding to so many decimals."""

    decimals: int | None = None

    @property
    def name(self) -> str:
        return "exact" if self.decimals is None else f"round {self.decimals}"

    def settle(self, cell: Cell) -> Cell:
        return cell if self.decimals is None else rounded(cell, self.decimals)


EXACT = Policy()
"""Nothing is rounded."""


def rounded(cell: Cell, decimals: int) -> Cell:
    """Half away from zero, once.

    >>> rounded(Fraction(-1, 8), 2)
    Fraction(-13, 100)
    """
    if isinstance(cell, float):
        return cell
    return Fraction(nearest_whole(cell, 10**decimals), 10**decimals)
