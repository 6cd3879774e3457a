"""Losses as rules: how surprised a model is by what came, −Σ ln p."""

import math
from dataclasses import dataclass

from clearhead.working.enclosures import compare
from clearhead.working.expressions import ZERO, Cell, log
from clearhead.working.matrices import Matrix, number, sum_of
from clearhead.working.notation import bracketed
from clearhead.working.rules import Show


def surprise(probability: Cell) -> Cell:
    """−ln p; ∞ where p is 0.

    >>> surprise(ZERO)
    inf
    """
    if isinstance(probability, float):
        raise ArithmeticError("an infinite cell is not a probability")
    return -log(probability)


@dataclass(frozen=True, slots=True)
class NegativeLog:
    """−Σ ln of the cells at the given places of a table of probabilities; rows and columns counted from 0."""

    places: tuple[tuple[int, int], ...]

    def __call__(self, *inputs: Matrix) -> Matrix:
        return number(sum_of(surprise(inputs[0][place]) for place in self.places))

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return " ".join(f"- ln {bracketed(show(inputs[0][place]))}" for place in self.places).replace("- ", "-", 1)


@dataclass(frozen=True, slots=True)
class CrossEntropy:
    """−Σ yᵢ ln ŷᵢ, from ŷ and y; where yᵢ is 0 nothing is added, whatever ŷᵢ is."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        return number(sum_of(times(y, surprise(p)) for p, y in pairs(*inputs)))

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
