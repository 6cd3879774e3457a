"""How one named step is made from those before it, and how each of its cells is explained.

A rule is called with the values it needs and returns the new value, exactly; `explain` writes out how one cell came about.
Marking calls the same rules on a person's own values, so what follows from them is the steps' own graph.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias, runtime_checkable

from clearhead.exact.expressions import ONE, Cell, Exact
from clearhead.exact.matrices import Matrix

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
