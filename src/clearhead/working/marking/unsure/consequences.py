"""A number that nobody could place, found by what was made from it: the error is there, and what follows from it follows."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clearhead.working.marking.agreement import is_right
from clearhead.working.marking.judge import Judge
from clearhead.working.marking.own_values import Own, put
from clearhead.working.marking.unsure.gaps import made_from
from clearhead.working.marking.verdicts import WRONG, JudgedCell
from clearhead.working.steps import Step
from clearhead.working.written import Place, Reading, Written, WrittenStep

BY_CHANCE = 0.02  # as likely as this, some number or other fits
MOST_TRIED = 400


def with_causes(judge: Judge, reading: Reading, unplaced: Sequence[Written]) -> Reading:
    """The reading with those numbers in the steps that what is wrong was made from."""
    found = dict(causes(judge, unplaced)) if unplaced else {}
    steps = dict(reading.steps)
    for (name, place), written in found.items():
        before = steps.get(name, WrittenStep(name, {}, line=written.line))
        steps[name] = replace(before, cells={**before.cells, place: written})
    ordered = {name: steps[name] for name in judge.steps if name in steps}
    return replace(reading, steps=ordered) if found else reading


def causes(judge: Judge, unplaced: Sequence[Written]) -> Iterator[tuple[tuple[str, Place], Written]]:
    """For each wrong cell the one number that makes it follow, put where nothing was read."""
    for judged in judge.steps.values():
        for place, cell in judged.cells.items() if WRONG in judged.verdicts and not judged.wrong_shape else ():
            if cell.verdict == WRONG:
                yield from cause_of(judge, judged.step, place, cell, unplaced)


def cause_of(
    judge: Judge, step: Step, place: Place, cell: JudgedCell, unplaced: Sequence[Written]
) -> Iterator[tuple[tuple[str, Place], Written]]:
    gaps = [(need, each) for need, each in made_from(judge, step, place) if each not in judge.steps[need].cells]
    tries = len(gaps) * len(unplaced)
    if tries > MOST_TRIED or tries * 10.0 ** -digits_of(cell) > BY_CHANCE:
        return
    hits = {
        (need, each): number
        for need, each in gaps
        if (value := judge.own(need, Own.RIGHT_EXACT)) is not None
        for number in unplaced
        if (other := judge.with_value(step, Own.RIGHT_EXACT, need, put(value, each, number.value))) is not None
        and is_right(cell.value, cell.written, other[place], judge.key.asked)
    }
    if len(hits) == 1:
        yield from hits.items()


def digits_of(cell: JudgedCell) -> int:
    """How many digits a number has that tell it from others."""
    return len("".join(filter(str.isdigit, cell.written.text)).strip("0"))
