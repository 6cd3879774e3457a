"""Step, Plan and Working: a problem as a graph of named steps, and the same graph with its numbers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from clearhead.exact.decimals import decimal_text
from clearhead.exact.expressions import Cell
from clearhead.exact.matrices import Matrix
from clearhead.exact.policies import EXACT, Policy
from clearhead.working.cost_limit import cost_of, require_affordable
from clearhead.working.rules.rule import Rule, Show

Labels = tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One named step: what it is called, its formula, why it is done, and how it follows from what it needs."""

    name: str
    formula: str  # plain text: "X W_Q"
    latex: str  # the right-hand side: r"X W_Q"
    why: str  # one sentence
    needs: tuple[str, ...] = ()  # names of givens and earlier steps, in the order the rule takes them
    rule: Rule | None = None  # None: a line of a derivation, words and symbols only
    symbol: str = ""  # the left-hand side in LaTeX, where it is not the name: r"QK^\top"
    rows: Labels = ()  # labels of the rows, e.g. the tokens
    columns: Labels = ()

    @property
    def left(self) -> str:
        return self.symbol or self.name


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """A problem laid out: the givens, the steps in order, and which of them answer it."""

    kind: str
    title: str
    given: Mapping[str, Matrix]
    steps: tuple[Step, ...]
    answer: tuple[str, ...]
    maps: tuple[str, ...] = ()  # steps that are attention maps: what pictures draw
    labels: Mapping[str, tuple[Labels, Labels]] = field(default_factory=dict)  # row and column labels of the givens
    observe: "Callable[[Working], list[str]]" = lambda working: []
    marks: Mapping[str, float] = field(default_factory=dict)
    conventions: Mapping[str, tuple[str, Rule]] = field(default_factory=dict)  # step → the other convention's name and rule

    def step(self, name: str) -> Step:
        return next(step for step in self.steps if step.name == name)


@dataclass(frozen=True, slots=True)
class Working:
    """A plan with the value of every step."""

    plan: Plan
    policy: Policy
    values: Mapping[str, Matrix]  # givens and steps, as the policy settles them
    unrounded: Mapping[str, Matrix]  # each step before its own rounding, from settled steps before it
    digits: int = 4  # decimals shown where the policy is exact

    def inputs(self, step: Step) -> list[Matrix]:
        return [self.values[name] for name in step.needs]

    def explain(self, step: Step, i: int, j: int, show: Show) -> str:
        """How cell (i, j) of a step was made from the cells before it."""
        return step.rule.explain(i, j, show, *self.inputs(step)) if step.rule else ""

    def said(self, cell: Cell) -> str:
        """A number inside a sentence: as many decimals as the page shows."""
        return decimal_text(cell, self.digits if self.policy.decimals is None else self.policy.decimals)

    @property
    def observations(self) -> list[str]:
        return self.plan.observe(self)

    def _repr_html_(self) -> str:
        return NOTEBOOK_FORMS["html"](self)

    def _repr_latex_(self) -> str:
        return NOTEBOOK_FORMS["latex"](self)

    def _repr_markdown_(self) -> str:
        return NOTEBOOK_FORMS["markdown"](self)


NOTEBOOK_FORMS: dict[str, Callable[[Working], str]] = {}
"""How a notebook shows a working; the package fills it from `render.notebook`, so that steps know nothing of pages."""


def work_plan(plan: Plan, policy: Policy = EXACT, digits: int = 4) -> Working:
    """Every step in order; each cell settled once by the policy, and the next step goes on with that."""
    values = dict(plan.given)
    unrounded: dict[str, Matrix] = {}
    spent = 0
    for step in plan.steps:
        if step.rule is not None:
            inputs = [values[name] for name in step.needs]
            spent += cost_of(step.rule, inputs)
            require_affordable(spent, step.name)
            found = unrounded[step.name] = step.rule(*inputs)
            values[step.name] = found if policy == EXACT else found.map(policy.settle)
    return Working(plan, policy, values, unrounded, digits)
