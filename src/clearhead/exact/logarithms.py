"""Logarithms of probabilities in any base, kept exact: −ln of a softmax is its sum's logarithm less its exponent."""

from dataclasses import dataclass
from fractions import Fraction

from clearhead.exact.enclosures import gathered
from clearhead.exact.expressions import ONE, ZERO, Cell, Exact, Expression, Inverse, Log, Monomial, total_of
from clearhead.exact.notation import bracketed, plain
from clearhead.exact.powers import exp, log


def surprise(probability: Cell) -> Cell:
    """−ln p; ∞ where p is 0.

    >>> surprise(ZERO)
    inf
    """
    if isinstance(probability, float):
        raise ArithmeticError("an infinite cell is not a probability")
    gathered_one = gathered(probability)
    parts = quotient_of(gathered_one)
    if parts is None:
        return -log(gathered_one)
    above, below = parts
    return total_of([*(log_of_sum(total) * power for total, power in below), -finite_log(above)])


def quotient_of(cell: Exact) -> tuple[Exact, list[tuple[Expression, int]]] | None:
    """c·e^x / (S·…), as a softmax makes it, taken apart into c·e^x and the sums below with their powers; else None."""
    if isinstance(cell, Fraction) or len(cell.terms) != 1:
        return None
    [(monomial, coefficient)] = cell.terms.items()
    below = [(atom.total, power) for atom, power in monomial.factors if isinstance(atom, Inverse)]
    positive = all(c > 0 and not m.factors for total, _ in below for m, c in total.terms.items())
    if coefficient <= 0 or not positive or len(below) != len(monomial.factors):
        return None
    return Expression({Monomial(monomial.root, monomial.exponent, frozenset()): coefficient}), below


def log_of_sum(total: Expression) -> Expression:
    """ln S, kept as it is."""
    return Expression({Monomial(1, ZERO, frozenset({(Log(total), 1)})): ONE})


def finite_log(cell: Exact) -> Exact:
    """ln x, or 0 where that is infinite."""
    found = log(cell)
    return ZERO if isinstance(found, float) else found


@dataclass(frozen=True, slots=True)
class Base:
    """The base of a logarithm: e where `number` is None."""

    number: Fraction | None = None

    @property
    def name(self) -> str:
        return "e" if self.number is None else plain(self.number)

    @property
    def log_name(self) -> str:
        return "ln" if self.number is None else f"log_{bracketed(self.name)}"

    @property
    def log_latex(self) -> str:
        return r"\ln" if self.number is None else rf"\log_{{{self.name}}}"

    @property
    def log(self) -> Exact:
        """Its natural logarithm as a sum over its primes."""
        found = ONE if self.number is None else log(self.number)
        return ONE if isinstance(found, float) else found

    @property
    def whole_log(self) -> Exact:
        """The same as one factor that can be cancelled: ln 10, not ln 2 + ln 5."""
        if self.number is None or (isinstance(self.log, Expression) and len(self.log.terms) == 1):
            return self.log
        return Expression({Monomial(1, ZERO, frozenset({(Log(self.number), 1)})): ONE})

    def divide(self, total: Exact) -> Exact:
        """A natural logarithm in this base: what is a multiple of ln b becomes a fraction, so that log_10 (1/10) is −1."""
        if self.log == self.whole_log or isinstance(total, Fraction):
            return total / self.log
        assert isinstance(self.log, Expression)
        prime, power = next(iter(self.log.terms.items()))
        multiple = total.terms.get(prime, ZERO) / power
        return (total - self.log * multiple) / self.whole_log + multiple

    def multiply(self, exponent: Exact) -> Exact:
        """A logarithm in this base as a natural one, over its primes again."""
        product = exponent * self.whole_log
        if self.log == self.whole_log or isinstance(product, Fraction):
            return product
        assert isinstance(self.whole_log, Expression)
        [whole] = self.whole_log.terms
        return total_of(self.log * c if m == whole else Expression({m: c}) for m, c in product.terms.items())


def negative(cell: Cell) -> Cell:
    """−x, also of ±∞."""
    return -cell


def power(base: Base, exponent: Cell) -> Cell:
    """b^x; an infinite x can only come from a probability 0, and gives ∞."""
    return abs(exponent) if isinstance(exponent, float) else exp(base.multiply(exponent))
