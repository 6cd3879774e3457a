"""What a second look may find beside the right values: what follows from a person's own, and what known slips give."""

from clearhead.errors import ClearheadError
from clearhead.exact.matrices import Matrix
from clearhead.exact.nearest import rough_float
from clearhead.working.marking.judge import Judge
from clearhead.working.marking.key import Key
from clearhead.working.marking.own_values import Own
from clearhead.working.marking.reasons.plan_slips import WrongRules
from clearhead.working.marking.verdicts import WRONG
from clearhead.working.reading.hypotheses.other_values import Otherwise
from clearhead.working.reading.hypotheses.possible_steps import Rows

MOST_CELLS = 400  # of a step: larger ones are compared with the right values only


def floats(value: Matrix) -> Rows:
    return [[rough_float(cell) for cell in row] for row in value.rows]


def own_values_of(judge: Judge) -> Otherwise | None:
    """The steps after a wrong one as they follow from it; None where nothing is wrong."""
    moved: set[str] = {name for name, judged in judge.steps.items() if WRONG in judged.verdicts and not judged.wrong_shape}
    values: dict[str, Rows] = {}
    for name, judged in judge.steps.items():
        if moved.isdisjoint(judged.step.needs):
            continue
        moved.add(name)
        target = judge.target(judged.step, Own.AS_WRITTEN)
        try:
            if target is not None and target.shape == judge.key.exact[name].shape:
                values[name] = floats(target)
        except ArithmeticError:
            continue
    return Otherwise(values, own=True) if values else None


def values_after_slips(key: Key, slips: list[WrongRules]) -> tuple[Otherwise, ...]:
    """The steps that each slip changes, worked to the end with it."""
    found = []
    for slip in slips:
        values: dict[str, Matrix] = dict(key.plan.given)
        changed: dict[str, Rows] = {}
        moved: set[str] = set()
        for step in key.plan.steps:
            if step.rule is None:
                continue
            rule = slip.rules.get(step.name, step.rule)
            touched = rule is not step.rule or not moved.isdisjoint(step.needs)
            moved |= {step.name} if touched else set()
            try:
                value = rule(*(values[need] for need in step.needs)) if touched else key.exact[step.name]
                small = value.shape == key.exact[step.name].shape and value.shape[0] * value.shape[1] <= MOST_CELLS
                if touched and small:
                    changed[step.name] = floats(value)
            except (ArithmeticError, ValueError, IndexError, KeyError, ClearheadError):
                break
            values[step.name] = value
        if changed:
            found.append(Otherwise(changed))
    return tuple(found)
