"""Losses and likenesses of two tables: cross-entropy, squares, divergence, cosine."""

from fractions import Fraction

from clearhead.exact.expressions import Cell, finite, inverse, total_of
from clearhead.exact.lengths import length
from clearhead.exact.logarithms import surprise
from clearhead.exact.matrices import Matrix, dot, number, sum_of
from clearhead.working.formulas.cells.scalars import (
    Fn,
    Over,
    Pow,
    Scalar,
    Sum,
    WeighedTerm,
    add,
    num,
    product_of,
    subtract,
    times,
)
from clearhead.working.formulas.functions.operation import Backward, Fixed, Grid, Operation
from clearhead.working.formulas.functions.shapes import NUMBER, Misfit, Shape
from clearhead.working.formulas.text import short_trees as build
from clearhead.working.formulas.text.tree import Call, Node, Number

TWO = Fraction(2)


def equal_tables(shapes: tuple[Shape, ...], fixed: Fixed) -> Shape:
    a, b = shapes
    if a.size != b.size:
        raise Misfit(f"{{0}} is {a} and {{1}} is {b}: a loss compares tables of one shape, cell by cell")
    return NUMBER


def shared(total: Scalar, count: int) -> Scalar:
    return total if count == 1 else Over(total, num(count))


def cross_entropy_cell(grids: tuple[Grid, ...], fixed: Fixed, i: int, j: int) -> Scalar:
    p, y = grids
    terms = tuple(WeighedTerm(b, Fn("ln", a)) for a, b in zip(p.cells(), y.cells(), strict=True))
    return shared(Sum(terms, frozenset(range(len(terms)))), p.shape.rows)


def cross_entropy_value(tables: tuple[Matrix, ...], fixed: Fixed) -> Matrix:
    """−Σ y ln p over the rows; where y is 0 nothing is added, whatever p is."""
    p, y = tables
    pairs = [(a, b) for row, other in zip(p.rows, y.rows, strict=True) for a, b in zip(row, other, strict=True)]
    total = sum_of(product_of((b, surprise(a))) for a, b in pairs if b != 0)
    return number(product_of((total, Fraction(1, p.shape[0]))))


def cross_entropy_back(back: Backward) -> tuple[Node | None, ...]:
    p, y = back.args
    rows = back.shape_of(p).rows
    at_p = build.times(build.share(back.up, rows), build.negative(build.over(y, p)))
    at_y = build.times(build.share(back.up, rows), build.negative(Call("ln", (p,))))
    return at_p, at_y


def mse_cell(grids: tuple[Grid, ...], fixed: Fixed, i: int, j: int) -> Scalar:
    a, b = grids
    squares = (Pow(subtract(x, y), TWO) for x, y in zip(a.cells(), b.cells(), strict=True))
    return shared(add(*squares), a.shape.cells)


def mse_value(tables: tuple[Matrix, ...], fixed: Fixed) -> Matrix:
    a, b = tables
    off = [finite(x) - finite(y) for row, other in zip(a.rows, b.rows, strict=True) for x, y in zip(row, other, strict=True)]
    return number(total_of(x * x for x in off) / len(off))


def mse_back(back: Backward) -> tuple[Node | None, ...]:
    a, b = back.args
    factor = build.times(Number(Fraction(2, back.shape_of(a).cells)), back.up)
    return build.times(factor, build.minus(a, b)), build.times(factor, build.minus(b, a))


def kl_cell(grids: tuple[Grid, ...], fixed: Fixed, i: int, j: int) -> Scalar:
    p, q = grids
    terms = (WeighedTerm(a, Fn("ln", Over(a, b))) for a, b in zip(p.cells(), q.cells(), strict=True))
    return shared(add(*terms), p.shape.rows)


def kl_value(tables: tuple[Matrix, ...], fixed: Fixed) -> Matrix:
    """Σ p ln(p/q), the mean over the rows; where p is 0 nothing is added."""
    p, q = tables
    pairs = [(a, b) for row, other in zip(p.rows, q.rows, strict=True) for a, b in zip(row, other, strict=True) if a != 0]
    terms: list[Cell] = [product_of((a, sum_of((surprise(b), -surprise(a))))) for a, b in pairs]
    return number(product_of((sum_of(terms), Fraction(1, p.shape[0]))))


def kl_back(back: Backward) -> tuple[Node | None, ...]:
    p, q = back.args
    share = build.share(back.up, back.shape_of(p).rows)
    ratio = build.plus(Call("ln", (build.over(p, q),)), Number(Fraction(1)))
    return build.times(share, ratio), build.times(share, build.negative(build.over(p, q)))


def cosine_shape(shapes: tuple[Shape, ...], fixed: Fixed) -> Shape:
    a, b = shapes
    if a.columns != b.columns:
        raise Misfit(f"{{0}} is {a} and {{1}} is {b}: rows can be compared only where they are equally long")
    return NUMBER if a.rank == 1 and b.rank == 1 else Shape(a.rows, b.rows)


def cosine_cell(grids: tuple[Grid, ...], fixed: Fixed, i: int, j: int) -> Scalar:
    a, b = grids[0].row(i), grids[1].row(j)
    sizes = [Fn("sqrt", add(*(Pow(x, TWO) for x in row))) for row in (a, b)]
    return Over(add(*(times(x, y) for x, y in zip(a, b, strict=True))), times(*sizes))


def cosine_value(tables: tuple[Matrix, ...], fixed: Fixed) -> Matrix:
    rows, others = ([tuple(finite(cell) for cell in row) for row in table.rows] for table in tables)
    sizes = [[length(row) for row in part] for part in (rows, others)]
    if any(size == 0 for part in sizes for size in part):
        raise ArithmeticError("a row of zeros has no direction, so no cosine")
    found = tuple(
        tuple(dot(a, b) * inverse(x * y) for b, y in zip(others, sizes[1], strict=True))
        for a, x in zip(rows, sizes[0], strict=True)
    )
    return Matrix(found, 0 if tables[0].rank == tables[1].rank == 1 else 2)


LOSSES: dict[str, Operation] = {
    "cross_entropy": Operation(
        shape=equal_tables,
        cell=cross_entropy_cell,
        value=cross_entropy_value,
        back=cross_entropy_back,
        tables=(2, 2),
        repeats=True,
        latex=r"\mathrm{cross\ entropy}",
        why="The slope of -ln p is -1/p, where the wanted share is.",
    ),
    "mse": Operation(
        shape=equal_tables,
        cell=mse_cell,
        value=mse_value,
        back=mse_back,
        tables=(2, 2),
        repeats=True,
        why="The slope of a square is twice what was squared, shared by all cells.",
    ),
    "kl": Operation(
        shape=equal_tables,
        cell=kl_cell,
        value=kl_value,
        back=kl_back,
        tables=(2, 2),
        repeats=True,
        why="The slope of p ln(p/q): ln(p/q) + 1 for p, -p/q for q.",
    ),
    "cosine": Operation(shape=cosine_shape, cell=cosine_cell, value=cosine_value, tables=(2, 2), repeats=True),
}
