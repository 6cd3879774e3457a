"""What an operation of formulas is: how it shapes, makes, explains and goes back; each family of them has a file."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from clearhead.exact.matrices import Matrix
from clearhead.working.formulas.cells.scalars import Scalar
from clearhead.working.formulas.functions.shapes import Shape
from clearhead.working.formulas.text.tree import Call, Node

Fixed: TypeAlias = tuple[Fraction, ...]
"""The plain numbers behind the tables: eps, a stride, how many to keep."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table seen cell by cell, each cell written out."""

    shape: Shape
    at: Callable[[int, int], Scalar]

    def row(self, i: int) -> tuple[Scalar, ...]:
        return tuple(self.at(i, j) for j in range(self.shape.columns))

    def cells(self) -> tuple[Scalar, ...]:
        return tuple(self.at(i, j) for i in range(self.shape.rows) for j in range(self.shape.columns))

    def turned(self) -> "Grid":
        return Grid(self.shape.turned(), lambda i, j: self.at(j, i))

    def spread(self, i: int, j: int) -> Scalar:
        """The cell that goes with (i, j) where a row or a number stands for all."""
        return self.at(i if self.shape.rows > 1 else 0, j if self.shape.columns > 1 else 0)


@dataclass(frozen=True, slots=True)
class Backward:
    """What an operation needs to know to go back: itself, what arrives at its result, and its result."""

    call: Call
    up: Node  # a number may stand for a table of equal cells
    out: Node  # the name of the step that it makes, or the call itself
    shape_of: Callable[[Node], Shape]

    @property
    def args(self) -> tuple[Node, ...]:
        return self.call.args


@dataclass(frozen=True, kw_only=True, slots=True)
class Operation:
    """One operation: `cell` says everything, `value` says it faster."""

    shape: Callable[[tuple[Shape, ...], Fixed], Shape]
    cell: Callable[[tuple[Grid, ...], Fixed, int, int], Scalar]
    value: Callable[[tuple[Matrix, ...], Fixed], Matrix] | None = None
    back: Callable[[Backward], tuple[Node | None, ...]] | None = None  # None: cell by cell from the slopes of `cell`
    tables: tuple[int, int] = (1, 1)  # how many, at least and at most
    fixed: tuple[int, int] = (0, 0)
    repeats: bool = False  # a cell is made of many cells of what stands inside: those are worked out first
    other_axis: str = ""  # the same down the columns, or along the rows
    latex: str = ""  # where it is not its name upright
    why: str = ""  # going back through it, in one sentence


def same_shape(shapes: tuple[Shape, ...], fixed: Fixed) -> Shape:
    return shapes[0]
