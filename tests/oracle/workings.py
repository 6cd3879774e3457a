"""Workings to mark: right ones in every style, and wrong ones with one known slip each. Knows nothing of clearhead."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from typing import Any

from oracle.posing import FORMS, posed
from oracle.rows import beside, value_of
from oracle.stages import Again, Number, Posed, Rows, RuleSlip, Stage, evaluated
from oracle.writing import STYLES, WHOLE_TABLES, Entry, Page, random_hand, write_page

SLACK = 1e-9  # float64 against what is written with six decimals
VECTORS = ("softmax", "gradient softmax", "gradient logistic", "convolution", "geometry copy", "geometry average")
NUMBERS = ("perplexity", "gradient rnn")
NO_ATTENTION = tuple(form for form in FORMS if form not in ("attention", "decoder"))
NO_LOGARITHM = ("attention", "softmax", "gradient rnn", "convolution", *(form for form in FORMS if form.startswith("geometry")))
ONE_ROW = (*VECTORS, *NUMBERS)
CANNOT: dict[str, dict[str, str]] = {
    **dict.fromkeys(("no-scale", "d_k"), dict.fromkeys(NO_ATTENTION, "nothing is divided by the root of d_k")),
    **dict.fromkeys(("no-mask", "late-mask"), dict.fromkeys(NO_ATTENTION, "nothing is masked")),
    **dict.fromkeys(("heads-averaged", "heads-order"), dict.fromkeys(NO_ATTENTION, "no heads are put side by side")),
    "w_o-side": dict.fromkeys(NO_ATTENTION, "there is no W_O"),
    "own-position": dict.fromkeys([form for form in FORMS if form != "decoder"], "no position predicts a token"),
    "log-base": dict.fromkeys(NO_LOGARITHM, "no logarithm is taken of the numbers"),
    "no-transpose": dict.fromkeys(
        ("softmax", "perplexity", "convolution", "gradient softmax", "gradient rnn", "gradient logistic", "geometry heads"),
        "no table is transposed",
    ),
    "columns": dict.fromkeys(
        (*ONE_ROW, "gradient network", "geometry project"), "no softmax of several rows: columns of one number are no columns"
    ),
    "swapped-rows": dict.fromkeys(ONE_ROW, "no step has two rows"),
    "swapped-columns": dict.fromkeys(NUMBERS, "every step is one number"),
    "shape": dict.fromkeys(NUMBERS, "every step is one number"),
    "sign": {},
    "product": {},
}
"""Every slip of the contract, and why it cannot occur in some kinds."""
KINDS_OF = {slip: tuple(form for form in FORMS if form not in why) for slip, why in CANNOT.items()}
"""Every slip, and the kinds (for gradients and geometry, what is asked) that it can occur in."""


@dataclass(frozen=True)
class RightWorking:
    """Nothing in it is wrong."""

    problem: dict[str, Any]
    text: str
    suffix: str  # of a file that holds it
    style: str
    form: str = ""


@dataclass(frozen=True)
class WrongWorking:
    """One slip was made: the first wrong cell (counted from 1; None where the shape is wrong), and the names that count."""

    problem: dict[str, Any]
    text: str
    suffix: str
    style: str
    step: str
    cell: tuple[int, int] | None
    slip: str
    counts: frozenset[str]
    form: str = ""


def right_workings(count: int, seed: int) -> Iterator[RightWorking]:
    """So many, every form in turn."""
    rng = Random(seed)
    forms = list(FORMS)
    made = 0
    while made < count:
        try:
            yield right_working(rng, forms[made % len(forms)])
            made += 1
        except Again:
            continue


def right_working(rng: Random, form: str) -> RightWorking:
    problem = posed(rng, form)
    rounded = problem.decimals is not None and rng.random() < 0.6
    values = evaluated(problem, rounding=rounded)
    names = [stage.name for stage in problem.stages]
    if rng.random() < 0.4:
        names = sorted(rng.sample(names, rng.randint(1, len(names))), key=names.index)
    names = reordered(names, rng) if rng.random() < 0.2 else names
    style = rng.choice(list(STYLES))
    page = write_page(values, [problem.stage(name) for name in names], random_hand(rng, problem.decimals, rounded), rng, style)
    suffix, write = STYLES[style]
    return RightWorking(problem.tree, write(page, rng), suffix, style, form)


def reordered(names: list[str], rng: Random) -> list[str]:
    """The same steps in another order: the answer first, two neighbours exchanged, or any."""
    way = rng.choice(("answer first", "neighbours", "any"))
    if way == "answer first":
        return [names[-1], *names[:-1]]
    if way == "any" or len(names) < 2:
        return rng.sample(names, len(names))
    at = rng.randrange(len(names) - 1)
    return [*names[:at], names[at + 1], names[at], *names[at + 2 :]]


def wrong_workings(each: int, seed: int) -> Iterator[WrongWorking]:
    """So many of every slip in every kind it can occur in."""
    for slip, forms in KINDS_OF.items():
        for form in forms:
            rng = Random(f"{seed} {slip} {form}")
            made = 0
            while made < each:
                try:
                    yield wrong_working(rng, slip, form)
                    made += 1
                except Again:
                    continue


def wrong_working(rng: Random, slip: str, form: str) -> WrongWorking:
    problem = posed(rng, form)
    rounded = problem.decimals is not None and rng.random() < 0.6
    style = rng.choice(WHOLE_TABLES if slip in ("shape", "heads-averaged") else list(STYLES))
    hand = random_hand(rng, problem.decimals, rounded)
    hand = replace(hand, decimals=max(hand.decimals, 2) if not rounded else hand.decimals)
    made = made_rule_slip if slip in {s.name for s in problem.slips} else made_cell_slip
    step, names, values = made(problem, slip, rounded, rng)
    page = write_page(values, [problem.stage(name) for name in names], hand, rng, style)
    truths = targets(problem, step, page)
    if slip == "no-scale" and step.startswith("masked") and is_other_order(problem, step, page):
        raise Again
    if slip in ("shape", "heads-averaged"):
        cell, counts = None, frozenset({slip})
    else:
        cell = first_wrong(page[step], truths, problem.decimals)
        counts = frozenset({slip, *also(problem, step, page, truths, rounded)})
    suffix, write = STYLES[style]
    return WrongWorking(problem.tree, write(page, rng), suffix, style, step, cell, slip, counts, form)


def is_other_order(problem: Posed, step: str, page: Page) -> bool:
    """Masked before it was scaled is as good; that nothing was scaled at all can only be seen in weights that are not right."""
    weights = step.replace("masked", "weights")
    truths = [evaluated(problem, rounding=rounding)[weights] for rounding in (False, True)]
    return weights not in page or any(same(page[weights], truth, problem.decimals) for truth in truths)


def made_rule_slip(problem: Posed, slip: str, rounded: bool, rng: Random) -> tuple[str, list[str], dict[str, Rows]]:
    """The step where a wrong rule shows first, the steps written, and all values that follow from it."""
    chosen: RuleSlip = rng.choice([s for s in problem.slips if s.name == slip])
    names = [stage.name for stage in problem.stages]
    names = names[: names.index(chosen.last) + 1] if chosen.last else names
    values = evaluated(problem, chosen.changes, rounding=rounded, last=chosen.last)
    first = next(name for name in names if name in chosen.changes)
    written = [name for name in names if name not in chosen.unwritten]
    step = first if first in written else next(s.name for s in problem.stages if first in s.needs and s.name in written)
    right = evaluated(problem, rounding=rounded)
    if slip != "heads-averaged" and len(values[step]) != len(right[step]):
        raise Again
    return step, written, values


def made_cell_slip(problem: Posed, slip: str, rounded: bool, rng: Random) -> tuple[str, list[str], dict[str, Rows]]:
    """A slip inside one step: cells changed by hand, everything after it follows."""
    right = evaluated(problem, rounding=rounded)
    stages = [stage for stage in problem.stages if stage.name.rstrip("0123456789") not in ("X", "masked")]
    if slip in ("sign", "product"):
        stages = [stage for stage in stages if stage.terms is not None or (slip == "sign" and stage.signed)]
    if not stages or slip not in CELL_SLIPS:
        raise Again
    stage = rng.choice(stages)
    inputs = [right[name] for name in stage.needs]
    rows = CELL_SLIPS[slip](stage, [list(row) for row in stage.make(*inputs)], inputs, rng)
    names = [s.name for s in problem.stages]
    if slip == "shape":
        return stage.name, names[: names.index(stage.name) + 1], {**right, stage.name: rows}
    return stage.name, names, evaluated(problem, {stage.name: lambda *_: rows}, rounding=rounded)


# ── slips inside a step ─────────────────────────────────────────────────────────────────────────────────────────────


def terms(stage: Stage, inputs: list[Rows], i: int, j: int) -> list[Number]:
    """The terms that one cell adds up."""
    return [value_of(term, inputs) for term in stage.terms(i, j, *inputs)] if stage.terms is not None else []


def neighbours(stage: Stage, inputs: list[Rows], i: int, j: int) -> Iterator[Number]:
    """What the cell changes by if one factor of one term is read from the place beside it."""
    for term in stage.terms(i, j, *inputs) if stage.terms is not None else ():
        yield from (other - value_of(term, inputs) for other in beside(term, inputs))


def slip_sign(stage: Stage, rows: Rows, inputs: list[Rows], rng: Random) -> Rows:
    i, j = rng.randrange(len(rows)), rng.randrange(len(rows[0]))
    rows[i][j] = rng.choice([-rows[i][j], *(rows[i][j] - 2 * term for term in terms(stage, inputs, i, j))])
    return rows


def slip_product(stage: Stage, rows: Rows, inputs: list[Rows], rng: Random) -> Rows:
    i, j = rng.randrange(len(rows)), rng.randrange(len(rows[0]))
    found = [change for term in terms(stage, inputs, i, j) for change in (term, -term)]
    found += neighbours(stage, inputs, i, j)
    if not found:
        raise Again
    rows[i][j] += rng.choice(found)
    return rows


def slip_swapped_rows(stage: Stage, rows: Rows, inputs: list[Rows], rng: Random) -> Rows:
    if len(rows) < 2:
        raise Again
    i, k = rng.sample(range(len(rows)), 2)
    rows[i], rows[k] = rows[k], rows[i]
    return rows


def slip_swapped_columns(stage: Stage, rows: Rows, inputs: list[Rows], rng: Random) -> Rows:
    return [
        list(row)
        for row in zip(*slip_swapped_rows(stage, [list(c) for c in zip(*rows, strict=True)], inputs, rng), strict=True)
    ]


def slip_shape(stage: Stage, rows: Rows, inputs: list[Rows], rng: Random) -> Rows:
    if stage.rank == 0 or len(rows[0]) < 2 or (stage.rank == 2 and len(rows) < 2):
        raise Again
    fewer, more = [row[:-1] for row in rows], [[*row, row[-1]] for row in rows]
    return rng.choice([fewer, more] if stage.rank == 1 else [rows[:-1], fewer, more, [*rows, rows[-1]]])


CELL_SLIPS = {
    "sign": slip_sign,
    "product": slip_product,
    "swapped-rows": slip_swapped_rows,
    "swapped-columns": slip_swapped_columns,
    "shape": slip_shape,
}


# ── what is wrong, and what else would explain it ───────────────────────────────────────────────────────────────────


def agrees(entry: Entry, target: Number, asked: int | None) -> bool:
    """Whether a number as written is the target to the digits written (or asked for, where those are more)."""
    if math.isinf(target) or math.isinf(entry.value):
        return bool(entry.value == target)
    half = 0.0 if entry.decimals is None else 0.5 * 10.0 ** -max(entry.decimals, asked or 0)
    return abs(float(entry.value - target)) <= half * (1 + 1e-6) + SLACK * max(1.0, abs(float(target))) * 1e-3


def targets(problem: Posed, step: str, page: Page) -> list[Rows]:
    """What may stand in a step: by the exact path, by the rounding path, from the person's own numbers as written."""
    paths = [evaluated(problem)]
    if problem.decimals is not None:
        paths.append(evaluated(problem, rounding=True))
    stage = problem.stage(step)
    own = {**paths[-1], **{name: [[entry.value for entry in row] for row in rows] for name, rows in page.items()}}
    found = [path[step] for path in paths]
    found += [stage.make(*(path[name] for name in stage.needs)) for path in paths[1:]]  # before its own rounding
    if all(len(own[name]) == len(paths[0][name]) and len(own[name][0]) == len(paths[0][name][0]) for name in stage.needs):
        found.append(stage.make(*(own[name] for name in stage.needs)))
    return found


def first_wrong(rows: list[list[Entry]], truths: list[Rows], asked: int | None) -> tuple[int, int]:
    """The first cell, row by row, that no path gives; where there is none the slip shows nothing: draw again."""
    for i, row in enumerate(rows):
        for j, entry in enumerate(row):
            if not any(agrees(entry, truth[i][j], asked) for truth in truths):
                if any(agrees(entry, truth[i][j], None) for truth in truths):
                    raise Again  # right as far as it goes, only rounded too early
                return i + 1, j + 1
    raise Again


def also(problem: Posed, step: str, page: Page, truths: list[Rows], rounded: bool) -> Iterator[str]:
    """Other slips that give the same numbers in this step."""
    rows, asked = page[step], problem.decimals
    for slip in problem.slips:
        shows = step in slip.changes or any(name not in page and name in slip.changes for name in problem.stage(step).needs)
        if shows and not slip.last:
            for rounding in {False, rounded}:
                if same(rows, evaluated(problem, slip.changes, rounding=rounding)[step], asked):
                    yield slip.name
    for truth in truths:
        yield from cell_slips(problem, step, page, truth)


def cell_slips(problem: Posed, step: str, page: Page, truth: Rows) -> Iterator[str]:
    rows, asked, stage = page[step], problem.decimals, problem.stage(step)
    for i, k in combinations(range(len(truth)), 2):
        other = list(truth)
        other[i], other[k] = other[k], other[i]
        if same(rows, other, asked):
            yield "swapped-rows"
    for j, k in combinations(range(len(truth[0])), 2):
        order = list(range(len(truth[0])))
        order[j], order[k] = k, j
        if same(rows, [[row[c] for c in order] for row in truth], asked):
            yield "swapped-columns"
    wrong = [(i, j) for i, row in enumerate(rows) for j, entry in enumerate(row) if not agrees(entry, truth[i][j], asked)]
    for rounding in (False, True):
        values = evaluated(problem, rounding=rounding)
        inputs = [values[name] for name in stage.needs]
        if any(math.isinf(truth[i][j]) for i, j in wrong):
            return
        parts = {place: terms(stage, inputs, *place) for place in wrong}
        if wrong and all(
            any(agrees(rows[i][j], x, asked) for x in (-truth[i][j], *(truth[i][j] - 2 * part for part in parts[i, j])))
            for i, j in wrong
        ):
            yield "sign"
        if len(wrong) == 1 and stage.terms is not None:
            [(i, j)] = wrong
            changes = [*parts[i, j], *(-part for part in parts[i, j]), *neighbours(stage, inputs, i, j)]
            if any(agrees(rows[i][j], truth[i][j] + change, asked) for change in changes):
                yield "product"


def same(rows: list[list[Entry]], other: Rows, asked: int | None) -> bool:
    return len(rows) == len(other) and all(
        len(row) == len(line) and all(agrees(entry, x, asked) for entry, x in zip(row, line, strict=True))
        for row, line in zip(rows, other, strict=True)
    )


__all__ = ["KINDS_OF", "RightWorking", "WrongWorking", "right_workings", "wrong_workings"]
