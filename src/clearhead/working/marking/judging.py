"""Right, follows or wrong, cell by cell: what a person wrote against the exact path, the rounding path and their own."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from fractions import Fraction

from clearhead.errors import ClearheadError
from clearhead.exact.decimals import as_float
from clearhead.exact.expressions import Cell
from clearhead.exact.matrices import Matrix
from clearhead.exact.policies import EXACT, Policy
from clearhead.working.marking.agreement import Asked, is_premature, is_right, is_right_rounded, sum_disagrees
from clearhead.working.marking.alignment import gaps_in, left_out
from clearhead.working.rules.rule import Rule
from clearhead.working.steps import Plan, Step, work_plan
from clearhead.working.written import Place, Reading, Written, WrittenStep

AS_GOOD_AS_EXACT = 12  # decimals
NEARLY = 0.004  # how far, relatively, rounded factors may move what a person works out from them
RIGHT, FOLLOWS, WRONG, MISSING, UNREADABLE = "right", "follows", "wrong", "missing", "unreadable"
UNSURE = "unsure"  # would be wrong only under a reading that has a rival


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

    def accepts(self, name: str, place: Place, value: Cell, written: Written) -> bool:
        """Whether a cell is right by the exact path or by the rounding path; a class writes the same numbers over and over."""
        size = (value.numerator, value.denominator) if type(value) is Fraction else value  # the hash of a fraction is slow
        asked = name, place, size, written.decimals
        found = self.known.get(asked)
        if found is None:
            rows, columns = self.exact[name].shape
            inside = place[0] < rows and place[1] < columns
            right = inside and is_right(value, written, self.exact[name][place], self.asked)
            rounded = name in self.unrounded and inside and is_right_rounded(value, self.unrounded[name][place], self.asked)
            found = self.known[asked] = right or rounded
        return found

    @property
    def asked(self) -> Asked:
        return Asked(self.policy.decimals)

    def value(self, name: str) -> Matrix:
        """A given or a step as the problem's own policy gives it."""
        return self.unrounded[name].map(self.policy.settle) if name in self.unrounded else self.exact[name]


def key_of(plan: Plan, policy: Policy, open_conventions: bool = False) -> Key:
    """Work both paths once; marking a whole class uses the same key."""
    exact = work_plan(plan).values
    unrounded = {} if policy == EXACT else work_plan(plan, policy).unrounded
    conventions = {name: rule for name, (_, rule) in plan.conventions.items()} if open_conventions else {}
    return Key(plan, policy, exact, unrounded, conventions)


@dataclass(slots=True)
class JudgedCell:
    """One written cell with its verdict; `value` is the reading that was taken."""

    written: Written
    value: Cell
    verdict: str
    premature: bool = False
    sum_is_off: bool = False
    second_reading: bool = False
    other_convention: bool = False

    @property
    def remarkable(self) -> bool:
        return self.premature or self.sum_is_off or self.second_reading or self.other_convention


@dataclass(slots=True)
class JudgedStep:
    """One step with the verdict on each written cell."""

    step: Step
    written: WrittenStep | None
    cells: dict[Place, JudgedCell] = field(default_factory=dict)
    wrong_shape: bool = False
    left_out: str = ""  # rows or columns that a table of the wrong shape seems to lack: "row 3"
    verdicts: frozenset[str] = frozenset()  # of all its cells

    def readings(self, asked: Asked) -> list[Asked]:
        """How many decimals its numbers may be meant to have: 0 among 0.123 most likely means 0.000.

        First every cell is taken to as many as the person used anywhere in this step (whole numbers alone as exact), then
        each to its own; once where that is the same."""
        own = {
            max(cell.written.decimals, asked.decimals or 0) for cell in self.cells.values() if cell.written.decimals is not None
        }
        strict = max(own, default=0) or AS_GOOD_AS_EXACT
        return [Asked(strict)] if own <= {strict} else [Asked(strict), asked]

    @property
    def verdict(self) -> str:
        if self.written is None or not (self.cells or self.written.unreadable):
            return MISSING
        if not self.cells:
            return UNREADABLE
        if WRONG in self.verdicts or (self.wrong_shape and self.verdicts != {UNSURE}):
            return WRONG
        if self.verdicts == {UNSURE}:
            return UNSURE
        return FOLLOWS if FOLLOWS in self.verdicts else RIGHT

    @property
    def usable(self) -> dict[Place, JudgedCell]:
        """The cells that a person can have gone on with: those whose reading is sure, in a table of the right size."""
        if self.wrong_shape:
            return {}
        return self.cells if UNSURE not in self.verdicts else {p: c for p, c in self.cells.items() if c.verdict != UNSURE}


class Own(Enum):
    """Ways a person may have gone on with their own values; a cell that was not written is what the path itself gives."""

    AS_WRITTEN = auto()  # every cell as it stands on the paper
    RIGHT_EXACT = auto()  # right cells exact, wrong ones as written
    KEPT = auto()  # what agrees with the path's own value kept unrounded, as a calculator does; else as RIGHT_EXACT


class Judge:
    """Judges the steps of one working in order, and keeps the person's own values along each path."""

    def __init__(self, key: Key, reading: Reading, unsure: frozenset[tuple[str, Place]] = frozenset()) -> None:
        self.key, self.unsure = key, unsure
        self.constant_error = reading.constant_error
        self.steps: dict[str, JudgedStep] = {}
        self.values: dict[tuple[str, Own], Matrix | None] = {}  # the person's own value of each step along a path
        self.targets: dict[tuple[str, Own], Matrix | None] = {}  # each step's rule on the values of a path
        for step in key.plan.steps:
            if step.rule is not None:
                self.steps[step.name] = self.judge(step, reading.steps.get(step.name))

    def judge(self, step: Step, written: WrittenStep | None) -> JudgedStep:
        judged = JudgedStep(step, written)
        if written is None:
            return judged
        shape = self.key.exact[step.name].shape
        judged.wrong_shape = (written.shape is not None and written.shape != shape) or any(
            i >= shape[0] or j >= shape[1] for i, j in written.cells
        )
        places: dict[Place, Place] = {}  # cells that belong elsewhere
        if judged.wrong_shape and written.shape is not None:
            places = gaps_in(written, shape, self.key.accepts)
            judged.left_out = left_out(places, shape)
        right = self.key.right.setdefault(step.name, {})
        for at, cell in written.cells.items():
            place = places.get(at, at) if places else at
            if self.unsure and (step.name, place) in self.unsure:
                judged.cells[place] = JudgedCell(cell, cell.value, UNSURE)
                continue
            if right.get((place, cell.text)) is cell.value and cell.sum is None:
                judged.cells[place] = JudgedCell(cell, cell.value, RIGHT)
                continue
            found = judged.cells[place] = self.judge_cell(step, place, cell)
            if found.verdict == RIGHT and not found.remarkable and self.key.accepts(step.name, place, cell.value, cell):
                right[place, cell.text] = cell.value
        judged.verdicts = frozenset([cell.verdict for cell in judged.cells.values()])
        return judged

    def judge_cell(self, step: Step, place: Place, written: Written) -> JudgedCell:
        rows, columns = self.key.exact[step.name].shape
        if place[0] >= rows or place[1] >= columns:
            return JudgedCell(written, written.value, WRONG)
        readings = [written.value] if written.otherwise is None else [written.value, written.otherwise]
        for number, value in enumerate(readings):
            verdict = self.verdict_on(step, place, written, value)
            if verdict != WRONG:
                second = number == 1
                off = not second and sum_disagrees(written)
                return JudgedCell(written, value, WRONG if off else verdict, sum_is_off=off, second_reading=second)
        verdict = self.verdict_by_convention(step, place, written)
        if verdict != WRONG:
            return JudgedCell(written, written.value, verdict, other_convention=True)
        premature = is_premature(written.value, written, self.key.exact[step.name][place], self.key.asked)
        return JudgedCell(written, written.value, WRONG, premature=premature)

    def verdict_on(self, step: Step, place: Place, written: Written, value: Cell) -> str:
        if self.key.accepts(step.name, place, value, written):
            return RIGHT
        for path in Own:
            target = self.target(step, path)
            if target is not None and is_right(value, written, target[place], self.key.asked):
                return FOLLOWS
        targets = [self.key.exact[step.name], *(self.target(step, path) for path in Own)]
        if any(target is not None and self.on_the_way(value, written, target[place]) for target in targets):
            return FOLLOWS
        return WRONG

    def on_the_way(self, value: Cell, written: Written, target: Cell) -> bool:
        """Rounded inside the step: by a root that the page states as a decimal, or by the sum written out before the cell."""
        if not written.decimals or isinstance(value, float) or isinstance(target, float):
            return False
        right, size = as_float(target), as_float(value)
        half = 0.5 * 10.0**-written.decimals * (1 + 1e-9)
        if self.constant_error and abs(size - right) <= half + 1.1 * self.constant_error * abs(right):
            return True
        if written.sum is None or isinstance(written.sum.value, float):
            return False
        total = as_float(written.sum.value)
        return abs(size - total) <= half and abs(total - right) <= NEARLY * max(abs(right), 2 * half)

    def verdict_by_convention(self, step: Step, place: Place, written: Written) -> str:
        """The verdict under the other convention, where the problem leaves it open."""
        rule = self.key.conventions.get(step.name)
        if rule is None:
            return WRONG
        other = rule(*(self.key.exact[name] for name in step.needs))
        if is_right(written.value, written, other[place], self.key.asked):
            return RIGHT
        targets = [self.from_own(step, path, {step.name: rule}) for path in Own]
        follows = any(t is not None and is_right(written.value, written, t[place], self.key.asked) for t in targets)
        return FOLLOWS if follows else WRONG

    def target(self, step: Step, path: Own) -> Matrix | None:
        """What a step should be, given the person's own values along a path."""
        if (step.name, path) not in self.targets:
            same = next((other for other in Own if (step.name, other) in self.targets and self.same(step, path, other)), None)
            self.targets[step.name, path] = self.from_own(step, path) if same is None else self.targets[step.name, same]
        return self.targets[step.name, path]

    def paths_to(self, step: Step) -> list[Own]:
        """The paths that come to a step with different values."""
        paths: list[Own] = []
        for path in Own:
            if not any(self.same(step, path, other) for other in paths):
                paths.append(path)
        return paths

    def same(self, step: Step, path: Own, other: Own) -> bool:
        """Whether two paths come to a step with the very same values."""
        return all(self.own(name, path) is self.own(name, other) for name in step.needs)

    def from_own(self, step: Step, path: Own, rules: Mapping[str, Rule] | None = None) -> Matrix | None:
        """What a step's rule gives from the person's own values; None where the rule cannot take them.

        `rules` replaces the rules of some steps: that is how a slip is tried."""
        rule = (rules or {}).get(step.name, step.rule)
        inputs = [self.own(name, path, rules) for name in step.needs]
        if rule is None or any(value is None for value in inputs):
            return None
        try:
            return rule(*(value for value in inputs if value is not None))
        except (ArithmeticError, ValueError, IndexError, ClearheadError):
            return None

    def own(self, name: str, path: Own, rules: Mapping[str, Rule] | None = None) -> Matrix | None:
        """A given, or the person's own value of an earlier step along a path."""
        if name in self.key.plan.given:
            return self.key.plan.given[name]
        judged = self.steps[name]
        if rules is not None and name in rules:  # a slip passes over what was written here
            return self.from_own(judged.step, path, rules)
        replaced = rules is not None and judged.verdict == MISSING
        if not replaced and (name, path) in self.values:
            return self.values[name, path]
        if replaced:
            return self.fill(judged, path, rules)
        self.settle(judged, path)
        return self.values[name, path]

    def settle(self, judged: JudgedStep, path: Own) -> None:
        """The person's own value of a step, and first of those before it, in a loop: a chain may be thousands of steps long."""
        waiting = [judged]
        while waiting:
            top = waiting[-1]
            needs = () if self.is_settled_alone(top, path) else top.step.needs
            before = [self.steps[name] for name in needs if name in self.steps and (name, path) not in self.values]
            if before:
                waiting += before
                continue
            waiting.pop()
            if (top.step.name, path) not in self.values:
                self.values[top.step.name, path] = self.fill(top, path, None)

    def is_settled_alone(self, judged: JudgedStep, path: Own) -> bool:
        """Whether what was written says all, whatever came before: every cell is there, and taken as it is or right."""
        rows, columns = self.key.exact[judged.step.name].shape
        complete = len(judged.usable) == rows * columns
        return complete and (path is Own.AS_WRITTEN or (path is Own.RIGHT_EXACT and judged.verdicts == {RIGHT}))

    def fill(self, judged: JudgedStep, path: Own, rules: Mapping[str, Rule] | None) -> Matrix | None:
        """The step as written, its gaps filled by what the path gives."""
        exact = self.key.exact[judged.step.name]
        usable = judged.usable
        complete = len(usable) == exact.shape[0] * exact.shape[1]
        if complete and path is not Own.AS_WRITTEN and judged.verdicts == {RIGHT}:
            untouched = path is Own.RIGHT_EXACT or all(self.own(n, path, rules) is self.key.exact[n] for n in judged.step.needs)
            if untouched:
                return exact
        base = exact if complete and path is Own.AS_WRITTEN else self.from_own(judged.step, path, rules)
        if base is None or base.shape != exact.shape:
            return None
        if path is Own.AS_WRITTEN and not complete:
            base = base.map(self.key.policy.settle)
        rows = tuple(
            tuple(self.cell_on(path, usable.get((i, j)), cell, exact[i, j]) for j, cell in enumerate(row))
            for i, row in enumerate(base.rows)
        )
        return exact if rows == exact.rows else Matrix(rows, exact.rank)

    def cell_on(self, path: Own, judged: JudgedCell | None, from_path: Cell, exact: Cell) -> Cell:
        """What a path goes on with in one cell."""
        if judged is None:
            return from_path
        if path is Own.AS_WRITTEN:
            return judged.value
        if path is Own.KEPT and is_right(judged.value, judged.written, from_path, self.key.asked):
            return from_path
        if judged.verdict == FOLLOWS:
            return from_path
        return exact if judged.verdict == RIGHT else judged.value
