"""Sums, products, quotients, powers; transposing, joining and reshaping."""

from collections.abc import Callable
from fractions import Fraction

from clearhead.exact.expressions import ZERO, Cell
from clearhead.exact.matrices import Matrix, product, sum_of, transposed
from clearhead.working.formulas.cells import scalars
from clearhead.working.formulas.cells.scalars import Over, Pow, Scalar, Sum, quotient
from clearhead.working.formulas.functions.operation import Backward, Fixed, Grid, Operation, same_shape
from clearhead.working.formulas.functions.shapes import Misfit, Shape, cell_by_cell, matrix_product
from clearhead.working.formulas.text import short_trees as build
from clearhead.working.formulas.text.tree import Call, Node, Number, Slice


def paired(change: Callable[[Cell, Cell], Cell]) -> Callable[[tuple[Matrix, ...], Fixed], Matrix]:
    """A change of two tables cell by cell; a row, a column or a number goes with every cell it meets."""

    def make(tables: tuple[Matrix, ...], fixed: Fixed) -> Matrix:
        a, b = tables
        if a.shape == b.shape:
            rows = tuple(tuple(map(change, x, y)) for x, y in zip(a.rows, b.rows, strict=True))
            return Matrix(rows, max(a.rank, b.rank))
        shape = cell_by_cell(Shape(*a.shape, a.rank), Shape(*b.shape, b.rank))
        if b.shape == (1, 1):
            number = b.cell
            return Matrix(tuple(tuple([change(cell, number) for cell in row]) for row in a.rows), shape.rank)

        def at(table: Matrix, i: int, j: int) -> Cell:
            return table.rows[i if table.shape[0] > 1 else 0][j if table.shape[1] > 1 else 0]

        return Matrix(
            tuple(tuple(change(at(a, i, j), at(b, i, j)) for j in range(shape.columns)) for i in range(shape.rows)), shape.rank
        )

    return make


def two_shapes(shapes: tuple[Shape, ...], fixed: Fixed) -> Shape:
    return cell_by_cell(shapes[0], shapes[1])


def added(a: Cell, b: Cell) -> Cell:
    if isinstance(a, float) and isinstance(b, float) and a != b:
        raise ArithmeticError("∞ - ∞ has no value")
    return sum_of((a, b)) if isinstance(a, float) or isinstance(b, float) else a + b


def multiplied(a: Cell, b: Cell) -> Cell:
    return scalars.product_of((a, b)) if isinstance(a, float) or isinstance(b, float) else a * b


def both(back: Backward, first: Node, second: Node) -> tuple[Node, ...]:
    """What arrives at two operands, each gathered into its own shape."""
    made = back.shape_of(back.call)
    return tuple(
        build.gathered_into(node, made, back.shape_of(arg), back.shape_of)
        for node, arg in zip((first, second), back.args, strict=True)
    )


def add_back(back: Backward) -> tuple[Node, ...]:
    return both(back, back.up, back.up)


def subtract_back(back: Backward) -> tuple[Node, ...]:
    return both(back, back.up, build.negative(back.up))


def times_back(back: Backward) -> tuple[Node, ...]:
    a, b = back.args
    return both(back, build.times(back.up, b), build.times(back.up, a))


def divide_back(back: Backward) -> tuple[Node, ...]:
    a, b = back.args
    second = build.negative(build.over(build.times(back.up, a), Call("power", (b,), (Fraction(2),))))
    return both(back, build.over(back.up, b), second)


def power_back(back: Backward) -> tuple[Node, ...]:
    [n] = back.call.fixed
    [a] = back.args
    less = a if n == 2 else Call("power", (a,), (n - 1,))
    return (build.by_slope(back.up, build.times(Number(n), less)),)


def product_cell(grids: tuple[Grid, ...], fixed: Fixed, i: int, j: int) -> Scalar:
    a, b = grids
    return scalars.add(*(scalars.times(a.at(i, k), b.at(k, j)) for k in range(a.shape.columns)))


def product_back(back: Backward) -> tuple[Node, ...]:
    a, b = back.args
    up = build.whole(back.up, back.shape_of(back.call), back.shape_of)
    return build.product(up, build.turned(b)), build.product(build.turned(a), up)


def beside_shape(shapes: tuple[Shape, ...], fixed: Fixed) -> Shape:
    rows = shapes[0].rows
    for n, shape in enumerate(shapes):
        if shape.rows != rows:
            raise Misfit(f"{{0}} has {rows} rows and {{{n}}} has {shape.rows}: side by side they need equally many")
    return Shape(rows, sum(shape.columns for shape in shapes), 1 if all(shape.rank < 2 for shape in shapes) else 2)


def below_shape(shapes: tuple[Shape, ...], fixed: Fixed) -> Shape:
    columns = shapes[0].columns
    for n, shape in enumerate(shapes):
        if shape.columns != columns:
            raise Misfit(
                f"{{0}} has {columns} columns and {{{n}}} has {shape.columns}: one below the other they need equally many"
            )
    return Shape(sum(shape.rows for shape in shapes), columns)


def beside_cell(grids: tuple[Grid, ...], fixed: Fixed, i: int, j: int) -> Scalar:
    for grid in grids:
        if j < grid.shape.columns:
            return grid.at(i, j)
        j -= grid.shape.columns
    raise IndexError(j)


def below_cell(grids: tuple[Grid, ...], fixed: Fixed, i: int, j: int) -> Scalar:
    for grid in grids:
        if i < grid.shape.rows:
            return grid.at(i, j)
        i -= grid.shape.rows
    raise IndexError(i)


def beside_back(back: Backward) -> tuple[Node, ...]:
    up, start, found = build.whole(back.up, back.shape_of(back.call), back.shape_of), 1, []
    for arg in back.args:
        width = back.shape_of(arg).columns
        found.append(Slice(up, None, (start, start + width - 1)))
        start += width
    return tuple(found)


def below_back(back: Backward) -> tuple[Node, ...]:
    up, start, found = build.whole(back.up, back.shape_of(back.call), back.shape_of), 1, []
    for arg in back.args:
        height = back.shape_of(arg).rows
        found.append(Slice(up, (start, start + height - 1), None))
        start += height
    return tuple(found)


def reshape_shape(shapes: tuple[Shape, ...], fixed: Fixed) -> Shape:
    rows, columns = (int(number) for number in fixed)
    if rows < 1 or columns < 1 or rows * columns != shapes[0].cells:
        raise Misfit(f"{{0}} has {shapes[0].cells} cells, which are not {rows}×{columns}")
    return Shape(rows, columns)


def reshape_cell(grids: tuple[Grid, ...], fixed: Fixed, i: int, j: int) -> Scalar:
    place = i * int(fixed[1]) + j
    return grids[0].at(*divmod(place, grids[0].shape.columns))


def reshape_back(back: Backward) -> tuple[Node, ...]:
    shape = back.shape_of(back.args[0])
    return (Call("reshape", (back.up,), (Fraction(shape.rows), Fraction(shape.columns))),)


def placed_cell(grids: tuple[Grid, ...], fixed: Fixed, i: int, j: int) -> Scalar:
    """A table put into one of zeros, at a row and a column counted from 1."""
    row, column = i - int(fixed[0]) + 1, j - int(fixed[1]) + 1
    inside = 0 <= row < grids[0].shape.rows and 0 <= column < grids[0].shape.columns
    return grids[0].at(row, column) if inside else scalars.Num(ZERO)


ARITHMETIC: dict[str, Operation] = {
    "add": Operation(
        shape=two_shapes,
        cell=lambda g, f, i, j: Sum((g[0].spread(i, j), g[1].spread(i, j))),
        value=paired(added),
        back=add_back,
        tables=(2, 2),
        why="What is added passes on what arrives.",
    ),
    "subtract": Operation(
        shape=two_shapes,
        cell=lambda g, f, i, j: scalars.subtract(g[0].spread(i, j), g[1].spread(i, j)),
        value=paired(lambda a, b: added(a, -b)),
        back=subtract_back,
        tables=(2, 2),
        why="What is taken off passes on what arrives with its sign turned.",
    ),
    "times": Operation(
        shape=two_shapes,
        cell=lambda g, f, i, j: scalars.times(g[0].spread(i, j), g[1].spread(i, j)),
        value=paired(multiplied),
        back=times_back,
        tables=(2, 2),
        why="Each cell gets what arrives, times the cell it was multiplied by.",
    ),
    "divide": Operation(
        shape=two_shapes,
        cell=lambda g, f, i, j: Over(g[0].spread(i, j), g[1].spread(i, j)),
        value=paired(quotient),
        back=divide_back,
        tables=(2, 2),
        why="What was divided gets what arrives, divided by the same.",
    ),
    "negate": Operation(
        shape=same_shape,
        cell=lambda g, f, i, j: Sum((g[0].at(i, j),), frozenset({0})),
        value=lambda t, f: t[0].map(lambda cell: -cell),
        back=lambda back: (build.negative(back.up),),
        why="The sign turns.",
    ),
    "power": Operation(
        shape=same_shape,
        cell=lambda g, f, i, j: Pow(g[0].at(i, j), f[0]),
        value=lambda t, f: t[0].map(lambda cell: scalars.power(cell, f[0])),
        back=power_back,
        fixed=(1, 1),
        why="The exponent comes down as a factor, cell by cell.",
    ),
    "product": Operation(
        shape=lambda shapes, fixed: matrix_product(*shapes),
        cell=product_cell,
        value=lambda t, f: product(*t),
        back=product_back,
        tables=(2, 2),
        why="Back through a product the other factor is transposed.",
    ),
    "transpose": Operation(
        shape=lambda shapes, fixed: shapes[0].turned(),
        cell=lambda g, f, i, j: g[0].at(j, i),
        value=lambda t, f: transposed(t[0]),
        back=lambda back: (build.turned(back.up),),
    ),
    "beside": Operation(
        shape=beside_shape, cell=beside_cell, back=beside_back, tables=(1, 64), why="Each part gets back its own columns."
    ),
    "below": Operation(
        shape=below_shape, cell=below_cell, back=below_back, tables=(1, 64), why="Each part gets back its own rows."
    ),
    "reshape": Operation(
        shape=reshape_shape, cell=reshape_cell, back=reshape_back, fixed=(2, 2), why="The same cells, back in their old rows."
    ),
    "placed": Operation(
        shape=lambda shapes, fixed: Shape(int(fixed[2]), int(fixed[3])),
        cell=placed_cell,
        fixed=(4, 4),
        why="Only the rows and columns that were used get something back.",
    ),
}
