"""Whether a number as written agrees with a value, to the digits written."""

import re
from dataclasses import dataclass
from fractions import Fraction

from clearhead.exact.decimals import as_float
from clearhead.exact.enclosures import compare
from clearhead.exact.expressions import Cell, Exact, Expression
from clearhead.exact.order import compared
from clearhead.working.written import Written

FEWEST_DECIMALS = FEWEST_SIGNIFICANT = 2
SIGNIFICANT = re.compile(r"[^0-9]|(?<=\d)\s*%.*")
BARE_LOG = re.compile(r"\blog\s*[({]")  # of a base that nobody said
HIDDEN = -1000  # −1e9, −10000: numbers as small as that are written for −∞


@dataclass(frozen=True, slots=True)
class Asked:
    """How many decimals the problem asks for; None: as many as the person likes."""

    decimals: int | None = None
    digits: int | None = None  # decimals that a rounded value needs where nothing is rounded on the way


def agrees(value: Cell, target: Cell, decimals: int | None) -> bool:
    """Whether a target rounds to a value of so many decimals (at an exact tie both neighbours do), or is it exactly.

    >>> agrees(Fraction(31, 50), Fraction(6225, 10000), 2), agrees(Fraction(63, 100), Fraction(625, 1000), 2)
    (True, True)
    """
    if isinstance(value, Fraction) and isinstance(target, Fraction):
        (above, below), (right, under) = value.as_integer_ratio(), target.as_integer_ratio()
        gap = abs(above * under - right * below)  # over both denominators
        return gap == 0 if decimals is None else 2 * 10**decimals * gap <= below * under
    if isinstance(target, float) and isinstance(value, Fraction):
        return target < 0 and value <= HIDDEN
    if isinstance(value, float) or isinstance(target, float):
        return isinstance(value, float) and isinstance(target, float) and value == target
    try:
        if decimals is None or not isinstance(value, Fraction):
            return compared(value, target) == 0
        half = Fraction(1, 2 * 10**decimals)
        return compare(target, value - half) >= 0 and compare(target, value + half) <= 0
    except ArithmeticError:  # too large to be told apart: nothing that a person writes agrees with it
        return False


def is_right(value: Cell, written: Written, target: Cell, asked: Asked) -> bool:
    """Agreement with an exactly kept value: fewer decimals than asked count as written out with zeros."""
    decimals = written.decimals
    if decimals is not None and asked.decimals is not None:
        decimals = max(decimals, asked.decimals)
    return agrees(value, target, decimals)


def is_right_rounded(value: Cell, target: Cell, asked: Asked) -> bool:
    """Agreement with a value rounded once to the decimals asked for; a tie may go either way."""
    if asked.decimals is None or not isinstance(value, Fraction):
        return isinstance(value, float) and agrees(value, target, None)
    return (value * 10**asked.decimals).denominator == 1 and agrees(value, target, asked.decimals)


def is_premature(value: Cell, written: Written, target: Cell, asked: Asked) -> bool:
    """Right as far as it goes, but rounded to fewer decimals than asked."""
    return (
        written.decimals is not None
        and asked.decimals is not None
        and written.decimals < asked.decimals
        and agrees(value, target, written.decimals)
    )


def is_coarse(value: Cell, written: Written, target: Cell, asked: Asked) -> bool:
    """Right as far as it goes, but rounded to fewer digits than tell anything: 1 for 0.953; 0.95 and 1.00 for 0.998 do."""
    if written.decimals is None or asked.decimals is not None or isinstance(value, float) or isinstance(target, float):
        return False
    needed = FEWEST_DECIMALS if asked.digits is None else asked.digits
    if written.decimals >= needed or agrees(value, target, None):
        return False
    significant = len(SIGNIFICANT.sub("", written.text).lstrip("0"))
    return asked.digits is not None or significant < FEWEST_SIGNIFICANT


def sum_disagrees(written: Written) -> bool:
    """Whether the sum a person wrote out does not give the value behind it, allowing for factors they rounded."""
    if written.sum is None or isinstance(written.value, float) or BARE_LOG.search(written.sum.text):
        return False
    slack = Fraction(1, 2 * 10**written.decimals) if written.decimals is not None else Fraction(0)
    slack += sum((term_slack(term) for term in written.sum.terms), Fraction(0))
    readings = [total for total in (written.sum.value, written.sum.otherwise) if total is not None]
    if any(isinstance(total, Expression) for total in readings):  # a function of rounded numbers
        slack += abs(Fraction(as_float(written.value))) / 200
    return not any(isinstance(total, float) or within(total - written.value, slack) for total in readings)


def within(gap: Exact, slack: Fraction) -> bool:
    return compare(gap, slack) <= 0 <= compare(gap, -slack)


def term_slack(term: tuple[Cell, ...]) -> Fraction:
    """How far the rounding of a term's decimal factors may move their product."""
    if any(not isinstance(factor, Fraction) for factor in term):
        return Fraction(0)
    factors = [factor for factor in term if isinstance(factor, Fraction)]
    moved = Fraction(0)
    for i, factor in enumerate(factors):
        others = Fraction(1)
        for j, other in enumerate(factors):
            others *= abs(other) if j != i else 1
        moved += half_of_last_digit(factor) * others
    return moved


def half_of_last_digit(factor: Fraction) -> Fraction:
    """Half of the last decimal of a factor that was written as a decimal; whole numbers and thirds are exact."""
    for decimals in range(1, 9):
        if (factor * 10**decimals).denominator == 1:
            return Fraction(0) if factor.denominator == 1 else Fraction(1, 2 * 10**decimals)
    return Fraction(0)
