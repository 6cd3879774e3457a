"""A blank sheet of a problem or of a variant of it, checked step by step by the same marker."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from clearhead.desk.posing import problem_in
from clearhead.errors import InputError
from clearhead.working import load_problem
from clearhead.working import work as work_problem
from clearhead.working.marking import Mark, Marker, as_json
from clearhead.working.reading import read_working
from clearhead.working.render.formats.html import given_section
from clearhead.working.render.formats.step_markup import typeset
from clearhead.working.render.maths.mathml import mathml
from clearhead.working.render.page.layout import Page, Part, page_of
from clearhead.working.variants import toml
from clearhead.working.variants.variants import vary
from clearhead.working.written import Reading

LONGEST_CELL = 60
MOST_SEED = 10**9
FORMAT = "clearhead practice 1"
NO_PROOF = "The checksum shows damage on the way. It is no proof of who wrote this."


def variant_in(asked: Mapping[str, Any]) -> Mapping[str, Any]:
    """The problem of a question, or the variant that its seed draws; seed 0 is the problem itself."""
    seed = asked.get("seed") or 0
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed <= MOST_SEED:
        raise InputError(f"the seed must be a whole number from 0 to {MOST_SEED:,}")
    tree = problem_in(asked)
    return variant_of(tree, seed)


def variant_of(tree: Mapping[str, Any], seed: int) -> Mapping[str, Any]:
    """Variant 1 of a seed under the problem's own title, so that a sheet and its key say the same."""
    return tree if seed == 0 else {**next(vary(tree, 1, seed)).tree, "title": tree.get("title", tree["kind"])}


def sheet(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The sheet: what is given, and for each step its formula, its reason and the size of its blank table."""
    tree = variant_in(asked)
    working = work_problem(load_problem(tree))
    page = page_of(working)
    symbols = {table.name: table.symbol for table in page.givens} | {part.step.name: part.symbol for part in page.parts}
    return {
        "title": page.title,
        "kind": page.kind,
        "seed": asked.get("seed") or 0,
        "policy": page.policy,
        "given": f'<div class="clearhead">{given_section(page)}</div>',
        "steps": [blank(part, page, symbols) for part in page.parts if part.table is not None],
        "answer": list(working.plan.answer),
    }


def blank(part: Part, page: Page, symbols: Mapping[str, str]) -> dict[str, Any]:
    assert part.table is not None
    rows, columns = part.table.value.shape
    return {
        "name": part.step.name,
        "symbol": mathml(part.symbol),
        "formula": mathml(f"{part.symbol} = {part.step.latex}", block=True),
        "why": typeset(part.step.why, symbols),
        "shape": ("number", "row", "table")[part.table.value.rank],
        "rows": rows,
        "columns": columns,
        "row_labels": list(part.table.rows),
        "column_labels": list(part.table.columns),
        "needs": list(part.step.needs),
    }


def check(asked: Mapping[str, Any]) -> dict[str, Any]:
    """What the marker says of the cells that are filled in: the contract's mark."""
    marker = Marker(load_problem(variant_in(asked)))
    return dict(as_json(mark_of(marker, cells_in(asked))))


def mark_of(marker: Marker, cells: Mapping[str, Any]) -> Mark:
    """Marked as the file would be that `handed_in` writes."""
    return marker.mark(read_cells(marker, cells), "practice")


def read_cells(marker: Marker, cells: Mapping[str, Any]) -> Reading:
    """The cells as a working."""
    return read_working(json.dumps(cells, ensure_ascii=False), marker.key.plan, worked=marker.key.exact)


def cells_in(asked: Mapping[str, Any]) -> dict[str, list[list[str | None]]]:
    """The cells of a question: by step, row by row; what is blank is null."""
    cells = asked.get("cells")
    if not isinstance(cells, dict):
        raise InputError('cells are needed, such as {"Q": [["1", ""], ["", ""]]}')
    found = {}
    for name, rows in cells.items():
        if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
            raise InputError(f"cells.{name[:40]}: must be a list of rows")
        tidy = [[tidied(cell) for cell in row] for row in rows]
        if any(cell is not None for row in tidy for cell in row):
            found[name] = tidy
    return found


def tidied(cell: Any) -> str | None:
    text = "" if cell is None else str(cell).strip().replace("−", "-")
    if len(text) > LONGEST_CELL:
        raise InputError(f"a cell has {len(text)} characters; at most {LONGEST_CELL} are read")
    return text or None


def handed_in(asked: Mapping[str, Any]) -> dict[str, str]:
    """The file that a teacher's `clearhead mark` takes: the cells, the problem, the seed and a checksum over all of them."""
    tree = problem_in(asked)
    cells = cells_in(asked)
    kept = {"format": FORMAT, "problem": toml.written(tree), "seed": int(asked.get("seed") or 0), "steps": cells}
    text = json.dumps({**kept, "checksum": checksum(kept), "about": NO_PROOF}, ensure_ascii=False, indent=1) + "\n"
    return {"name": f"practice-{kept['seed']}.json", "type": "application/json", "text": text}


def checksum(kept: Mapping[str, Any]) -> str:
    """Of what was handed in, however it is laid out.

    >>> checksum({"a": 1, "b": 2}) == checksum({"b": 2, "a": 1})
    True
    """
    return hashlib.sha256(json.dumps(kept, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
