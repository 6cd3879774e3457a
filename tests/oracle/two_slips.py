"""Workings with two slips, each in a step of its own; everything else is right or follows from them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from oracle.posing import FORMS, posed
from oracle.stages import Again, Rows, Stage, evaluated
from oracle.workings import CELL_SLIPS, agrees, targets
from oracle.writing import STYLES, random_hand, write_page

Place = tuple[str, tuple[int, int]]


@dataclass(frozen=True)
class TwoSlips:
    """Where the first wrong cell is (counted from 1), and every cell that is right or follows from what stands before it."""

    problem: dict[str, Any]
    text: str
    suffix: str
    style: str
    first: Place
    fine: frozenset[Place]
    form: str


def two_slip_workings(count: int, seed: int) -> Iterator[TwoSlips]:
    """So many, every form with two steps that add up terms in turn."""
    rng = Random(seed)
    forms = [form for form in FORMS if form not in ("perplexity", "softmax", "convolution")]
    made = 0
    while made < count:
        try:
            yield two_slip_working(rng, forms[made % len(forms)])
            made += 1
        except Again:
            continue


def two_slip_working(rng: Random, form: str) -> TwoSlips:
    problem = posed(rng, form)
    rounded = problem.decimals is not None and rng.random() < 0.6
    stages = [stage for stage in problem.stages if stage.terms is not None]
    if len(stages) < 2:
        raise Again
    slipped = rng.sample(stages, 2)
    values = evaluated(problem, {stage.name: spoiled(stage, rng) for stage in slipped}, rounding=rounded)
    style = rng.choice(list(STYLES))
    hand = random_hand(rng, problem.decimals, rounded)
    hand = replace(hand, decimals=max(hand.decimals, 2) if not rounded else hand.decimals)
    page = write_page(values, problem.stages, hand, rng, style)
    fine: set[Place] = set()
    wrong: list[Place] = []
    for step, rows in page.items():
        truths = targets(problem, step, page)
        for i, row in enumerate(rows):
            for j, entry in enumerate(row):
                right = any(agrees(entry, truth[i][j], problem.decimals) for truth in truths)
                if not right and any(agrees(entry, truth[i][j], None) for truth in truths):
                    raise Again  # only rounded too early
                (fine.add if right else wrong.append)((step, (i + 1, j + 1)))
    if {step for step, _ in wrong} != {stage.name for stage in slipped}:
        raise Again  # one of the slips does not show
    suffix, write = STYLES[style]
    return TwoSlips(problem.tree, write(page, rng), suffix, style, wrong[0], frozenset(fine), form)


def spoiled(stage: Stage, rng: Random) -> Callable[..., Rows]:
    """A step with the sign of one term lost, or one term taken from the place beside it."""
    slip, seed = rng.choice(("sign", "product")), rng.random()

    def make(*inputs: Rows) -> Rows:
        return CELL_SLIPS[slip](stage, [list(row) for row in stage.make(*inputs)], list(inputs), Random(seed))

    return make


__all__ = ["TwoSlips", "two_slip_workings"]
