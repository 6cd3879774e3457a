"""The nearest whole number, float or first digits of an exact cell, rounded correctly however close the call."""

import math
from decimal import Decimal
from fractions import Fraction
from itertools import islice

from clearhead.exact.balls import FLOATS, Undecided
from clearhead.exact.enclosures import FLOAT_DIGITS, enclose, ladder, order_multiplied_out
from clearhead.exact.expressions import (
    Cell,
    Exact,
    Expression,
)

ROUGH, FEW_RUNGS = Decimal("1e-15"), 2
LONGEST_WHOLE = 3_000  # digits before the point of a number that is rounded


def nearest_whole(cell: Cell, scale: int, longest: int = LONGEST_WHOLE) -> int:
    """cell · scale, rounded half away from zero; more than `longest` digits before the point are refused.

    >>> nearest_whole(Fraction(-1, 8), 100)
    -13
    """
    if type(cell) is Fraction:
        size = (2 * abs(cell.numerator) * scale + cell.denominator) // (2 * cell.denominator)
        return -size if cell.numerator < 0 else size
    if isinstance(cell, float):
        raise ArithmeticError("an infinite cell has no nearest number")
    assert isinstance(cell, Expression)
    wanted = scale.bit_length() // 3
    if wanted <= FLOAT_DIGITS:  # the first rung, which nearly always decides
        try:
            low, high = FLOATS.whole_bounds(enclose(cell, FLOATS), scale)
            if low == high:
                return low
        except Undecided:
            pass
    tested, bounds = False, (0, 0)
    for arithmetic in ladder(wanted, floats=False):
        with arithmetic.active():
            try:
                ball = enclose(cell, arithmetic)
                if ball.middle.adjusted() > longest:
                    raise ArithmeticError("a number is too large to be written out")
                bounds = low, high = arithmetic.whole_bounds(ball, scale)
            except Undecided:
                continue
        if low == high:
            return low
        if not tested:
            tested = True
            order = order_multiplied_out(cell, Fraction(low + high, 2 * scale))
            if order:
                return high if order > 0 else low
            if order == 0:
                break
    low, high = bounds  # a tie, known or to thousands of digits
    if low == high:
        raise ArithmeticError("a number is too large to be written out, or too close to another to be rounded")
    return high if high > 0 else low


def nearest_float(cell: Expression) -> float:
    """The float nearest to an expression; infinite beyond every float."""
    nearest = math.nan
    for arithmetic in ladder(0, floats=False):
        with arithmetic.active():
            try:
                middle, radius = enclose(cell, arithmetic)
            except Undecided:
                continue
            low, high, nearest = float(middle - radius), float(middle + radius), float(middle) + 0.0
        if low == high:
            return nearest
    if math.isnan(nearest):
        raise ArithmeticError("a value that no float comes near")
    return nearest


def rough_float(cell: Cell) -> float:
    """A float within 1e-15 of a cell, relatively or absolutely; what is 0 in a roundabout way costs no proof that it is."""
    if not isinstance(cell, Expression):
        return float(cell)
    for arithmetic in islice(ladder(0, floats=False), FEW_RUNGS):
        with arithmetic.active():
            try:
                middle, radius = enclose(cell, arithmetic)
            except Undecided:
                continue
            if radius <= ROUGH * max(abs(middle), 1):
                return float(middle)
    raise ArithmeticError("a value that no float comes near")


def leading_digits(cell: Exact, count: int) -> tuple[int, int]:
    """The first `count` digits of a cell above 1 in size, correctly rounded, with its sign, and the power of ten of the first.

    >>> leading_digits(Fraction(-1999, 10), 3)
    (-200, 2)
    """
    if isinstance(cell, Fraction):
        return first_digits(cell, Decimal(abs(cell.numerator) // cell.denominator).adjusted(), count)
    for arithmetic in ladder(count, floats=False):
        with arithmetic.active():
            try:
                middle, radius = enclose(cell, arithmetic)
            except Undecided:
                continue
            power = middle.adjusted()
            edges = [Fraction(edge.scaleb(-power)) for edge in (middle - radius, middle + radius)]
        low, high = (first_digits(edge, 0, count) for edge in edges)
        if low == high:
            return low[0], low[1] + power
    raise ArithmeticError("a number is too large to be written at all")


def first_digits(x: Fraction, power: int, count: int) -> tuple[int, int]:
    """The same where x is about 10^power."""
    digits = nearest_whole(x * Fraction(10) ** (count - 1 - power), 1)
    return (digits, power) if abs(digits) < 10**count else (nearest_whole(Fraction(digits, 10), 1), power + 1)
