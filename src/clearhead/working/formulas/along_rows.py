"""Functions of whole rows, the same down the columns, and over all cells: sums, means, softmax, norms, the largest."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from clearhead.exact.expressions import ONE, ZERO, Cell, Exact, Expression, finite, inverse, total_of
from clearhead.exact.kept_numbers import kept_whole
from clearhead.exact.lengths import root
from clearhead.exact.matrices import Matrix, sum_of, transposed
from clearhead.exact.order import compared, largest
from clearhead.working.formulas import building as build
from clearhead.working.formulas.operation import Backward, Fixed, Grid, Operation
from clearhead.working.formulas.scalars import (
    Above,
    Fn,
    Largest,
    Num,
    Once,
    Over,
    Pow,
    Said,
    Scalar,
    Where,
    add,
    num,
    subtract,
    times,
)
from clearhead.working.formulas.shapes import NUMBER, Misfit, Shape
from clearhead.working.formulas.tree import Call, Node
from clearhead.working.rules.shares import softmax_row

MOST_TERMS = 8  # a longer sum is kept whole, so that what follows stays as short as its steps
LONG_FRACTION = 4_000  # bits
TWO = Fraction(2)
Row = tuple[Scalar, ...]
Cells = tuple[Cell, ...]


def short(cell: Cell) -> Cell:
    """A cell as later steps go on with it."""
    return kept_whole(cell) if not isinstance(cell, float) and is_long(cell) else cell


def is_long(cell: Cell) -> bool:
    """Whether a cell has grown beyond what anybody would multiply out: many terms, or a fraction of hundreds of digits."""
    if isinstance(cell, Fraction):
        return cell.numerator.bit_length() + cell.denominator.bit_length() > LONG_FRACTION
    return isinstance(cell, Expression) and len(cell.terms) > MOST_TERMS


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A function of one line of cells: to one number (`reduces`), or to as many as there were."""

    cell: Callable[[Row, int, Fixed], Scalar]
    value: Callable[[Cells, Fixed], Cells]
    back: Callable[[Backward, str], Node] | None = None  # with "row" or "col", for the sums it needs
    reduces: bool = True
    fixed: tuple[int, int] = (0, 0)
    why: str = ""


def mean_of(row: Row) -> Scalar:
    return Over(add(*row), num(len(row)))


def mean(cells: Cells) -> Exact:
    return total_of(finite(cell) for cell in cells) / len(cells)


def variance_of(row: Row, fixed: Fixed) -> Scalar:
    centre = Once(mean_of(row))
    spread = Over(add(*(Pow(subtract(cell, centre), TWO) for cell in row)), num(len(row)))
    return add(spread, Num(fixed[0])) if fixed and fixed[0] else spread


def variance(cells: Cells, fixed: Fixed) -> Exact:
    kept = tuple(finite(short(cell)) for cell in cells)
    centre = mean(kept)
    off = [cell - centre for cell in kept]
    return total_of(x * x for x in off) / len(cells) + (fixed[0] if fixed else ZERO)


def deviation(cells: Cells, fixed: Fixed) -> Exact:
    spread = variance(cells, fixed)
    if spread == 0:
        raise ArithmeticError("all numbers of a line are equal, so there is no spread to divide by; give an eps above 0")
    return root(finite(short(spread)))


def mean_square(cells: Cells, fixed: Fixed) -> Exact:
    kept = tuple(finite(short(cell)) for cell in cells)
    found = total_of(x * x for x in kept) / len(cells) + (fixed[0] if fixed else ZERO)
    if found == 0:
        raise ArithmeticError("all numbers of a line are 0, so there is no size to divide by; give an eps above 0")
    return found


def mean_square_of(row: Row, fixed: Fixed) -> Scalar:
    found = Over(add(*(Pow(cell, TWO) for cell in row)), num(len(row)))
    return add(found, Num(fixed[0])) if fixed and fixed[0] else found


def softmax_cell(row: Row, j: int, fixed: Fixed) -> Scalar:
    return Over(Fn("exp", row[j]), add(*(Fn("exp", cell) for cell in row)))


def layernorm_value(cells: Cells, fixed: Fixed) -> Cells:
    kept = tuple(finite(short(cell)) for cell in cells)
    centre, turned = mean(kept), inverse(deviation(kept, fixed))
    return tuple((cell - centre) * turned for cell in kept)


def rmsnorm_value(cells: Cells, fixed: Fixed) -> Cells:
    turned = inverse(root(finite(short(mean_square(cells, fixed)))))
    return tuple(finite(short(cell)) * turned for cell in cells)


def rank_of(row: Row, j: int) -> Scalar:
    """How many stand before cell j, the largest first and the earlier first among equals."""
    before = [Above(cell, row[j], strictly=k >= j) for k, cell in enumerate(row) if k != j]
    return add(*before) if before else num(0)


def order_of(cells: Cells) -> list[int]:
    """The places of the cells, the largest first, the earlier first among equals."""
    left, found = list(range(len(cells))), []
    while left:
        best = left[largest(tuple(cells[k] for k in left))[0]]
        found.append(best)
        left.remove(best)
    return found


def kept_count(fixed: Fixed) -> int:
    return max(int(fixed[0]), 1)


def topk_mask_cell(row: Row, j: int, fixed: Fixed) -> Scalar:
    inside = Above(num(kept_count(fixed)), rank_of(row, j))
    return Said(inside, f"1 if {{0}} is among the {kept_count(fixed)} largest of {{1}}: else 0", (row[j], listed(row)))


def topk_cell(row: Row, j: int, fixed: Fixed) -> Scalar:
    inside = Where(Above(num(kept_count(fixed)), rank_of(row, j)), row[j], Num(float("-inf")))
    return Said(inside, f"{{0}} if it is among the {kept_count(fixed)} largest of {{1}}: else −∞", (row[j], listed(row)))


def listed(row: Row) -> Scalar:
    return Said(num(0), ", ".join("{" + str(n) + "}" for n in range(len(row))), row)


def topk_mask_value(cells: Cells, fixed: Fixed) -> Cells:
    best = order_of(cells)[: kept_count(fixed)]
    return tuple(ONE if j in best else ZERO for j in range(len(cells)))


def topk_value(cells: Cells, fixed: Fixed) -> Cells:
    best = order_of(cells)[: kept_count(fixed)]
    return tuple(cell if j in best else float("-inf") for j, cell in enumerate(cells))


def topp_cell(row: Row, j: int, fixed: Fixed) -> Scalar:
    """Kept while those before it do not yet add up to p."""
    before = [times(cell, Above(cell, row[j], strictly=k >= j)) for k, cell in enumerate(row) if k != j]
    inside = Above(Num(fixed[0]), add(*before) if before else num(0))
    return Said(inside, f"1 if the larger ones of {{0}} add up to less than {fixed[0]}: else 0", (listed(row),))


def topp_value(cells: Cells, fixed: Fixed) -> Cells:
    total: Exact = ZERO
    kept = set()
    for j in order_of(cells):
        if compared(total, fixed[0]) < 0:
            kept.add(j)
        total = total + finite(cells[j])
    return tuple(ONE if j in kept else ZERO for j in range(len(cells)))


def argmax_cell(row: Row, j: int, fixed: Fixed) -> Scalar:
    inside: Scalar = num(len(row))
    for k in reversed(range(len(row) - 1)):
        inside = Where(Above(row[k], Largest(row), strictly=False), num(k + 1), inside)
    return Said(inside, "the place of the largest of {0}: counted from 1", (listed(row),))


def hardmax_cell(row: Row, j: int, fixed: Fixed) -> Scalar:
    """1 over how many are as large, for each of the largest."""
    best = [Above(cell, Largest(row), strictly=False) for cell in row]
    return Said(Over(best[j], add(*best)), "1 shared by the largest of {0}: 0 for the others", (listed(row),))


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


LINES: dict[str, Line] = {
    "sum": Line(
        cell=lambda row, j, f: add(*row),
        value=lambda cells, f: (sum_of(cells),),
        back=lambda back, axis: spread_out(back, axis, back.up),
        why="Each cell of the sum gets what arrives at it.",
    ),
    "mean": Line(
        cell=lambda row, j, f: mean_of(row),
        value=lambda cells, f: (mean(cells),),
        back=lambda back, axis: spread_out(back, axis, build.share(back.up, length_of(back, axis))),
        why="Each cell of the mean gets its share of what arrives.",
    ),
    "max": Line(
        cell=lambda row, j, f: Largest(row),
        value=lambda cells, f: (cells[largest(cells)[0]],),
        back=max_back,
        why="Only the largest gets back what arrives.",
    ),
    "var": Line(cell=lambda row, j, f: variance_of(row, f), value=lambda cells, f: (variance(cells, f),), fixed=(0, 1)),
    "std": Line(
        cell=lambda row, j, f: Fn("sqrt", variance_of(row, f)), value=lambda cells, f: (deviation(cells, f),), fixed=(0, 1)
    ),
    "rms": Line(
        cell=lambda row, j, f: Fn("sqrt", mean_square_of(row, f)),
        value=lambda cells, f: (root(finite(short(mean_square(cells, f)))),),
        fixed=(0, 1),
    ),
    "norm": Line(
        cell=lambda row, j, f: Fn("sqrt", add(*(Pow(cell, TWO) for cell in row))),
        value=lambda cells, f: (root(total_of(finite(c) * finite(c) for c in cells)),),
    ),
    "argmax": Line(cell=argmax_cell, value=lambda cells, f: (Fraction(largest(cells)[0] + 1),)),
    "softmax": Line(
        cell=softmax_cell,
        value=lambda cells, f: softmax_row(cells, ONE),
        back=softmax_back,
        reduces=False,
        why="Back through the softmax: each cell's share of how far what arrives is above the average of its line.",
    ),
    "hardmax": Line(cell=hardmax_cell, value=lambda cells, f: softmax_row(cells, ZERO), reduces=False),
    "layernorm": Line(
        cell=lambda row, j, f: Over(subtract(row[j], Once(mean_of(row))), Fn("sqrt", variance_of(row, f))),
        value=layernorm_value,
        back=layernorm_back,
        reduces=False,
        fixed=(0, 1),
        why="Back through the norm: what moves mean or spread of the line is taken off, the rest divided by the spread.",
    ),
    "rmsnorm": Line(
        cell=lambda row, j, f: Over(row[j], Fn("sqrt", mean_square_of(row, f))),
        value=rmsnorm_value,
        back=rmsnorm_back,
        reduces=False,
        fixed=(0, 1),
        why="Back through the norm: what only changes the size of the line is taken off, the rest divided by it.",
    ),
    "topk": Line(cell=topk_cell, value=topk_value, reduces=False, fixed=(1, 1)),
    "topk_mask": Line(cell=topk_mask_cell, value=topk_mask_value, reduces=False, fixed=(1, 1)),
    "topp_mask": Line(cell=topp_cell, value=topp_value, reduces=False, fixed=(1, 1)),
}
PREFIXED = ("sum", "mean", "max", "var", "std", "rms", "norm")  # row… and col…; the others go along rows without a prefix


def require_count(count: Fraction, most: int) -> None:
    if count.denominator != 1 or not 1 <= count <= most:
        raise Misfit(f"of lines of {most} one can keep 1 to {most}, but not {count}")


def along(line: Line, axis: str, other: str, name: str) -> Operation:
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


def over_all(line: Line, name: str) -> Operation:
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
        if name in ("sum", "mean", "max", "norm", "var", "std"):
            found[name] = over_all(line, name)
    return {**found, "batchnorm": found["collayernorm"]}


ALONG_ROWS = both_ways()
