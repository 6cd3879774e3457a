"""The catalogue of known slips: each says how a step would come out, and is claimed only if that is what the person wrote."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

from clearhead.exact.expressions import ONE, ZERO, Cell, Exact, total_of
from clearhead.exact.matrices import Matrix, product, transposed
from clearhead.exact.powers import log
from clearhead.working.marking.agreement import Asked, is_right
from clearhead.working.marking.cell_slips import find_cell_slip
from clearhead.working.marking.judging import MISSING, Judge, JudgedStep, Own
from clearhead.working.rules.arrangements import SideBySide
from clearhead.working.rules.products import Product, ProductTransposed, TransposedProduct
from clearhead.working.rules.rule import Logarithmic, Rule, Show
from clearhead.working.rules.scores import CausalMask, OverRoot
from clearhead.working.rules.softmax import Softmax, softmax_row
from clearhead.working.steps import Plan, Step

MOST_HEADS = 5  # more orders than 5! = 120 are not tried

HINTS = {
    "no-scale": "the scores were not divided by the root of d_k",
    "d_k": "the scores were divided by d_k, not by its root",
    "no-transpose": "a table was not transposed before it was multiplied",
    "columns": "the softmax was taken down the columns; each row must sum to 1",
    "no-mask": "the causal mask was left out: later tokens can be seen",
    "late-mask": "the mask came after the softmax, so the rows no longer sum to 1",
    "sign": "a sign was lost or turned",
    "product": "one product in this cell is wrong",
    "swapped-rows": "two rows changed places",
    "swapped-columns": "two columns changed places",
    "heads-averaged": "the heads were averaged; they are put side by side",
    "heads-order": "the heads were put together in the wrong order",
    "w_o-side": "W_O was multiplied from the wrong side",
    "own-position": "each answer token was read off its own position; position t predicts token t + 1",
    "log-base": "the logarithm was taken to another base than the problem has",
    "shape": "the table has the wrong number of rows or columns",
}


def hint_of(slip: str | None, step: Step) -> str:
    """What the slip was, in one sentence; nothing where there is none."""
    if slip == "no-transpose" and len(step.needs) == 2:
        left, right = step.needs
        if isinstance(step.rule, ProductTransposed):
            return f"{right} was not transposed: rows of {left} meet columns of {right} instead of rows"
        if isinstance(step.rule, TransposedProduct):
            return f"{left} was not transposed: its rows were taken instead of its columns"
    return HINTS.get(slip or "", "")


@dataclass(frozen=True, slots=True)
class Instead:
    """A rule that does something else than it should: what a slip makes of a step."""

    make: Callable[..., Matrix]

    def __call__(self, *inputs: Matrix) -> Matrix:
        return self.make(*inputs)

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return show(self(*inputs)[i, j])


WrongRules = tuple[str, dict[str, Rule]]
"""A slip's name, and the rules that it puts in the place of those of some steps."""


def find_slip(judge: Judge, judged: JudgedStep, slips: Iterable[WrongRules]) -> str | None:
    """The slip that reproduces every number the person wrote in their first wrong step, if the catalogue has one."""
    candidates = [
        (name, value)
        for name, rules in slips
        if reaches(judge, judged.step, rules)
        for value in (judge.from_own(judged.step, path, rules) for path in Own)
    ]
    for asked in judged.readings(judge.key.asked):
        for name, value in candidates:
            if explains(judged, value, asked):
                return name
        cell_slip = None if judged.wrong_shape else find_cell_slip(judge, judged, asked)
        if cell_slip is not None:
            return cell_slip
    return "shape" if judged.wrong_shape else None


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


def reaches(judge: Judge, step: Step, rules: dict[str, Rule]) -> bool:
    """Whether a replaced rule shows first in this step: it is the step's own, or only unwritten steps lie between."""
    if step.name in rules:
        return True
    return any(
        name in judge.steps and judge.steps[name].verdict == MISSING and reaches(judge, judge.steps[name].step, rules)
        for name in step.needs
    )


def wrong_rules(plan: Plan, stated_prediction: bool) -> Iterator[WrongRules]:
    """Every slip that is a wrong rule, with the steps whose rules it replaces. One head at a time, then all heads."""
    for name, change in WRONG_RULES:
        found = {step.name: wrong for step in plan.steps for wrong in change(plan, step)[:1]}
        if len(found) > 1:
            yield name, found | passed_over(plan, found)
        for step in plan.steps:
            for wrong in change(plan, step):
                yield name, {step.name: wrong} | passed_over(plan, {step.name: wrong})
    if stated_prediction:
        yield from (("own-position", {name: rule}) for name, (other, rule) in plan.conventions.items() if other == "own")


def passed_over(plan: Plan, rules: dict[str, Rule]) -> dict[str, Rule]:
    """The masked steps that a late mask does not go through."""
    late = [plan.step(name) for name, rule in rules.items() if isinstance(rule, LateMask)]
    return {masked.name: Instead(lambda scores: scores) for step in late for masked in masked_before(plan, step)}


def no_scale(plan: Plan, step: Step) -> list[Rule]:
    return [Instead(lambda scores: scores)] if isinstance(step.rule, OverRoot) else []


def by_d_k(plan: Plan, step: Step) -> list[Rule]:
    if not isinstance(step.rule, OverRoot):
        return []
    d_k = Fraction(step.rule.d_k)
    return [Instead(lambda scores: scores.map(lambda cell: cell if isinstance(cell, float) else cell / d_k))]


def no_transpose(plan: Plan, step: Step) -> list[Rule]:
    return [Instead(fitting_product)] if isinstance(step.rule, ProductTransposed | TransposedProduct) else []


def fitting_product(a: Matrix, b: Matrix) -> Matrix:
    if a.shape[1] != b.shape[0]:
        raise ArithmeticError("tables that do not fit cannot be multiplied")
    return product(a, b)


def down_columns(plan: Plan, step: Step) -> list[Rule]:
    if not isinstance(step.rule, Softmax):
        return []
    temperature = step.rule.temperature
    return [Instead(lambda x: transposed(Matrix(tuple(softmax_row(row, temperature) for row in transposed(x).rows))))]


def no_mask(plan: Plan, step: Step) -> list[Rule]:
    return [Instead(lambda scores: scores)] if isinstance(step.rule, CausalMask) else []


def late_mask(plan: Plan, step: Step) -> list[Rule]:
    """softmax over everything, then zeros above the diagonal; the masked step before it is passed over."""
    if not isinstance(step.rule, Softmax) or not masked_before(plan, step):
        return []
    return [LateMask(step.rule.temperature)]


def masked_before(plan: Plan, step: Step) -> list[Step]:
    return [s for s in plan.steps if isinstance(s.rule, CausalMask) and s.name in step.needs]


@dataclass(frozen=True, slots=True)
class LateMask:
    """The softmax of unmasked scores with the later tokens set to 0 and nothing renormalised."""

    temperature: Fraction

    def __call__(self, *inputs: Matrix) -> Matrix:
        rows = [softmax_row(row, self.temperature) for row in inputs[0].rows]
        return Matrix(tuple(tuple(cell if j <= i else ZERO for j, cell in enumerate(row)) for i, row in enumerate(rows)))

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return show(self(*inputs)[i, j])


def heads_averaged(plan: Plan, step: Step) -> list[Rule]:
    if not isinstance(step.rule, SideBySide):
        return []

    def average(*heads: Matrix) -> Matrix:
        share = Fraction(1, len(heads))
        rows = zip(*(head.rows for head in heads), strict=True)
        return Matrix(tuple(tuple(finite_sum(cells) * share for cells in zip(*row, strict=True)) for row in rows))

    return [Instead(average)]


def finite_sum(cells: tuple[Cell, ...]) -> Exact:
    return total_of(cell for cell in cells if not isinstance(cell, float))


def heads_order(plan: Plan, step: Step) -> list[Rule]:
    if not isinstance(step.rule, SideBySide) or len(step.needs) > MOST_HEADS:
        return []
    joined = step.rule
    orders = [order for order in permutations(range(len(step.needs))) if order != tuple(range(len(step.needs)))]
    return [Instead(lambda *heads, order=order: joined(*(heads[k] for k in order))) for order in orders]


def w_o_side(plan: Plan, step: Step) -> list[Rule]:
    return [Instead(lambda z, w_o: product(w_o, z))] if step.needs[1:] == ("W_O",) and isinstance(step.rule, Product) else []


def log_base(plan: Plan, step: Step) -> list[Rule]:
    """Losses and mean logarithms in base e, 2 or 10, whichever the problem does not ask for."""
    rule = step.rule
    if not isinstance(rule, Logarithmic):
        return []
    own = getattr(getattr(rule, "base", None), "log", ONE)  # ln of the problem's own base
    others = [ONE, *(exact_log(base) for base in (2, 10))]

    def in_base(other: Exact) -> Rule:
        factor = own / other
        return Instead(lambda *inputs: rule.with_logs(factor, *inputs))

    return [in_base(other) for other in others if other != own]


def exact_log(base: int) -> Exact:
    found = log(Fraction(base))
    assert not isinstance(found, float)
    return found


WRONG_RULES: list[tuple[str, Callable[[Plan, Step], list[Rule]]]] = [
    ("no-scale", no_scale),
    ("d_k", by_d_k),
    ("no-transpose", no_transpose),
    ("columns", down_columns),
    ("no-mask", no_mask),
    ("late-mask", late_mask),
    ("heads-averaged", heads_averaged),
    ("heads-order", heads_order),
    ("w_o-side", w_o_side),
    ("log-base", log_base),
]
"""Name and what it makes of a step: no rule, or one or more."""
