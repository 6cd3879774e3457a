"""New numbers for the givens of a problem, like the old ones: the same shapes, signs, zeros and kind of fractions.

What is drawn how, table by table:

- zeros stay as many, in other places; the others are drawn from the sizes that were there (at least three to choose from), in
  steps of the same fraction, with about as many minus signs;
- shares (rows that add up to 1) are drawn as shares; one-hot rows put their 1 elsewhere; other tables of 0 and 1 are shuffled,
  those that are symmetric keep their symmetry (the nodes of a graph change places);
- labels of 1 and −1 (called y, labels, targets) stay such labels, both of them there;
- numbers alone stay between 0 and 1 as they are; powers of two double, halve or stay; others move by up to 2;
- names (tokens) change places, options stay.
"""

import math
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

from clearhead.exact.decimals import parse_number

Rows = list[list[Fraction]]
LEAST_CHOICES = 3
ONE = Fraction(1)


def drawn_given(given: Mapping[str, Any], rng: Random) -> dict[str, Any]:
    """Every given anew; what is no number stays."""
    return {name: drawn_value(value, rng, name) for name, value in given.items()}


def drawn_value(value: Any, rng: Random, name: str = "") -> Any:
    if isinstance(value, dict):
        return {key: drawn_value(inner, rng, key) for key, inner in value.items()}
    if isinstance(value, bool):
        return value
    number = as_number(value)
    if number is not None:
        return value if is_label(name) else written(drawn_number(number, rng), value)
    if not isinstance(value, list) or not value:
        return value
    if all(isinstance(inner, dict) for inner in value):
        return [drawn_value(inner, rng) for inner in value]
    if all(isinstance(inner, str) and as_number(inner) is None for inner in value):
        return shuffled_names(value, rng) if name.startswith("tokens") else value
    if isinstance(value[0], list) and value[0] and isinstance(value[0][0], list):
        return [drawn_value(inner, rng) for inner in value]  # a table a channel
    flat = not isinstance(value[0], list)
    raw = [value] if flat else value
    rows = [[as_number(cell) for cell in row] for row in raw]
    if any(cell is None for row in rows for cell in row):
        return value
    table: Rows = [[cell for cell in row if cell is not None] for row in rows]
    draw = drawn_labels if is_answer(name) and {abs(cell) for row in table for cell in row} == {1} else drawn_table
    found = [[written(cell, raw[0][0]) for cell in row] for row in draw(table, rng)]
    return found[0] if flat else found


def is_label(name: str) -> bool:
    return name in ("answer", "g", "seed")


def is_answer(name: str) -> bool:
    """Whether a given is called as what is wanted is called: y, labels, targets."""
    return name.lower() in ("y", "t") or name.lower().startswith(("label", "target", "class"))


def drawn_labels(rows: Rows, rng: Random) -> Rows:
    """Labels of 1 and −1 stay labels: both there where both were, in other places."""
    cells = [cell for row in rows for cell in row]
    if len(set(cells)) > 1:
        kept = list(dict.fromkeys(cells))
        cells = [*kept, *(rng.choice(kept) for _ in cells[len(kept) :])]
        rng.shuffle(cells)
    width = len(rows[0])
    return [cells[k : k + width] for k in range(0, len(cells), width)]


def as_number(value: Any) -> Fraction | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return Fraction(value) if isinstance(value, int) else parse_number(str(value))
    except Exception:
        return None


def written(cell: Fraction, like: Any) -> Any:
    """A number as a problem file has it: whole, a decimal, or a fraction in quotes."""
    if cell.denominator == 1:
        return int(cell)
    decimals = next((n for n in range(1, 7) if 10**n % cell.denominator == 0), None)
    return str(cell) if decimals is None or "/" in str(like) else f"{float(cell):.{decimals}f}"


def drawn_number(value: Fraction, rng: Random) -> Fraction:
    if value.denominator > 1:
        return value if abs(value) < 1 else value + rng.choice([-1, 0, 1]) * Fraction(1, value.denominator)
    size = abs(int(value))
    if size >= 2 and size & (size - 1) == 0:
        return value * rng.choice([Fraction(1, 2), ONE, Fraction(2)])
    if size == 0:
        return value
    near = (
        list(range(max(1, size - 2), size + 3))
        if size < 50
        else [size + step * max(1, size // 20) for step in (-2, -1, 0, 1, 2)]
    )
    return Fraction(rng.choice(near)) * (1 if value > 0 else -1)


def drawn_table(rows: Rows, rng: Random) -> Rows:
    cells = [cell for row in rows for cell in row]
    if set(cells) <= {0, 1}:
        return drawn_pattern(rows, rng)
    if all(cell >= 0 for cell in cells) and len(rows[0]) > 1 and all(sum(row) == 1 for row in rows):
        return [drawn_shares(row, rng) for row in rows]
    if all(0 < cell < 1 for cell in cells):
        return [[rng.choice(cells) for _ in row] for row in rows]
    return drawn_like(rows, cells, rng)


def drawn_like(rows: Rows, cells: list[Fraction], rng: Random) -> Rows:
    """As many zeros, sizes from the same range and grain, as many minus signs on average."""
    others = [cell for cell in cells if cell]
    if not others:
        return rows
    grain = Fraction(math.gcd(*(cell.numerator for cell in others)), math.lcm(*(cell.denominator for cell in others)))
    low, high = min(map(abs, others)), max(map(abs, others))
    high = max(high, low + grain * (LEAST_CHOICES - 1))
    sizes = [low + grain * n for n in range(int((high - low) / grain) + 1)]
    minus = sum(cell < 0 for cell in others) / len(others)
    fresh = [rng.choice(sizes) * (-1 if rng.random() < minus else 1) for _ in others]
    fresh += [Fraction(0)] * (len(cells) - len(others))
    rng.shuffle(fresh)
    width = len(rows[0])
    return [fresh[n : n + width] for n in range(0, len(fresh), width)]


def drawn_shares(row: list[Fraction], rng: Random) -> list[Fraction]:
    """Other shares in the same grain: a cut of the whole into as many parts, as many of them 0."""
    grain = Fraction(1, math.lcm(*(cell.denominator for cell in row)))
    parts = sum(cell > 0 for cell in row)
    if 1 / grain <= parts + 2:
        grain /= 2  # quarters leave three shares no choice
    whole = int(1 / grain)
    if parts < 2 or whole < parts:
        return rng.sample(row, len(row))
    cuts = [0, *sorted(rng.sample(range(1, whole), parts - 1)), whole]
    fresh = [(b - a) * grain for a, b in pairwise(cuts)] + [Fraction(0)] * (len(row) - parts)
    rng.shuffle(fresh)
    return fresh


def drawn_pattern(rows: Rows, rng: Random) -> Rows:
    """Tables of 0 and 1: one-hot rows stay one-hot (and all different where they were), graphs stay graphs."""
    n, width = len(rows), len(rows[0])
    if all(sum(row) == 1 for row in rows) and width > 1:
        places = [row.index(ONE) for row in rows]
        fresh = rng.sample(range(width), n) if len(set(places)) == n else [rng.randrange(width) for _ in rows]
        return [[Fraction(int(j == place)) for j in range(width)] for place in fresh]
    if all(sum(row) <= 1 for row in rows) and width > 1:  # rows of an embedding: other columns, the same rows apart
        order = rng.sample(range(width), width)
        return [[row[k] for k in order] for row in rows]
    if n == width and n > 1 and all(rows[i][j] == rows[j][i] for i in range(n) for j in range(n)):
        order = rng.sample(range(n), n)
        return [[rows[a][b] for b in order] for a in order]
    cells = [cell for row in rows for cell in row]
    rng.shuffle(cells)
    return [cells[k : k + width] for k in range(0, len(cells), width)]


def shuffled_names(names: list[str], rng: Random) -> list[str]:
    """Tokens in another order; what stands in angle brackets keeps its place."""
    free = [name for name in names if not name.startswith("<")]
    rng.shuffle(free)
    return [name if name.startswith("<") else free.pop() for name in names]


def changed_places(given: Mapping[str, Any], rng: Random) -> dict[str, Any]:
    """Milder: every table with its columns in another order and some of its columns' signs turned, alike for all that fit.

    Keys that must be perpendicular stay so."""
    orders: dict[int, tuple[list[int], list[int]]] = {}

    def turned(value: Any) -> Any:
        table = isinstance(value, list) and value and isinstance(value[0], list)
        rows = value if table else [value]
        if not isinstance(value, list) or not value or not all(as_number(cell) is not None for row in rows for cell in row):
            return value
        width = len(rows[0])
        if width not in orders:
            orders[width] = rng.sample(range(width), width), [rng.choice([1, -1]) for _ in range(width)]
        order, signs = orders[width]
        found = [
            [written(Fraction(as_number(row[k]) or 0) * sign, row[k]) for k, sign in zip(order, signs, strict=True)]
            for row in rows
        ]
        return found if table else found[0]

    return {name: turned(value) for name, value in given.items()}


def moved_numbers(given: Mapping[str, Any], rng: Random) -> dict[str, Any]:
    """Bolder, for a problem that has nothing else: numbers alone from 0 to 1, such as a rate or a start, move too."""
    return {
        name: moved_number(value, rng) if is_small(value) else drawn_value(value, rng, name) for name, value in given.items()
    }


def is_small(value: Any) -> bool:
    number = as_number(value)
    return number is not None and abs(number) < 1


def moved_number(value: Any, rng: Random) -> Any:
    """0 to a small whole number; a fraction to a near one in its own grain, or in half of it."""
    number = as_number(value) or Fraction(0)
    if number == 0:
        return rng.choice([0, 1, 2, -1])
    grain = Fraction(1, max(number.denominator, 4))
    near = [abs(number) + grain * step for step in (-1, 0, 1)]
    size = rng.choice([size for size in (*near, 2 * abs(number)) if 0 < size < 1])
    return written(size if number > 0 else -size, value)
