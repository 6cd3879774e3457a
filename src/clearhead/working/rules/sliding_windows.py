"""A window that slides over a grid: the size that comes out, how many weights it has, and what it never sees."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from clearhead.exact.expressions import Cell, finite, total_of
from clearhead.exact.matrices import Matrix, number, vector
from clearhead.exact.notation import bracketed
from clearhead.exact.order import largest
from clearhead.working.rules.products import sum_of_products
from clearhead.working.rules.rule import MOST_WRITTEN_OUT, PLAIN_CELL, Rule, Show, Term

SIDES = ("rows", "columns")


@dataclass(frozen=True, slots=True)
class WindowSide:
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

        >>> WindowSide(kernel=5, stride=3, padding=0, dilation=1).unseen(129)
        1
        """
        seen = bytearray(length + 2 * self.padding)
        places = self.places(length)
        for tap in range(0, self.extent, self.dilation):
            seen[tap : tap + (places - 1) * self.stride + 1 : self.stride] = b"\x01" * places
        return length - sum(seen[self.padding : self.padding + length])

    def arithmetic(self, length: str) -> str:
        """
        >>> WindowSide(kernel=5, stride=3, padding=0, dilation=1).arithmetic("128")
        '⌊(128 - 5) / 3⌋ + 1'
        """
        padded = f"{length} + 2·{self.padding}" if self.padding else length
        reach = str(self.kernel) if self.dilation == 1 else f"({self.dilation}·({self.kernel} - 1) + 1)"
        return f"{padded} - {reach} + 1" if self.stride == 1 else f"⌊({padded} - {reach}) / {self.stride}⌋ + 1"


@dataclass(frozen=True, slots=True)
class Window:
    """One layer: a convolution with its filters, or a pooling that keeps the channels (filters None)."""

    sides: tuple[WindowSide, WindowSide]
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


class Convolved(Rule):
    """Images and as many filters: products of what lies on each other, added up, plus a number; outside an image is 0."""

    window: Window
    shift: Fraction

    def __call__(self, *inputs: Matrix) -> Matrix:
        half = len(inputs) // 2
        rows, columns = places_of(self.window, inputs[0])
        return Matrix(tuple(tuple(self.sum_at(i, j, inputs, half) for j in range(columns)) for i in range(rows)))

    def sum_at(self, i: int, j: int, inputs: tuple[Matrix, ...], half: int) -> Cell:
        products = (finite(inputs[n][a, b]) * finite(inputs[half + n][p, q]) for n, a, b, p, q in self.met(i, j, inputs))
        return total_of([*products, self.shift])

    def met(self, i: int, j: int, inputs: tuple[Matrix, ...]) -> Iterator[tuple[int, int, int, int, int]]:
        """Channel, place in the image and place in the filter of everything that meets for cell (i, j)."""
        for n in range(len(inputs) // 2):
            for a, b, p, q in under(self.window, inputs[n].shape, i, j):
                yield n, a, b, p, q

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        half = len(inputs) // 2
        products = [Term(((n, a, b), (half + n, p, q))) for n, a, b, p, q in self.met(i, j, inputs)]
        return [*products, Term((), self.shift)] if self.shift else products

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        half = len(inputs) // 2
        pairs = [(inputs[n][a, b], inputs[half + n][p, q]) for n, a, b, p, q in self.met(i, j, inputs)]
        left, right = tuple(a for a, _ in pairs), tuple(b for _, b in pairs)
        written = sum_of_products(left[:MOST_WRITTEN_OUT], right[:MOST_WRITTEN_OUT], show)
        more = " + …" if len(pairs) > MOST_WRITTEN_OUT else ""
        return f"{written or '0'}{more}" + (f" + {bracketed(show(self.shift))}" if self.shift else "")

    def cost(self, *inputs: Matrix) -> int:
        rows, columns = places_of(self.window, inputs[0])
        area = self.window.sides[0].kernel * self.window.sides[1].kernel
        return max(rows, 1) * max(columns, 1) * area * (len(inputs) // 2) * PLAIN_CELL


class Pooled(Rule):
    """The largest ("max") or the average of each window; padding counts as 0 in an average, and never is the largest."""

    window: Window
    op: str

    def __call__(self, *inputs: Matrix) -> Matrix:
        rows, columns = places_of(self.window, inputs[0])
        return Matrix(tuple(tuple(self.of(self.seen(i, j, inputs[0])) for j in range(columns)) for i in range(rows)))

    def seen(self, i: int, j: int, image: Matrix) -> tuple[Cell, ...]:
        return tuple(image[a, b] for a, b, _, _ in under(self.window, image.shape, i, j))

    def of(self, cells: tuple[Cell, ...]) -> Cell:
        if self.op == "max":
            return cells[largest(cells)[0]] if cells else Fraction(0)
        return total_of(finite(cell) for cell in cells) / (self.window.sides[0].kernel * self.window.sides[1].kernel)

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        if self.op == "max":
            return []
        share = Fraction(1, self.window.sides[0].kernel * self.window.sides[1].kernel)
        return [Term(((0, a, b),), share) for a, b, _, _ in under(self.window, inputs[0].shape, i, j)]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        cells = [show(cell) for cell in self.seen(i, j, inputs[0])][:MOST_WRITTEN_OUT]
        if self.op == "max":
            return f"max({'; '.join(cells)})"
        return f"({' + '.join(map(bracketed, cells))}) / {self.window.sides[0].kernel * self.window.sides[1].kernel}"


def places_of(window: Window, image: Matrix) -> tuple[int, int]:
    """In how many places a window fits, down and across."""
    rows, columns = (side.places(length) for side, length in zip(window.sides, image.shape, strict=True))
    if rows < 1 or columns < 1:
        raise ArithmeticError("the window does not fit into its input")
    return rows, columns


def under(window: Window, size: tuple[int, int], i: int, j: int) -> Iterator[tuple[int, int, int, int]]:
    """The places of an image of this size under the window at (i, j), each with its place in it; no padding."""
    down, across = window.sides
    for p in range(down.kernel):
        for q in range(across.kernel):
            a = i * down.stride - down.padding + p * down.dilation
            b = j * across.stride - across.padding + q * across.dilation
            if 0 <= a < size[0] and 0 <= b < size[1]:
                yield a, b, p, q


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
