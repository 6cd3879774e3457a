"""Right, follows or wrong, cell by cell: what a person wrote against the exact path, the rounding path and their own."""

from clearhead.exact.decimals import as_float
from clearhead.exact.expressions import Cell
from clearhead.exact.matrices import Matrix
from clearhead.working.marking.agreement import is_coarse, is_premature, is_right, sum_disagrees
from clearhead.working.marking.alignment import gaps_in, left_out
from clearhead.working.marking.key import Key
from clearhead.working.marking.own_values import PATHS, Own, OwnValues
from clearhead.working.marking.roundings import follow_roundings
from clearhead.working.marking.verdicts import FOLLOWS, RIGHT, UNSURE, WRONG, JudgedCell, JudgedStep
from clearhead.working.rules.rule import Instead
from clearhead.working.steps import OtherOrder, Step
from clearhead.working.written import Place, Reading, Written, WrittenStep

FAR = 0.1  # relatively: what is further off follows from no rounding
NEARLY = 0.004  # how far, relatively, rounded factors may move what a person works out from them
ROUNDED = 5  # units of the last digit: rounding some numbers and keeping others moves a value no further


class Judge(OwnValues):
    """Judges the steps of one working in order, and keeps the person's own values along each path."""

    def __init__(self, key: Key, reading: Reading, unsure: frozenset[tuple[str, Place]] = frozenset()) -> None:
        super().__init__(key)
        self.unsure = unsure
        self.constant_error = reading.constant_error
        for step in key.plan.steps:
            if step.rule is not None:
                self.steps[step.name] = self.judge(step, reading.steps.get(step.name))
        for step in key.plan.steps:
            if step.also is not None and self.steps[step.name].verdict == WRONG:
                self.accept_other_order(self.steps[step.name], step.also)

    def judge(self, step: Step, written: WrittenStep | None) -> JudgedStep:
        judged = JudgedStep(step, written)
        if written is None:
            return judged
        shape = self.key.exact[step.name].shape
        judged.wrong_shape = written.shape is not None and written.shape != shape
        places: dict[Place, Place] = {}  # cells that belong elsewhere
        if judged.wrong_shape and written.shape is not None:
            places = gaps_in(written, shape, self.key.accepts)
            judged.left_out = left_out(places, shape)
        right, cells = self.key.right.setdefault(step.name, {}), judged.cells
        for at, cell in written.cells.items():
            place = places.get(at, at) if places else at
            if not judged.wrong_shape and (at[0] >= shape[0] or at[1] >= shape[1]):
                continue  # beside a table of the right size: something else
            if self.unsure and (step.name, place) in self.unsure:
                cells[place] = JudgedCell(cell, cell.value, UNSURE)
                continue
            if right.get((place, cell.text)) is cell.value and cell.sum is None:
                cells[place] = JudgedCell(cell, cell.value, RIGHT)
                continue
            found = cells[place] = self.judge_cell(step, place, cell)
            judged.remarked = judged.remarked or found.remarkable
            if found.verdict == RIGHT and not found.remarkable and self.key.accepts(step.name, place, cell.value, cell):
                right[place, cell.text] = cell.value
        judged.sum_up()
        if WRONG in judged.verdicts and not judged.wrong_shape:
            follow_roundings(self, judged)
            judged.sum_up()
        return judged

    def accept_other_order(self, judged: JudgedStep, also: OtherOrder) -> None:
        """What was done in another order is right, unless what follows from it shows that the rest was never done."""
        step = judged.step
        if judged.wrong_shape or any(FOLLOWS in one.verdicts for one in self.steps.values() if step.name in one.step.needs):
            return
        others = [also.make(*(self.key.exact[name] for name in step.needs))]
        others += [value for path in PATHS if (value := self.from_own(step, path, {step.name: Instead(also.make)})) is not None]
        for place, cell in judged.cells.items():
            agrees = any(is_right(cell.value, cell.written, other[place], self.key.asked) for other in others)
            if cell.verdict == WRONG and agrees:
                cell.verdict, cell.other_order = RIGHT, True
                judged.remarked = True
        judged.sum_up()

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
                early = verdict == RIGHT and is_coarse(value, written, self.key.exact[step.name][place], self.key.asked)
                found = WRONG if off and verdict != RIGHT else verdict  # a right number is right, whatever stands before it
                return JudgedCell(written, value, found, premature=early, sum_is_off=off, second_reading=second)
        verdict = self.verdict_by_convention(step, place, written)
        if verdict != WRONG:
            return JudgedCell(written, written.value, verdict, other_convention=True)
        premature = is_premature(written.value, written, self.key.exact[step.name][place], self.key.asked)
        return JudgedCell(written, written.value, RIGHT if premature else WRONG, premature=premature)

    def verdict_on(self, step: Step, place: Place, written: Written, value: Cell) -> str:
        if self.key.accepts(step.name, place, value, written):
            return RIGHT
        for path in PATHS:
            target = self.target(step, path)
            if target is not None and is_right(value, written, target[place], self.key.asked):
                return FOLLOWS
        rounded = written.decimals and any(way(step, place, written, value) for way in (self.is_on_the_way, self.is_between))
        if rounded:
            return FOLLOWS
        if any(
            target is not None and self.within_digits(step, place, path, written, value, target)
            for path, target in self.paths(step)
        ):
            return FOLLOWS
        return WRONG

    def is_on_the_way(self, step: Step, place: Place, written: Written, value: Cell) -> bool:
        targets = [self.key.exact[step.name], *(self.target(step, path) for path in PATHS)]
        return any(target is not None and self.on_the_way(value, written, target[place]) for target in targets)

    def is_between(self, step: Step, place: Place, written: Written, value: Cell) -> bool:
        """Whether a cell lies between the exact value and that of the numbers as written: some were kept, some rounded."""
        targets = [self.key.exact[step.name], *(self.target(step, path) for path in PATHS)]
        cells = [target[place] for target in targets if target is not None]
        if self.key.asked.decimals is not None or isinstance(value, float) or any(isinstance(cell, float) for cell in cells):
            return False
        sizes, unit = [as_float(cell) for cell in cells], 10.0 ** -(written.decimals or 0)
        low, high = min(sizes) - unit / 2, max(sizes) + unit / 2
        return high - low <= ROUNDED * unit and low <= as_float(value) <= high

    def paths(self, step: Step) -> list[tuple[Own, Matrix | None]]:
        return [(path, self.target(step, path)) for path in self.paths_to(step)]

    def within_digits(self, step: Step, place: Place, path: Own, written: Written, value: Cell, target: Matrix) -> bool:
        """Whether a cell follows from some value that a person's own wrong numbers, as written, may stand for."""
        if not written.decimals or isinstance(value, float) or isinstance(target[place], float):
            return False
        right, size = as_float(target[place]), as_float(value)
        gap = abs(size - right) - 0.5 * 10.0**-written.decimals
        if gap > FAR * abs(right) + 3 * 10.0**-written.decimals:
            return False
        moved = sum(abs(as_float(other[place]) - right) for other in self.shifted_targets(step, path))
        return moved > 0 and gap <= moved * (1 + 1e-9)

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
        targets = [self.from_own(step, path, {step.name: rule}) for path in PATHS]
        follows = any(t is not None and is_right(written.value, written, t[place], self.key.asked) for t in targets)
        return FOLLOWS if follows else WRONG
