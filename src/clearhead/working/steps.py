"""Step, Plan and Working: a problem as a graph of named steps, and the same graph with its numbers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

from clearhead.errors import InputError
from clearhead.exact.decimals import decimal_text
from clearhead.exact.expressions import Cell
from clearhead.exact.matrices import Matrix
from clearhead.exact.policies import EXACT, Policy
from clearhead.working.cost_limit import cost_of, require_affordable
from clearhead.working.fields import did_you_mean
from clearhead.working.rules.rule import Rule, Show

LONGEST_NAMES = 80  # characters of step names in a repr

Labels = tuple[str, ...]


class OtherOrder(NamedTuple):
    """Another order of work that ends in the same: what is said of it, and what the step comes to in it."""

    said: str
    make: Callable[..., Matrix]  # from what the step needs


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
    also: OtherOrder | None = None

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


class WorkedStep(NamedTuple):
    """One step of a working, as a person asks for it; no value where it is a line of a derivation."""

    name: str
    formula: str
    why: str
    value: Matrix | None

    def __repr__(self) -> str:
        return self.formula if self.value is None else f"{self.name} = {self.formula}"


@dataclass(frozen=True, slots=True, repr=False)
class Working:
    """A plan with the value of every step. `print` shows the page, `w["weights"]` a step, `w.save("page.html")` keeps it."""

    plan: Plan
    policy: Policy
    values: Mapping[str, Matrix]  # givens and steps, as the policy settles them
    unrounded: Mapping[str, Matrix]  # each step before its own rounding, from settled steps before it
    digits: int = 4  # decimals shown where the policy is exact
    style: str = "connections"  # how its attention maps are drawn

    def __getitem__(self, name: str) -> Matrix:
        """The value of a given or a step; `np.asarray` takes it."""
        if name not in self.values:
            raise InputError(f"this working has no step {name!r}{did_you_mean(name, self.values)}")
        return self.values[name]

    @property
    def answer(self) -> dict[str, Matrix]:
        """The steps that answer the problem, by name."""
        return {name: self.values[name] for name in self.plan.answer if name in self.values}

    @property
    def steps(self) -> list[WorkedStep]:
        """Every step in order, with its formula, its reason and its value."""
        return [WorkedStep(step.name, step.formula, step.why, self.values.get(step.name)) for step in self.plan.steps]

    def inputs(self, step: Step) -> list[Matrix]:
        """The values that a step is made from."""
        return [self.values[name] for name in step.needs]

    def explain(self, step: Step, i: int, j: int, show: Show) -> str:
        """How cell (i, j) of a step was made from the cells before it."""
        return step.rule.explain(i, j, show, *self.inputs(step)) if step.rule else ""

    def said(self, cell: Cell) -> str:
        """A number inside a sentence: as many decimals as the page shows."""
        return decimal_text(cell, self.digits if self.policy.decimals is None else self.policy.decimals)

    @property
    def observations(self) -> list[str]:
        """What is to be seen in the numbers, in sentences."""
        return self.plan.observe(self)

    def save(self, path: "str | Path") -> Path:
        """Write the page in the format that the name says (.html .pdf .md .tex .json .txt), or the picture (.svg .png)."""
        return PAGES[-1].save(self, Path(path))

    def picture(self, style: str = "") -> str:
        """The attention maps as SVG, which a notebook shows; "connections" or "heatmap"."""
        return PAGES[-1].picture(self, style)

    def __repr__(self) -> str:
        names = " ".join(step.name for step in self.plan.steps if step.rule)
        shown = names if len(names) <= LONGEST_NAMES else f"{names[:LONGEST_NAMES]}…"
        return f"<Working of {self.plan.title!r}, {self.policy.name}: {shown}; print it to see every step>"

    def __str__(self) -> str:
        return PAGES[-1].text(self)

    def _repr_html_(self) -> str:
        return PAGES[-1].html(self)

    def _repr_latex_(self) -> str:
        return PAGES[-1].latex(self)

    def _repr_markdown_(self) -> str:
        return PAGES[-1].markdown(self)


class Pages(Protocol):
    """What a working needs to show itself; `render.pages` has it."""

    def text(self, working: Working) -> str: ...
    def html(self, working: Working) -> str: ...
    def latex(self, working: Working) -> str: ...
    def markdown(self, working: Working) -> str: ...
    def picture(self, working: Working, style: str) -> str: ...
    def save(self, working: Working, path: Path) -> Path: ...


PAGES: list[Pages] = []
"""The package puts `render.pages` here, so that steps know nothing of pages and yet every working can show itself."""


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
            try:
                found = unrounded[step.name] = step.rule(*inputs)
            except ArithmeticError as error:
                raise ArithmeticError(f"{step.name}: {error}") from None
            values[step.name] = found if policy == EXACT else found.map(policy.settle)
    return Working(plan, policy, values, unrounded, digits)
