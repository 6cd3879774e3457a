"""Random questions on the geometry of attention, worked from the formulas: copy, average, project, one head against two."""

import math
from fractions import Fraction
from random import Random
from typing import Any

from oracle.drawing import entry, listed, rounding, table
from oracle.rows import (
    plus,
    plus_terms,
    sigmoid,
    softmax,
    softmax_down,
    square_times,
    times,
    times_terms,
    times_transposed,
    times_transposed_terms,
    total,
    turned_times,
    turned_times_terms,
)
from oracle.stages import Again, Make, Number, Posed, Rows, RuleSlip, Stage, Term

ONE = Fraction(1)


def identity(count: int) -> Rows:
    return [[Fraction(int(i == j)) for j in range(count)] for i in range(count)]


def length(numbers: list[Number]) -> Number:
    squares = total([x * x for x in numbers])
    return math.sqrt(squares) if isinstance(squares, float) or squares else Fraction(0)


def distances(table_: Rows, target: Rows) -> Rows:
    """How far each row is from the one target, in one row."""
    return [[length([a - b for a, b in zip(row, target[0], strict=True)]) for row in table_]]


def mean_of(rows: list[int]) -> tuple[Make, Any]:
    share = Fraction(1, len(rows))

    def terms(i: int, j: int, v: Rows) -> list[Term]:
        return [(share, [(0, r, j)]) for r in rows]

    return lambda v: [[total([v[r][c] for r in rows]) * share for c in range(len(v[0]))]], terms


def along(rows: list[int]) -> tuple[Make, Any]:
    def terms(i: int, j: int, k: Rows, strength: Rows) -> list[Term]:
        return [(ONE, [(0, r, j), (1, 0, 0)]) for r in rows]

    return lambda k, s: [[total([k[r][c] for r in rows]) * s[0][0] for c in range(len(k[0]))]], terms


def strength_for(rows: list[int], within: Fraction) -> Make:
    """The smallest length of a query that brings the result so close, for perpendicular keys of length 1."""

    def make(k: Rows, v: Rows) -> Rows:
        target = mean_of(rows)[0](v)[0]
        others = [row for i, row in enumerate(v) if i not in rows]
        pull = length([total([row[c] - t for row in others]) for c, t in enumerate(target)])
        wanted = (pull / within - len(others)) / len(rows)
        return [[math.log(wanted) if wanted > 1 else Fraction(0)]]

    return make


def pose_focus(rng: Random, question: str) -> Posed:
    """question copy or average."""
    count = rng.randint(2, 4) if question == "copy" else rng.randint(3, 4)
    rows = rng.sample(range(count), 1 if question == "copy" else 2)
    options: dict[str, Any] = {"question": question}
    decimals = rounding(rng, options)
    found = rng.random() < 0.25
    width = count if found else rng.randint(2, 4)
    given = {"K": identity(count) if found else table(rng, count, width), "V": table(rng, count, rng.randint(2, 3))}
    tree_given: dict[str, Any] = {name: listed(value) for name, value in given.items()}
    tree_given |= {"j": rows[0] + 1} if question == "copy" else {"a": rows[0] + 1, "b": rows[1] + 1}
    stages = []
    if found:
        within = rng.choice([Fraction(1, 10), Fraction(1, 4), Fraction(1, 100)])
        tree_given["within"] = f"{within}"
        stages.append(Stage("lambda", ("K", "V"), strength_for(rows, within), rank=0))
    else:
        given["lambda"] = [[Fraction(rng.randint(1, 6), rng.choice([1, 1, 2]))]]
        tree_given["lambda"] = listed(given["lambda"])[0][0]
    target = f"v{rows[0] + 1}" if question == "copy" else "mean"
    stages += [
        Stage("q", ("K", "lambda"), *along(rows), rank=1),
        Stage("scores", ("q", "K"), times_transposed, times_transposed_terms, rank=1),
        Stage("weights", ("scores",), softmax(ONE), rank=1),
        Stage("c", ("weights", "V"), times, times_terms, rank=1),
        Stage(target, ("V",), *mean_of(rows), rank=1),
        Stage("distance", ("c", target), distances, rank=0),
    ]
    slips = [RuleSlip("no-transpose", {"scores": square_times})] if width == count else []
    return Posed({"kind": "geometry", "given": tree_given, "options": options}, given, stages, decimals, slips)


def pose_copy(rng: Random) -> Posed:
    return pose_focus(rng, "copy")


def pose_average(rng: Random) -> Posed:
    return pose_focus(rng, "average")


def pose_project(rng: Random) -> Posed:
    options: dict[str, Any] = {"question": "project"}
    decimals = rounding(rng, options)
    n = rng.randint(2, 4)
    a, b = rng.choice([n, rng.randint(1, n)]), rng.randint(1, n)
    given = {"A": table(rng, n, a), "B": table(rng, n, b), "v_a": table(rng, 1, n), "v_b": table(rng, 1, n)}
    stages = [
        Stage("gram", ("A", "A"), turned_times, turned_times_terms),
        Stage("overlap", ("A", "B"), turned_times, turned_times_terms),
        Stage("M", ("A", "A"), times_transposed, times_transposed_terms),
        Stage("s", ("v_a", "v_b"), plus, plus_terms, rank=1),
        Stage("recovered", ("s", "M"), times_transposed, times_transposed_terms, rank=1),
    ]
    slips = [RuleSlip("no-transpose", {step: square_times}) for step in ("gram", "overlap", "M")] if a == n else []
    rows = {k: listed(v) if k in "AB" else listed(v)[0] for k, v in given.items()}
    return Posed({"kind": "geometry", "given": rows, "options": options}, given, stages, decimals, slips)


def head_scores(count: int, a: int | None, b: int | None) -> Make:
    def make(gamma: Rows, strength: Rows) -> Rows:
        size = strength[0][0]
        return [[size * (1 + g) if i == a else size if i == b else Fraction(0) for i in range(count)] for g in gamma[0]]

    return make


def halved(x: Rows, y: Rows) -> Rows:
    return [[cell / 2 for cell in row] for row in plus(x, y)]


def halved_terms(i: int, j: int, x: Rows, y: Rows) -> list[Term]:
    return [(ONE / 2, [(0, i, j)]), (ONE / 2, [(1, i, j)])]


def pose_two_heads(rng: Random) -> Posed:
    options: dict[str, Any] = {"question": "heads"}
    decimals = rounding(rng, options)
    count = rng.randint(2, 4)
    a, b = rng.sample(range(count), 2)
    gammas = sorted({entry(rng) for _ in range(3)})
    if len(gammas) < 2:
        raise Again
    given: dict[str, Rows] = {"K": identity(count), "V": table(rng, count, 2), "lambda": [[Fraction(rng.randint(1, 5))]]}
    given["gamma"] = [list(gammas)]
    shares: Make = lambda gamma, s: [[sigmoid(g * s[0][0]) for g in gamma[0]]]  # noqa: E731
    stages = [Stage("share", ("gamma", "lambda"), shares, rank=1)]
    slips = []
    for suffix, output, places in (("", "one", (a, b)), ("_a", "c_a", (a, None)), ("_b", "c_b", (None, b))):
        stages += [
            Stage(f"scores{suffix}", ("gamma", "lambda"), head_scores(count, *places)),
            Stage(f"weights{suffix}", (f"scores{suffix}",), softmax(ONE)),
            Stage(output, (f"weights{suffix}", "V"), times, times_terms),
        ]
        slips.append(RuleSlip("columns", {f"weights{suffix}": softmax_down(ONE)}))
    stages += [
        Stage("two", ("c_a", "c_b"), halved, halved_terms),
        Stage("mean", ("V",), *mean_of([a, b]), rank=1),
        Stage("distance_one", ("one", "mean"), distances, rank=1),
        Stage("distance_two", ("two", "mean"), distances, rank=1),
    ]
    rows: dict[str, Any] = {name: listed(given[name]) for name in ("K", "V")}
    rows |= {"a": a + 1, "b": b + 1, "lambda": int(given["lambda"][0][0]), "gamma": listed(given["gamma"])[0]}
    return Posed({"kind": "geometry", "given": rows, "options": options}, given, stages, decimals, slips)
