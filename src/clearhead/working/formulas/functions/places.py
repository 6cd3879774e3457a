"""Tables made from places: masks, one-hot rows, positions, rotations; and dropout."""

import math
from fractions import Fraction

from clearhead.exact.expressions import ONE, ZERO, Exact, inverse
from clearhead.exact.matrices import Matrix
from clearhead.exact.powers import exp, log
from clearhead.working.formulas.cells.scalars import Above, Fn, Num, Over, Said, Scalar, add, num, subtract, times
from clearhead.working.formulas.functions.operation import Backward, Fixed, Grid, Operation, same_shape
from clearhead.working.formulas.functions.shapes import MOST_CELLS, Misfit, Shape, cell_by_cell
from clearhead.working.formulas.text import short_trees as build
from clearhead.working.formulas.text.tree import Call, Node, Number

BASE = Fraction(10_000)


def sized(shapes: tuple[Shape, ...], fixed: Fixed) -> Shape:
    rows, columns = int(fixed[0]), int(fixed[-1] if len(fixed) < 2 else fixed[1])
    if rows < 1 or columns < 1 or rows * columns > MOST_CELLS or any(number.denominator > 1 for number in fixed[:2]):
        raise Misfit(f"a table of {fixed[0]}×{fixed[-1] if len(fixed) < 2 else fixed[1]} cannot be made")
    return Shape(rows, columns)


def filled(value: Exact) -> Operation:
    return Operation(
        shape=sized,
        cell=lambda g, f, i, j: Num(value),
        value=lambda t, f: Matrix(((value,) * int(f[1]),) * int(f[0])),
        back=lambda back: (),
        tables=(0, 0),
        fixed=(2, 2),
    )


def masked_cell(grids: tuple[Grid, ...], fixed: Fixed, i: int, j: int) -> Scalar:
    if j <= i:
        return Said(grids[0].at(i, j), f"{{0}}: kept, {j + 1} ≤ {i + 1}", (grids[0].at(i, j),))
    return Said(Num(-math.inf), f"hidden: {j + 1} > {i + 1}")


def masked_value(tables: tuple[Matrix, ...], fixed: Fixed) -> Matrix:
    rows = tables[0].rows
    return Matrix(tuple(tuple(cell if j <= i else -math.inf for j, cell in enumerate(row)) for i, row in enumerate(rows)))


def masked_back(back: Backward) -> tuple[Node | None, ...]:
    rows, columns = back.shape_of(back.args[0]).size
    return (build.times(back.up, Call("lower", (), (Fraction(rows), Fraction(columns)))),)


def onehot_cell(grids: tuple[Grid, ...], fixed: Fixed, i: int, j: int) -> Scalar:
    place = grids[0].cells()[i]
    inside = times(Above(place, num(j + 1), strictly=False), Above(num(j + 1), place, strictly=False))
    return Said(inside, f"1 if {{0}} is {j + 1}: else 0", (place,))


def onehot_value(tables: tuple[Matrix, ...], fixed: Fixed) -> Matrix:
    places = [cell for row in tables[0].rows for cell in row]
    return Matrix(tuple(tuple(ONE if place == j else ZERO for j in range(1, int(fixed[0]) + 1)) for place in places))


def onehot_shape(shapes: tuple[Shape, ...], fixed: Fixed) -> Shape:
    count = int(fixed[0])
    if not 1 <= count <= MOST_CELLS:
        raise Misfit(f"a one-hot row of {count} cells cannot be made")
    return Shape(shapes[0].cells, count)


def angle_speed(pair: int, width: int, base: Fraction) -> Exact:
    """base^(−2·pair / width), the angle that one position adds."""
    power = Fraction(2 * pair, width)
    if power.denominator == 1:
        return ONE / base ** int(power)
    whole = round(float(base) ** float(power))  # 10000^(1/2) is 100, a whole number
    if Fraction(whole) ** power.denominator == base**power.numerator:
        return Fraction(1, whole)
    found = log(base)
    assert not isinstance(found, float)
    return inverse(exp(found * power))


def speed_cell(pair: int, width: int, base: Fraction) -> Scalar:
    return Num(angle_speed(pair, width, base))


def positions_cell(grids: tuple[Grid, ...], fixed: Fixed, i: int, j: int) -> Scalar:
    base = fixed[2] if len(fixed) > 2 else BASE
    angle = times(num(i), speed_cell(j // 2, int(fixed[1]), base)) if i else num(0)
    return Fn("cos" if j % 2 else "sin", angle)


def rope_shape(shapes: tuple[Shape, ...], fixed: Fixed) -> Shape:
    if shapes[0].columns % 2:
        raise Misfit(f"{{0}} is {shapes[0]}: rope turns pairs of columns, so their number must be even")
    return shapes[0]


def rope_cell(grids: tuple[Grid, ...], fixed: Fixed, i: int, j: int) -> Scalar:
    """Row i, counted from 0, turned by i·θ in each pair of columns."""
    [grid] = grids
    base = fixed[0] if fixed else BASE
    angle = times(num(i), speed_cell(j // 2, grid.shape.columns, base)) if i else num(0)
    first, second = grid.at(i, j - j % 2), grid.at(i, j - j % 2 + 1)
    if j % 2:
        return add(times(first, Fn("sin", angle)), times(second, Fn("cos", angle)))
    return subtract(times(first, Fn("cos", angle)), times(second, Fn("sin", angle)))


def dropout_cell(grids: tuple[Grid, ...], fixed: Fixed, i: int, j: int) -> Scalar:
    kept = times(grids[0].at(i, j), grids[1].spread(i, j))
    return Over(kept, Num(ONE - fixed[0])) if fixed and fixed[0] else kept


def dropout_shape(shapes: tuple[Shape, ...], fixed: Fixed) -> Shape:
    if fixed and not 0 <= fixed[0] < 1:
        raise Misfit(f"the share that dropout leaves out must be from 0 to below 1, but is {fixed[0]}")
    return cell_by_cell(*shapes)


def dropout_back(back: Backward) -> tuple[Node | None, ...]:
    kept = build.times(back.up, back.args[1])
    left = back.call.fixed[0] if back.call.fixed else ZERO
    return build.over(kept, Number(ONE - left)), None


def causal(i: int, j: int) -> Scalar:
    return Num(ZERO if j <= i else -math.inf)


PLACES: dict[str, Operation] = {
    "ones": filled(ONE),
    "zeros": filled(ZERO),
    "identity": Operation(
        shape=sized, cell=lambda g, f, i, j: num(int(i == j)), back=lambda back: (), tables=(0, 0), fixed=(1, 1)
    ),
    "lower": Operation(
        shape=sized, cell=lambda g, f, i, j: num(int(j <= i)), back=lambda back: (), tables=(0, 0), fixed=(1, 2)
    ),
    "causal_mask": Operation(
        shape=same_shape,
        cell=masked_cell,
        value=masked_value,
        back=masked_back,
        why="Hidden cells get nothing back.",
        latex=r"\mathrm{causal}",
    ),
    "causal_table": Operation(
        shape=sized,
        cell=lambda g, f, i, j: causal(i, j),
        back=lambda back: (),
        tables=(0, 0),
        fixed=(1, 1),
        latex=r"\mathrm{causal}",
    ),
    "onehot": Operation(
        shape=onehot_shape,
        cell=onehot_cell,
        value=onehot_value,
        fixed=(1, 1),
        back=lambda back: (None,),
        latex=r"\mathrm{onehot}",
    ),
    "positions": Operation(
        shape=sized, cell=positions_cell, back=lambda back: (), tables=(0, 0), fixed=(2, 3), latex=r"\mathrm{positions}"
    ),
    "rope": Operation(shape=rope_shape, cell=rope_cell, fixed=(0, 1), repeats=True, why="Each pair turns back by its angle."),
    "dropout": Operation(
        shape=dropout_shape,
        cell=dropout_cell,
        back=dropout_back,
        tables=(2, 2),
        fixed=(0, 1),
        why="What was dropped gets nothing back.",
    ),
}
