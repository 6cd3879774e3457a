"""Losses as rules: how surprised a model is by what came, −Σ ln p."""

import math
from dataclasses import dataclass
from fractions import Fraction

from clearhead.working.enclosures import compare, gathered
from clearhead.working.expressions import ONE, ZERO, Cell, Exact, Expression, Inverse, Log, Monomial, total_of
from clearhead.working.matrices import Matrix, number, sum_of
from clearhead.working.notation import bracketed
from clearhead.working.powers import log
from clearhead.working.rules import Show, Term, multiplied


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
    found = log(cell)
    return ZERO if isinstance(found, float) else found


@dataclass(frozen=True, slots=True)
class NegativeLog:
    """−Σ ln of the cells at the given places of a table of probabilities; rows and columns counted from 0."""

    places: tuple[tuple[int, int], ...]

    def __call__(self, *inputs: Matrix) -> Matrix:
        return number(sum_of(surprise(inputs[0][place]) for place in self.places))

    def with_logs(self, factor: Exact, *inputs: Matrix) -> Matrix:
        return multiplied(self(*inputs), factor)

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        found = [surprise(inputs[0][place]) for place in self.places]
        return [Term((), cell) for cell in found if not isinstance(cell, float)]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return " ".join(f"- ln {bracketed(show(inputs[0][place]))}" for place in self.places).replace("- ", "-", 1)


@dataclass(frozen=True, slots=True)
class CrossEntropy:
    """−Σ yᵢ ln ŷᵢ, from ŷ and y; where yᵢ is 0 nothing is added, whatever ŷᵢ is."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        return number(sum_of(times(y, surprise(p)) for p, y in pairs(*inputs)))

    def with_logs(self, factor: Exact, *inputs: Matrix) -> Matrix:
        return multiplied(self(*inputs), factor)

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        found = [times(y, surprise(p)) for p, y in pairs(*inputs)]
        return [Term((), cell) for cell in found if not isinstance(cell, float)]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        terms = (f"- {'' if y == 1 else bracketed(show(y)) + '·'}ln {bracketed(show(p))}" for p, y in pairs(*inputs))
        return " ".join(terms).replace("- ", "-", 1)


def pairs(predicted: Matrix, wanted: Matrix) -> list[tuple[Cell, Cell]]:
    """Each ŷ with its y, where y counts."""
    return [(p, y) for p, y in zip(predicted.rows[0], wanted.rows[0], strict=True) if compare(y, ZERO) != 0]


def times(factor: Cell, cell: Cell) -> Cell:
    """A product in which ∞ stays ∞."""
    if isinstance(factor, float) or isinstance(cell, float):
        return math.inf
    return factor * cell
