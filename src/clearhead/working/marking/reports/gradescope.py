"""results.json as a Gradescope autograder writes it: a test a step."""

import json
from collections.abc import Sequence

from clearhead.errors import InputError
from clearhead.working.marking.marker import Marker
from clearhead.working.marking.marks import Mark, StepMark, counted_from_one
from clearhead.working.marking.reports.text import verdict
from clearhead.working.marking.verdicts import FOLLOWS, RIGHT


def write(marker: Marker, marks: Sequence[Mark], several: bool) -> str:
    mark = only(marks)
    tests = [
        {
            "name": step.name,
            "score": round(step.score, 4),
            "max_score": step.max_score,
            "status": "passed" if step.verdict in (RIGHT, FOLLOWS) else "failed",
            "output": step_words(step),
            "output_format": "md",
            "visibility": "visible",
        }
        for step in mark.steps
        if step.max_score
    ]
    words = [verdict(mark), *(f"- {note.text}" for note in mark.notes)]
    tree = {"score": round(mark.score or 0.0, 4), "output": "\n".join(words), "output_format": "md", "tests": tests}
    return json.dumps(tree, ensure_ascii=False, indent=2) + "\n"


def only(marks: Sequence[Mark]) -> Mark:
    if len(marks) != 1:
        raise InputError(
            f"a grader's results.json is about one working, and {len(marks)} were named; name one, or use --format csv"
        )
    return marks[0]


def step_words(step: StepMark) -> str:
    """One line a cell that is not simply right."""
    cells = [
        f"{counted_from_one(c.cell)}: `{c.got}`, {c.verdict}, expected `{c.expected}`" for c in step.cells if c.verdict != RIGHT
    ]
    return "\n\n".join([step.verdict, *cells])
