"""Rigorous bounds for exact cells: a middle and a radius, first in floats, then in ever more decimal digits.

Comparing and rounding are decided by bounds alone. Where bounds cannot decide (the value may lie exactly on the border), the
expression is multiplied out and tested for equality; so a tie is known to be one, and nothing is guessed.
"""

import decimal
import math
from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from clearhead.working.expressions import (
    UNIT,
    ZERO,
    Cell,
    Expression,
    Inverse,
    Log,
    Monomial,
    collected,
    product_terms,
)

FIRST_DIGITS = 40
DEEPEST_DIGITS = 2000  # beyond what is asked for: two values that agree so far are taken as equal
MULTIPLY_OUT_LIMIT = 5_000  # terms


class Ball(NamedTuple):
    """Every number within `radius` of `middle`; both floats or both Decimals."""

    middle: Any
    radius: Any


class Undecided(ArithmeticError):
    """This precision cannot bound the value at all; try the next."""


class Arithmetic:
    """Ball arithmetic at one precision: 0 digits means float."""

    def __init__(self, digits: int) -> None:
        self.digits = digits
        self.context = decimal.Context(
            prec=digits or 28, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN, traps=[decimal.Overflow]
        )
        self.unit: Any = Decimal(10) ** (2 - digits) if digits else 2.0**-50  # some ulps: covers each operation's own rounding
        self.zero: Any = Decimal(0) if digits else 0.0
        self.tiny: Any = Decimal(10) ** -(10**9) if digits else 1e-290

    def rational(self, x: Fraction) -> Ball:
        if not self.digits:
            try:
                middle: Any = x.numerator / x.denominator
            except OverflowError as too_large:
                raise Undecided from too_large
        else:
            middle = self.context.divide(Decimal(x.numerator), Decimal(x.denominator))
        return self.rounded(middle, self.zero)

    def rounded(self, middle: Any, radius: Any) -> Ball:
        if not self.digits and not math.isfinite(middle + radius):
            raise Undecided
        return Ball(middle, radius + abs(middle) * self.unit + self.tiny)

    def add(self, balls: Iterable[Ball]) -> Ball:
        middle, radius, size = self.zero, self.zero, self.zero
        for ball in balls:
            middle += ball.middle
            radius += ball.radius
            size += abs(ball.middle)
        return self.rounded(middle, radius + size * self.unit)

    def multiply(self, a: Ball, b: Ball) -> Ball:
        radius = abs(a.middle) * b.radius + abs(b.middle) * a.radius + a.radius * b.radius
        return self.rounded(a.middle * b.middle, radius)

    def invert(self, a: Ball) -> Ball:
        nearest = abs(a.middle) - a.radius
        if nearest <= 0:
            raise Undecided
        return self.rounded(1 / a.middle, a.radius / (nearest * abs(a.middle)))

    def exp(self, a: Ball) -> Ball:
        if a.radius > 0.5:
            raise Undecided
        try:
            middle = self.context.exp(a.middle) if self.digits else math.exp(a.middle)
        except (OverflowError, decimal.Overflow) as too_large:
            raise Undecided from too_large
        return self.rounded(middle, 2 * a.radius * middle)  # e^r − 1 ≤ 2r for r ≤ ½

    def log(self, a: Ball) -> Ball:
        if a.middle - a.radius <= 0:
            raise Undecided
        middle = self.context.ln(a.middle) if self.digits else math.log(a.middle)
        return self.rounded(middle, a.radius / (a.middle - a.radius))

    def root(self, n: int) -> Ball:
        return self.rounded(self.context.sqrt(Decimal(n)) if self.digits else math.sqrt(n), self.zero)


@lru_cache(maxsize=64)
def arithmetic_with(digits: int) -> Arithmetic:
    return Arithmetic(digits)


def ladder(wanted: int) -> Iterator[Arithmetic]:
    """Floats, then three times more digits at each rung, until well past the digits that are wanted."""
    yield arithmetic_with(0)
    digits = FIRST_DIGITS
    while digits < 3 * (wanted + DEEPEST_DIGITS):
        yield arithmetic_with(digits)
        digits *= 3


def enclose(cell: Fraction | Expression, arithmetic: Arithmetic) -> Ball:
    """Bounds of a cell at one precision."""
    with decimal.localcontext(arithmetic.context):
        return enclose_in_context(cell, arithmetic)


def enclose_in_context(cell: Fraction | Expression, arithmetic: Arithmetic) -> Ball:
    if isinstance(cell, Fraction):
        return arithmetic.rational(cell)
    found = cell.enclosed.get(arithmetic.digits)
    if found is None:
        found = cell.enclosed[arithmetic.digits] = enclose_sum(cell, arithmetic)
    return found  # type: ignore[return-value]  # the cache is typed loosely so that expressions need not know of balls


def enclose_sum(cell: Expression, arithmetic: Arithmetic) -> Ball:
    """Σ over the denominators: each numerator and its denominator are divided by the same e^M, so neither overflows."""
    groups: dict[Inverse | None, list[tuple[Monomial, Fraction]]] = {}
    for monomial, coefficient in cell.terms.items():
        groups.setdefault(next(monomial.inverses(), None), []).append((monomial, coefficient))
    parts = []
    for inverse, terms in groups.items():
        if inverse is None:
            parts += [enclose_term(m, c, arithmetic, None) for m, c in terms]
            continue
        largest, turned = enclose_inverse(inverse, arithmetic)
        over = arithmetic.add(enclose_term(m.without(inverse), c, arithmetic, largest) for m, c in terms)
        parts.append(arithmetic.multiply(over, turned))
    return arithmetic.add(parts)


def enclose_inverse(inverse: Inverse, arithmetic: Arithmetic) -> tuple[Ball, Ball]:
    """M, the largest exponent of a sum, and bounds of 1/(sum / e^M)."""
    key = -1 - arithmetic.digits
    found = inverse.total.enclosed.get(key)
    if found is None:
        exponents = [enclose_in_context(m.exponent, arithmetic) for m in inverse.total.terms]
        largest = max(exponents)
        total = arithmetic.add(enclose_term(m, c, arithmetic, largest) for m, c in inverse.total.terms.items())
        found = inverse.total.enclosed[key] = (largest, arithmetic.invert(total))
    return found  # type: ignore[return-value]  # see enclose_in_context


def enclose_term(monomial: Monomial, coefficient: Fraction, arithmetic: Arithmetic, shift: Ball | None) -> Ball:
    """Bounds of coefficient · monomial / e^shift."""
    ball = arithmetic.rational(coefficient)
    if monomial is UNIT and shift is None:
        return ball
    if monomial.root != 1:
        ball = arithmetic.multiply(ball, arithmetic.root(monomial.root))
    if monomial.exponent or shift is not None:
        exponent = enclose_in_context(monomial.exponent, arithmetic)
        if shift is not None:
            same = exponent is shift or exponent == shift
            radius = arithmetic.zero if same else exponent.radius + shift.radius
            exponent = arithmetic.rounded(exponent.middle - shift.middle, radius)
        ball = arithmetic.multiply(ball, arithmetic.exp(exponent))
    for atom, power in monomial.factors:
        ball = arithmetic.multiply(ball, enclose_power(atom, power, arithmetic))
    return ball


def enclose_power(atom: Log | Inverse, power: int, arithmetic: Arithmetic) -> Ball:
    if isinstance(atom, Log):
        base = arithmetic.log(enclose_in_context(atom.argument, arithmetic))
    else:
        base = arithmetic.invert(enclose_in_context(atom.total, arithmetic))
    result = base
    for _ in range(abs(power) - 1):
        result = arithmetic.multiply(result, base)
    return result if power > 0 else arithmetic.invert(result)


def compare(cell: Cell, border: Fraction) -> int:
    """−1, 0 or 1 as a cell lies below, on or above a fraction. Exact.

    >>> compare(Fraction(1, 3), Fraction(333, 1000))
    1
    """
    if isinstance(cell, float):
        return 1 if cell > 0 else -1
    if isinstance(cell, Fraction):
        return (cell > border) - (cell < border)
    for arithmetic in ladder(border.denominator.bit_length() // 3):
        try:
            ball, edge = enclose(cell, arithmetic), arithmetic.rational(border)
        except Undecided:
            continue
        gap = ball.middle - edge.middle
        if abs(gap) > 2 * (ball.radius + edge.radius):
            return 1 if gap > 0 else -1
        if arithmetic.digits == FIRST_DIGITS and equals(cell, border):
            return 0
    return 0


def equals(cell: Expression, border: Fraction) -> bool:
    """Whether an expression is exactly a fraction: every denominator multiplied out, all terms must vanish."""
    rest = cell - border
    while isinstance(rest, Expression):
        inverse = next((atom for m in rest.terms for atom in m.inverses()), None)
        if inverse is None or len(rest.terms) * len(inverse.total.terms) > MULTIPLY_OUT_LIMIT:
            return False
        rest = multiplied_out(rest, inverse)
    return rest == 0


def multiplied_out(cell: Expression, inverse: Inverse) -> Fraction | Expression:
    """The expression times the sum under one inverse."""
    terms: dict[Monomial, Fraction] = {}
    for monomial, coefficient in cell.terms.items():
        if any(atom == inverse for atom in monomial.inverses()):
            pieces = {monomial.without(inverse): coefficient}
        else:
            pieces = product_terms(Expression({monomial: coefficient}), inverse.total)
        for m, c in pieces.items():
            terms[m] = terms.get(m, ZERO) + c
    return collected(terms)


def nearest_whole(cell: Cell, scale: int) -> int:
    """cell · scale, rounded half away from zero. Exact.

    >>> nearest_whole(Fraction(-1, 8), 100)
    -13
    """
    if isinstance(cell, Fraction):
        size = (abs(cell) * scale * 2 + 1) // 2
        return -int(size) if cell < 0 else int(size)
    if isinstance(cell, float):
        raise ArithmeticError("an infinite cell has no nearest number")
    guess = whole_guess(cell, scale)
    while compare(cell, Fraction(2 * guess + 1, 2 * scale)) > 0:
        guess += 1
    while compare(cell, Fraction(2 * guess - 1, 2 * scale)) < 0:
        guess -= 1
    if guess >= 0 and compare(cell, Fraction(2 * guess + 1, 2 * scale)) == 0:
        return guess + 1
    if guess <= 0 and compare(cell, Fraction(2 * guess - 1, 2 * scale)) == 0:
        return guess - 1
    return guess


def whole_guess(cell: Expression, scale: int) -> int:
    """A whole number within a few of cell · scale."""
    for arithmetic in ladder(scale.bit_length() // 3):
        try:
            ball = enclose(cell, arithmetic)
        except Undecided:
            continue
        if Fraction(ball.radius) * scale < 1:
            return round(Fraction(ball.middle) * scale)
    raise ArithmeticError("a value too large or too close to another to be rounded")
