"""A tree with numbers put in: its value, exactly, and any of its cells written out."""

from collections.abc import Callable, Mapping

from clearhead.exact.expressions import Cell, Expression, Log
from clearhead.exact.kept_numbers import kept_whole
from clearhead.exact.matrices import Matrix, number
from clearhead.working.formulas.cells.scalars import Leaf, Num, Scalar, Worked, value_of
from clearhead.working.formulas.functions.operation import Grid
from clearhead.working.formulas.functions.row_values import grown_long, short
from clearhead.working.formulas.functions.shapes import Shape
from clearhead.working.formulas.functions.table_of_operations import OPERATIONS
from clearhead.working.formulas.text.tree import Call, Name, Node, Number, Slice
from clearhead.working.formulas.tree_shapes import ranges, shape_of

CURVED = frozenset(["exp", "tanh", "sigmoid", "silu", "gelu", "softmax", "colsoftmax", "sin", "cos"])
MOVED = frozenset(["transpose", "beside", "below", "reshape", "placed"])  # cells that were there before, elsewhere


def value(node: Node, values: Mapping[str, Matrix]) -> Matrix:
    """What a tree comes to; sums that have grown long are kept whole."""
    if isinstance(node, Name):
        return values[node.name]
    if isinstance(node, Number):
        return number(node.value)
    if isinstance(node, Slice):
        table = value(node.of, values)
        whole = Shape(*table.shape, table.rank)
        (top, bottom), (left, right) = ranges(node, whole)
        rows = tuple(row[left - 1 : right] for row in table.rows[top - 1 : bottom])
        return Matrix(rows, shape_of(Slice(Name("A"), node.rows, node.columns), {"A": whole}).rank)
    tables = tuple(value(arg, values) for arg in node.args)
    if node.op in CURVED:
        tables = tuple(flattened(table) for table in tables)
    operation = OPERATIONS[node.op]
    made = by_cells(node, tables) if operation.value is None else operation.value(tables, node.fixed)
    return made if node.op in MOVED or not grown_long(made.rows) else made.map(short)


def is_deep(cell: Cell) -> bool:
    """Whether a cell has powers of e or quotients of sums in it; a power of that again would nest without end."""
    if not isinstance(cell, Expression):
        return False
    return any(m.exponent or any(not isinstance(atom, Log) for atom, _ in m.factors) for m in cell.terms)


def flattened(table: Matrix) -> Matrix:
    """The table with every deep cell kept whole."""
    if not any(is_deep(cell) for row in table.rows for cell in row):
        return table
    return table.map(lambda cell: kept_whole(cell) if isinstance(cell, Expression) and is_deep(cell) else cell)


def by_cells(node: Call, tables: tuple[Matrix, ...]) -> Matrix:
    """The value of an operation cell by cell, from what it writes out."""
    operation = OPERATIONS[node.op]
    shapes = tuple(Shape(*table.shape, table.rank) for table in tables)
    made = operation.shape(shapes, node.fixed)
    grids = tuple(leaves(n, shape) for n, shape in enumerate(shapes))

    def read(leaf: Leaf) -> object:
        return tables[leaf.table][leaf.i, leaf.j]

    rows = tuple(
        tuple(value_of(operation.cell(grids, node.fixed, i, j), read) for j in range(made.columns))  # type: ignore[arg-type]
        for i in range(made.rows)
    )
    return Matrix(rows, made.rank)


def leaves(table: int, shape: Shape) -> Grid:
    return Grid(shape, lambda i, j: Leaf(table, i, j))


def grid_of(node: Node, shapes: Mapping[str, Shape], named: Mapping[str, Grid], inner: Callable[[Node], Grid] | None) -> Grid:
    """A tree as a grid of written-out cells; `inner` gives the grid of what is worked out first (None: nothing is)."""
    if isinstance(node, Name):
        return named[node.name]
    shape = shape_of(node, shapes)
    if isinstance(node, Number):
        return Grid(shape, lambda i, j: Num(node.value))
    if isinstance(node, Slice):
        whole = grid_of(node.of, shapes, named, inner)
        (top, _), (left, _) = ranges(node, whole.shape)
        return Grid(shape, lambda i, j: whole.at(i + top - 1, j + left - 1))
    operation = OPERATIONS[node.op]
    worked_out = operation.repeats or node.op == "product"
    grids = tuple(
        inner(arg) if inner is not None and worked_out and needs_working(arg) else grid_of(arg, shapes, named, inner)
        for arg in node.args
    )
    return Grid(shape, lambda i, j: operation.cell(grids, node.fixed, i, j))


def needs_working(node: Node) -> bool:
    """Whether a piece is more than a table as it is, turned or cut."""
    if isinstance(node, Slice):
        return needs_working(node.of)
    if isinstance(node, Call):
        return (
            needs_working(node.args[0])
            if node.op in ("transpose", "negate")
            else node.op not in ("ones", "zeros", "beside", "below")
        )
    return False


def scalar_at(node: Node, i: int, j: int, names: tuple[str, ...], values: Mapping[str, Matrix]) -> Scalar:
    """Cell (i, j) written out: leaves are cells of the needs, and what stands inside is worked out first."""
    shapes = {name: Shape(*values[name].shape, values[name].rank) for name in names}
    named = {name: leaves(n, shapes[name]) for n, name in enumerate(names)}

    def inner(part: Node) -> Grid:
        table = value(part, values)
        return Grid(Shape(*table.shape, table.rank), lambda a, b: Worked(table[a, b]))

    return grid_of(node, shapes, named, inner).at(i, j)
