"""One working marked from Python: `clearhead.mark(problem, working)`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from clearhead.errors import InputError
from clearhead.working.marking.class_folder import mark_file
from clearhead.working.marking.credit import Pricing
from clearhead.working.marking.marker import Marker
from clearhead.working.marking.marks import Mark
from clearhead.working.problem import Problem
from clearhead.working.problem_file import load_problem
from clearhead.working.reading import read_working

LONGEST_NAME = 255  # of a file; anything longer is a text


def mark(
    problem: "Problem | str | Path | Mapping[str, Any]",
    working: str | Path,
    *,
    follows: float = 1.0,
    premature: float = 0.5,
) -> Mark:
    """Mark a working, a file or the text itself, against a problem: a file, an example, a tree or a `Problem`.

    >>> mark({"kind": "softmax", "given": {"z": [0, 0]}}, "probabilities = [0.5, 0.6]").first_error.cell
    (0, 1)
    """
    marker = Marker(
        problem if isinstance(problem, Problem) else load_problem(problem), Pricing(follows=follows, premature=premature)
    )
    if isinstance(working, Path) or is_file(working):
        return mark_file(marker, Path(working))
    if not working.strip():
        raise InputError("the working is empty: give a file or the text of a page")
    return marker.mark(read_working(working, marker.key.plan, worked=marker.key.exact))


def is_file(text: str) -> bool:
    """Whether a text is the name of a file, there or missing, rather than a page."""
    named = "\n" not in text and len(text) <= LONGEST_NAME and "\0" not in text
    return named and (Path(text).exists() or ("=" not in text and " " not in text and Path(text).suffix != ""))
