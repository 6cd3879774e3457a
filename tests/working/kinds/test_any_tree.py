"""Whatever becomes of a good problem when some of it is replaced, there is a working or one clear sentence."""

import copy
import tomllib
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clearhead import examples
from clearhead.errors import ClearheadError
from clearhead.exact.decimals import decimal_text
from clearhead.working import work

PROBLEMS = examples.names((".toml",))
CELLS = st.one_of(st.integers(-3, 3), st.sampled_from(["1/3", "-0.25", 10**12, -(10**12), "1e-12", 600, "e", True, None]))
ANYTHING = st.one_of(
    CELLS,
    st.lists(CELLS, max_size=3),
    st.lists(st.lists(CELLS, max_size=2), max_size=2),
    st.sampled_from(["none", "causal", "own", "rnn", "softmax", "relu", "identity", "l2", "max", "heads", "average", "inf"]),
)


def tree_of(example: str) -> dict[str, Any]:
    return tomllib.loads(examples.find(example, (".toml",)).read_text(encoding="utf-8"), parse_float=str)


def cells_of(value: Any) -> list[tuple[Any, Any]]:
    """Every place inside a tree that holds a number or a word: the list or table it is in, and where."""
    inside = list(enumerate(value)) if isinstance(value, list) else list(value.items()) if isinstance(value, dict) else []
    deeper = [place for _, part in inside for place in cells_of(part)]
    return deeper + [(value, key) for key, part in inside if not isinstance(part, list | dict)]


@pytest.mark.parametrize("example", PROBLEMS)
@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_working_or_one_sentence(example: str, data: st.DataObject) -> None:
    tree = {"given": {}, "options": {}} | copy.deepcopy(tree_of(example))
    for _ in range(data.draw(st.integers(1, 3))):  # single numbers
        inside, key = data.draw(st.sampled_from(cells_of([tree["given"], tree["options"]])))
        inside[key] = data.draw(CELLS)
    if data.draw(st.integers(0, 3)) == 0:  # a whole value
        table = data.draw(st.sampled_from([table for table in (tree["given"], tree["options"]) if table]))
        table[data.draw(st.sampled_from(sorted(table)))] = data.draw(ANYTHING)
    try:
        working = work(tree, round=data.draw(st.sampled_from(["exact", 0, 2])))
    except ClearheadError:
        return
    assert isinstance(working.observations, list)
    for step in working.plan.steps:
        if step.rule is not None:
            for i, j in working.values[step.name].places():
                assert working.explain(step, i, j, lambda cell: decimal_text(cell, 2))
