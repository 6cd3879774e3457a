"""What the mark command does: problem and paths in, a report out; files written whole or not at all."""

import json
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

from clearhead.errors import ConfigError
from clearhead.progress import bar
from clearhead.saving import save
from clearhead.working.fields import did_you_mean
from clearhead.working.marking.class_folder import Submission, mark_file, mark_files, unreadable, workings_in
from clearhead.working.marking.credit import Pricing
from clearhead.working.marking.marker import Marker
from clearhead.working.marking.marks import Mark
from clearhead.working.marking.reading_file import corrected, reading_tree
from clearhead.working.marking.reports import REPORTS, report
from clearhead.working.problem_file import load_problem
from clearhead.working.reading import read_working
from clearhead.working.reading.sources import bytes_of

ALWAYS_WRITTEN = ("gradescope", "prairielearn")  # a grader waits for its file, whatever the working is like
SLOW = 50  # workings: from here on a progress bar is worth its import


def mark_for_command(
    problem: "str | Mapping[str, Any]",
    names: list[str],
    form: str,
    out: Path | None,
    *,
    follows: float,
    premature: float,
    reading: Path | None = None,
) -> str:
    """The report itself, or, where it went to a file, a line that says so."""
    if form not in REPORTS:
        raise ConfigError(f"--format {form} is unknown{did_you_mean(form, REPORTS)}")
    marker = Marker(load_problem(problem), Pricing(follows=follows, premature=premature))
    paths = list(workings_in(names, {step.name for step in marker.key.plan.steps}))
    several = len(paths) > 1 or (len(names) == 1 and Path(names[0]).is_dir() and paths[0].path != Path(names[0]))
    forgiving = several or form in ALWAYS_WRITTEN
    if reading is not None:
        marks = [mark_by_reading(marker, one, reading / f"{one.path.name}.json" if several else reading) for one in paths]
    else:
        marks = marks_with_progress(marker, paths) if forgiving else [mark_file(marker, paths[0].path, paths[0].name)]
    written = report(form, marker, marks, several=several)
    if out is None:
        return written
    save(written, out)
    return f"{len(marks)} marked: {out}\n"


def mark_by_reading(marker: Marker, one: Submission, file: Path) -> Mark:
    """One working by the reading in a file; where there is no such file the reading is written there."""
    if one.refused:
        return unreadable(marker, one.name, one.refused)
    data = bytes_of(one.path)
    if file.exists():
        shapes = {step.name: marker.key.exact[step.name].shape for step in marker.key.plan.steps if step.rule is not None}
        return marker.mark(corrected(file, data, shapes), one.name)
    first = read_working(one.path, marker.key.plan, worked=marker.key.exact)
    judge, last = marker.judged(first)
    file.parent.mkdir(parents=True, exist_ok=True)
    tree = reading_tree(one.path.name, data, last, judge, marker.second_look.asides(last.page))
    save(json.dumps(tree, ensure_ascii=False, indent=1) + "\n", file)
    return marker.mark(first, one.name)


def marks_with_progress(marker: Marker, paths: list[Submission]) -> list[Mark]:
    if len(paths) < SLOW:
        return list(mark_files(marker, paths))
    with bar("marking", "files") as shown:
        done = count(1)
        return list(mark_files(marker, paths, lambda: shown(next(done), len(paths))))
