"""Random numbers as problem sets have them."""

from fractions import Fraction
from random import Random
from typing import Any

from oracle.stages import Rows


def entry(rng: Random) -> Fraction:
    return Fraction(rng.choice([-3, -2, -1, -1, 0, 0, 1, 1, 2, 3]), rng.choice([1, 1, 1, 1, 1, 2, 4, 10]))


def table(rng: Random, rows: int, columns: int) -> Rows:
    return [[entry(rng) for _ in range(columns)] for _ in range(rows)]


def listed(rows: Rows) -> list[list[Any]]:
    """As a problem file writes them."""
    return [[int(x) if x == int(x) else f"{Fraction(x)}" for x in row] for row in rows]


def rounding(rng: Random, options: dict[str, Any]) -> int | None:
    if rng.random() < 0.5:
        options["round"] = rng.randint(1, 4)
    decimals: int | None = options.get("round")
    return decimals
