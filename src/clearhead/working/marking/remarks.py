"""What is said about a working beside its verdicts: what was read how, conventions, roundings, reasons, what to look at."""

import re
from collections.abc import Iterator, Mapping

from clearhead.exact.notation import text
from clearhead.working.marking.judge import Judge
from clearhead.working.marking.marks import counted_from_one, shown
from clearhead.working.marking.verdicts import UNSURE, WRONG, JudgedCell, JudgedStep
from clearhead.working.written import Note, Reading

CONVENTIONS = {
    "own": "each answer token read off its own position",
    "next": "each answer token read off the position before it (teacher forcing)",
}
FREE = "follows from a wrong answer so simple that it makes the rest free: no credit for that"
ANOTHER = (
    "this looks like the working of another problem: most of what is made from the givens differs; what follows earns nothing"
)
PRIVATE = re.compile(
    r"[\x00-\x1f\U000f0000-\U000fffff]|\\x[01][\da-f]|\\U000f[\da-f]{4}"
)  # what the reader puts in the place of tables and line ends
Reasons = Mapping[str, tuple[str | None, str]]


def notes_on(judge: Judge, reading: Reading, spoiled: set[str], reasons: Reasons, *, another: bool) -> Iterator[Note]:
    """Every note, in the order of the steps; what must be looked at comes first. No sign of our own stands in any."""
    for note in raw_notes(judge, reading, spoiled, reasons, another=another):
        yield Note(note.step, note.line, PRIVATE.sub("", note.text)) if PRIVATE.search(note.text) else note


def raw_notes(judge: Judge, reading: Reading, spoiled: set[str], reasons: Reasons, *, another: bool) -> Iterator[Note]:
    yield from (note for judged in judge.steps.values() for note in unsure_notes(judged, reading))
    if another:
        yield Note("", 0, ANOTHER)
    yield from reading.notes
    yield from (Note(note.step, note.line, f"could not be read: {note.text}") for note in reading.unreadable)
    first = next((name for name, judged in judge.steps.items() if judged.verdict == WRONG), "")
    for name, judged in judge.steps.items():
        yield from step_notes(judge, judged)
        line = judged.written.line if judged.written else 0
        if name in spoiled and not another:
            yield Note(name, line, FREE)
        slip, hint = reasons.get(name, (None, ""))
        if name != first and slip:
            yield Note(name, line, f"{hint} ({slip})")


def unsure_notes(judged: JudgedStep, reading: Reading) -> Iterator[Note]:
    """Please look at these: what stands there would be wrong only under a reading that has a rival."""
    if UNSURE in judged.verdicts:
        unsure = {place: cell for place, cell in judged.cells.items() if cell.verdict == UNSURE}
        place = min(unsure)
        why = reading.doubts.get((judged.step.name, place), "it may be something else")
        where = counted_from_one(place) if len(unsure) == 1 else f"{counted_from_one(place)} and {len(unsure) - 1} more"
        yield Note(judged.step.name, unsure[place].written.line, f"please look at {where}, {unsure[place].written.text}: {why}")


def step_notes(judge: Judge, judged: JudgedStep) -> Iterator[Note]:
    name = judged.step.name
    if judged.written is not None:
        for place, what in judged.written.unreadable.items():
            yield Note(name, judged.written.line, f"cell {counted_from_one(place)} could not be read: {what}")
    if judged.left_out and judged.written is not None:
        yield Note(name, judged.written.line, f"{judged.left_out} seems to be left out; the rest is marked in its place")
    reordered = [cell.written.line for cell in judged.cells.values() if cell.other_order] if judged.remarked else []
    if reordered and judged.step.also is not None:
        yield Note(name, min(reordered), judged.step.also.said)
    for place, cell in judged.cells.items() if judged.remarked else ():
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
            used = judge.key.plan.conventions[name][0]
            usual = "own" if used == "next" else "next"
            other = shown(judge.key.exact[name][place], cell.written.decimals or 4)
            yield Note(name, line, f"{CONVENTIONS[used]}; with {CONVENTIONS[usual]} it is {other}")


def cell_hint(cell: JudgedCell) -> str:
    """What one wrong cell shows by itself."""
    if cell.sum_is_off and cell.written.sum is not None:
        return f"the terms written add up to {shown(cell.written.sum.value, 4)}"
    return ""
