"""The table of reports: adding one is a file beside this one and a line here."""

from collections.abc import Callable, Sequence
from importlib import import_module

from clearhead.working.marking.marker import Marker
from clearhead.working.marking.marks import Mark

REPORTS = {
    "text": "for the terminal",
    "json": "the contract, for programs",
    "html": "a page: each cell coloured and explained",
    "csv": "a line a working, for a class",
    "gradescope": "results.json of a Gradescope autograder",
    "prairielearn": "results.json of a PrairieLearn external grader",
}
"""Name and one line about it; the file of the same name beside this one has `write(marker, marks, several)`."""

Write = Callable[[Marker, Sequence[Mark], bool], str]


def report(name: str, marker: Marker, marks: Sequence[Mark], *, several: bool) -> str:
    """The marks in one of the forms; `several` where the person named more than one working or a folder."""
    write: Write = import_module(f"clearhead.working.marking.reports.{name}").write
    return write(marker, marks, several)
