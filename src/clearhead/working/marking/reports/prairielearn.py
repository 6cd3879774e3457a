"""results.json as a PrairieLearn external grader writes it: a share from 0 to 1, a test a step."""

import json
from collections.abc import Sequence

from clearhead.working.marking.marker import Marker
from clearhead.working.marking.marks import Mark
from clearhead.working.marking.reports.gradescope import only, step_words
from clearhead.working.marking.reports.text import verdict
from clearhead.working.marking.verdicts import UNREADABLE


def write(marker: Marker, marks: Sequence[Mark], several: bool) -> str:
    mark = only(marks)
    readable = any(step.verdict != UNREADABLE for step in mark.steps)
    notes = [note.text for note in mark.notes]
    tree = {
        "score": round(mark.share or 0.0, 6),
        "gradable": readable,
        "format_errors": [] if readable else notes,
        "message": verdict(mark) if readable else "The working could not be read.",
        "output": "\n".join(notes),
        "tests": [
            {"name": step.name, "points": round(step.score, 4), "max_points": step.max_score, "message": step_words(step)}
            for step in mark.steps
            if step.max_score
        ],
        "images": [],
    }
    return json.dumps(tree, ensure_ascii=False, indent=2) + "\n"
