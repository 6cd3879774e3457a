"""BallArithmetic with bounds: every number is a middle and a radius, in floats or in as many decimal digits as are asked for.

Each operation widens the radius by its own rounding, so the true value never leaves the ball. That is the whole proof that
a digit shown is right.
"""

import decimal
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from operator import mul
from typing import Any, NamedTuple


class Ball(NamedTuple):
    """Every number within `radius` of `middle`; both floats or both Decimals."""

    middle: Any
    radius: Any


class Undecided(ArithmeticError):
    """This precision cannot bound the value at all; try the next."""


class BallArithmetic(ABC):
    """Ball arithmetic at one precision; work inside `with arithmetic.active():`."""

    digits: int  # 0 for floats
    one: Ball
    unit: Any  # relative: more than any single operation can be wrong
    tiny: Any  # absolute: more than what underflow can lose
    slack: Any  # a little above 1: the radius itself is computed with rounding

    @abstractmethod
    def active(self) -> AbstractContextManager[Any]: ...

    @abstractmethod
    def rational(self, x: Fraction) -> Ball: ...

    @abstractmethod
    def total(self, coefficients: Iterable[Fraction], balls: Iterable[Ball]) -> Ball:
        """Σ coefficient · ball, however many there are."""

    @abstractmethod
    def middle_of_exp(self, x: Any) -> Any: ...

    @abstractmethod
    def middle_of_log(self, x: Any) -> Any: ...

    @abstractmethod
    def root(self, n: int) -> Ball: ...

    @abstractmethod
    def whole_bounds(self, a: Ball, scale: int) -> tuple[int, int]:
        """The nearest whole numbers of the least and the largest value that ball · scale may have."""

    def ball(self, middle: Any, radius: Any) -> Ball:
        return Ball(middle, (radius + abs(middle) * self.unit) * self.slack + self.tiny)

    def multiply(self, a: Ball, b: Ball) -> Ball:
        return self.ball(a.middle * b.middle, abs(a.middle) * b.radius + abs(b.middle) * a.radius + a.radius * b.radius)

    def invert(self, a: Ball) -> Ball:
        if not 2 * a.radius < abs(a.middle):
            raise Undecided
        turned = 1 / a.middle
        part = a.radius * abs(turned)
        return self.ball(turned, part * abs(turned) * (1 + 2 * part))  # 1/(m − r) − 1/m = r/m² · 1/(1 − t), t = r/m ≤ ½

    def exp(self, a: Ball) -> Ball:
        if not 2 * a.radius <= 1:
            raise Undecided
        middle = self.middle_of_exp(a.middle)
        return self.ball(middle, a.radius * (1 + a.radius) * middle)  # e^r − 1 ≤ r + r² for r ≤ ½

    def log(self, a: Ball) -> Ball:
        if not 2 * a.radius < a.middle:
            raise Undecided
        part = a.radius / a.middle
        return self.ball(self.middle_of_log(a.middle), part * (1 + part))  # −ln(1 − t) ≤ t + t² for t ≤ ½


class Floats(BallArithmetic):
    """The first try, in machine floats: decides nearly every cell that is shown with a few decimals."""

    digits = 0
    one = Ball(1.0, 0.0)
    unit = 2.0**-50  # eight times the rounding of + − × ÷ √, four times that of exp and log
    tiny = 1e-290
    slack = 1 + 2.0**-20
    calm = nullcontext()

    def active(self) -> AbstractContextManager[Any]:
        return self.calm

    def ball(self, middle: Any, radius: Any) -> Ball:
        bound = (radius + abs(middle) * self.unit) * self.slack + self.tiny
        if not bound < math.inf:
            raise Undecided
        return Ball(middle, bound)

    def rational(self, x: Fraction) -> Ball:
        try:
            return self.ball(x.numerator / x.denominator, 0.0)
        except OverflowError as too_large:
            raise Undecided from too_large

    def total(self, coefficients: Iterable[Fraction], balls: Iterable[Ball]) -> Ball:
        middles, radii = zip(*balls, strict=True)
        try:
            factors = [c.numerator / c.denominator for c in coefficients]
        except OverflowError as too_large:
            raise Undecided from too_large
        parts = list(map(mul, factors, middles))
        size, radius = sum(map(abs, parts)), sum(map(mul, map(abs, factors), radii))
        if not size < math.inf:
            raise Undecided
        return self.ball(math.fsum(parts), radius + size * self.unit + len(parts) * self.tiny)  # fsum rounds once

    def middle_of_exp(self, x: float) -> float:
        try:
            return math.exp(x)
        except OverflowError as too_large:
            raise Undecided from too_large

    def middle_of_log(self, x: float) -> float:
        return math.log(x)

    def root(self, n: int) -> Ball:
        try:
            return self.ball(math.sqrt(n), 0.0)
        except OverflowError as too_large:
            raise Undecided from too_large

    def whole_bounds(self, a: Ball, scale: int) -> tuple[int, int]:
        middle = a.middle * scale
        around = a.radius * scale * self.slack + (abs(middle) + 1) * self.unit
        if not around < 0.25:
            raise Undecided
        return math.floor(middle - around + 0.5), math.floor(middle + around + 0.5)


class Decimals(BallArithmetic):
    """So many decimal digits; exp, ln and √ of `decimal` are correctly rounded."""

    def __init__(self, digits: int) -> None:
        self.digits = digits
        self.context = decimal.Context(
            prec=digits,
            Emax=decimal.MAX_EMAX,
            Emin=decimal.MIN_EMIN,
            rounding=decimal.ROUND_HALF_EVEN,
            traps=[decimal.Overflow],
        )
        self.one = Ball(Decimal(1), Decimal(0))
        self.unit = Decimal((0, (1,), 2 - digits))  # an operation is wrong by half of 10^(1 − digits) at most
        self.tiny = Decimal((0, (1,), decimal.MIN_EMIN + 10 * digits))
        self.slack = Decimal("1.000001")

    def active(self) -> AbstractContextManager[Any]:
        return decimal.localcontext(self.context)

    def rational(self, x: Fraction) -> Ball:
        return self.ball(Decimal(x.numerator) / Decimal(x.denominator), Decimal(0))

    def total(self, coefficients: Iterable[Fraction], balls: Iterable[Ball]) -> Ball:
        middle = size = radius = Decimal(0)
        count = 0
        for coefficient, ball in zip(coefficients, balls, strict=True):
            factor = Decimal(coefficient.numerator) / Decimal(coefficient.denominator)
            part = factor * ball.middle
            middle += part
            size += abs(part)
            radius += abs(factor) * ball.radius
            count += 1
        return self.ball(middle, radius + size * self.unit * count + self.tiny * count)

    def middle_of_exp(self, x: Decimal) -> Decimal:
        try:
            return x.exp()
        except decimal.Overflow as too_large:
            raise Undecided from too_large

    def middle_of_log(self, x: Decimal) -> Decimal:
        return x.ln()

    def root(self, n: int) -> Ball:
        return self.ball(Decimal(n).sqrt(), Decimal(0))

    def whole_bounds(self, a: Ball, scale: int) -> tuple[int, int]:
        middle, half = a.middle * scale, Decimal("0.5")
        around = a.radius * scale * self.slack + (abs(middle) + 1) * self.unit
        if not around < half / 2:
            raise Undecided
        edges = (middle - around + half, middle + around + half)
        low, high = (int(edge.to_integral_value(decimal.ROUND_FLOOR)) for edge in edges)
        return low, high


FLOATS = Floats()


@lru_cache(maxsize=64)
def decimals(digits: int) -> Decimals:
    """BallArithmetic with so many decimal digits."""
    return Decimals(digits)
