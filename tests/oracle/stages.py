"""A problem as a chain of stages, each a function of earlier rows of numbers, so that a slip is one stage done differently.

Fractions where numbers are rational, float64 where they are not. Knows nothing of clearhead.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

Number: TypeAlias = Fraction | float
Rows: TypeAlias = list[list[Number]]
Make: TypeAlias = Callable[..., Rows]
Term: TypeAlias = tuple[Number, list[tuple[int, int, int]]]
"""A number times some cells of what a stage needs: which need, row, column."""
Terms: TypeAlias = Callable[..., list[Term]]
"""From a cell's row and column and the values needed, the terms that it adds up."""


class Again(Exception):
    """This draw is of no use (a tie that float64 cannot see, an infinite loss): draw another."""


@dataclass(frozen=True)
class Stage:
    """One named step: what it needs, how it is made, and, where its cells are sums, of which terms."""

    name: str
    needs: tuple[str, ...]
    make: Make
    terms: Terms | None = None
    rank: int = 2  # 0: a number, 1: a vector
    signed: bool = False  # somebody may lose the sign of a cell, though it is no sum


@dataclass(frozen=True)
class Posed:
    """A problem file's tree, the numbers in it, and its stages."""

    tree: dict[str, Any]
    given: dict[str, Rows]
    stages: list[Stage]
    decimals: int | None = None  # of options.round
    slips: list["RuleSlip"] = field(default_factory=list)

    def stage(self, name: str) -> Stage:
        return next(stage for stage in self.stages if stage.name == name)


@dataclass(frozen=True)
class RuleSlip:
    """A slip that is a wrong rule: stages done differently, steps that nobody then writes, and where the person stops."""

    name: str
    changes: dict[str, Make]
    unwritten: frozenset[str] = frozenset()
    last: str = ""  # where the sizes no longer fit, the working ends here


def evaluated(
    posed: Posed, changes: Mapping[str, Make] | None = None, *, rounding: bool = False, last: str = ""
) -> dict[str, Rows]:
    """Every stage in order, with some done differently; each rounded once where the person rounds every step."""
    values = dict(posed.given)
    for stage in posed.stages:
        make = (changes or {}).get(stage.name, stage.make)
        rows = make(*(values[name] for name in stage.needs))
        if rounding and posed.decimals is not None:
            rows = [[settled(x, posed.decimals) for x in row] for row in rows]
        values[stage.name] = rows
        if stage.name == last:
            break
    return values


def settled(x: Number, decimals: int) -> Number:
    """Half away from zero; a float too close to a tie is refused."""
    if isinstance(x, float) and math.isinf(x):
        return x
    scaled = abs(x) * 10**decimals
    if isinstance(scaled, float):
        if abs(scaled % 1 - 0.5) < 1e-6:
            raise Again
        whole = math.floor(scaled + 0.5)
    else:
        whole = math.floor(scaled + Fraction(1, 2))
    return Fraction(-whole if x < 0 else whole, 10**decimals)
