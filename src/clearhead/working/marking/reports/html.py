"""A page of marks: every cell coloured by its verdict and explained when it is clicked or focused. Nothing is loaded."""

from collections.abc import Sequence
from typing import Any

from clearhead.working.marking.marker import Marker
from clearhead.working.marking.marks import CellMark, Mark, StepMark
from clearhead.working.marking.reading_file import Spot, spots_of
from clearhead.working.marking.reports.text import SIGNS, summary, verdict
from clearhead.working.marking.verdicts import WRONG

MOST_SOURCE = 200_000  # characters of a working shown beside its marks


def write(marker: Marker, marks: Sequence[Mark], several: bool) -> str:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    pages = Environment(
        loader=PackageLoader("clearhead.working.marking", "reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    workings = [page_of(marker, mark) for mark in marks]
    overview = summary(marks) if several else ""
    return pages.get_template("page.html").render(title=marker.key.plan.title, workings=workings, overview=overview)


def page_of(marker: Marker, mark: Mark) -> dict[str, Any]:
    """What the template needs of one working."""
    off = {cell.line for step in mark.steps for cell in step.cells if cell.verdict == WRONG}
    return {
        "file": mark.file,
        "score": mark.said,
        "share": 100 * (mark.share or 0),
        "error": verdict(mark),
        "clean": mark.first_error is None,
        "steps": [step_of(marker, step) for step in mark.steps if step.cells or step.max_score],
        "unwritten": ", ".join(step.name for step in mark.steps if not step.cells and not step.max_score),
        "notes": mark.notes,
        "look": [note for note in mark.notes if note.text.startswith("please look")],
        "source": [(number, pieces, number in off) for number, pieces in enumerate(source_lines(mark), start=1)],
    }


def step_of(marker: Marker, step: StepMark) -> dict[str, Any]:
    rows = 1 + max((cell.cell[0] for cell in step.cells), default=-1)
    columns = 1 + max((cell.cell[1] for cell in step.cells), default=-1)
    by_place = {cell.cell: cell for cell in step.cells}
    plan_step = marker.key.plan.step(step.name)
    return {
        "name": step.name,
        "formula": plan_step.formula,
        "why": plan_step.why,
        "verdict": step.verdict,
        "sign": SIGNS[step.verdict],
        "score": f"{step.score:.3g} of {step.max_score:g}" if step.max_score else "not counted",
        "rows": [
            (
                plan_step.rows[i] if i < len(plan_step.rows) else i + 1,
                [cell_of(marker, step.name, by_place.get((i, j))) for j in range(columns)],
            )
            for i in range(rows)
            if any((i, j) in by_place for j in range(columns))
        ],
    }


def cell_of(marker: Marker, name: str, cell: CellMark | None) -> dict[str, Any] | None:
    if cell is None:
        return None
    made = marker.explain(name, cell.cell)
    words = {
        "right": "Right.",
        "follows": f"Follows from your own earlier values. The key has {cell.expected}.",
        "wrong": f"Wrong: {cell.expected} is right.",
        "unsure": f"Please look: if this belongs here, {cell.expected} is right.",
    }[cell.verdict]
    how = f" {name}({cell.cell[0] + 1}, {cell.cell[1] + 1}) = {made} = {cell.expected}" if made else ""
    return {
        "got": cell.got,
        "verdict": cell.verdict,
        "sign": SIGNS[cell.verdict],
        "words": words,
        "how": how,
        "line": cell.line,
    }


Piece = tuple[str, str, str]
"""Some text of a line, the verdict that colours it ("unread" for a number nobody took), and what it was taken for."""


def source_lines(mark: Mark) -> list[list[Piece]]:
    """The page itself, line by line in pieces: every number with what it was taken for."""
    page = mark.page[:MOST_SOURCE]
    taken = {(step.name, cell.cell): cell for step in mark.steps for cell in step.cells}
    spots = spots_of(page, [(name, place, cell.line, cell.got) for (name, place), cell in taken.items()]) if page else []
    by_line: dict[int, list[Spot]] = {}
    for spot in spots:
        by_line.setdefault(spot.line, []).append(spot)
    lines = page.split("\n") if page else []
    return [pieces_of(line, by_line.get(number, []), taken) for number, line in enumerate(lines, start=1)]


def pieces_of(line: str, spots: list[Spot], taken: dict[tuple[str, tuple[int, int]], CellMark]) -> list[Piece]:
    pieces: list[Piece] = []
    at = 0
    for spot in spots:
        start, end = spot.column - 1, spot.column - 1 + len(spot.written)
        cell = taken.get((spot.step, spot.place))
        said = f"{spot.step} ({spot.place[0] + 1}, {spot.place[1] + 1}): {cell.verdict}" if cell is not None else "not read"
        pieces += [(line[at:start], "", ""), (line[start:end], cell.verdict if cell is not None else "unread", said)]
        at = end
    return [piece for piece in [*pieces, (line[at:], "", "")] if piece[0]]
