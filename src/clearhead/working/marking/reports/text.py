"""Marks for the terminal: the score, the first error in one sentence, a line a step, then what was noticed."""

from collections.abc import Sequence

from clearhead.working.marking.marker import Marker
from clearhead.working.marking.marks import FirstError, Mark, StepMark, counted_from_one
from clearhead.working.marking.verdicts import WRONG

SIGNS = {"right": "✓", "follows": "→", "wrong": "✗", "missing": "·", "unreadable": "?", "unsure": "≟"}
MOST_CELLS = 4  # wrong cells listed on a step's line
WIDTH = 78


def write(marker: Marker, marks: Sequence[Mark], several: bool) -> str:
    parts = [write_one(mark) for mark in marks]
    return "\n".join([*parts, summary(marks)] if several else parts)


def write_one(mark: Mark) -> str:
    lines = [f"{mark.file}: {mark.said}", *folded(verdict(mark), "  "), ""]
    width = max(len(step.name) for step in mark.steps)
    lines += [line for step in mark.steps if step.cells or step.max_score for line in step_lines(step, width)]
    unwritten = [step.name for step in mark.steps if not step.cells and not step.max_score]
    lines += folded(f"Not written, and not needed for what was: {', '.join(unwritten)}.", "  ") if unwritten else []
    if mark.notes:
        lines += ["", "  Noticed:"]
        for note in mark.notes:
            where = ", ".join(part for part in (f"line {note.line}" if note.line else "", note.step) if part)
            lines += folded(f"{where}: {note.text}" if where else note.text, "    ")
    return "\n".join(lines) + "\n"


def verdict(mark: Mark) -> str:
    """The first error in a sentence; a page on which no step was found is not one without errors."""
    found = mark.first_error is not None or any(step.cells for step in mark.steps)
    return sentence(mark.first_error) if found else "Nothing that could be marked was found."


def sentence(error: FirstError | None) -> str:
    """
    >>> sentence(FirstError("K", (2, 1), "-3.5", "3.5", "sign", "a sign was lost"))
    'First error: K, row 3, column 2: -3.5 is written, 3.5 is right; a sign was lost (sign).'
    """
    if error is None:
        return "No error found."
    where = error.step if error.cell is None else f"{error.step}, row {error.cell[0] + 1}, column {error.cell[1] + 1}"
    why = (f"; {error.hint}" if error.hint else "") + (f" ({error.slip})" if error.slip else "")
    return f"First error: {where}: {error.got} is written, {error.expected} is right{why}."


def step_lines(step: StepMark, width: int) -> list[str]:
    score = f"{step.score:.3g} of {step.max_score:.3g}"
    line = f"  {SIGNS[step.verdict]} {step.name.ljust(width)}  {step.verdict.ljust(10)}  {score}"
    wrong = [cell for cell in step.cells if cell.verdict == WRONG]
    named = [f"{counted_from_one(c.cell)} {c.got} for {c.expected}" for c in wrong[:MOST_CELLS]]
    more = [f"and {len(wrong) - MOST_CELLS} more"] if len(wrong) > MOST_CELLS else []
    return [line, *folded("; ".join(named + more), " " * (width + 6))] if named else [line]


def summary(marks: Sequence[Mark]) -> str:
    """The class in three lines: how many, the mean, the most frequent slips."""
    shares = [mark.share for mark in marks if mark.share is not None and mark.max_score]
    slips: dict[str, int] = {}
    for mark in marks:
        if mark.first_error is not None:
            name = mark.first_error.slip or f"unexplained in {mark.first_error.step}"
            slips[name] = slips.get(name, 0) + 1
    frequent = sorted(slips.items(), key=lambda item: (-item[1], item[0]))[:5]
    mean = f"{100 * sum(shares) / len(shares):.1f} %" if shares else "none"
    first = ", ".join(f"{name} {count}×" for name, count in frequent) or "none"
    return f"{len(marks)} workings, mean {mean}; first errors: {first}\n"


def folded(sentence: str, indent: str) -> list[str]:
    """A sentence over as many lines as 80 columns need."""
    import textwrap

    return textwrap.wrap(sentence, WIDTH, initial_indent=indent, subsequent_indent=indent + "  ") or []
