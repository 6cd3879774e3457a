"""A working as JSON: the contract that programs rely on."""

import json
import math
from collections.abc import Callable
from typing import Any

from clearhead.exact.decimals import as_float
from clearhead.exact.expressions import Cell
from clearhead.exact.matrices import Matrix
from clearhead.working.render.page.numerals import exact_text
from clearhead.working.steps import Working

EXACT_LENGTH = 80


def render(working: Working) -> str:
    """One line a step, so that a person can read it too."""
    tree = tree_of(working)
    steps = ",\n  ".join(written(step) for step in tree["steps"])
    lines = [f"[\n  {steps}]" if key == "steps" else written(value) for key, value in tree.items()]
    return "{" + ",\n ".join(f"{written(key)}: {line}" for key, line in zip(tree, lines, strict=True)) + "}\n"


def written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def tree_of(working: Working) -> dict[str, Any]:
    plan = working.plan
    return {
        "kind": plan.kind,
        "title": plan.title,
        "policy": working.policy.name,
        "steps": [
            {
                "name": step.name,
                "formula": step.formula,
                "latex": step.latex,
                "why": step.why,
                "value": shaped(working.values.get(step.name), number_of),
                "exact": shaped(working.values.get(step.name), exact_of),
            }
            for step in plan.steps
        ],
        "answer": {name: shaped(working.values.get(name), number_of) for name in plan.answer},
        "observations": working.observations,
    }


def shaped(value: Matrix | None, write: Callable[[Cell], float | str | None]) -> Any:
    """Nested as the value is: a number, a list, or a list of rows; null for a line without a value."""
    if value is None:
        return None
    rows = [[write(cell) for cell in row] for row in value.rows]
    return rows[0][0] if value.rank == 0 else rows[0] if value.rank == 1 else rows


def number_of(cell: Cell) -> float | None:
    """JSON has no infinity: neither −∞ nor what is beyond every float."""
    value = as_float(cell)
    return value + 0.0 if math.isfinite(value) else None


def exact_of(cell: Cell) -> str | None:
    return exact_text(cell, EXACT_LENGTH)
