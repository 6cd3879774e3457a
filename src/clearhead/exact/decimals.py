"""How exact numbers are written as decimals, and read from what people write."""

import math
import re
from decimal import Decimal
from fractions import Fraction

from clearhead.errors import InputError
from clearhead.exact.expressions import Cell, Expression
from clearhead.exact.nearest import leading_digits, nearest_float, nearest_whole

MOST_WHOLE_DIGITS = 21  # digits before the point; larger numbers are shown as 1.9701e+434
LONG_DECIMALS = 4_000
LARGEST_NUMBER = 10**12
SMALLEST_NUMBER = Fraction(1, 10**12)
LOG2_OF_5 = math.log2(5)
PLAIN_WHOLE = 10**MOST_WHOLE_DIGITS
LONG_WHOLE = 2 * MOST_WHOLE_DIGITS  # bits: shorter ones need no comparison
NUMBER = re.compile(
    r"\s*([+\-−]?)\s*(\d{1,40})(?:\.(\d{0,40}))?(?:[eE]([+-]?\d{1,3}))?(?:\s*/\s*(\d{1,40}))?\s*|\s*([+\-−]?)\s*\.(\d{1,40})\s*",
    re.ASCII,
)


def decimal_text(cell: Cell, decimals: int) -> str:
    """A cell to so many decimals, correctly rounded however many they are; −0.00 is written 0.00.

    >>> decimal_text(Fraction(-1, 3), 5)
    '-0.33333'
    """
    if type(cell) is Fraction and cell.denominator == 1 and abs(cell.numerator) < PLAIN_WHOLE:
        return f"{cell.numerator}.{'0' * decimals}" if decimals else str(cell.numerator)
    if isinstance(cell, float):
        return "inf" if cell > 0 else "-inf"
    try:
        whole = nearest_whole(cell, 10**decimals, MOST_WHOLE_DIGITS)
    except ArithmeticError:  # too large to be written out
        return scientific_text(cell, decimals)
    if whole.bit_length() > LONG_WHOLE and abs(whole) >= 10 ** (MOST_WHOLE_DIGITS + decimals):
        return scientific_text(cell, decimals)
    digits = str(abs(whole)) if decimals < LONG_DECIMALS else format(Decimal(abs(whole)), "f")  # str(int) stops at 4,300
    digits = digits.rjust(decimals + 1, "0")
    point = len(digits) - decimals
    return ("-" if whole < 0 else "") + digits[:point] + ("." + digits[point:] if decimals else "")


def scientific_text(cell: Fraction | Expression, decimals: int) -> str:
    """A large cell as 1.9701e+434."""
    found, power = leading_digits(cell, decimals + 1)
    digits = format(Decimal(abs(found)), "f")
    return f"{'-' if found < 0 else ''}{digits[0]}{'.' + digits[1:] if decimals else ''}e+{power}"


def as_float(cell: Cell) -> float:
    """The float nearest to a cell, correctly rounded; infinite where a cell is beyond every float."""
    if isinstance(cell, float):
        return cell
    if isinstance(cell, Expression):
        return nearest_float(cell)
    try:
        return cell.numerator / cell.denominator
    except OverflowError:
        return math.inf if cell > 0 else -math.inf


def is_terminating(cell: Cell) -> bool:
    """Whether a cell has an end when written as a decimal."""
    return isinstance(cell, Fraction) and ending(cell.denominator) is not None


def ending(denominator: int) -> int | None:
    """How many decimals a fraction in lowest terms has; None where they do not end. Quick for numbers of any length.

    >>> ending(40), ending(3)
    (3, None)
    """
    twos = (denominator & -denominator).bit_length() - 1
    rest = denominator >> twos
    fives = round(rest.bit_length() / LOG2_OF_5)
    found = next((n for n in (fives - 1, fives, fives + 1) if n >= 0 and 5**n == rest), None)
    return None if found is None else max(twos, found)


def parse_number(written: str) -> Fraction:
    """A number as problem files write it: 3, -0.5, 1e-3 or 1/2. Exact: 0.1 is 1/10.

    >>> parse_number("-1/2"), parse_number("0.1")
    (Fraction(-1, 2), Fraction(1, 10))
    """
    match = NUMBER.fullmatch(written)
    if match is None:
        raise InputError(f'{written[:40]!r} is not a number; write it as 3, -0.5 or "1/2"')
    sign, whole, decimals, power, below, dot_sign, dot_decimals = match.groups()
    if dot_decimals is not None:
        sign, whole, decimals = dot_sign, "0", dot_decimals
    value = Fraction(int(whole + (decimals or "")), 10 ** len(decimals or "")) * Fraction(10) ** int(power or 0)
    if below is not None:
        if int(below) == 0:
            raise InputError(f"{written[:40]!r} divides by zero")
        value /= int(below)
    return in_range(-value if sign in ("-", "−") else value, written)


def in_range(value: Fraction, written: str) -> Fraction:
    """Refuse what nobody works by hand: it would only fill the page or the memory."""
    if value and not SMALLEST_NUMBER <= abs(value) <= LARGEST_NUMBER:
        raise InputError(f"{written[:24]} is out of reach; numbers from 10^-12 to 10^12 in size can be worked")
    return value


def is_zero(cell: Cell) -> bool:
    """Whether a cell is 0 as a fraction."""
    return not isinstance(cell, Expression) and cell == 0
