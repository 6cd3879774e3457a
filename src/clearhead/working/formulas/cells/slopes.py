"""The slope of a written-out cell by one of the cells in it: how any operation goes back that has no shorter formula."""

from fractions import Fraction

from clearhead.exact.expressions import ONE, ZERO
from clearhead.exact.special_functions import pi
from clearhead.working.formulas.cells.scalars import (
    Above,
    Fn,
    Largest,
    Leaf,
    Mul,
    Num,
    Once,
    Over,
    Pow,
    Said,
    Scalar,
    Sum,
    WeighedTerm,
    Where,
    Worked,
    num,
    subtract,
    times,
)
from clearhead.working.formulas.functions.operation import Fixed, Grid, Operation
from clearhead.working.formulas.functions.shapes import Shape

NOTHING = Num(ZERO)


def slope(scalar: Scalar, by: Leaf) -> Scalar:
    """∂scalar/∂leaf, with what is 0 left out."""
    match scalar:
        case Leaf():
            return Num(ONE) if scalar == by else NOTHING
        case Sum(parts, minus):
            found = [(n in minus, slope(part, by)) for n, part in enumerate(parts)]
            return summed([(taken_off, part) for taken_off, part in found if part != NOTHING])
        case Mul(parts):
            return summed(
                [
                    (False, product(*parts[:n], inner, *parts[n + 1 :]))
                    for n, part in enumerate(parts)
                    if (inner := slope(part, by)) != NOTHING
                ]
            )
        case Over(above, below):
            up, down = slope(above, by), slope(below, by)
            first = NOTHING if up == NOTHING else Over(up, below)
            if down == NOTHING:
                return first
            second = Over(product(above, down), Pow(below, Fraction(2)))
            return summed([*([(False, first)] if first != NOTHING else []), (True, second)])
        case Pow(base, exponent):
            inner = slope(base, by)
            less = base if exponent == 2 else Pow(base, exponent - 1)
            return NOTHING if inner == NOTHING else product(Num(exponent), less, inner)
        case Fn(name, x):
            inner = slope(x, by)
            return NOTHING if inner == NOTHING else product(function_slope(name, x), inner)
        case Largest(parts):
            inner_ones = [slope(part, by) for part in parts]
            return summed([(False, product(is_first_largest(parts, n), d)) for n, d in enumerate(inner_ones) if d != NOTHING])
        case Where(condition, then, otherwise):
            a, b = slope(then, by), slope(otherwise, by)
            return NOTHING if a == b == NOTHING else Where(condition, a, b)
        case Said(inside) | Once(inside):
            return slope(inside, by)
        case WeighedTerm(weight, x):
            return slope(Mul((weight, x)), by)
        case Num() | Worked() | Above():
            return NOTHING


def product(*parts: Scalar) -> Scalar:
    return NOTHING if NOTHING in parts else times(*parts)


def summed(parts: list[tuple[bool, Scalar]]) -> Scalar:
    if not parts:
        return NOTHING
    if len(parts) == 1 and not parts[0][0]:
        return parts[0][1]
    return Sum(tuple(part for _, part in parts), frozenset(n for n, (taken_off, _) in enumerate(parts) if taken_off))


def is_first_largest(parts: tuple[Scalar, ...], n: int) -> Scalar:
    """1 where part n is the largest, and the first of several that are."""
    conditions = [Above(parts[n], part, strictly=k < n) for k, part in enumerate(parts) if k != n]
    return product(*conditions) if conditions else Num(ONE)


def function_slope(name: str, x: Scalar) -> Scalar:
    match name:
        case "exp":
            return Fn("exp", x)
        case "ln":
            return Over(num(1), x)
        case "sqrt":
            return Over(num(1), times(num(2), Fn("sqrt", x)))
        case "abs":
            return subtract(Above(x, num(0)), Above(num(0), x))
        case "tanh":
            return subtract(num(1), Pow(Fn("tanh", x), Fraction(2)))
        case "sin":
            return Fn("cos", x)
        case "cos":
            return Sum((Fn("sin", x),), frozenset({0}))
        case _:  # erf
            return Over(times(num(2), Fn("exp", Sum((Pow(x, Fraction(2)),), frozenset({0})))), Fn("sqrt", Num(pi())))


def going_back(operation: Operation, by: int) -> Operation:
    """What arrives at one table of an operation, cell by cell: its tables come first, then what arrives at its result."""
    count = operation.tables[1]

    def cell(grids: tuple[Grid, ...], fixed: Fixed, i: int, j: int) -> Scalar:
        tables, up = grids[:count], grids[count]
        marked = tuple(Grid(grid.shape, leaf_of(n)) for n, grid in enumerate(tables))
        made = operation.shape(tuple(grid.shape for grid in tables), fixed)
        found = []
        for a in range(made.rows):
            for b in range(made.columns):
                steep = slope(operation.cell(marked, fixed, a, b), Leaf(by, i, j))
                if steep != NOTHING:
                    found.append((False, product(up.spread(a, b), put_in(steep, tables))))
        return summed(found)

    def shape(shapes: tuple[Shape, ...], fixed: Fixed) -> Shape:
        return shapes[by]

    return Operation(
        shape=shape, cell=cell, tables=(count + 1, count + 1), fixed=operation.fixed, repeats=True, why=operation.why
    )


def leaf_of(n: int):  # type: ignore[no-untyped-def]
    return lambda i, j: Leaf(n, i, j)


def put_in(scalar: Scalar, tables: tuple[Grid, ...]) -> Scalar:
    """The leaves of an operation exchanged for the cells of what it is given."""

    def inner(part: Scalar) -> Scalar:
        return put_in(part, tables)

    match scalar:
        case Leaf(table, i, j):
            return tables[table].at(i, j)
        case Sum(parts, minus):
            return Sum(tuple(map(inner, parts)), minus)
        case Mul(parts):
            return Mul(tuple(map(inner, parts)))
        case Over(above, below):
            return Over(inner(above), inner(below))
        case Pow(base, exponent):
            return Pow(inner(base), exponent)
        case Fn(name, x):
            return Fn(name, inner(x))
        case Largest(parts):
            return Largest(tuple(map(inner, parts)))
        case Above(a, b, strictly):
            return Above(inner(a), inner(b), strictly)
        case Where(condition, then, otherwise):
            return Where(inner(condition), inner(then), inner(otherwise))
        case Said(inside, words, numbers):
            return Said(inner(inside), words, tuple(map(inner, numbers)))
        case Once(x):
            return Once(inner(x))
        case WeighedTerm(weight, x):
            return WeighedTerm(inner(weight), inner(x))
        case Num() | Worked():
            return scalar
