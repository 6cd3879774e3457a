"""The answers that a problem has, worked once for every working that is marked against them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from clearhead.exact.expressions import Cell
from clearhead.exact.matrices import Matrix
from clearhead.exact.policies import EXACT, Policy
from clearhead.working.marking.agreement import Asked, is_right, is_right_rounded
from clearhead.working.rules.rule import Rule
from clearhead.working.steps import Plan, work_plan
from clearhead.working.written import Place, Written


@dataclass(frozen=True, slots=True)
class Key:
    """The answers a problem has: every step kept exact, and, where it asks for rounding, as rounding at every step gives it."""

    plan: Plan
    policy: Policy
    exact: Mapping[str, Matrix]
    unrounded: Mapping[str, Matrix]  # each step before its own rounding, from rounded steps before it; empty if exact
    conventions: Mapping[str, Rule] = field(default_factory=dict)  # steps that another convention makes right too
    known: dict[tuple[object, ...], bool] = field(default_factory=dict)  # what was asked of the key before
    right: dict[str, dict[tuple[Place, str], Cell]] = field(default_factory=dict)  # by step: cells as written that were right
    asked: Asked = field(default_factory=Asked)  # how many decimals, where the problem says so

    def accepts(self, name: str, place: Place, value: Cell, written: Written) -> bool:
        """Whether a cell is right by the exact path or by the rounding path; a class writes the same numbers over and over."""
        size = value.as_integer_ratio() if type(value) is Fraction else value  # the hash of a fraction is slow
        asked = name, place, size, written.decimals
        found = self.known.get(asked)
        if found is None:
            rows, columns = self.exact[name].shape
            inside = place[0] < rows and place[1] < columns
            right = inside and is_right(value, written, self.exact[name][place], self.asked)
            rounded = name in self.unrounded and inside and is_right_rounded(value, self.unrounded[name][place], self.asked)
            found = self.known[asked] = right or rounded
        return found

    def value(self, name: str) -> Matrix:
        """A given or a step as the problem's own policy gives it."""
        return self.unrounded[name].map(self.policy.settle) if name in self.unrounded else self.exact[name]


def key_of(plan: Plan, policy: Policy, open_conventions: bool = False, digits: int | None = None) -> Key:
    """Work both paths once; marking a whole class uses the same key."""
    exact = work_plan(plan).values
    unrounded = {} if policy == EXACT else work_plan(plan, policy).unrounded
    conventions = {name: rule for name, (_, rule) in plan.conventions.items()} if open_conventions else {}
    return Key(plan, policy, exact, unrounded, conventions, asked=Asked(policy.decimals, digits))
