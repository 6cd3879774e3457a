"""sin, cos, erf and π, which roots, powers and logarithms do not give: each kept as it is written, bounded to any digit."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import Any

from clearhead.exact.balls import Ball, BallArithmetic, Undecided
from clearhead.exact.expressions import ONE, ZERO, Exact, Expression, Monomial, Special, invalid

LARGEST = 10_000  # a sine of more is no number for a hand
GUARD = 15  # digits more than asked for, while terms are added


@dataclass(frozen=True, slots=True)
class Known:
    """A function as floats and as decimals have it, and how steep it is at most."""

    floats: Callable[[float], float]
    decimals: Callable[[Decimal, int], Decimal]  # to so many digits after the point
    steepest: Fraction


def sin(x: Exact) -> Exact:
    """
    >>> sin(ZERO)
    Fraction(0, 1)
    """
    return ZERO if x == 0 else -special("sin", -x) if is_negative(x) else special("sin", x)


def cos(x: Exact) -> Exact:
    return ONE if x == 0 else special("cos", -x if is_negative(x) else x)


def erf(x: Exact) -> Exact:
    """2/√π ∫₀ˣ e^(−t²) dt."""
    return ZERO if x == 0 else -special("erf", -x) if is_negative(x) else special("erf", x)


def pi() -> Expression:
    return special("π", ZERO)


def special(name: str, x: Exact) -> Expression:
    if isinstance(x, Fraction) and abs(x) > LARGEST:
        invalid(f"{name} of a number beyond {LARGEST:,} is not worked by hand")
    return Expression({Monomial(1, ZERO, frozenset({(Special(name, x), 1)})): ONE})


def is_negative(x: Exact) -> bool:
    """Whether the first term is: enough to write sin(−x) as −sin(x)."""
    return (x if isinstance(x, Fraction) else next(iter(x.terms.values()))) < 0


def enclose_special(name: str, x: Ball, arithmetic: BallArithmetic) -> Ball:
    """Bounds of a function of a ball: its value in the middle, wider by its steepest slope times the radius."""
    known = KNOWN[name]
    if abs(x.middle) > LARGEST or not x.radius < 1:
        raise Undecided
    if arithmetic.digits == 0:
        return arithmetic.ball(known.floats(x.middle), x.radius * float(known.steepest))
    middle = known.decimals(x.middle, arithmetic.digits)
    steep: Any = Decimal(known.steepest.numerator) / Decimal(known.steepest.denominator)
    return arithmetic.ball(middle, x.radius * steep + Decimal((0, (1,), -arithmetic.digits)))


@lru_cache(maxsize=16)
def decimal_pi(digits: int) -> Decimal:
    """By Machin: 16 arctan 1/5 − 4 arctan 1/239, in whole numbers."""
    unit = 10 ** (digits + GUARD)

    def arctan_of_one_over(n: int) -> int:
        power, total, k = unit // n, 0, 0
        while power:
            total += (-1) ** k * (power // (2 * k + 1))
            power //= n * n
            k += 1
        return total

    with localcontext() as context:
        context.prec = digits + 2 * GUARD
        return Decimal(16 * arctan_of_one_over(5) - 4 * arctan_of_one_over(239)) / Decimal(unit)


def decimal_wave(x: Decimal, digits: int, first: int) -> Decimal:
    """Σ ± xⁿ/n! over the odd n (sine) or the even ones (cosine), after whole turns are taken off."""
    with localcontext() as context:
        context.prec = digits + GUARD + 10
        turn = 2 * decimal_pi(digits + GUARD)
        x = x - turn * (x / turn).to_integral_value()  # |x| ≤ π: no term is above 12
        term = x if first else Decimal(1)
        total, n = term, first
        while abs(term) > Decimal((0, (1,), -digits - GUARD)):
            term = -term * x * x / ((n + 1) * (n + 2))
            total, n = total + term, n + 2
        return total


def decimal_erf(x: Decimal, digits: int) -> Decimal:
    """2/√π · e^(−x²) Σ 2ⁿ x^(2n+1) / (1·3·…·(2n+1)): all terms positive, so nothing cancels."""
    size = abs(x)
    with localcontext() as context:
        context.prec = digits + GUARD + 10
        if size * size > Decimal("2.4") * (digits + GUARD):  # 1 − erf x < e^(−x²)
            return Decimal(1).copy_sign(x)
        term, total, n = size, size, 0
        while term > Decimal((0, (1,), -digits - GUARD)):
            term = term * 2 * size * size / (2 * n + 3)
            total, n = total + term, n + 1
        return (total * 2 / decimal_pi(digits + GUARD).sqrt() * (-size * size).exp()).copy_sign(x)


KNOWN: dict[str, Known] = {
    "sin": Known(math.sin, lambda x, digits: decimal_wave(x, digits, 1), ONE),
    "cos": Known(math.cos, lambda x, digits: decimal_wave(x, digits, 0), ONE),
    "erf": Known(math.erf, decimal_erf, Fraction(113, 100)),  # 2/√π
    "π": Known(lambda x: math.pi, lambda x, digits: decimal_pi(digits), ZERO),
}
