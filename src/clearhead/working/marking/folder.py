"""Mark one working, several, or a whole folder; one that cannot be read never stops the rest."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from clearhead import examples
from clearhead.errors import ClearheadError, InputError
from clearhead.working.marking.marker import Marker
from clearhead.working.marking.marks import Mark, StepMark
from clearhead.working.marking.verdicts import UNREADABLE
from clearhead.working.reading import read_working
from clearhead.working.written import Note

READABLE = {".md", ".markdown", ".txt", ".text", ".tex", ".csv", ".json", ".py", ".m", ".html", ".htm", ""}


def workings_in(paths: Iterable[str], step_names: set[str]) -> Iterator[Path]:
    """The workings that a person named: files as they are, folders file by file.

    A folder of tables, one a step (Q.csv, K.csv, …), is one working."""
    for name in paths:
        path = Path(name)
        if not path.is_dir():
            yield examples.find(name, (".md",)) if name.startswith("examples/") and not path.exists() else path
            continue
        inside = sorted(file for file in path.iterdir() if not file.name.startswith("."))
        tables = [file for file in inside if file.suffix == ".csv" and file.stem in step_names]
        if tables and len(tables) == len(inside):
            yield path
            continue
        found = [file for file in inside if file.is_dir() or file.suffix.lower() in READABLE]
        if not found:
            raise InputError(f"{name}: no workings in this folder; they end in {', '.join(sorted(READABLE - {''}))}")
        yield from found


def mark_files(marker: Marker, paths: list[Path], done: Callable[[], None] = lambda: None) -> Iterator[Mark]:
    """A mark for each working, in order; `done` is called after each."""
    for path in paths:
        try:
            yield mark_file(marker, path)
        except ClearheadError as error:
            yield unreadable(marker, path, str(error))
        done()


def mark_file(marker: Marker, path: Path) -> Mark:
    """One working; what is wrong with the file itself is said by an error."""
    if not path.exists():
        raise InputError(f"{path}: there is no such file")
    return marker.mark(read_working(path, marker.key.plan, worked=marker.key.exact), str(path))


def unreadable(marker: Marker, path: Path, reason: str) -> Mark:
    """The mark of a working that could not be read at all: nothing earned, and why."""
    steps = tuple(
        StepMark(step.name, UNREADABLE, (), 0.0, marker.key.plan.marks.get(step.name, 1.0))
        for step in marker.key.plan.steps
        if step.rule is not None
    )
    return Mark(str(path), 0.0, sum(step.max_score for step in steps), None, steps, (Note("", 0, reason),))
