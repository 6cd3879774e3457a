"""A number that nobody could place, found by what was made from it: the error is there, and what follows from it follows."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clearhead.exact.decimals import as_float
from clearhead.exact.expressions import Cell
from clearhead.exact.matrices import Matrix
from clearhead.working.marking.agreement import is_right
from clearhead.working.marking.judge import Judge
from clearhead.working.marking.own_values import Own, put
from clearhead.working.marking.unsure.gaps import digits_of, made_from
from clearhead.working.marking.verdicts import MISSING, WRONG, JudgedCell, JudgedStep
from clearhead.working.steps import Step
from clearhead.working.written import Place, Reading, Written, WrittenStep

BY_CHANCE = 0.02  # as likely as this, some number or other fits
MOST_TRIED = 400

Rows = Sequence[Sequence[Written]]


def with_causes(judge: Judge, reading: Reading, unplaced: Sequence[Rows]) -> Reading:
    """The reading with those numbers in the steps that what is wrong was made from."""
    found = dict(causes(judge, unplaced)) if unplaced else {}
    steps = dict(reading.steps)
    for (name, place), written in found.items():
        before = steps.get(name, WrittenStep(name, {}, line=written.line))
        steps[name] = replace(before, cells={**before.cells, place: written})
    ordered = {name: steps[name] for name in judge.steps if name in steps}
    return replace(reading, steps=ordered) if found else reading


def causes(judge: Judge, unplaced: Sequence[Rows]) -> Iterator[tuple[tuple[str, Place], Written]]:
    """The table that makes a whole wrong step follow, or for each wrong cell the one number; put where nothing was read."""
    numbers = [rows[0][0] for rows in unplaced if len(rows) == len(rows[0]) == 1]
    tables = [rows for rows in unplaced if len(rows) * len(rows[0]) > 1]
    for judged in judge.steps.values():
        if WRONG not in judged.verdicts or judged.wrong_shape:
            continue
        whole = list(table_behind(judge, judged, tables))
        yield from whole
        for place, cell in judged.cells.items() if not whole else ():
            if cell.verdict == WRONG:
                yield from cause_of(judge, judged.step, place, cell, numbers)


def table_behind(judge: Judge, judged: JudgedStep, tables: Sequence[Rows]) -> Iterator[tuple[tuple[str, Place], Written]]:
    """The cells of a step that was not read, from the one table from which every number of a wrong step follows."""
    hits: list[tuple[str, Rows]] = []
    for need in judged.step.needs:
        if need not in judge.steps or judge.steps[need].verdict != MISSING:
            continue
        exact = judge.key.exact[need]
        for rows in tables:
            if (len(rows), len(rows[0])) == exact.shape:
                value = Matrix(tuple(tuple(cell.value for cell in row) for row in rows), exact.rank)
                other = judge.with_value(judged.step, Own.RIGHT_EXACT, need, value)
                if other is not None and all(agrees(judge, cell, other[place]) for place, cell in judged.cells.items()):
                    hits.append((need, rows))
    if len(hits) == 1 and len(judged.cells) > 1:
        need, rows = hits[0]
        yield from (((need, (i, j)), cell) for i, row in enumerate(rows) for j, cell in enumerate(row))


def agrees(judge: Judge, cell: JudgedCell, value: Cell) -> bool:
    """Whether a number is what a value comes to, give or take one unit of its last digit: both were rounded."""
    if is_right(cell.value, cell.written, value, judge.key.asked):
        return True
    if isinstance(value, float) or isinstance(cell.value, float) or not cell.written.decimals:
        return False
    return abs(as_float(cell.value) - as_float(value)) <= 1.01 * 10.0**-cell.written.decimals


def cause_of(
    judge: Judge, step: Step, place: Place, cell: JudgedCell, unplaced: Sequence[Written]
) -> Iterator[tuple[tuple[str, Place], Written]]:
    gaps = [
        (need, each)
        for need, each in made_from(judge, step, place)
        if each not in judge.steps[need].cells and judge.key.exact[need][each] != 0  # for nothing, anything more would do
    ]
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
