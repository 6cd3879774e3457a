"""The two attentions, exact and in tensors, are each other's oracle; and what the exact one does with bad input."""

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from clearhead.attention import attend
from clearhead.errors import InputError
from clearhead.working import work

SMALL = st.integers(-2, 2)


def tables(rows: int, columns: int) -> st.SearchStrategy[list[list[int]]]:
    return st.lists(st.lists(SMALL, min_size=columns, max_size=columns), min_size=rows, max_size=rows)


@st.composite
def problems(draw: st.DrawFn) -> dict[str, Any]:
    size = st.integers(1, 4)
    n_q, n_k, width, other, d_k, d_v = (draw(size) for _ in range(6))
    cross = draw(st.booleans())
    given_: dict[str, Any] = {"X1": draw(tables(n_q, width)), "X2": draw(tables(n_k, other))} if cross else {}
    if not cross:
        given_["X"], other = draw(tables(n_q, width)), width
    heads = [
        {"W_Q": draw(tables(width, d_k)), "W_K": draw(tables(other, d_k)), "W_V": draw(tables(other, d_v))}
        for _ in range(draw(st.integers(1, 3)))
    ]
    given_ |= heads[0] if len(heads) == 1 else {"heads": heads}
    if draw(st.booleans()):
        given_["W_O"] = draw(tables(d_v * len(heads), draw(size)))
    mask = "none" if cross else draw(st.sampled_from(["none", "causal"]))
    return {
        "kind": "attention",
        "given": given_,
        "options": {"mask": mask, "temperature": draw(st.sampled_from([0, "1/2", 1, 3]))},
    }


def in_tensors(tree: dict[str, Any], scale: bool = True) -> dict[str, Tensor]:
    """What `attend` makes of the same problem, under the names of the steps."""
    given_, options = tree["given"], tree["options"]
    temperature = 0.5 if options["temperature"] == "1/2" else float(options["temperature"])
    x1, x2 = (tensor(given_.get(key, given_.get("X"))) for key in ("X1", "X2"))
    several = "heads" in given_
    found: dict[str, Tensor] = {}
    outputs = []
    for number, head in enumerate(given_.get("heads", [given_]), start=1):
        q, k, v = x1 @ tensor(head["W_Q"]), x2 @ tensor(head["W_K"]), x2 @ tensor(head["W_V"])
        mask = "causal" if options["mask"] == "causal" else None
        attended = attend(q if scale else q * q.shape[-1] ** 0.5, k, v, mask, temperature)
        suffix = str(number) if several else ""
        found |= {f"weights{suffix}": attended.weights, f"output{suffix}": attended.output, f"scaled{suffix}": attended.scaled}
        outputs.append(attended.output)
    if several:
        found["heads"] = torch.cat(outputs, dim=-1)
    if "W_O" in given_:
        found["projected"] = torch.cat(outputs, dim=-1) @ tensor(given_["W_O"])
    return found


def tensor(rows: list[list[int]]) -> Tensor:
    return torch.tensor(rows, dtype=torch.float64)


def agree(got: dict[str, Any], wanted: dict[str, Tensor]) -> bool:
    return all(torch.allclose(torch.tensor(got[name], dtype=torch.float64), wanted[name], atol=1e-10) for name in wanted)


@settings(deadline=None, max_examples=120)
@given(problems())
def test_exact_numbers_and_tensors_agree(worked: Any, tree: dict[str, Any]) -> None:
    assert agree(worked(tree), in_tensors(tree))


TREE: dict[str, Any] = {
    "kind": "attention",
    "given": {
        "X": [[1, 0, 2], [0, 1, -1]],
        "W_Q": [[1, 0], [0, 1], [1, 1]],
        "W_K": [[1, 1], [0, 1], [0, 1]],
        "W_V": [[2, 0], [0, 2], [1, 0]],
    },
    "options": {"mask": "none", "temperature": 1},
}


def with_options(**options: Any) -> dict[str, Any]:
    return {**TREE, "options": {**TREE["options"], **options}}


def test_ties_share_in_both(worked: Any) -> None:
    tree = {**with_options(temperature=0), "given": {**TREE["given"], "X": [[1, 1, 1], [1, 1, 1]]}}
    assert worked(tree)["weights"] == [[0.5, 0.5], [0.5, 0.5]]
    assert agree(worked(tree), in_tensors(tree))


@pytest.mark.parametrize(
    "other",
    [
        with_options(mask="causal"),
        with_options(temperature=3),
        with_options(temperature=0),
        {**TREE, "given": {**TREE["given"], "W_K": TREE["given"]["W_Q"]}},
        {**TREE, "given": {**TREE["given"], "W_V": TREE["given"]["W_Q"]}},
    ],
    ids=["mask", "temperature", "limit", "keys", "values"],
)
def test_the_comparison_rejects_another_attention(worked: Any, other: dict[str, Any]) -> None:
    assert agree(worked(TREE), in_tensors(TREE))
    assert not agree(worked(TREE), in_tensors(other))


def test_the_comparison_rejects_a_forgotten_root(worked: Any) -> None:
    assert not agree(worked(TREE), in_tensors(TREE, scale=False))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"X": None}, "given.X is missing"),
        ({"X1": [[1, 0, 2]]}, "given has both X and X1 or X2"),
        ({"W_Q": None}, "given.W_Q is missing"),
        ({"W_Q": [[1, 0]]}, "X is 2×3 and W_Q is 1×2"),
        ({"W_K": [[1], [0], [0]]}, "queries and keys need the same number of columns"),
        ({"W_O": [[1, 0]]}, "W_O needs 2 rows"),
        ({"tokens": ["cat"]}, "given.tokens must name each row once: 1 names, 2 rows"),
        ({"heads": []}, "given.heads: must be a list of tables"),
        ({"w_q": [[1]]}, "given.w_q: unknown key; did you mean W_Q?"),
    ],
)
def test_bad_input_is_told_by_its_key(changes: dict[str, Any], says: str) -> None:
    found = {key: value for key, value in {**TREE["given"], **changes}.items() if value is not None}
    with pytest.raises(InputError) as told:
        work({**TREE, "given": found})
    assert says in str(told.value)
