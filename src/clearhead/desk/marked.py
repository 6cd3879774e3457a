"""Somebody's working as a page hands it in: the marks, and every number of the page with what it was taken for."""

import base64
import binascii
import hashlib
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from clearhead.desk.practice import variant_in
from clearhead.errors import InputError
from clearhead.working import load_problem
from clearhead.working.marking import Mark, Marker, as_json
from clearhead.working.marking.reading_file import reading_stated, reading_tree
from clearhead.working.reading import read_working
from clearhead.working.reading.files.documents import document_text
from clearhead.working.render.maths.mathml import mathml
from clearhead.working.render.page.layout import symbol_of
from clearhead.working.written import Reading

LONGEST_NAME = 120
SHOWN = 200_000  # characters of a page that come back with its numbers


def mark(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The contract's mark; with it the page, its numbers and the steps they may belong to. A corrected reading is law."""
    marker = Marker(load_problem(variant_in(asked)))
    name, text = text_in(asked)
    first = read_working(text, marker.key.plan, worked=marker.key.exact)
    judge, last = marker.judged(first)
    shapes = {step.name: marker.key.exact[step.name].shape for step in marker.key.plan.steps if step.rule is not None}
    numbers = asked.get("numbers")
    if numbers is None:
        found = marker.mark(first, name)
        asides = marker.second_look.asides(last.page)
        numbers = reading_tree(name, text.encode("utf-8", "replace"), last, judge, asides)["numbers"]
    else:
        stated = reading_stated(numbers, shapes, "the reading")
        found = marker.mark(Reading(stated.steps, first.notes, first.unreadable), name)
    return {
        **as_json(found),
        "said": found.said,
        "sha256": hashlib.sha256(text.encode("utf-8", "replace")).hexdigest(),
        "page": last.page[:SHOWN],
        "numbers": numbers,
        "key": [step_of(marker, found, step.name) for step in marker.key.plan.steps if step.rule is not None],
    }


def step_of(marker: Marker, found: Mark, name: str) -> dict[str, Any]:
    """A step as the page shows it beside the working: its formula, its size, what it earned and why it is wrong."""
    step = marker.key.plan.step(name)
    rows, columns = marker.key.exact[name].shape
    judged = next((one for one in found.steps if one.name == name), None)
    return {
        "name": name,
        "symbol": mathml(symbol_of(step)),
        "formula": mathml(f"{symbol_of(step)} = {step.latex}", block=True),
        "why": step.why,
        "rows": rows,
        "columns": columns,
        "row_labels": list(step.rows),
        "score": judged.score if judged else 0.0,
        "max_score": judged.max_score if judged else 0.0,
        "reason": judged.reason if judged else "",
        "made": {
            f"{cell.cell[0] + 1},{cell.cell[1] + 1}": marker.explain(name, cell.cell)
            for cell in (judged.cells if judged else ())
            if cell.verdict != "right"
        },
    }


def text_in(asked: Mapping[str, Any]) -> tuple[str, str]:
    """The name and the text of a working: as text, or a file's bytes in base64 (PDF, Word, notebook, anything)."""
    name = str(asked.get("name") or "working")[:LONGEST_NAME]
    if isinstance(text := asked.get("working"), str):
        return name, text
    packed = asked.get("base64")
    if not isinstance(packed, str):
        raise InputError("a working is needed: paste it, or drop a file")
    try:
        data = base64.b64decode(packed, validate=True)
    except (binascii.Error, ValueError):
        raise InputError(f"{name}: did not arrive whole; drop it again") from None
    text, _ = document_text(data, PurePath(name.replace("/", " ").replace("\\", " ")))
    return name, text
