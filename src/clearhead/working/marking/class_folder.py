"""Mark one working, several, or a whole class folder as it comes; one that cannot be read never stops the rest."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from clearhead import examples
from clearhead.errors import ClearheadError, InputError
from clearhead.working.marking.marker import Marker
from clearhead.working.marking.marks import Mark, StepMark
from clearhead.working.marking.verdicts import UNREADABLE
from clearhead.working.reading import read_working
from clearhead.working.reading.files.scans import PICTURES
from clearhead.working.written import Note

READABLE = {
    ".md", ".markdown", ".txt", ".text", ".tex", ".csv", ".tsv", ".json", ".py", ".m", ".html", ".htm", ".ipynb", ".rst",
    ".docx", ".pdf", "", *PICTURES,
}  # fmt: skip
MOODLE = re.compile(r"(.+?)_\d{2,}_assignsubmission_\w+_?")  # Jane Doe_1234_assignsubmission_file_
CANVAS = re.compile(r"(.+?)(?:_LATE)?_\d{3,}_\d{3,}_.+")  # doejane_1234_56789_answer.md


@dataclass(frozen=True, slots=True)
class Submission:
    """One working of a folder: where it is, whose it is, and why it is not read where it is not."""

    path: Path
    name: str
    refused: str = ""


def workings_in(paths: Iterable[str], step_names: set[str]) -> Iterator[Submission]:
    """The workings that a person named: files as they are, folders file by file, a folder for each student one by one.

    A folder of tables, one a step (Q.csv, K.csv, …), is one working."""
    for name in paths:
        path = Path(name)
        if not path.is_dir():
            found = examples.find(name, (".md",)) if name.startswith("examples/") and not path.exists() else path
            yield Submission(found, str(found))
        elif is_tables(path, step_names):
            yield Submission(path, name)
        else:
            inside = list(submissions_in(path, step_names))
            if not any(not one.refused for one in inside):
                kinds = ", ".join(sorted(READABLE - {""}))
                raise InputError(f"{name}: no workings in this folder; they end in {kinds}")
            yield from inside


def submissions_in(folder: Path, step_names: set[str]) -> Iterator[Submission]:
    """Every file of a class folder, and of its students' folders; links are not followed, what is not understood is listed."""
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            continue
        if path.is_symlink() or not path.is_dir():
            yield submission(path, student_of(path.stem if CANVAS.fullmatch(path.name) is None else path.name, path.name))
        elif is_tables(path, step_names):
            yield Submission(path, student_of(path.name, path.name))
        else:
            files = [file for file in sorted(path.iterdir()) if not file.name.startswith(".")]
            student = student_of(path.name, path.name)
            for file in files:
                yield submission(file, student if len(files) == 1 else f"{student}: {file.name}")


def submission(path: Path, name: str) -> Submission:
    """One file, with the reason why it is not read if there is one."""
    if path.is_symlink():
        return Submission(path, name, "a link, which is not followed")
    if path.is_dir():
        return Submission(path, name, "a folder inside a student's folder, which is not searched")
    if not path.is_file():
        return Submission(path, name, "no regular file")
    if path.suffix.lower() not in READABLE:
        return Submission(path, name, f"files that end in {path.suffix} are not understood")
    return Submission(path, name)


def student_of(text: str, otherwise: str) -> str:
    """A student's name as Moodle's and Canvas's folders carry it; else the file's own name.

    >>> student_of("Jane Doe_1234_assignsubmission_file_", "x"), student_of("doejane_1234_5678_answer.md", "x")
    ('Jane Doe', 'doejane')
    """
    match = MOODLE.fullmatch(text) or CANVAS.fullmatch(text)
    return match[1] if match is not None else otherwise


def is_tables(folder: Path, step_names: set[str]) -> bool:
    """Whether a folder holds nothing but one table for each step."""
    inside = [file for file in folder.iterdir() if not file.name.startswith(".")]
    tables = [file for file in inside if file.suffix == ".csv" and file.stem in step_names and not file.is_symlink()]
    return bool(tables) and len(tables) == len(inside)


def mark_files(marker: Marker, paths: "Sequence[Path | Submission]", done: Callable[[], None] = lambda: None) -> Iterator[Mark]:
    """A mark for each working, in order; `done` is called after each."""
    for one in paths:
        given = one if isinstance(one, Submission) else Submission(one, str(one))
        try:
            yield unreadable(marker, given.name, given.refused) if given.refused else mark_file(marker, given.path, given.name)
        except ClearheadError as error:
            yield unreadable(marker, given.name, str(error))
        done()


def mark_file(marker: Marker, path: Path, name: str = "") -> Mark:
    """One working; what is wrong with the file itself is said by an error."""
    return marker.mark(read_working(path, marker.key.plan, worked=marker.key.exact), name or str(path))


def unreadable(marker: Marker, name: str, reason: str) -> Mark:
    """The mark of a working that could not be read at all: nothing earned, and why."""
    steps = tuple(
        StepMark(step.name, UNREADABLE, (), 0.0, marker.key.plan.marks.get(step.name, 1.0))
        for step in marker.key.plan.steps
        if step.rule is not None
    )
    return Mark(name, 0.0, sum(step.max_score for step in steps), None, steps, (Note("", 0, reason),))
