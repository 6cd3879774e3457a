"""One cell of a formula, written out: the sums, products and functions of single numbers that a person puts on the board.

From the same small tree come the sentence that explains a cell, the live formula of a spreadsheet, and the exact value.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from clearhead.exact.expressions import ONE, ZERO, Cell, Exact, finite, inverse
from clearhead.exact.lengths import root
from clearhead.exact.matrices import sum_of
from clearhead.exact.order import compared, size_of
from clearhead.exact.powers import exp, log
from clearhead.exact.special_functions import cos, erf, sin


@dataclass(frozen=True, slots=True)
class Leaf:
    """A cell of a table: which one, row and column."""

    table: int
    i: int
    j: int


@dataclass(frozen=True, slots=True)
class Num:
    """A number that stands in the formula itself."""

    value: Cell


@dataclass(frozen=True, slots=True)
class Worked:
    """A number that was worked out before it is put in: a cell of what stands inside a bracket."""

    value: Cell


@dataclass(frozen=True, slots=True)
class Sum:
    parts: "tuple[Scalar, ...]"
    minus: frozenset[int] = frozenset()  # the places of those that are taken off


@dataclass(frozen=True, slots=True)
class Mul:
    parts: "tuple[Scalar, ...]"


@dataclass(frozen=True, slots=True)
class Over:
    above: "Scalar"
    below: "Scalar"


@dataclass(frozen=True, slots=True)
class Pow:
    base: "Scalar"
    exponent: Fraction


@dataclass(frozen=True, slots=True)
class Fn:
    """A function of one number: exp, ln, sqrt, abs, tanh, sin, cos, erf, floor."""

    name: str
    x: "Scalar"


@dataclass(frozen=True, slots=True)
class Largest:
    parts: "tuple[Scalar, ...]"


@dataclass(frozen=True, slots=True)
class Above:
    """1 where a > b (or, not strictly, a ≥ b), else 0."""

    a: "Scalar"
    b: "Scalar"
    strictly: bool = True


@dataclass(frozen=True, slots=True)
class Where:
    """One value where a condition is 1, another where it is 0."""

    condition: "Scalar"
    then: "Scalar"
    otherwise: "Scalar"


@dataclass(frozen=True, slots=True)
class Once:
    """What is worked out once and then put in as a number: the mean of a row, wherever it comes."""

    x: "Scalar"


@dataclass(frozen=True, slots=True)
class WeighedTerm:
    """weight · x, where a weight of 0 leaves x out whatever it is, and a weight of 1 is not written."""

    weight: "Scalar"
    x: "Scalar"


@dataclass(frozen=True, slots=True)
class Said:
    """A value that is told in words: `{0}` and so on stand for numbers in them."""

    inside: "Scalar"
    words: str
    numbers: "tuple[Scalar, ...]" = ()


Scalar: TypeAlias = Leaf | Num | Worked | Sum | Mul | Over | Pow | Fn | Largest | Above | Where | Once | WeighedTerm | Said
Read: TypeAlias = Callable[[Leaf], Cell]


def tanh(x: Exact) -> Exact:
    return 1 - inverse(exp(x * 2) + 1) * 2


def floor(x: Exact) -> Exact:
    """The next whole number below; only fractions come here."""
    assert isinstance(x, Fraction)
    return Fraction(math.floor(x))


FUNCTIONS: dict[str, Callable[[Exact], Cell]] = {
    "exp": exp,
    "ln": log,
    "sqrt": root,
    "abs": size_of,
    "tanh": tanh,
    "sin": sin,
    "cos": cos,
    "erf": erf,
    "floor": floor,
}


def value_of(scalar: Scalar, read: Read) -> Cell:
    """The exact value; ±∞ goes through sums, and 0 times ∞ is 0 only where a share of nothing is meant."""
    match scalar:
        case Leaf():
            return read(scalar)
        case Num(value) | Worked(value):
            return value
        case WeighedTerm(weight, x):
            share = value_of(weight, read)
            return ZERO if share == 0 else product_of((share, value_of(x, read)))
        case Sum(parts, minus):
            found = [value_of(part, read) for part in parts]
            return sum_of(-cell if n in minus else cell for n, cell in enumerate(found))
        case Mul(parts):
            return product_of([value_of(part, read) for part in parts])
        case Over(above, below):
            return quotient(value_of(above, read), value_of(below, read))
        case Pow(base, exponent):
            return power(value_of(base, read), exponent)
        case Fn(name, x):
            cell = value_of(x, read)
            if name == "exp":
                return exp(cell)
            return FUNCTIONS[name](finite(cell))
        case Largest(parts):
            best, *others = (value_of(part, read) for part in parts)
            for cell in others:
                best = cell if compared(cell, best) > 0 else best
            return best
        case Above(a, b, strictly):
            order = compared(value_of(a, read), value_of(b, read))
            return ONE if order > 0 or (order == 0 and not strictly) else ZERO
        case Where(condition, then, otherwise):
            return value_of(then if value_of(condition, read) == 1 else otherwise, read)
        case Said(inside) | Once(inside):
            return value_of(inside, read)


def product_of(cells: Sequence[Cell]) -> Cell:
    """A product; 0 times anything is 0, and an infinite factor keeps its sign only against a plain number."""
    if any(not isinstance(cell, float) and cell == 0 for cell in cells):
        return ZERO
    made: Cell = ONE
    for cell in cells:
        if isinstance(made, float) or isinstance(cell, float):
            sign = compared(made, ZERO) * compared(cell, ZERO)
            made = sign * float("inf")
        else:
            made = made * cell
    return made


def quotient(above: Cell, below: Cell) -> Cell:
    if not isinstance(below, float) and below == 0:
        raise ArithmeticError("something is divided by 0")
    if isinstance(below, float):
        return ZERO if not isinstance(above, float) else finite(above)
    if isinstance(above, float):
        return product_of([above, below])
    return above / below if isinstance(below, Fraction) else above * inverse(below)


def power(base: Cell, exponent: Fraction) -> Cell:
    """x^n: whole powers multiplied out, halves as roots."""
    x = finite(base)
    if exponent.denominator == 1:
        count = abs(int(exponent))
        if isinstance(x, Fraction):
            if not x and exponent < 0:
                raise ArithmeticError("0 has no negative power")
            return x ** int(exponent)
        made: Exact = ONE
        for _ in range(count):
            made = made * x
        return inverse(made) if exponent < 0 else made
    if exponent.denominator == 2:
        return power(root(x), exponent * 2)
    logarithm = log(x)
    return ZERO if isinstance(logarithm, float) else exp(logarithm * exponent)


def leaves_in(scalar: Scalar) -> Iterator[Leaf]:
    """Every cell that a scalar is made of, whatever it is used for."""
    match scalar:
        case Leaf():
            yield scalar
        case Sum(parts) | Mul(parts) | Largest(parts):
            yield from (leaf for part in parts for leaf in leaves_in(part))
        case Over(a, b) | Above(a, b) | WeighedTerm(a, b):
            yield from (*leaves_in(a), *leaves_in(b))
        case Pow(x) | Fn(_, x) | Said(x) | Once(x):
            yield from leaves_in(x)
        case Where(condition, then, otherwise):
            yield from (*leaves_in(condition), *leaves_in(then), *leaves_in(otherwise))
        case Num() | Worked():
            return


def as_told(scalar: Scalar, read: Read) -> Scalar:
    """The same as a person puts it: nothing that is weighed by 0, no factor 1 of a weight, means as numbers."""
    match scalar:
        case Sum(parts, minus):
            kept = [
                (n in minus, as_told(part, read))
                for n, part in enumerate(parts)
                if not (isinstance(part, WeighedTerm) and value_of(part.weight, read) == 0)
            ]
            signs = frozenset(n for n, (off, _) in enumerate(kept) if off)
            return Sum(tuple(part for _, part in kept), signs) if kept else num(0)
        case Mul(parts):
            return Mul(tuple(as_told(part, read) for part in parts))
        case Over(above, below):
            return Over(as_told(above, read), as_told(below, read))
        case Pow(base, exponent):
            return Pow(as_told(base, read), exponent)
        case Fn(name, x):
            return Fn(name, as_told(x, read))
        case Once(x):
            return Worked(value_of(x, read))
        case WeighedTerm(weight, x) if value_of(weight, read) == 1:
            return as_told(x, read)
        case _:
            return scalar


def add(*parts: Scalar) -> Scalar:
    return parts[0] if len(parts) == 1 else Sum(parts)


def subtract(a: Scalar, b: Scalar) -> Scalar:
    return Sum((a, b), frozenset({1}))


def times(*parts: Scalar) -> Scalar:
    """A product without the ones that change nothing."""
    kept = tuple(part for part in parts if part != Num(ONE))
    return Num(ONE) if not kept else kept[0] if len(kept) == 1 else Mul(kept)


def num(value: int | Fraction) -> Num:
    return Num(Fraction(value))
