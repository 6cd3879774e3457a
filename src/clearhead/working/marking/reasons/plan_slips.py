"""The slips of a plan: each says how a step would come out, and is claimed only if that is what the person wrote."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from clearhead.exact.matrices import Matrix
from clearhead.working.marking.agreement import Asked, agrees, is_right
from clearhead.working.marking.judge import Judge
from clearhead.working.marking.own_values import PATHS
from clearhead.working.marking.reasons.cell_slips import find_cell_slip
from clearhead.working.marking.verdicts import MISSING, WRONG, JudgedStep
from clearhead.working.rules.rule import Instead, Rule, Slip
from clearhead.working.steps import Plan, Step

HINTS = {
    "sign": "a sign was lost or turned",
    "product": "one product in this cell is wrong",
    "swapped-rows": "two rows changed places",
    "swapped-columns": "two columns changed places",
    "own-position": "each answer token was read off its own position; position t predicts token t + 1",
    "arithmetic": "the other cells are right, so the formula was; this number was worked out wrong",
    "shape": "the table has the wrong number of rows or columns",
}
"""Of the slips that no rule knows of itself; a rule's own slips bring their hints."""


class WrongRules(NamedTuple):
    """A slip's name and hint, and the rules that it puts in the place of those of some steps."""

    slip: str
    rules: dict[str, Rule]
    hint: str


def find_slip(judge: Judge, judged: JudgedStep, slips: Iterable[WrongRules]) -> tuple[str | None, str]:
    """The slip that reproduces every number the person wrote in a wrong step, if there is one, and its hint."""
    candidates = candidates_for(judge, judged, slips)
    for asked in judged.readings(judge.key.asked):
        for slip, hint, value in candidates:
            if explains(judged, value, asked):
                return slip, hint
        cell_slip = None if judged.wrong_shape else find_cell_slip(judge, judged, asked)
        if cell_slip is not None:
            return cell_slip, HINTS[cell_slip]
    if judged.wrong_shape:
        return "shape", HINTS["shape"]
    bad = is_one_bad_number(judge, judged) or are_sums_off(judge, judged)
    return ("arithmetic", HINTS["arithmetic"]) if bad else (None, "")


def is_one_bad_number(judge: Judge, judged: JudgedStep) -> bool:
    """Whether a formula was understood, since most of its cells are right, and only a number or two went wrong."""
    wrong = sum(cell.verdict == WRONG for cell in judged.cells.values())
    return judge.key.plan.kind == "formula" and 0 < 2 * wrong < len(judged.cells)


def are_sums_off(judge: Judge, judged: JudgedStep) -> bool:
    """Whether what was written out before every wrong cell comes to the right value: only the adding up went wrong."""
    exact = judge.key.exact[judged.step.name]
    wrong = [(place, cell.written) for place, cell in judged.cells.items() if cell.verdict == WRONG]
    return all(
        written.sum is not None and agrees(written.sum.value, exact[place], written.decimals or 0) for place, written in wrong
    )


def rule_slip(judge: Judge, judged: JudgedStep, slips: Iterable[WrongRules]) -> str | None:
    """The slip of a rule that gives every number of a step: no sign or product of one cell, which may be chance."""
    for asked in judged.readings(judge.key.asked):
        for slip, _, value in candidates_for(judge, judged, slips):
            if explains(judged, value, asked):
                return slip
    return None


def candidates_for(judge: Judge, judged: JudgedStep, slips: Iterable[WrongRules]) -> list[tuple[str, str, Matrix | None]]:
    """What each slip that shows first in this step makes of it, along each path."""
    near = shows_in(judge, judged.step)
    return [
        (slip, hint, value)
        for slip, rules, hint in slips
        if not near.isdisjoint(rules)
        for value in (judge.from_own(judged.step, path, rules) for path in PATHS)
    ]


def explains(judged: JudgedStep, candidate: Matrix | None, asked: Asked) -> bool:
    """Whether a candidate agrees with every cell of the step as written."""
    if candidate is None:
        return False
    rows, columns = candidate.shape
    if judged.written is not None and judged.written.shape not in (None, candidate.shape):
        return False
    return all(
        i < rows and j < columns and is_right(cell.value, cell.written, candidate[i, j], asked)
        for (i, j), cell in judged.cells.items()
    )


def shows_in(judge: Judge, step: Step) -> set[str]:
    """The steps whose rules, replaced, show first in this one: its own, and those with only unwritten steps between."""
    found, waiting = {step.name}, [step]
    while waiting:
        for name in waiting.pop().needs:
            if name not in found and name in judge.steps and judge.steps[name].verdict == MISSING:
                found.add(name)
                waiting.append(judge.steps[name].step)
    return found


def wrong_rules(plan: Plan, stated_prediction: bool) -> Iterator[WrongRules]:
    """Every slip that is a wrong rule, with the steps whose rules it replaces: in all heads at once, then in each alone."""
    found: dict[str, dict[str, list[WrongRules]]] = {}
    for step in plan.steps:
        for slip in step.rule.slips(*step.needs) if step.rule else ():
            found.setdefault(slip.name, {}).setdefault(step.name, []).append(wrongly(plan, step, slip))
    for by_step in found.values():
        first = [wrong[0] for wrong in by_step.values()]
        if len(first) > 1 and len({wrong.hint for wrong in first}) == 1:
            yield WrongRules(
                first[0].slip, {name: rule for wrong in first for name, rule in wrong.rules.items()}, first[0].hint
            )
        yield from (wrong for several in by_step.values() for wrong in several)
    yield from swapped_weights(plan)
    if stated_prediction:
        for name, (other, rule) in plan.conventions.items():
            if other == "own":
                yield WrongRules("own-position", {name: rule}, HINTS["own-position"])


def swapped_weights(plan: Plan) -> Iterator[WrongRules]:
    """W_Q where W_K belongs and W_K where W_Q does, head by head."""
    for step in plan.steps:
        if len(step.needs) != 2 or not step.needs[1].startswith("W_Q") or step.rule is None:
            continue
        other = next((s for s in plan.steps if s.needs[1:] == (f"W_K{step.needs[1][3:]}",)), None)
        if other is None or other.rule is None:
            continue
        w_q, w_k = plan.given[step.needs[1]], plan.given[other.needs[1]]
        if w_q.shape == w_k.shape:
            rules: dict[str, Rule] = {
                step.name: Instead(with_weights(step.rule, w_k)),
                other.name: Instead(with_weights(other.rule, w_q)),
            }
            yield WrongRules("order", rules, f"{step.needs[1]} and {other.needs[1]} changed places")


def with_weights(rule: Rule, weights: Matrix) -> Callable[..., Matrix]:
    return lambda x, _: rule(x, weights)


def wrongly(plan: Plan, step: Step, slip: Slip) -> WrongRules:
    """The rules that a slip of one step replaces: its own, and those after it where the slip shows only later."""
    rules: dict[str, Rule] = {step.name: Instead(slip.make)}
    if slip.afterwards is not None:
        rules |= {s.name: Instead(then(s.rule, slip.afterwards)) for s in plan.steps if s.rule and step.name in s.needs}
    return WrongRules(slip.name, rules, slip.hint)


def then(rule: Rule, afterwards: Callable[[Matrix], Matrix]) -> Callable[..., Matrix]:
    return lambda *inputs: afterwards(rule(*inputs))
