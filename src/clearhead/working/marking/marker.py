"""Mark a working: judge every cell, find the first error and its slip, give credit, and say what was noticed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from clearhead.exact.decimals import decimal_text, is_terminating
from clearhead.exact.expressions import Cell
from clearhead.exact.notation import text
from clearhead.working.marking.credit import Pricing, credit_of, is_degenerate
from clearhead.working.marking.judging import (
    FOLLOWS,
    MISSING,
    RIGHT,
    UNREADABLE,
    WRONG,
    Judge,
    JudgedCell,
    JudgedStep,
    Key,
    key_of,
)
from clearhead.working.marking.slips import find_slip, wrong_rules
from clearhead.working.problem import Problem
from clearhead.working.reading.second_look import SecondLook
from clearhead.working.written import Note, Place, Reading

CONVENTIONS = {
    "own": "each answer token read off its own position",
    "next": "each answer token read off the position before it (teacher forcing)",
}
SHORT = 40  # characters: an exact value longer than that is shown as a decimal


@dataclass(frozen=True, slots=True)
class FirstError:
    """Where a working first goes wrong; no cell where the whole table has the wrong shape."""

    step: str
    cell: Place | None
    got: str
    expected: str
    slip: str | None
    hint: str


class CellMark(NamedTuple):
    cell: Place
    got: str
    expected: str
    verdict: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class StepMark:
    name: str
    verdict: str
    cells: tuple[CellMark, ...]
    score: float
    max_score: float  # 0 where the step does not count


@dataclass(frozen=True, slots=True)
class Mark:
    """The whole judgement on one working."""

    file: str
    score: float
    max_score: float
    first_error: FirstError | None
    steps: tuple[StepMark, ...]
    notes: tuple[Note, ...]


class Marker:
    """Holds a problem's key, worked once, and marks any number of workings against it."""

    def __init__(self, problem: Problem, pricing: Pricing | None = None) -> None:
        plan = problem.plan()
        self.pricing = pricing or Pricing()
        self.states_prediction = "predict" in problem.options
        self.known: dict[str, dict[tuple[object, ...], CellMark]] = {}  # by step: a class writes the same cells over and over
        with problem.naming_faults("cannot be worked: "):
            self.key: Key = key_of(plan, problem.policy, open_conventions=not self.states_prediction)
        self.wrong_rules = list(wrong_rules(plan, self.states_prediction))

    def mark(self, reading: Reading, file: str = "working") -> Mark:
        judge, reading = self.judged(reading)
        spoiled = degenerate_descendants(judge)
        carried = carried_on(judge)
        steps = tuple(self.step_mark(step, name in spoiled, name in carried) for name, step in judge.steps.items())
        counted = [step for step in steps if step.max_score]
        return Mark(
            file=file,
            score=round(sum(step.score for step in counted), 9),
            max_score=sum(step.max_score for step in counted),
            first_error=self.first_error(judge),
            steps=steps,
            notes=tuple(self.notes(judge, reading, spoiled)),
        )

    def judged(self, reading: Reading) -> tuple[Judge, Reading]:
        """The verdicts, after a second look at the page where the first leaves anything open."""
        judge = Judge(self.key, reading)
        if not reading.page or not is_open(judge, reading):
            return judge, reading
        reading = self.second_look.at(reading, self.key.accepts)
        judge = Judge(self.key, reading)
        unsure = unconfirmed(judge, reading)
        return (Judge(self.key, reading, unsure) if unsure else judge), reading

    @cached_property
    def second_look(self) -> SecondLook:
        return SecondLook(self.key.plan, self.key.exact)

    def step_mark(self, judged: JudgedStep, spoiled: bool, carried: bool) -> StepMark:
        worth = self.key.plan.marks.get(judged.step.name, 1.0)
        if judged.verdict in (MISSING, UNREADABLE):
            worth = 0.0 if carried else worth
            return StepMark(judged.step.name, judged.verdict, (), 0.0, worth)
        earned = [1.0 if cell.verdict == RIGHT else credit_of(cell, self.pricing, spoiled) for cell in judged.cells.values()]
        known = self.known.setdefault(judged.step.name, {})
        cells = []
        for place in sorted(judged.cells):
            cell = judged.cells[place]
            written = cell.written
            said = place, written.text, written.decimals, cell.verdict, written.line
            mark = known.get(said)
            if mark is None:
                expected = self.expected(judged.step.name, place, written.decimals)
                mark = known[said] = CellMark(place, as_written(written.text), expected, cell.verdict, written.line)
            cells.append(mark)
        rows, columns = self.key.exact[judged.step.name].shape
        counted = max(len(earned), rows * columns) if judged.wrong_shape else len(earned)  # a whole table with gaps lacks them
        return StepMark(judged.step.name, judged.verdict, tuple(cells), worth * sum(earned) / counted, worth)

    def first_error(self, judge: Judge) -> FirstError | None:
        judged = next((step for step in judge.steps.values() if step.verdict == WRONG), None)
        if judged is None or judged.written is None:
            return None
        slip, hint = find_slip(judge, judged, self.wrong_rules)
        if judged.wrong_shape:
            shape = self.key.exact[judged.step.name].shape
            return FirstError(judged.step.name, None, sized(written_shape(judged)), sized(shape), slip, hint)
        place = min(place for place, cell in judged.cells.items() if cell.verdict == WRONG)
        cell = judged.cells[place]
        return FirstError(
            judged.step.name,
            place,
            as_written(cell.written.text),
            self.expected(judged.step.name, place, cell.written.decimals),
            slip,
            hint or cell_hint(cell),
        )

    def expected(self, name: str, place: Place, decimals: int | None) -> str:
        """The right value, to the digits that the person used or the problem asks for."""
        exact = self.key.exact[name]
        if place[0] >= exact.shape[0] or place[1] >= exact.shape[1]:
            return "nothing"
        if self.key.unrounded:
            return decimal_text(self.key.unrounded[name][place], max(decimals or 0, self.key.policy.decimals or 0))
        return shown(exact[place], decimals)

    def explain(self, name: str, place: Place) -> str:
        """How the right value of a cell is made, from the right values before it."""
        step = self.key.plan.step(name)
        shape = self.key.exact[name].shape
        if step.rule is None or place[0] >= shape[0] or place[1] >= shape[1]:
            return ""
        inputs = [self.key.value(need) for need in step.needs]
        return step.rule.explain(*place, lambda cell: shown(cell, self.key.policy.decimals or 4), *inputs)

    def notes(self, judge: Judge, reading: Reading, spoiled: set[str]) -> Iterator[Note]:
        yield from reading.notes
        yield from (Note(note.step, note.line, f"could not be read: {note.text}") for note in reading.unreadable)
        for judged in judge.steps.values():
            yield from self.step_notes(judged)
            if judged.step.name in spoiled:
                line = judged.written.line if judged.written else 0
                yield Note(
                    judged.step.name,
                    line,
                    "follows from a wrong answer so simple that it makes the rest free: no credit for that",
                )

    def step_notes(self, judged: JudgedStep) -> Iterator[Note]:
        name = judged.step.name
        if judged.written is not None:
            for place, what in judged.written.unreadable.items():
                yield Note(name, judged.written.line, f"cell {counted_from_one(place)} could not be read: {what}")
        if judged.left_out and judged.written is not None:
            yield Note(name, judged.written.line, f"{judged.left_out} seems to be left out; the rest is marked in its place")
        for place, cell in judged.cells.items():
            if not cell.remarkable:
                continue
            where, line = counted_from_one(place), cell.written.line
            if cell.second_reading:
                yield Note(name, line, f"cell {where}: {cell.written.text} was read as {text(cell.value)}; only that is right")
            if cell.premature:
                yield Note(name, line, f"cell {where}: rounded too early: {cell.written.text} has fewer decimals than asked")
            if cell.sum_is_off and cell.written.sum is not None:
                total = shown(cell.written.sum.value, 4)
                yield Note(name, cell.written.sum.line or line, f"cell {where}: the terms written add up to {total}")
            if cell.other_convention:
                used = self.key.plan.conventions[name][0]
                usual = "own" if used == "next" else "next"
                other = shown(self.key.exact[name][place], cell.written.decimals or 4)
                yield Note(name, line, f"{CONVENTIONS[used]}; with {CONVENTIONS[usual]} it is {other}")


def is_open(judge: Judge, reading: Reading) -> bool:
    """Whether a first reading leaves anything open: something unread, not found, or wrong in more than some cells.

    Where every step stands there whole under its own name, nothing is left to be found elsewhere."""
    if not reading.unreadable and all(is_whole(judge, step) for step in judge.steps.values()):
        return False
    return bool(reading.unreadable) or any(
        step.verdict not in (RIGHT, FOLLOWS) and not is_plain(judge, step) for step in judge.steps.values()
    )


def is_whole(judge: Judge, judged: JudgedStep) -> bool:
    """Whether a step was read as a table of its own size, every cell of it."""
    rows, columns = judge.key.exact[judged.step.name].shape
    return not judged.wrong_shape and len(judged.cells) == rows * columns


def is_plain(judge: Judge, judged: JudgedStep) -> bool:
    """Whether a wrong step was surely read as it is meant: a whole table of the right size, most of whose cells are right."""
    exact = judge.key.exact[judged.step.name]
    if judged.verdict != WRONG or judged.wrong_shape or len(judged.cells) != exact.shape[0] * exact.shape[1]:
        return False
    wrong = sum(cell.verdict == WRONG for cell in judged.cells.values())
    return len(judged.cells) > 3 and 3 * wrong <= len(judged.cells)


def unconfirmed(judge: Judge, reading: Reading) -> frozenset[tuple[str, Place]]:
    """Wrong cells of a doubtful reading that nothing later was worked out from."""
    found: set[tuple[str, Place]] = set()
    for name, judged in judge.steps.items():
        wrong = {place for place, cell in judged.cells.items() if cell.verdict == WRONG or judged.wrong_shape}
        doubtful = {(name, place) for place in wrong if (name, place) in reading.doubts}
        if doubtful and not any(
            name in later.step.needs and FOLLOWS in later.verdicts and WRONG not in later.verdicts
            for later in judge.steps.values()
        ):
            found |= doubtful
    return frozenset(found)


def degenerate_descendants(judge: Judge) -> set[str]:
    """Steps that build on a wrong answer so simple that it makes them free."""
    spoiled: set[str] = set()
    sources = {name for name, judged in judge.steps.items() if is_degenerate(judge, judged)}
    for name, judged in judge.steps.items():
        if any(need in sources or need in spoiled for need in judged.step.needs):
            spoiled.add(name)
    return spoiled


def carried_on(judge: Judge) -> set[str]:
    """The steps on which a later one depends that is right or follows, written steps in between or not."""
    found: set[str] = set()
    for name, judged in reversed(judge.steps.items()):
        if judged.verdict in (RIGHT, FOLLOWS) or (judged.verdict in (MISSING, UNREADABLE) and name in found):
            found.update(judged.step.needs)
    return found


def written_shape(judged: JudgedStep) -> Place:
    if judged.written is not None and judged.written.shape is not None:
        return judged.written.shape
    return 1 + max(i for i, _ in judged.cells), 1 + max(j for _, j in judged.cells)


def cell_hint(cell: JudgedCell) -> str:
    if cell.premature:
        return "rounded too early"
    if cell.sum_is_off and cell.written.sum is not None:
        return f"the terms written add up to {shown(cell.written.sum.value, 4)}"
    return ""


def shown(cell: Cell, decimals: int | None) -> str:
    """Exactly where that is short, else to the digits that the person used."""
    if isinstance(cell, Fraction) and (decimals is None or is_terminating(cell)) and len(text(cell)) <= SHORT:
        return plain_decimal(cell) if decimals is not None else text(cell)
    if decimals is None and len(text(cell)) <= SHORT:
        return text(cell)
    return decimal_text(cell, 4 if decimals is None else decimals)


def plain_decimal(cell: Fraction) -> str:
    """A decimal that ends, written out to its end: 5/2 is 2.5."""
    decimals = 0
    while (cell * 10**decimals).denominator != 1:
        decimals += 1
    return decimal_text(cell, decimals)


def as_written(text: str) -> str:
    """A number in the signs that its LaTeX had."""
    return text.replace("√", "\\sqrt") if "\\frac" in text else text


def sized(shape: Place) -> str:
    return f"{shape[0]}×{shape[1]}"


def counted_from_one(place: Place) -> str:
    return f"({place[0] + 1}, {place[1] + 1})"


def as_json(mark: Mark) -> Mapping[str, object]:
    """The contract's tree: cells counted from 1, row first."""
    error = mark.first_error
    return {
        "file": mark.file,
        "score": mark.score,
        "max_score": mark.max_score,
        "first_error": None
        if error is None
        else {
            "step": error.step,
            "cell": None if error.cell is None else [error.cell[0] + 1, error.cell[1] + 1],
            "got": error.got,
            "expected": error.expected,
            "slip": error.slip,
            "hint": error.hint,
        },
        "steps": [
            {
                "name": step.name,
                "verdict": step.verdict,
                "cells": [
                    {"cell": [c.cell[0] + 1, c.cell[1] + 1], "got": c.got, "expected": c.expected, "verdict": c.verdict}
                    for c in step.cells
                ],
            }
            for step in mark.steps
        ],
        "notes": [{"step": note.step, "line": note.line, "text": note.text} for note in mark.notes],
    }
