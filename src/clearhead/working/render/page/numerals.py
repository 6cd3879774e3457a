"""How one number is written on a page: short where that loses nothing, else to the decimals that are shown."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from clearhead.exact.decimals import decimal_text, ending
from clearhead.exact.expressions import Atom, Cell, Exact, Inverse
from clearhead.exact.notation import text
from clearhead.exact.policies import Policy

FRACTION_LENGTH = 7  # characters of a fraction that stands in a sum as it is
MOST_SHARE_DECIMALS = 12  # of a weight that is nearly 0 or nearly 1; beyond that as a power of ten
SMALLEST_SHARE = 1_000  # zeros after the point that are counted
GIVEN_DECIMALS = 12  # a given with more decimals than this is written as a fraction
MOST_KEPT = 8_192  # numbers that stay written: a page repeats them, and a page that is edited repeats nearly all


@dataclass(frozen=True, slots=True)
class Numerals:
    """The decimals of a page: those of the policy, or the digits asked for where the policy is exact."""

    policy: Policy
    digits: int

    @property
    def decimals(self) -> int:
        return self.digits if self.policy.decimals is None else self.policy.decimals

    def given(self, cell: Cell) -> str:
        """As a person would have given it: 3, -0.5 or 1/3."""
        return as_given(cell)

    def value(self, cell: Cell) -> str:
        """A cell of a step: to the decimals of the rounding, or in exact mode as short as it is exact."""
        if self.policy.decimals is None and self.is_exact(cell):
            return plain(cell)
        return infinity(cell) or decimals_written(cell, self.decimals)

    def share(self, cell: Cell) -> str:
        """A weight: where the decimals shown would say 0 or 1 of one that is neither, as many more as it takes to tell."""
        written = self.value(cell)
        if self.policy.decimals is not None or isinstance(cell, float) or cell in (0, 1) or float(written) not in (0, 1):
            return written
        return longer_share(cell, self.decimals, written)

    def within(self, cell: Cell) -> str:
        """A cell inside a sum: without idle zeros, a short fraction as it is, anything else to the decimals shown."""
        return self.inside(cell)[0]

    def loses(self, cell: Cell) -> bool:
        """Whether a cell inside a sum stands there with fewer decimals than it has."""
        return self.inside(cell)[1]

    def inside(self, cell: Cell) -> tuple[str, bool]:
        """Both at once."""
        return inside(cell, self.decimals, self.policy.decimals is not None)

    def is_exact(self, cell: Cell) -> bool:
        """Whether the decimals shown are all there is."""
        return decimals_of(cell) <= self.decimals


def longer_share(cell: Exact, decimals: int, written: str) -> str:
    """A weight with the fewest decimals, above so many, that tell it from 0 and 1; they are counted off one long form of it.

    >>> longer_share(Fraction(7, 10**6), 4, "0.0000"), longer_share(1 - Fraction(7, 10**6), 4, "1.0000")
    ('0.00001', '0.99999')
    """
    apart = cell if float(written) == 0 else 1 - cell  # from 0, or from 1
    digits = decimal_text(apart, MOST_SHARE_DECIMALS).removeprefix("0.")
    zeros = len(digits) - len(digits.lstrip("0"))
    if zeros == MOST_SHARE_DECIMALS:
        return tiny_share(cell, written)
    tried = (decimal_text(cell, n) for n in (zeros, zeros + 1) if n > decimals)  # the first digit may round up the one before
    return next((found for found in tried if float(found) not in (0, 1)), None) or tiny_share(cell, written)


def tiny_share(cell: Exact, written: str) -> str:
    """A weight below 10⁻¹² as a power of ten; one as near to 1 by what it lacks.

    >>> tiny_share(Fraction(42, 10**19), "0.0000"), tiny_share(1 - Fraction(996, 10**20), "1.0000")
    ('4.2e-18', '1 - 1.0e-17')
    """
    if float(written) == 1:
        return f"1 - {tiny_share(1 - cell, '0')}"
    zeros = MOST_SHARE_DECIMALS
    while zeros < SMALLEST_SHARE:
        zeros = min(2 * zeros, SMALLEST_SHARE)
        digits = decimal_text(cell, zeros).removeprefix("0.")
        found = digits.lstrip("0")
        if len(found) > 1:
            exponent = len(digits) - len(found) + 1
            two = decimal_text(cell, exponent + 1)[-2:]
            return f"{two[0]}.{two[1]}e-{exponent}" if two[0] != "0" else f"1.0e-{exponent - 1}"
    return f"below 1e-{SMALLEST_SHARE}"


decimals_written = lru_cache(MOST_KEPT)(decimal_text)


def as_given(cell: Cell) -> str:
    return plain(cell) if decimals_of(cell) <= GIVEN_DECIMALS else text(cell)


@lru_cache(MOST_KEPT)
def inside(cell: Cell, decimals: int, rounded: bool) -> tuple[str, bool]:
    """A cell inside a sum, and whether it stands there with fewer decimals than it has."""
    if decimals_of(cell) <= decimals:
        return plain(cell), False
    shortened = decimals_written(cell, decimals)
    if isinstance(cell, Fraction) and (rounded or len(text(cell)) <= FRACTION_LENGTH):
        written = as_given(cell)  # where steps are rounded, only a given can have more decimals than that
        return written, written == shortened
    return shortened, True


@lru_cache(MOST_KEPT)
def decimals_of(cell: Cell) -> float:
    """How many decimals a cell has: infinitely many where they do not end.

    >>> decimals_of(Fraction(1, 8)), decimals_of(Fraction(1, 3))
    (3, inf)
    """
    if isinstance(cell, float):
        return 0
    found = ending(cell.denominator) if isinstance(cell, Fraction) else None
    return math.inf if found is None else found


@lru_cache(MOST_KEPT)
def plain(cell: Cell) -> str:
    """A cell whose decimals end, with no more of them than it has.

    >>> plain(Fraction(-5, 2)), plain(-math.inf)
    ('-2.5', '−∞')
    """
    return infinity(cell) or decimal_text(cell, int(decimals_of(cell)))


def infinity(cell: Cell) -> str:
    return "" if not isinstance(cell, float) else "∞" if cell > 0 else "−∞"


@lru_cache(MOST_KEPT)
def exact_text(cell: Cell, most: int) -> str | None:
    """The exact form in plain text; None where it would be longer than `most` characters."""
    if least_length(cell, most) > most:
        return None
    written = text(cell)
    return written if len(written) <= most else None


def least_length(cell: Cell, most: int) -> int:
    """A lower bound of how long the exact form is, found without writing what nobody will read."""
    if isinstance(cell, float):
        return 3
    if isinstance(cell, Fraction):
        return (cell.numerator.bit_length() + cell.denominator.bit_length()) // 4
    found = 4 * len(cell.terms) - 3
    for monomial in cell.terms:
        inside: list[Exact] = [monomial.exponent, *(atom_inside(atom) for atom, _ in monomial.factors)]
        for part in inside:
            if found > most:
                return found
            found += least_length(part, most - found) if part else 0
    return found


def atom_inside(atom: Atom) -> Exact:
    return atom.total if isinstance(atom, Inverse) else atom.argument
