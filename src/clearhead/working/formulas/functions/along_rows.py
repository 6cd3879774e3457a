"""Functions of whole rows, the same down the columns, and over all cells: sums, means, softmax, norms, the largest."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from clearhead.exact.expressions import ONE, ZERO, finite, total_of
from clearhead.exact.lengths import root
from clearhead.exact.matrices import Matrix, sum_of, transposed
from clearhead.exact.order import largest
from clearhead.working.formulas.cells.scalars import (
    Fn,
    Largest,
    Once,
    Over,
    Pow,
    Scalar,
    add,
    subtract,
)
from clearhead.working.formulas.functions.operation import Backward, Fixed, Grid, Operation
from clearhead.working.formulas.functions.row_values import (
    TWO,
    Cells,
    Row,
    argmax_cell,
    deviation,
    hardmax_cell,
    layernorm_value,
    mean,
    mean_of,
    mean_square,
    mean_square_of,
    rmsnorm_value,
    short,
    smallest,
    smallest_cell,
    softmax_cell,
    topk_cell,
    topk_mask_cell,
    topk_mask_value,
    topk_value,
    topp_cell,
    topp_value,
    variance,
    variance_of,
)
from clearhead.working.formulas.functions.shapes import NUMBER, Misfit, Shape
from clearhead.working.formulas.text import short_trees as build
from clearhead.working.formulas.text.tree import Call, Node
from clearhead.working.rules.shares import softmax_row


@dataclass(frozen=True, kw_only=True, slots=True)
class RowFunction:
    """A function of one line of cells: to one number (`reduces`), or to as many as there were."""

    cell: Callable[[Row, int, Fixed], Scalar]
    value: Callable[[Cells, Fixed], Cells]
    back: Callable[[Backward, str], Node] | None = None  # with "row" or "col", for the sums it needs
    reduces: bool = True
    fixed: tuple[int, int] = (0, 0)
    why: str = ""


def softmax_back(back: Backward, axis: str) -> Node:
    up, p = build.whole(back.up, back.shape_of(back.call), back.shape_of), back.out
    return build.times(p, build.minus(up, build.function(f"{axis}sum", build.times(up, p))))


def layernorm_back(back: Backward, axis: str) -> Node:
    up, n = build.whole(back.up, back.shape_of(back.call), back.shape_of), back.out
    centred = build.minus(up, build.function(f"{axis}mean", up))
    along = build.times(n, build.function(f"{axis}mean", build.times(up, n)))
    return build.over(build.minus(centred, along), Call(f"{axis}std", back.args, back.call.fixed))


def rmsnorm_back(back: Backward, axis: str) -> Node:
    up, n = build.whole(back.up, back.shape_of(back.call), back.shape_of), back.out
    along = build.times(n, build.function(f"{axis}mean", build.times(up, n)))
    return build.over(build.minus(up, along), Call(f"{axis}rms", back.args, back.call.fixed))


def spread_out(back: Backward, axis: str, times_one: Node) -> Node:
    """What arrives at a sum, repeated for every cell of its line."""
    shape = back.shape_of(back.args[0])
    rows, columns = (1, shape.columns) if axis == "row" else (shape.rows, 1)
    ones = Call("ones", (), (Fraction(rows), Fraction(columns)))
    if back.shape_of(times_one).rank == 0:
        return times_one
    return build.product(times_one, ones) if axis == "row" else build.product(ones, times_one)


def length_of(back: Backward, axis: str) -> int:
    shape = back.shape_of(back.args[0])
    return shape.columns if axis == "row" else shape.rows


def max_back(back: Backward, axis: str) -> Node:
    mask = Call("topk_mask" if axis == "row" else "coltopk_mask", back.args, (ONE,))
    return build.times(spread_out(back, axis, back.up), mask)


def min_back(back: Backward, axis: str) -> Node:
    mask = Call("topk_mask" if axis == "row" else "coltopk_mask", (build.negative(back.args[0]),), (ONE,))
    return build.times(spread_out(back, axis, back.up), mask)


LINES: dict[str, RowFunction] = {
    "sum": RowFunction(
        cell=lambda row, j, f: add(*row),
        value=lambda cells, f: (sum_of(cells),),
        back=lambda back, axis: spread_out(back, axis, back.up),
        why="Each cell of the sum gets what arrives at it.",
    ),
    "mean": RowFunction(
        cell=lambda row, j, f: mean_of(row),
        value=lambda cells, f: (mean(cells),),
        back=lambda back, axis: spread_out(back, axis, build.share(back.up, length_of(back, axis))),
        why="Each cell of the mean gets its share of what arrives.",
    ),
    "max": RowFunction(
        cell=lambda row, j, f: Largest(row),
        value=lambda cells, f: (cells[largest(cells)[0]],),
        back=max_back,
        why="Only the largest gets back what arrives.",
    ),
    "min": RowFunction(
        cell=smallest_cell,
        value=lambda cells, f: (smallest(cells),),
        back=min_back,
        why="Only the smallest gets back what arrives.",
    ),
    "var": RowFunction(cell=lambda row, j, f: variance_of(row, f), value=lambda cells, f: (variance(cells, f),), fixed=(0, 1)),
    "std": RowFunction(
        cell=lambda row, j, f: Fn("sqrt", variance_of(row, f)), value=lambda cells, f: (deviation(cells, f),), fixed=(0, 1)
    ),
    "rms": RowFunction(
        cell=lambda row, j, f: Fn("sqrt", mean_square_of(row, f)),
        value=lambda cells, f: (root(finite(short(mean_square(cells, f)))),),
        fixed=(0, 1),
    ),
    "norm": RowFunction(
        cell=lambda row, j, f: Fn("sqrt", add(*(Pow(cell, TWO) for cell in row))),
        value=lambda cells, f: (root(total_of(finite(c) * finite(c) for c in cells)),),
    ),
    "argmax": RowFunction(cell=argmax_cell, value=lambda cells, f: (Fraction(largest(cells)[0] + 1),)),
    "softmax": RowFunction(
        cell=softmax_cell,
        value=lambda cells, f: softmax_row(cells, ONE),
        back=softmax_back,
        reduces=False,
        why="Back through the softmax: each cell's share of how far what arrives is above the average of its line.",
    ),
    "hardmax": RowFunction(cell=hardmax_cell, value=lambda cells, f: softmax_row(cells, ZERO), reduces=False),
    "layernorm": RowFunction(
        cell=lambda row, j, f: Over(subtract(row[j], Once(mean_of(row))), Fn("sqrt", variance_of(row, f))),
        value=layernorm_value,
        back=layernorm_back,
        reduces=False,
        fixed=(0, 1),
        why="Back through the norm: what moves mean or spread of the line is taken off, the rest divided by the spread.",
    ),
    "rmsnorm": RowFunction(
        cell=lambda row, j, f: Over(row[j], Fn("sqrt", mean_square_of(row, f))),
        value=rmsnorm_value,
        back=rmsnorm_back,
        reduces=False,
        fixed=(0, 1),
        why="Back through the norm: what only changes the size of the line is taken off, the rest divided by it.",
    ),
    "topk": RowFunction(cell=topk_cell, value=topk_value, reduces=False, fixed=(1, 1)),
    "topk_mask": RowFunction(cell=topk_mask_cell, value=topk_mask_value, reduces=False, fixed=(1, 1)),
    "topp_mask": RowFunction(cell=topp_cell, value=topp_value, reduces=False, fixed=(1, 1)),
}
PREFIXED = (
    "sum",
    "mean",
    "max",
    "min",
    "var",
    "std",
    "rms",
    "norm",
)  # row… and col…; the others go along rows without a prefix


def require_count(count: Fraction, most: int) -> None:
    if count.denominator != 1 or not 1 <= count <= most:
        raise Misfit(f"of lines of {most} one can keep 1 to {most}, but not {count}")


def along(line: RowFunction, axis: str, other: str, name: str) -> Operation:
    """A line function along the rows, or down the columns."""
    down = axis == "col"

    def shape(shapes: tuple[Shape, ...], fixed: Fixed) -> Shape:
        [given] = shapes
        if name == "softmax" and given.columns == 1 and given.rows > 1:
            raise Misfit("{0} is a column, and along rows of one cell every softmax is 1; did you mean colsoftmax?")
        if name.endswith(("topk", "topk_mask")):
            require_count(fixed[0], given.rows if down else given.columns)
        if not line.reduces:
            return given
        if given.rank < 2 and not down:
            return NUMBER
        return Shape(1, given.columns, 1 if given.rank == 1 else 2) if down else Shape(given.rows, 1)

    def cell(grids: tuple[Grid, ...], fixed: Fixed, i: int, j: int) -> Scalar:
        return line.cell(grids[0].turned().row(j), i, fixed) if down else line.cell(grids[0].row(i), j, fixed)

    def value(tables: tuple[Matrix, ...], fixed: Fixed) -> Matrix:
        [table] = tables
        made = Matrix(tuple(line.value(row, fixed) for row in (transposed(table) if down else table).rows))
        found = transposed(made) if down else made
        rank = table.rank if not line.reduces else shape((Shape(*table.shape, table.rank),), fixed).rank
        return Matrix(found.rows, rank)

    def back(backward: Backward) -> tuple[Node | None, ...]:
        assert line.back is not None
        return (line.back(backward, axis),)

    return Operation(
        shape=shape,
        cell=cell,
        value=value,
        back=None if line.back is None else back,
        fixed=line.fixed,
        why=line.why,
        repeats=not line.reduces or name[3:] not in ("sum", "mean"),
        other_axis=other,
    )


def over_all(line: RowFunction, name: str) -> Operation:
    """The same over all cells: one number."""

    def value(tables: tuple[Matrix, ...], fixed: Fixed) -> Matrix:
        return Matrix((line.value(tuple(cell for row in tables[0].rows for cell in row), fixed),), 0)

    def back(backward: Backward) -> tuple[Node | None, ...]:
        count = backward.shape_of(backward.args[0]).cells
        return (backward.up if name == "sum" else build.share(backward.up, count),)

    return Operation(
        shape=lambda shapes, fixed: NUMBER,
        cell=lambda g, f, i, j: line.cell(g[0].cells(), 0, f),
        value=value,
        back=back if name in ("sum", "mean") else None,
        fixed=line.fixed,
        why=line.why,
        repeats=name not in ("sum", "mean"),
    )


def both_ways() -> dict[str, Operation]:
    found: dict[str, Operation] = {}
    for name, line in LINES.items():
        row = f"row{name}" if name in PREFIXED else name
        found[row] = along(line, "row", f"col{name}", row)
        found[f"col{name}"] = along(line, "col", row, f"col{name}")
        if name in ("sum", "mean", "max", "min", "norm", "var", "std"):
            found[name] = over_all(line, name)
    return {**found, "batchnorm": found["collayernorm"]}


ALONG_ROWS = both_ways()
