"""The JSON contract, checked by a schema written from the design."""

import json
import math
from typing import Any

import pytest

from clearhead.working import Working, work
from clearhead.working.render import render

KEYS = ["kind", "title", "policy", "steps", "answer", "observations"]
STEP_KEYS = ["name", "formula", "latex", "why", "value", "exact"]


def faults(tree: Any) -> list[str]:
    """What breaks the contract."""
    if not isinstance(tree, dict) or list(tree) != KEYS:
        return [f"keys must be {KEYS}"]
    found = [f"{key} must be text" for key in ("kind", "title", "policy") if not isinstance(tree[key], str)]
    if tree["policy"] != "exact" and not tree["policy"].startswith("round "):
        found.append("policy is exact or round N")
    for step in tree["steps"]:
        if list(step) != STEP_KEYS or not all(isinstance(step[key], str) for key in STEP_KEYS[:4]):
            found.append(f"a step has {STEP_KEYS}")
            continue
        found += cell_faults(step["value"], step["exact"], step["name"])
    names = {step["name"]: step["value"] for step in tree["steps"]}
    found += [f"answer {name} is not the step's value" for name, value in tree["answer"].items() if names.get(name) != value]
    return found + ["an observation is text" for line in tree["observations"] if not isinstance(line, str)]


def cell_faults(value: Any, exact: Any, where: str) -> list[str]:
    """Value and exact are nested alike: numbers against text, null against infinity or a form that is too long."""
    if isinstance(value, list):
        if not isinstance(exact, list) or len(value) != len(exact):
            return [f"{where}: value and exact differ in shape"]
        return [fault for v, e in zip(value, exact, strict=True) for fault in cell_faults(v, e, where)]
    if value is None:
        return [] if exact in (None, "-inf", "inf") else [f"{where}: null for {exact}"]
    if isinstance(value, bool) or not isinstance(value, float):
        return [f"{where}: {value!r} is no number"]
    if exact is not None and (not isinstance(exact, str) or len(exact) > 80):
        return [f"{where}: exact is text of at most 80 characters"]
    return []


def tree_of(working: Working) -> Any:
    return json.loads(render(working, "json"), parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


def test_every_working_keeps_the_contract(working: Working) -> None:
    assert faults(tree_of(working)) == []


def test_the_schema_rejects_what_breaks_it() -> None:
    def broken(change: Any) -> list[str]:
        tree = tree_of(work("examples/self-attention"))
        change(tree)
        return faults(tree)

    assert broken(lambda t: t.pop("policy"))
    assert broken(lambda t: t["steps"][0].update(value=[[1.0]]))
    assert broken(lambda t: t["steps"][0]["value"][0].__setitem__(0, None))
    assert broken(lambda t: t["steps"][0]["exact"][0].__setitem__(0, "x" * 81))
    assert broken(lambda t: t["answer"].update(output=[[0.0]]))


def test_the_problem_set_to_the_last_digit() -> None:
    rounded, exact = tree_of(work("examples/self-attention")), tree_of(work("examples/self-attention", round="exact"))
    steps = {step["name"]: step["value"] for step in rounded["steps"]}
    assert list(steps) == ["Q", "K", "V", "scores", "weights", "output"]
    assert steps["Q"] == [[1, 3], [-1, 1], [2.5, -2]]
    assert steps["K"] == [[3, -0.5], [2, -1.5], [-2.5, 3.5]]
    assert steps["V"] == [[2.5, -1.5], [-1, 3], [-2, -3]]
    assert steps["scores"] == [[1.5, -2.5, 8], [-3.5, -3.5, 6], [8.5, 8, -13.25]]
    assert steps["weights"] == [[0, 0, 1], [0, 0, 1], [0.62, 0.38, 0]]
    assert rounded["answer"] == {"output": [[-2, -3], [-2, -3], [1.17, 0.21]]}
    four = [[round(cell, 4) for cell in row] for row in exact["answer"]["output"]]
    assert four == [[-1.9932, -2.9976], [-1.9996, -2.9994], [1.1786, 0.1989]]
    assert (rounded["policy"], exact["policy"]) == ("round 2", "exact")


def test_exact_cells_are_written_out_and_minus_infinity_is_null() -> None:
    tree = tree_of(work("examples/self-attention", round="exact"))
    weights = next(step for step in tree["steps"] if step["name"] == "weights")
    assert weights["exact"][1][0] == "e^(-7/2) / (2e^(-7/2) + e^6)"
    assert math.isclose(weights["value"][1][0], math.exp(-3.5) / (2 * math.exp(-3.5) + math.exp(6)), rel_tol=1e-12)
    masked = next(step for step in tree_of(work("examples/sorter"))["steps"] if step["name"] == "masked")
    assert (masked["value"][0][1], masked["exact"][0][1]) == (None, "-inf")


def test_numbers_and_vectors_are_not_wrapped() -> None:
    tree = tree_of(work("examples/softmax"))
    values = {step["name"]: step["value"] for step in tree["steps"]}
    assert isinstance(values["sum"], float)
    assert all(isinstance(cell, float) for cell in values["probabilities"])


def test_a_line_of_a_derivation_has_no_value() -> None:
    steps = tree_of(work("examples/gradient-softmax"))["steps"]
    lines = [step for step in steps if step["name"].startswith("derivation")]
    assert lines
    assert all(step["value"] is None and step["exact"] is None for step in lines)
