"""A class as a table: a line a working, a column a step."""

import csv
import io
from collections.abc import Sequence

from clearhead.working.marking.marker import Marker
from clearhead.working.marking.marks import Mark, counted_from_one


def write(marker: Marker, marks: Sequence[Mark], several: bool) -> str:
    names = [step.name for step in marker.key.plan.steps if step.rule is not None]
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["file", "score", "max_score", "first_error", "cell", "got", "expected", "slip", "hint", *names, "notes"])
    for mark in marks:
        error = mark.first_error
        where = (
            [] if error is None else [error.step, counted_from_one(error.cell) if error.cell else "", error.got, error.expected]
        )
        why = [] if error is None else [error.slip or "", error.hint]
        verdicts = {step.name: step.verdict for step in mark.steps}
        row = [
            mark.file,
            "" if mark.score is None else f"{mark.score:g}",
            f"{mark.max_score:g}",
            *(where or [""] * 4),
            *(why or [""] * 2),
        ]
        table.writerow(
            [
                harmless(cell)
                for cell in [*row, *(verdicts[name] for name in names), "; ".join(note.text for note in mark.notes)]
            ]
        )
    return out.getvalue()


def harmless(cell: str) -> str:
    """A cell that a spreadsheet takes as text, not as a formula: a working is data, never executed."""
    return f"'{cell}" if cell.startswith(("=", "@", "+", "\t", "\r")) else cell
