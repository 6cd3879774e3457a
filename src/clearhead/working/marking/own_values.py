"""The person's own value of each step, along the ways they may have gone on with what they wrote."""

from collections.abc import Mapping
from enum import Enum, auto
from fractions import Fraction

from clearhead.errors import ClearheadError
from clearhead.exact.expressions import Cell
from clearhead.exact.matrices import Matrix
from clearhead.working.marking.agreement import is_right
from clearhead.working.marking.key import Key
from clearhead.working.marking.verdicts import FOLLOWS, MISSING, RIGHT, WRONG, JudgedCell, JudgedStep
from clearhead.working.rules.rule import Rule
from clearhead.working.steps import Step
from clearhead.working.written import Place

Tried = dict[str, Matrix | None]
"""What steps come to under the rules of one slip."""
MOST_SHIFTED = 32  # wrong cells before a step: beyond that nobody asks how each was rounded


class Own(Enum):
    """Ways a person may have gone on with their own values; a cell that was not written is what the path itself gives."""

    AS_WRITTEN = auto()  # every cell as it stands on the paper
    RIGHT_EXACT = auto()  # right cells exact, wrong ones as written
    KEPT = auto()  # what agrees with the path's own value kept unrounded, as a calculator does; else as RIGHT_EXACT

    __hash__ = object.__hash__  # each is one object, and asked for thousands of times


PATHS = tuple(Own)  # an Enum itself is slow to go through


class OwnValues:
    """What was written so far, step by step, and what the next step's rule makes of it."""

    def __init__(self, key: Key) -> None:
        self.key = key
        self.steps: dict[str, JudgedStep] = {}
        self.values: dict[tuple[str, Own], Matrix | None] = {}  # the person's own value of each step along a path
        self.targets: dict[tuple[str, Own], Matrix | None] = {}  # each step's rule on the values of a path

    def target(self, step: Step, path: Own) -> Matrix | None:
        """What a step should be, given the person's own values along a path."""
        if (step.name, path) not in self.targets:
            same = next((other for other in PATHS if (step.name, other) in self.targets and self.same(step, path, other)), None)
            self.targets[step.name, path] = self.from_own(step, path) if same is None else self.targets[step.name, same]
        return self.targets[step.name, path]

    def paths_to(self, step: Step) -> list[Own]:
        """The paths that come to a step with different values."""
        paths: list[Own] = []
        for path in PATHS:
            if not any(self.same(step, path, other) for other in paths):
                paths.append(path)
        return paths

    def same(self, step: Step, path: Own, other: Own) -> bool:
        """Whether two paths come to a step with the very same values."""
        return all(self.own(name, path) is self.own(name, other) for name in step.needs)

    def from_own(
        self, step: Step, path: Own, rules: Mapping[str, Rule] | None = None, tried: Tried | None = None
    ) -> Matrix | None:
        """What a step's rule gives from the person's own values; None where the rule cannot take them.

        `rules` replaces the rules of some steps: that is how a slip is tried; `tried` keeps what came out, each step once."""
        rule = (rules or {}).get(step.name, step.rule)
        tried = {} if tried is None else tried
        inputs = [self.own(name, path, rules, tried) for name in step.needs]
        if rule is None or any(value is None for value in inputs):
            return None
        try:
            return rule(*(value for value in inputs if value is not None))
        except (ArithmeticError, ValueError, IndexError, ClearheadError):
            return None

    def own(self, name: str, path: Own, rules: Mapping[str, Rule] | None = None, tried: Tried | None = None) -> Matrix | None:
        """A given, or the person's own value of an earlier step along a path."""
        if name in self.key.plan.given:
            return self.key.plan.given[name]
        judged = self.steps[name]
        if rules is not None and (name in rules or judged.verdict == MISSING):  # a slip passes over what was written here
            tried = {} if tried is None else tried
            if name not in tried:
                slipped = name in rules
                tried[name] = (self.from_own if slipped else self.filled)(judged.step, path, rules, tried)
            return tried[name]
        if (name, path) not in self.values:
            self.settle(judged, path)
        return self.values[name, path]

    def filled(self, step: Step, path: Own, rules: Mapping[str, Rule] | None, tried: Tried | None) -> Matrix | None:
        return self.fill(self.steps[step.name], path, rules, tried)

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

    def fill(
        self, judged: JudgedStep, path: Own, rules: Mapping[str, Rule] | None, tried: Tried | None = None
    ) -> Matrix | None:
        """The step as written, its gaps filled by what the path gives."""
        exact = self.key.exact[judged.step.name]
        usable = judged.usable
        complete = len(usable) == exact.shape[0] * exact.shape[1]
        if complete and path is not Own.AS_WRITTEN and judged.verdicts == {RIGHT}:
            untouched = path is Own.RIGHT_EXACT or all(
                self.own(name, path, rules, tried) is self.key.exact[name] for name in judged.step.needs
            )
            if untouched:
                return exact
        if complete and path is Own.AS_WRITTEN:
            columns = range(exact.shape[1])
            rows = tuple([tuple([usable[i, j].value for j in columns]) for i in range(exact.shape[0])])
            return exact if rows == exact.rows else Matrix(rows, exact.rank)
        base = self.from_own(judged.step, path, rules, tried)
        if base is None or base.shape != exact.shape:
            return None
        if path is Own.AS_WRITTEN:
            base = base.map(self.key.policy.settle)
        rows = tuple(
            [
                tuple([self.cell_on(path, usable.get((i, j)), *both) for j, both in enumerate(zip(row, right, strict=True))])
                for i, (row, right) in enumerate(zip(base.rows, exact.rows, strict=True))
            ]
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

    def own_wrong(self, step: Step) -> "list[tuple[str, Place, JudgedCell]]":
        """The cells that are not right, with decimals, that a step was made from; through steps that were not written."""
        found: list[tuple[str, Place, JudgedCell]] = []
        waiting, seen = list(step.needs), set(step.needs)
        while waiting:
            name = waiting.pop(0)
            judged = self.steps.get(name)
            if judged is not None and judged.verdict == MISSING:
                waiting = [need for need in judged.step.needs if need not in seen] + waiting
                seen.update(judged.step.needs)
            elif judged is not None:
                cells = judged.usable.items()
                found += [
                    (name, place, cell) for place, cell in cells if cell.verdict in (WRONG, FOLLOWS) and cell.written.decimals
                ]
        return found

    def with_value(self, step: Step, path: Own, name: str, value: Matrix, tried: Tried | None = None) -> Matrix | None:
        """What a step would be with another value of one before it; `tried` keeps what came out, each step once."""
        tried = {name: value} if tried is None else tried
        inputs = []
        for need in step.needs:
            judged = self.steps.get(need)
            if need not in tried and judged is not None and judged.verdict == MISSING:
                tried[need] = self.with_value(judged.step, path, name, value, tried)
            own = tried[need] if need in tried else self.own(need, path)
            if own is None:
                return None
            inputs.append(own)
        try:
            return step.rule(*inputs) if step.rule is not None else None
        except (ArithmeticError, ValueError, IndexError, ClearheadError):
            return None

    def shifted_targets(self, step: Step, path: Own) -> list[Matrix]:
        """What a step would be with each of the wrong numbers before it half a unit of its last digit larger."""
        found: list[Matrix] = []
        for name, place, cell in self.own_wrong(step):
            value = self.own(name, path)
            if value is None or isinstance(value[place], float) or len(found) >= MOST_SHIFTED:
                continue
            half = Fraction(1, 2 * 10 ** (cell.written.decimals or 0))
            other = self.with_value(step, path, name, shifted(value, place, half))
            if other is not None:
                found.append(other)
        return found


def shifted(value: Matrix, place: Place, by: Fraction) -> Matrix:
    """A table with one cell a little larger."""
    return put(value, place, value[place] + by)


def put(value: Matrix, place: Place, cell: Cell) -> Matrix:
    """A table with another number in one cell."""
    rows = [list(row) for row in value.rows]
    rows[place[0]][place[1]] = cell
    return Matrix(tuple(map(tuple, rows)), value.rank)
