"""Convolution and pooling of actual numbers: a window that slides over a table."""

from clearhead.working.formulas.cells.scalars import Largest, Over, Scalar, add, num, times
from clearhead.working.formulas.functions.operation import Fixed, Grid, Operation
from clearhead.working.formulas.functions.shapes import Misfit, Shape


def steps_of(fixed: Fixed, place: int, default: int) -> int:
    return int(fixed[place]) if len(fixed) > place else default


def slid(size: Shape, window: tuple[int, int], stride: int, padding: int) -> Shape:
    """How many places a window has."""
    rows, columns = size.rows + 2 * padding, size.columns + 2 * padding
    if stride < 1 or padding < 0 or window[0] < 1 or window[1] < 1:
        raise Misfit("a window and its stride must be 1 or more, its padding 0 or more")
    if window[0] > rows or window[1] > columns:
        raise Misfit(f"{{0}} is {size}, too small for a window of {window[0]}×{window[1]}; padding makes it larger")
    return Shape((rows - window[0]) // stride + 1, (columns - window[1]) // stride + 1)


def conv_shape(shapes: tuple[Shape, ...], fixed: Fixed) -> Shape:
    return slid(shapes[0], shapes[1].size, steps_of(fixed, 0, 1), steps_of(fixed, 1, 0))


def conv_cell(grids: tuple[Grid, ...], fixed: Fixed, i: int, j: int) -> Scalar:
    """The window laid on the table (not turned over, as everywhere in learning), products added up; outside is 0."""
    table, kernel = grids
    stride, padding = steps_of(fixed, 0, 1), steps_of(fixed, 1, 0)
    found = []
    for a in range(kernel.shape.rows):
        for b in range(kernel.shape.columns):
            row, column = i * stride + a - padding, j * stride + b - padding
            if 0 <= row < table.shape.rows and 0 <= column < table.shape.columns:
                found.append(times(table.at(row, column), kernel.at(a, b)))
    return add(*found) if found else num(0)


def pool_shape(shapes: tuple[Shape, ...], fixed: Fixed) -> Shape:
    size = int(fixed[0])
    return slid(shapes[0], (size, size), steps_of(fixed, 1, size), 0)


def window_of(grid: Grid, fixed: Fixed, i: int, j: int) -> tuple[Scalar, ...]:
    size = int(fixed[0])
    stride = steps_of(fixed, 1, size)
    return tuple(grid.at(i * stride + a, j * stride + b) for a in range(size) for b in range(size))


def average(cells: tuple[Scalar, ...]) -> Scalar:
    return Over(add(*cells), num(len(cells)))


WINDOWS: dict[str, Operation] = {
    "conv": Operation(
        shape=conv_shape,
        cell=conv_cell,
        tables=(2, 2),
        fixed=(0, 2),
        repeats=True,
        why="Each place of the window gives back its part.",
    ),
    "maxpool": Operation(
        shape=pool_shape,
        cell=lambda g, f, i, j: Largest(window_of(g[0], f, i, j)),
        fixed=(1, 2),
        repeats=True,
        why="Only the largest of each window gets back what arrives.",
    ),
    "avgpool": Operation(
        shape=pool_shape,
        cell=lambda g, f, i, j: average(window_of(g[0], f, i, j)),
        fixed=(1, 2),
        repeats=True,
        why="Each cell of a window gets its share of what arrives.",
    ),
}
