"""A window that slides over a grid: the size that comes out, how many weights it has, and what it never sees."""

from dataclasses import dataclass
from fractions import Fraction

from clearhead.exact.expressions import Cell
from clearhead.exact.matrices import Matrix, number, vector
from clearhead.working.rules.rule import Rule, Show, Term

SIDES = ("rows", "columns")


@dataclass(frozen=True, slots=True)
class Side:
    """How the window slides along one side."""

    kernel: int
    stride: int
    padding: int
    dilation: int

    @property
    def extent(self) -> int:
        """How far the window reaches: d(k − 1) + 1."""
        return self.dilation * (self.kernel - 1) + 1

    def places(self, length: int) -> int:
        """In how many places the window fits; 0 or less where it does not fit at all."""
        return (length + 2 * self.padding - self.extent) // self.stride + 1

    def rest(self, length: int) -> int:
        """What the division leaves over: so many rows or columns at the end of the padded input are in no window."""
        return (length + 2 * self.padding - self.extent) % self.stride

    def unseen(self, length: int) -> int:
        """How many rows or columns of the input no window ever touches.

        >>> Side(kernel=5, stride=3, padding=0, dilation=1).unseen(129)
        1
        """
        seen = bytearray(length + 2 * self.padding)
        places = self.places(length)
        for tap in range(0, self.extent, self.dilation):
            seen[tap : tap + (places - 1) * self.stride + 1 : self.stride] = b"\x01" * places
        return length - sum(seen[self.padding : self.padding + length])

    def arithmetic(self, length: str) -> str:
        """
        >>> Side(kernel=5, stride=3, padding=0, dilation=1).arithmetic("128")
        '⌊(128 - 5) / 3⌋ + 1'
        """
        padded = f"{length} + 2·{self.padding}" if self.padding else length
        reach = str(self.kernel) if self.dilation == 1 else f"({self.dilation}·({self.kernel} - 1) + 1)"
        return f"{padded} - {reach} + 1" if self.stride == 1 else f"⌊({padded} - {reach}) / {self.stride}⌋ + 1"


@dataclass(frozen=True, slots=True)
class Window:
    """One layer: a convolution with its filters, or a pooling that keeps the channels (filters None)."""

    sides: tuple[Side, Side]
    filters: int | None
    bias: bool

    @property
    def area(self) -> str:
        return f"{self.sides[0].kernel}·{self.sides[1].kernel}"


def whole(cell: Cell) -> int:
    """A size as a whole number; a person's own value may be anything."""
    if not isinstance(cell, Fraction) or cell.denominator != 1 or cell < 1:
        raise ArithmeticError("a size must be a whole number from 1 on")
    return cell.numerator


@dataclass(frozen=True, slots=True)
class OutputSize(Rule):
    """[channels, height, width] in, the same out: ⌊(n + 2p − d(k − 1) − 1) / s⌋ + 1 along each side."""

    window: Window

    def __call__(self, *inputs: Matrix) -> Matrix:
        channels, *lengths = inputs[0].rows[0]
        sizes = [side.places(whole(length)) for side, length in zip(self.window.sides, lengths, strict=True)]
        if min(sizes) < 1:
            raise ArithmeticError("the window does not fit into its input")
        return vector([channels if self.window.filters is None else self.window.filters, *sizes])

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        before = show(inputs[0][0, j])
        if j == 0:
            return "as many as before" if self.window.filters is None else "as many as filters"
        return self.window.sides[j - 1].arithmetic(before)


@dataclass(frozen=True, slots=True)
class WeightCount(Rule):
    """filters · (channels · kernel height · kernel width + 1 for the bias); a pooling has none."""

    window: Window

    def __call__(self, *inputs: Matrix) -> Matrix:
        if self.window.filters is None:
            return number(0)
        height, width = (side.kernel for side in self.window.sides)
        return number(self.window.filters * (whole(inputs[0][0, 0]) * height * width + self.window.bias))

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        filters = self.window.filters
        if filters is None:
            return []
        area = self.window.sides[0].kernel * self.window.sides[1].kernel
        return [Term(((0, 0, 0),), Fraction(filters * area)), *([Term((), Fraction(filters))] if self.window.bias else [])]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        if self.window.filters is None:
            return "nothing to learn: 0"
        return f"{self.window.filters}·({show(inputs[0][0, 0])}·{self.window.area}{' + 1' if self.window.bias else ''})"


class Added(Rule):
    """The sum of several numbers."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        return number(sum((whole_or_zero(value.cell) for value in inputs), start=0))

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((n, 0, 0),)) for n in range(len(inputs))]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return " + ".join(show(value.cell) for value in inputs)


def whole_or_zero(cell: Cell) -> int:
    return 0 if cell == 0 else whole(cell)
