"""Hints for one cell in three stages, as a tutor gives them: from the numbers that the person has."""

from collections.abc import Mapping
from typing import Any

from clearhead.desk.practice import cells_in, read_cells, variant_in
from clearhead.errors import InputError
from clearhead.exact.decimals import decimal_text
from clearhead.exact.expressions import Cell
from clearhead.exact.matrices import Matrix
from clearhead.working import load_problem
from clearhead.working.marking import Marker
from clearhead.working.marking.judge import Judge
from clearhead.working.marking.marks import shown
from clearhead.working.marking.own_values import Own
from clearhead.working.marking.verdicts import WRONG
from clearhead.working.render.formats.table_markup import minus
from clearhead.working.render.maths.mathml import mathml
from clearhead.working.render.page.layout import symbol_of
from clearhead.working.steps import Step

STAGES = 3
DECIMALS = 4  # where the problem is worked exactly


def hint(asked: Mapping[str, Any]) -> dict[str, Any]:
    """1 which rule, 2 the numbers put in, 3 what comes out; and, where steps are checked as one goes, what to look at first."""
    marker = Marker(load_problem(variant_in(asked)))
    name, place, stage = asked.get("step"), asked.get("cell"), asked.get("stage", 1)
    step = next((one for one in marker.key.plan.steps if one.name == name and one.rule is not None), None)
    if step is None:
        raise InputError("there is no such step in this problem")
    rows, columns = marker.key.exact[step.name].shape
    if not (isinstance(place, list) and len(place) == 2 and all(type(at) is int for at in place)):
        raise InputError("cell must be a row and a column, counted from 1")
    if not (0 < place[0] <= rows and 0 < place[1] <= columns) or stage not in range(1, STAGES + 1):
        raise InputError(f"{name} has {rows} rows and {columns} columns, and hints have {STAGES} stages")
    judge, _ = marker.judged(read_cells(marker, cells_in(asked) if "cells" in asked else {}))
    first = {} if asked.get("when") == "end" else wrong_before(judge, step)
    if stage == 1:
        formula = mathml(f"{symbol_of(step)} = {step.latex}", block=True)
        return {"stage": 1, "html": formula, "text": step.why, "own": [], **first}
    inputs, value, own = numbers_for(judge, step)
    at = place[0] - 1, place[1] - 1
    decimals = marker.key.policy.decimals
    assert step.rule is not None
    made = step.rule.explain(*at, lambda cell: shown(cell, DECIMALS if decimals is None else decimals), *inputs)
    result = written(value[at], decimals)
    where = f"{step.name}[{place[0]},{place[1]}]"
    if stage == STAGES or not made:
        told = f"{where} = {made} = {result}" if made and made != result else f"{where} = {result}"
        return {"stage": STAGES, "text": minus(told), "own": own, **first}
    return {"stage": 2, "text": minus(f"{where} = {made} = ?"), "own": own, **first}


def numbers_for(judge: Judge, step: Step) -> tuple[list[Matrix], Matrix, list[str]]:
    """What the step is made from as the person has it, gaps filled by what follows; the steps that are theirs are named.

    Where their numbers cannot be gone on with, the key's are taken."""
    value = judge.target(step, Own.AS_WRITTEN)
    inputs = [judge.own(need, Own.AS_WRITTEN) for need in step.needs]
    known = [found for found in inputs if found is not None]
    if value is not None and len(known) == len(inputs) and value.shape == judge.key.exact[step.name].shape:
        return known, value, [need for need in step.needs if need in judge.steps and judge.steps[need].usable]
    return [judge.key.value(need) for need in step.needs], judge.key.value(step.name), []


def wrong_before(judge: Judge, step: Step) -> dict[str, Any]:
    """The first wrong cell among the steps that this one goes back to: nothing is right before that is."""
    back, waiting = set[str](), list(step.needs)
    while waiting:
        need = waiting.pop()
        if need in judge.steps and need not in back:
            back.add(need)
            waiting += judge.steps[need].step.needs
    for name, judged in judge.steps.items():
        wrong = [place for place, cell in judged.cells.items() if cell.verdict == WRONG] if name in back else []
        if wrong:
            row, column = min(wrong)
            return {"first": {"step": name, "cell": [row + 1, column + 1]}}
    return {}


def written(cell: Cell, decimals: int | None) -> str:
    """A result as the problem asks for it."""
    return shown(cell, DECIMALS) if decimals is None else decimal_text(cell, decimals)
