"""e^x, ln x and √x of exact numbers, each as simple as it is known to be."""

import math
from fractions import Fraction

from clearhead.exact.expressions import ONE, ZERO, Cell, Exact, Expression, Log, Monomial, collected, invalid, inverse, total_of
from clearhead.exact.primes import prime_powers, squarefree

POWER_LIMIT = 1_000  # e^(k ln p) is written out as p^k up to here


def exp(cell: Cell) -> Exact:
    """e^x; e^(k·ln p) comes back as p^k where k is whole or a half.

    >>> exp(log(Fraction(3)) * 2)
    Fraction(9, 1)
    """
    if isinstance(cell, float):
        return ZERO if cell < 0 else invalid("e^∞ has no value")
    if isinstance(cell, Fraction):
        return Expression({Monomial(1, cell, frozenset()): ONE}) if cell else ONE
    if not any(lone_logarithm(monomial) for monomial in cell.terms):
        return Expression({Monomial(1, cell, frozenset()): ONE})
    result: Exact = ONE
    left: dict[Monomial, Fraction] = {}
    for monomial, coefficient in cell.terms.items():
        argument = lone_logarithm(monomial)
        if abs(coefficient) > POWER_LIMIT:
            left[monomial] = coefficient
        elif isinstance(argument, Fraction) and (2 * coefficient).denominator == 1:
            result = result * (argument ** math.floor(coefficient))
            result = result * sqrt(argument) if coefficient.denominator == 2 else result
        elif isinstance(argument, Expression) and coefficient.denominator == 1:
            for _ in range(abs(coefficient.numerator)):
                result = result * (argument if coefficient > 0 else inverse(argument))
        else:
            left[monomial] = coefficient
    if not left:
        return result
    exponent = collected(left)
    return Expression({Monomial(1, exponent, frozenset()): ONE}) * result


def lone_logarithm(monomial: Monomial) -> "Exact | None":
    """The x of a monomial that is just ln x."""
    if monomial.factors and monomial.root == 1 and not monomial.exponent and len(monomial.factors) == 1:
        [(atom, power)] = monomial.factors
        if isinstance(atom, Log) and power == 1:
            return atom.argument
    return None


def log(cell: Exact) -> Cell:
    """ln x: fractions as sums over their primes, e^x as x, everything else kept; ln 0 is −∞.

    >>> log(exp(Fraction(5, 2)))
    Fraction(5, 2)
    """
    if isinstance(cell, Fraction):
        if cell <= 0:
            return -math.inf if cell == 0 else invalid(f"the logarithm of {cell} is not real")
        powers = [*prime_powers(cell.numerator), *((p, -k) for p, k in prime_powers(cell.denominator))]
        return collected({Monomial(1, ZERO, frozenset({(Log(Fraction(p)), 1)})): Fraction(k) for p, k in powers})
    if len(cell.terms) == 1:
        [(monomial, coefficient)] = cell.terms.items()
        if not monomial.factors:
            parts = [log(coefficient), monomial.exponent, log(Fraction(monomial.root))]
            return total_of([p * Fraction(1, 2) if i == 2 else p for i, p in enumerate(parts) if not isinstance(p, float)])
    return Expression({Monomial(1, ZERO, frozenset({(Log(cell), 1)})): ONE})


def sqrt(cell: Fraction) -> Exact:
    """√x of a fraction that is not negative: √(1/2) is √2/2.

    >>> sqrt(Fraction(9, 4))
    Fraction(3, 2)
    """
    if cell <= 0:
        return ZERO if cell == 0 else invalid(f"the square root of {cell} is not real")
    outside, inside = squarefree(cell.numerator * cell.denominator)
    coefficient = Fraction(outside, cell.denominator)
    return coefficient if inside == 1 else Expression({Monomial(inside, ZERO, frozenset()): coefficient})
