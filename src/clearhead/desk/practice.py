"""A blank sheet of a problem or of a variant of it, checked step by step by the same marker, with hints in three stages."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from clearhead.desk.posing import problem_in
from clearhead.errors import InputError
from clearhead.working import Working, load_problem
from clearhead.working import work as work_problem
from clearhead.working.marking import Mark, Marker, as_json
from clearhead.working.reading import read_working
from clearhead.working.render.formats.html import contents, typeset
from clearhead.working.render.maths.mathml import mathml
from clearhead.working.render.page.layout import Page, Part, page_of
from clearhead.working.variants import toml
from clearhead.working.variants.variants import vary

LONGEST_CELL = 60
MOST_SEED = 10**9
STAGES = 3
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
        "given": given_html(working),
        "steps": [blank(part, page, symbols) for part in page.parts if part.table is not None],
        "answer": list(working.plan.answer),
    }


def given_html(working: Working) -> str:
    """The section of the givens, as the worked page has it."""
    rest = contents(working).partition('<section class="given">')[2]
    return f'<div class="clearhead"><section class="given">{rest.partition("</section>")[0]}</section></div>'


def blank(part: Part, page: Page, symbols: Mapping[str, str]) -> dict[str, Any]:
    assert part.table is not None
    rows, columns = part.table.value.shape
    return {
        "name": part.step.name,
        "symbol": mathml(part.symbol),
        "formula": mathml(f"{part.symbol} = {part.step.latex}", block=True),
        "why": str(typeset(part.step.why, symbols)),
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
    return marker.mark(
        read_working(json.dumps(cells, ensure_ascii=False), marker.key.plan, worked=marker.key.exact), "practice"
    )


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


def hint(asked: Mapping[str, Any]) -> dict[str, Any]:
    """A hint for one cell: 1 which rule, 2 the numbers put in, 3 what comes out. Earlier cells count as the person has them."""
    tree = variant_in(asked)
    name, place, stage = asked.get("step"), asked.get("cell"), asked.get("stage", 1)
    working = work_problem(load_problem(tree))
    page = page_of(working)
    part = next((part for part in page.parts if part.step.name == name and part.table is not None), None)
    if part is None or part.table is None:
        raise InputError("there is no such step in this problem")
    rows, columns = part.table.value.shape
    if not (isinstance(place, list) and len(place) == 2 and all(type(at) is int for at in place)):
        raise InputError("cell must be a row and a column, counted from 1")
    if not (0 < place[0] <= rows and 0 < place[1] <= columns) or stage not in range(1, STAGES + 1):
        raise InputError(f"{name} has {rows} rows and {columns} columns, and hints have {STAGES} stages")
    i, j = place[0] - 1, place[1] - 1
    if stage == 1:
        return {"stage": 1, "html": mathml(f"{part.symbol} = {part.step.latex}", block=True), "text": part.step.why}
    marker = Marker(load_problem(tree))
    made = marker.explain(part.step.name, (i, j))
    value = marker.expected(part.step.name, (i, j), working.policy.decimals if working.policy.decimals is not None else 4)
    where = f"{part.step.name}[{place[0]},{place[1]}]"
    if stage == STAGES or not made:
        return {"stage": STAGES, "text": f"{where} = {made} = {value}" if made and made != value else f"{where} = {value}"}
    return {"stage": 2, "text": f"{where} = {made} = ?"}


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
