"""Exact arithmetic that refuses what nobody writes by hand, rather than fill the memory: each operation is bounded."""

from fractions import Fraction
from functools import lru_cache

from clearhead.exact.expressions import ONE, Cell, Exact, Expression, inverse, total_of
from clearhead.exact.powers import exp, log, sqrt

MOST_DIGITS = 40
MOST_BITS = 4_000
MOST_TERMS = 64
LARGEST_POWER = 64
LARGEST_EXPONENT = 10_000
TEN = Fraction(10)
E = exp(ONE)


class Unparsed(Exception):
    """The text is no arithmetic that can be read."""


@lru_cache(maxsize=16_384)
def plain(token: str) -> Fraction:
    """3, 0.5, .5, 1. or 1e-3, exactly."""
    size, _, power = token.lower().partition("e")
    whole, _, decimals = size.partition(".")
    if len(whole) + len(decimals) > MOST_DIGITS or abs(int(power or 0)) > MOST_DIGITS:
        raise Unparsed
    value = Fraction(int(whole + decimals), 10 ** len(decimals))
    return value * TEN ** int(power) if power else value


def exact(cell: Cell) -> Exact:
    if isinstance(cell, float):
        raise Unparsed
    return cell


def negated(cell: Cell) -> Cell:
    return -cell


def times(a: Cell, b: Cell) -> Cell:
    left, right = exact(a), exact(b)
    if isinstance(left, Expression) and isinstance(right, Expression) and len(left.terms) * len(right.terms) > MOST_TERMS:
        raise Unparsed
    return bounded(left * right)


def bounded(value: Exact) -> Exact:
    if isinstance(value, Fraction) and value.numerator.bit_length() + value.denominator.bit_length() > MOST_BITS:
        raise Unparsed
    return value


def turned(cell: Cell) -> Exact:
    if cell == 0:
        raise Unparsed
    return inverse(exact(cell))


def multiplied(factors: list[Cell]) -> Cell:
    value = factors[0]
    for factor in factors[1:]:
        value = times(value, factor)
    return value


def added(terms: list[list[Cell]]) -> Cell:
    if len(terms) == 1:
        return multiplied(terms[0])
    return bounded(total_of([exact(multiplied(term)) for term in terms]))


def raised(base: Cell, exponent: Cell) -> Cell:
    """base^exponent: whole and half powers of fractions, small whole powers of the rest, any power of e."""
    if base == E:
        return checked_exp(exponent)
    value, power = exact(base), exact(exponent)
    if not isinstance(power, Fraction):
        raise Unparsed
    if power.denominator == 1:
        if abs(power) > (LARGEST_POWER if isinstance(value, Fraction) else 8):
            raise Unparsed
        result = multiplied([ONE, *([value] * abs(int(power)))])
        return turned(result) if power < 0 else result
    if not isinstance(value, Fraction) or value <= 0:
        raise Unparsed
    if power.denominator == 2:
        return times(checked_root(value), raised(value, power - Fraction(1, 2)))
    return checked_exp(times(checked_log(value), power))


def checked_exp(cell: Cell) -> Cell:
    if isinstance(cell, float):
        if cell > 0:
            raise Unparsed
        return exp(cell)
    tower = isinstance(cell, Expression) and any(monomial.exponent for monomial in cell.terms)
    if tower or (isinstance(cell, Fraction) and abs(cell) > LARGEST_EXPONENT):
        raise Unparsed
    return exp(cell)


def checked_log(cell: Cell) -> Cell:
    value = exact(cell)
    if isinstance(value, Fraction) and value <= 0:
        raise Unparsed
    return log(value)


def checked_root(cell: Cell) -> Cell:
    value = exact(cell)
    if not isinstance(value, Fraction) or value < 0:
        raise Unparsed
    return sqrt(value)
