"""Plain arithmetic on rows of numbers, written from the formulas, and of which terms each sum consists."""

import math
from collections.abc import Callable
from fractions import Fraction
from operator import mul

from oracle.stages import Again, Make, Number, Rows, Term


def times(a: Rows, b: Rows) -> Rows:
    return times_transposed(a, turned(b))


def times_transposed(a: Rows, b: Rows) -> Rows:
    if any(isinstance(x, float) for rows in (a, b) for row in rows for x in row):
        return [[total([x * y for x, y in zip(row, other, strict=True)]) for other in b] for row in a]
    above, top = whole_numbers(a)
    below, bottom = whole_numbers(b)
    return [[Fraction(sum(map(mul, row, other)), top * bottom) for other in below] for row in above]


def whole_numbers(rows: Rows) -> tuple[list[list[int]], int]:
    """The same numbers times the one denominator that makes all of them whole."""
    common = math.lcm(*{Fraction(x).denominator for row in rows for x in row})
    return [[int(x * common) for x in row] for row in rows], common


def total(parts: list[Number]) -> Number:
    exact = sum((x for x in parts if isinstance(x, Fraction)), Fraction(0))
    inexact = [x for x in parts if isinstance(x, float)]
    return math.fsum([*inexact, float(exact)]) if inexact else exact


def each(change: Callable[[Number], Number]) -> Make:
    return lambda rows: [[change(x) for x in row] for row in rows]


def over_root(d_k: int) -> Make:
    root = math.isqrt(d_k)
    if root * root == d_k:
        return each(lambda x: x / root)
    return each(lambda x: Fraction(0) if x == 0 else float(x) / math.sqrt(d_k))


def over(d_k: int) -> Make:
    return each(lambda x: x / d_k)


def unchanged(rows: Rows) -> Rows:
    return rows


def masked_late(temperature: Fraction) -> Make:
    return lambda rows: zero_later(softmax(temperature)(rows))


def hide_later(rows: Rows) -> Rows:
    return [[x if j <= i else -math.inf for j, x in enumerate(row)] for i, row in enumerate(rows)]


def zero_later(rows: Rows) -> Rows:
    return [[x if j <= i else Fraction(0) for j, x in enumerate(row)] for i, row in enumerate(rows)]


def softmax_row(row: list[Number], temperature: Fraction) -> list[Number]:
    largest = max(row)
    best = [j for j, x in enumerate(row) if x == largest]
    seen = [x for x in row if x != -math.inf]
    if temperature == 0 or len(best) == len(seen):
        return [Fraction(1, len(best)) if j in best else Fraction(0) for j in range(len(row))]
    powers = [math.exp((x - largest) / temperature) if x != -math.inf else 0.0 for x in row]
    whole = math.fsum(powers)
    return [p / whole if x != -math.inf else Fraction(0) for p, x in zip(powers, row, strict=True)]


def softmax(temperature: Fraction) -> Make:
    return lambda rows: [softmax_row(row, temperature) for row in rows]


def softmax_down(temperature: Fraction) -> Make:
    return lambda rows: turned([softmax_row(column, temperature) for column in turned(rows)])


def turned(rows: Rows) -> Rows:
    return [list(column) for column in zip(*rows, strict=True)]


def side_by_side(*heads: Rows) -> Rows:
    return [[x for part in parts for x in part] for parts in zip(*heads, strict=True)]


def averaged(*heads: Rows) -> Rows:
    return [[total(list(cells)) / len(heads) for cells in zip(*parts, strict=True)] for parts in zip(*heads, strict=True)]


def surprise(places: list[tuple[int, int]], base: float = math.e) -> Make:
    return lambda rows: [[total([x for x, _ in surprises(places, base)(0, 0, rows)])]]


def surprises(places: list[tuple[int, int]], base: float = math.e) -> Callable[..., list[Term]]:
    """-ln of each place: the terms of a loss."""

    def terms(i: int, j: int, rows: Rows) -> list[Term]:
        chances = [float(rows[r][c]) for r, c in places]
        if min(chances) < 1e-12:
            raise Again
        return [(-math.log(p) / math.log(base), []) for p in chances]

    return terms


def sigmoid(x: Number) -> Number:
    return Fraction(1, 2) if x == 0 else 1 / (1 + math.exp(-x))


def plus(a: Rows, b: Rows) -> Rows:
    return [[x + y for x, y in zip(row, other, strict=True)] for row, other in zip(a, b, strict=True)]


def minus(a: Rows, b: Rows) -> Rows:
    return [[x - y for x, y in zip(row, other, strict=True)] for row, other in zip(a, b, strict=True)]


def turned_times(a: Rows, b: Rows) -> Rows:
    return times(turned(a), b)


def square_times(a: Rows, b: Rows) -> Rows:
    """A product that leaves out a transposition: only where the sizes fit."""
    if len(a[0]) != len(b):
        raise Again
    return times(a, b)


# ── of which terms a cell is the sum ────────────────────────────────────────────────────────────────────────────────


def times_terms(i: int, j: int, a: Rows, b: Rows) -> list[Term]:
    return [(Fraction(1), [(0, i, k), (1, k, j)]) for k in range(len(b))]


def times_transposed_terms(i: int, j: int, a: Rows, b: Rows) -> list[Term]:
    return [(Fraction(1), [(0, i, k), (1, j, k)]) for k in range(len(a[0]))]


def turned_times_terms(i: int, j: int, a: Rows, b: Rows) -> list[Term]:
    return [(Fraction(1), [(0, k, i), (1, k, j)]) for k in range(len(a))]


def minus_terms(i: int, j: int, a: Rows, b: Rows) -> list[Term]:
    return [(Fraction(1), [(0, i, j)]), (Fraction(-1), [(1, i, j)])]


def plus_terms(i: int, j: int, a: Rows, b: Rows) -> list[Term]:
    return [(Fraction(1), [(0, i, j)]), (Fraction(1), [(1, i, j)])]


def value_of(term: Term, inputs: list[Rows]) -> Number:
    made, cells = term
    for n, i, j in cells:
        made = made * inputs[n][i][j]
    return made


def beside(term: Term, inputs: list[Rows]) -> list[Number]:
    """What a term would be if one of its factors came from the place above, below, left or right of its own."""
    times_it, cells = term
    found = []
    for at, (n, i, j) in enumerate(cells):
        for r, c in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)):
            if 0 <= r < len(inputs[n]) and 0 <= c < len(inputs[n][0]):
                found.append(value_of((times_it, [*cells[:at], (n, r, c), *cells[at + 1 :]]), inputs))
    return found
