"""Exact real numbers as a person keeps them: fractions, roots, powers of e and logarithms, never a float.

A cell is a `Fraction` wherever it can be one, else an `Expression`: a sum of terms, each a fraction times a `Monomial`,
a product of √n, e^x, logarithms and inverses of sums. So `e^3 / (2e^3 + 4)` is one term, ½ · e^3 · 1/(e^3 + 2).
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class Log:
    """The natural logarithm of a cell that has none simpler."""

    argument: "Fraction | Expression"


class Inverse:
    """One over a sum of several terms, its coefficients whole and coprime."""

    __slots__ = ("enclosed", "even", "total")

    def __init__(self, total: "Expression") -> None:
        self.total = total
        self.enclosed: dict[int, object] = {}  # numerical bounds already found, by precision
        self.even = all(coefficient == 1 for coefficient in total.terms.values())  # every term once

    def __hash__(self) -> int:
        return ~hash(self.total)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Inverse) and self.total == other.total)


class Kept:
    """A number kept whole: it stands for its cell and is never multiplied out, so that a long chain of steps stays short."""

    __slots__ = ("argument", "inside", "undecided")

    def __init__(self, argument: "Fraction | Expression", inside: "tuple[Kept, ...]") -> None:
        self.argument = argument
        self.inside = inside  # the numbers kept whole that it is made of, one step back
        self.undecided: set[int] = set()  # precisions that cannot bound it


@dataclass(frozen=True, slots=True)
class Special:
    """sin, cos or erf of a cell, or π: see `special_functions`."""

    name: str
    argument: "Fraction | Expression"


Atom: TypeAlias = Log | Inverse | Kept | Special


class Monomial:
    """√root · e^exponent · Π atom^power: what stands behind the coefficient of one term."""

    __slots__ = ("_hash", "enclosed", "exponent", "factors", "root")

    def __init__(self, root: int, exponent: "Fraction | Expression", factors: frozenset[tuple[Atom, int]]) -> None:
        self.root, self.exponent, self.factors = root, exponent, factors
        self._hash = hash((root, exponent, factors))
        self.enclosed: dict[int, object] = {}  # numerical bounds already found, by precision

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, Monomial)
            and self._hash == other._hash
            and (self.root, self.exponent, self.factors) == (other.root, other.exponent, other.factors)
        )

    def inverses(self) -> Iterator[Inverse]:
        return (atom for atom, _ in self.factors if isinstance(atom, Inverse))

    def without(self, inverse: Inverse) -> "Monomial":
        """The same with one power of an inverse less."""
        powers: dict[Atom, int] = dict(self.factors)
        powers[inverse] -= 1
        return Monomial(self.root, self.exponent, frozenset((a, p) for a, p in powers.items() if p))


UNIT = Monomial(1, ZERO, frozenset())


class Expression:
    """A sum of terms that is not known to be a fraction. Make one with `total_of`, or with `exp`, `log` or `sqrt`."""

    __slots__ = ("_hash", "enclosed", "terms")

    def __init__(self, terms: Mapping[Monomial, Fraction]) -> None:
        self.terms = terms
        self._hash: int | None = None
        self.enclosed: dict[int, object] = {}  # numerical bounds already found, by precision

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expression) and (self is other or self.terms == other.terms)

    def __add__(self, other: "Fraction | int | Expression") -> "Fraction | Expression":
        return total_of((self, as_exact(other)))

    __radd__ = __add__

    def __neg__(self) -> "Expression":
        return Expression({m: -c for m, c in self.terms.items()})

    def __sub__(self, other: "Fraction | int | Expression") -> "Fraction | Expression":
        return self + (-as_exact(other))

    def __rsub__(self, other: "Fraction | int") -> "Fraction | Expression":
        return -self + other

    def __mul__(self, other: "Fraction | int | Expression") -> "Fraction | Expression":
        if isinstance(other, Expression):
            if len(self.terms) == len(other.terms) == 1:
                return term_product(self, other)
            return collected(product_terms(self, other))
        return Expression({m: c * other for m, c in self.terms.items()}) if other else ZERO

    __rmul__ = __mul__

    def __truediv__(self, other: "Fraction | int | Expression") -> "Fraction | Expression":
        return self * inverse(as_exact(other))

    def __rtruediv__(self, other: "Fraction | int") -> "Fraction | Expression":
        return inverse(self) * other

    def __repr__(self) -> str:
        return f"Expression({WRITTEN[-1](self)})"


WRITTEN: list[Callable[[Expression], str]] = [lambda expression: repr(expression.terms)]
"""How an expression shows itself at a prompt; the package puts its notation here, which this file knows nothing of."""

Exact: TypeAlias = Fraction | Expression
"""A finite number without loss."""

Cell: TypeAlias = Fraction | Expression | float
"""One number of a working. The only floats are −∞ (a masked score) and ∞ (the loss of a probability 0)."""


def as_exact(number: "Fraction | int | Expression") -> Exact:
    """A whole number as a fraction; anything exact as it is."""
    return number if isinstance(number, Expression) else Fraction(number)


def total_of(cells: Iterable[Exact]) -> Exact:
    """The sum of cells, terms of one kind added together.

    >>> total_of([Fraction(1, 2), Fraction(1, 3)])
    Fraction(5, 6)
    """
    rational = ZERO
    terms: dict[Monomial, Fraction] = {}
    for cell in cells:
        if isinstance(cell, Expression):
            for monomial, coefficient in cell.terms.items():
                terms[monomial] = terms.get(monomial, ZERO) + coefficient
        else:
            rational += cell
    if rational:
        terms[UNIT] = terms.get(UNIT, ZERO) + rational
    return collected(terms)


def collected(terms: dict[Monomial, Fraction]) -> Exact:
    """Drop the zeros, cancel a sum over itself, and return a plain fraction where nothing else is left."""
    terms = {m: c for m, c in terms.items() if c}
    for atom, count in inverse_counts(terms).items():
        if count == len(atom.total.terms):  # else the terms over S cannot be a multiple of S
            terms = cancelled(terms, atom)
    if not terms:
        return ZERO
    if len(terms) == 1 and UNIT in terms:
        return terms[UNIT]
    return Expression(terms)


def inverse_counts(terms: Iterable[Monomial]) -> dict[Inverse, int]:
    """How many of the terms stand over each sum."""
    sets: dict[frozenset[tuple[Atom, int]], int] = {}
    for monomial in terms:
        if monomial.factors:
            sets[monomial.factors] = sets.get(monomial.factors, 0) + 1
    counts: dict[Inverse, int] = {}
    for factors, count in sets.items():
        for atom, _ in factors:
            if isinstance(atom, Inverse):
                counts[atom] = counts.get(atom, 0) + count
    return counts


def cancelled(terms: dict[Monomial, Fraction], atom: Inverse) -> dict[Monomial, Fraction]:
    """r·S/S is r: where the terms over S are a multiple of S itself, only the multiple stays."""
    if atom.even and len(terms) == len(atom.total.terms) and not alike(terms.values()):
        return terms
    most = 1 + max(len(m.factors) for m in atom.total.terms)  # a term over S with more factors is no term of S over S
    over = [m for m in terms if 0 < len(m.factors) <= most and any(a == atom for a in m.inverses())]
    if len(over) != len(atom.total.terms):
        return terms
    if atom.even and not alike(terms[m] for m in over):
        return terms
    ratio: Fraction | None = None
    for monomial in over:
        below = atom.total.terms.get(monomial.without(atom))
        if below is None:
            return terms
        if ratio is None:
            ratio = terms[monomial] / below
        elif ratio * below != terms[monomial]:
            return terms
    if ratio is None:
        return terms
    kept = {m: c for m, c in terms.items() if m not in set(over)}
    kept[UNIT] = kept.get(UNIT, ZERO) + ratio
    return {m: c for m, c in kept.items() if c}


def alike(coefficients: Iterable[Fraction]) -> bool:
    """Whether all are equal: what stands over a sum of powers of e, each once, must be to be a multiple of it."""
    first, *others = coefficients
    return all(other is first or other == first for other in others)


def product_terms(left: Expression, right: Expression) -> dict[Monomial, Fraction]:
    """Every term of one with every term of the other, equal ones together."""
    terms: dict[Monomial, Fraction] = {}
    for a, ca in left.terms.items():
        for b, cb in right.terms.items():
            factor, monomial = monomial_product(a, b)
            terms[monomial] = terms.get(monomial, ZERO) + ca * cb * factor
    return terms


def term_product(left: Expression, right: Expression) -> Exact:
    """One term times one term."""
    [(a, ca)], [(b, cb)] = left.terms.items(), right.terms.items()
    factor, monomial = monomial_product(a, b)
    coefficient = ca if cb == 1 else ca * cb
    coefficient = coefficient if factor == 1 else coefficient * factor
    return coefficient if monomial == UNIT else Expression({monomial: coefficient})


def monomial_product(a: Monomial, b: Monomial) -> tuple[int, Monomial]:
    """√m·√n = g·√(mn/g²); exponents add; powers of the same atom add."""
    if a is UNIT:
        return 1, b
    if b is UNIT:
        return 1, a
    shared = math.gcd(a.root, b.root)
    exponent = a.exponent + b.exponent if a.exponent and b.exponent else a.exponent or b.exponent
    factors = a.factors or b.factors
    if a.factors and b.factors:
        powers: dict[Atom, int] = dict(a.factors)
        for atom, power in b.factors:
            powers[atom] = powers.get(atom, 0) + power
        factors = frozenset((atom, power) for atom, power in powers.items() if power)
    return shared, Monomial(a.root * b.root // shared**2, exponent, factors)


def inverse(cell: Exact) -> Exact:
    """1/x, with single terms turned over and sums kept as one `Inverse`.

    >>> inverse(Fraction(-2, 3))
    Fraction(-3, 2)
    """
    if isinstance(cell, Fraction):
        return 1 / cell if cell else invalid("1/0 has no value")
    if len(cell.terms) == 1:
        [(monomial, coefficient)] = cell.terms.items()
        others = frozenset((a, -p) for a, p in monomial.factors if not isinstance(a, Inverse))
        turned: Exact = Expression({Monomial(monomial.root, -monomial.exponent, others): 1 / (coefficient * monomial.root)})
        for atom, power in monomial.factors:
            for _ in range(power if isinstance(atom, Inverse) else 0):
                turned = atom.total * turned if isinstance(atom, Inverse) else turned
        return collected(dict(turned.terms)) if isinstance(turned, Expression) else turned
    content = content_of(cell.terms.values())
    whole = cell if content == 1 else Expression({m: c / content for m, c in cell.terms.items()})
    return Expression({Monomial(1, ZERO, frozenset({(Inverse(whole), 1)})): 1 / content})


def content_of(coefficients: Iterable[Fraction]) -> Fraction:
    """The fraction that leaves whole coprime coefficients, the first of them positive."""
    found = list(coefficients)
    size = Fraction(math.gcd(*(c.numerator for c in found)), math.lcm(*(c.denominator for c in found)))
    return -size if found[0] < 0 else size


def invalid(sentence: str) -> Fraction:
    """Refuse an operation that has no value, in one sentence."""
    raise ArithmeticError(sentence)


def finite(cell: Cell) -> Exact:
    """A cell that is not ±∞."""
    if isinstance(cell, float):
        raise ArithmeticError("an infinite cell has no activation and no slope")
    return cell
