"""Mark a working: judge every cell, find the first error and its slip, give credit, and say what was noticed."""

from dataclasses import replace
from functools import cached_property

from clearhead.exact.decimals import decimal_text
from clearhead.working.marking.credit import Pricing, credit_of
from clearhead.working.marking.judge import Judge
from clearhead.working.marking.key import Key, key_of
from clearhead.working.marking.looking_for import own_values_of, values_after_slips
from clearhead.working.marking.marks import CellMark, FirstError, Mark, StepMark, as_written, shown, sized
from clearhead.working.marking.reasons.plan_slips import find_slip, wrong_rules
from clearhead.working.marking.remarks import cell_hint, notes_on
from clearhead.working.marking.unsure.consequences import with_causes
from clearhead.working.marking.unsure.doubts import (
    carried_on,
    degenerate_descendants,
    is_another_problem,
    is_known_slip,
    is_open,
    unconfirmed,
)
from clearhead.working.marking.unsure.gaps import excuse, made_from_gaps
from clearhead.working.marking.unsure.lost_in_scan import lost_in_scan
from clearhead.working.marking.verdicts import FOLLOWS, MISSING, RIGHT, UNREADABLE, UNSURE, WRONG, JudgedStep
from clearhead.working.problem import Problem
from clearhead.working.reading.hypotheses.other_values import Otherwise
from clearhead.working.reading.second_look import SecondLook, is_form
from clearhead.working.written import Place, Reading

MOST_LOOKS = 2  # at what follows from what was found
MORE_DIGITS = 2  # than a wrong number has, so that the right one cannot look the same


class Marker:
    """Holds a problem's key, worked once, and marks any number of workings against it."""

    def __init__(self, problem: Problem, pricing: Pricing | None = None) -> None:
        plan = problem.plan()
        self.pricing = pricing or Pricing()
        self.require = problem.required
        self.states_prediction = "predict" in problem.options
        self.known: dict[str, dict[tuple[object, ...], CellMark]] = {}  # by step: a class writes the same cells over and over
        with problem.naming_faults("cannot be worked: "):
            self.key: Key = key_of(
                plan, problem.policy, open_conventions=not self.states_prediction, digits=problem.options.get("digits")
            )
        self.after_slips: tuple[Otherwise, ...] | None = None
        self.wrong_rules = list(wrong_rules(plan, self.states_prediction))

    def mark(self, reading: Reading, file: str = "working") -> Mark:
        """The mark of one reading."""
        judge, reading = self.judged(reading)
        another = is_another_problem(judge)
        spoiled = set(judge.steps) if another else degenerate_descendants(judge)
        carried = carried_on(judge)
        reasons = {name: find_slip(judge, one, self.wrong_rules) for name, one in judge.steps.items() if one.verdict == WRONG}
        steps = tuple(
            self.step_mark(step, name in spoiled, name in carried, reasons.get(name, (None, ""))[1])
            for name, step in judge.steps.items()
        )
        counted = [step for step in steps if step.max_score]
        undecided = sum(one.count(UNSURE) for one in judge.steps.values())
        decided = sum(len(step.cells) for step in steps) - undecided
        return Mark(
            file=file,
            score=None if undecided > decided else round(sum(step.score for step in counted), 9),
            max_score=round(sum(step.max_score for step in counted), 9),
            first_error=self.first_error(judge, reasons),
            steps=steps,
            notes=tuple(notes_on(judge, reading, spoiled, reasons, another=another)),
            undecided=undecided,
            page=reading.page,
        )

    def judged(self, reading: Reading) -> tuple[Judge, Reading]:
        """The verdicts; on a picture nothing is held against anybody that the scan may have lost."""
        judge, last = self.judged_page(reading)
        lost = lost_in_scan(judge, last) if last.scanned else {}
        if not lost:
            return judge, last
        return Judge(self.key, last, judge.unsure | lost.keys()), replace(last, doubts={**last.doubts, **lost})

    def judged_page(self, reading: Reading) -> tuple[Judge, Reading]:
        """The verdicts, after a second look at the page where the first leaves anything open."""
        judge = Judge(self.key, reading)
        if not reading.page or not is_open(judge, reading):
            return judge, reading
        first = reading
        reading = self.second_look.at(first, self.key.accepts, None, self.slip_values)
        judge = Judge(self.key, reading)
        for _ in range(MOST_LOOKS):
            own = own_values_of(judge)
            if own is None:
                break
            again = self.second_look.at(first, self.key.accepts, own, self.slip_values)
            if again.steps == reading.steps:
                break
            reading, judge = again, Judge(self.key, again)
        if (caused := with_causes(judge, reading, self.second_look.unplaced())) is not reading:
            reading, judge = caused, Judge(self.key, caused)
        unsure = unconfirmed(judge, reading, self.wrong_rules)
        judge = Judge(self.key, reading, unsure) if unsure else judge
        if is_form(reading.page, list(self.key.exact)):
            return judge, reading
        wrong = {name: one for name, one in judge.steps.items() if WRONG in one.verdicts or one.wrong_shape}
        known = {name for name, one in wrong.items() if is_known_slip(judge, one, reading, self.wrong_rules)}
        excuse(judge, made_from_gaps(judge, known, self.second_look.unread(), self.second_look.written_twice()))
        return judge, reading

    def slip_values(self) -> tuple[Otherwise, ...]:
        """What the steps come to after each known slip, worked once."""
        if self.after_slips is None:
            self.after_slips = values_after_slips(self.key, self.wrong_rules)
        return self.after_slips

    @cached_property
    def second_look(self) -> SecondLook:
        """What pages are looked at with for the second time."""
        return SecondLook(self.key.plan, self.key.exact)

    def worth(self, judged: JudgedStep, carried: bool) -> float:
        """What a step can earn: nothing where it does not count."""
        name = judged.step.name
        answers = name in self.key.plan.answer
        if self.require == "answer" and not answers:
            return 0.0
        if judged.verdict in (MISSING, UNREADABLE) and carried and self.require == "cells" and not answers:
            return 0.0
        return self.key.plan.marks.get(name, 1.0)

    def step_mark(self, judged: JudgedStep, spoiled: bool, carried: bool, reason: str = "") -> StepMark:
        """One step over all its cells: what is left out earns nothing, what is unsure leaves both totals."""
        worth = self.worth(judged, carried)
        if judged.verdict in (MISSING, UNREADABLE):
            return StepMark(judged.step.name, judged.verdict, (), 0.0, worth)
        plain = judged.verdict == RIGHT and not judged.remarked and UNSURE not in judged.verdicts
        earned = len(judged.cells) if plain else sum(credit_of(cell, self.pricing, spoiled) for cell in judged.cells.values())
        rows, columns = self.key.exact[judged.step.name].shape
        cells = max(len(judged.cells), rows * columns)
        share = worth / cells
        most = share * (cells - judged.count(UNSURE))
        return StepMark(judged.step.name, judged.verdict, tuple(self.cell_marks(judged)), share * earned, most, reason)

    def cell_marks(self, judged: JudgedStep) -> list[CellMark]:
        known = self.known.setdefault(judged.step.name, {})
        cells = []
        for place in sorted(judged.cells):
            cell = judged.cells[place]
            written = cell.written
            said = place, written.text, written.decimals, cell.verdict, written.line
            mark = known.get(said)
            if mark is None:
                expected = self.expected(judged.step.name, place, written.decimals, cell.verdict)
                mark = known[said] = CellMark(place, as_written(written.text), expected, cell.verdict, written.line)
            cells.append(mark)
        return cells

    def first_error(self, judge: Judge, reasons: dict[str, tuple[str | None, str]]) -> FirstError | None:
        judged = next((step for step in judge.steps.values() if step.verdict == WRONG), None)
        if judged is None or judged.written is None:
            return None
        slip, hint = reasons[judged.step.name]
        if judged.wrong_shape:
            shape = self.key.exact[judged.step.name].shape
            return FirstError(judged.step.name, None, sized(written_shape(judged)), sized(shape), slip, hint)
        place = min(place for place, cell in judged.cells.items() if cell.verdict == WRONG)
        cell = judged.cells[place]
        return FirstError(
            judged.step.name,
            place,
            as_written(cell.written.text),
            self.expected(judged.step.name, place, cell.written.decimals, WRONG),
            slip,
            hint or cell_hint(cell),
        )

    def expected(self, name: str, place: Place, decimals: int | None, verdict: str = RIGHT) -> str:
        """The right value, to the digits that the person used or the problem asks for; to more where theirs is wrong."""
        exact = self.key.exact[name]
        if place[0] >= exact.shape[0] or place[1] >= exact.shape[1]:
            return "nothing"
        if self.key.unrounded:
            return decimal_text(self.key.unrounded[name][place], max(decimals or 0, self.key.policy.decimals or 0))
        if verdict not in (RIGHT, FOLLOWS) and decimals is not None:
            decimals += MORE_DIGITS
        return shown(exact[place], decimals)

    def explain(self, name: str, place: Place) -> str:
        """How the right value of a cell is made, from the right values before it."""
        step = self.key.plan.step(name)
        shape = self.key.exact[name].shape
        if step.rule is None or place[0] >= shape[0] or place[1] >= shape[1]:
            return ""
        inputs = [self.key.value(need) for need in step.needs]
        return step.rule.explain(*place, lambda cell: shown(cell, self.key.policy.decimals or 4), *inputs)


def written_shape(judged: JudgedStep) -> Place:
    """The size of a table as it was written."""
    if judged.written is not None and judged.written.shape is not None:
        return judged.written.shape
    return 1 + max(i for i, _ in judged.cells), 1 + max(j for _, j in judged.cells)
