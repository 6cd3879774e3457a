"""The decoder against plain loops, its two conventions, and what rounding does to its loss."""

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.errors import InputError
from clearhead.exact.notation import text
from clearhead.working import load_problem, work
from oracle import decoder as oracle

SMALL = st.integers(-2, 2)


def tables(rows: int, columns: int) -> st.SearchStrategy[list[list[int]]]:
    return st.lists(st.lists(SMALL, min_size=columns, max_size=columns), min_size=rows, max_size=rows)


@st.composite
def problems(draw: st.DrawFn) -> dict[str, Any]:
    names, width, d_k, d_v = draw(st.integers(2, 4)), draw(st.integers(1, 3)), draw(st.integers(1, 3)), draw(st.integers(1, 2))
    vocabulary = [f"t{i}" for i in range(names)]
    tokens = draw(st.lists(st.sampled_from(vocabulary), min_size=2, max_size=4))
    heads = [
        {"W_Q": draw(tables(width, d_k)), "W_K": draw(tables(width, d_k)), "W_V": draw(tables(width, d_v))}
        for _ in range(draw(st.integers(1, 2)))
    ]
    tree: dict[str, Any] = {
        "kind": "decoder",
        "given": {"vocabulary": vocabulary, "E": draw(tables(names, width)), "tokens": tokens},
        "options": {
            "predict": draw(st.sampled_from(["next", "own"])),
            "scale": draw(st.booleans()),
            "mask": draw(st.sampled_from(["causal", "none"])),
            "temperature": draw(st.sampled_from([0, "1/2", 1, 2])),
        },
    }
    tree["given"] |= heads[0] if len(heads) == 1 else {"heads": heads}
    tree["given"]["W_O"] = draw(tables(d_v * len(heads), width))
    tree["given"]["answer"] = draw(st.integers(1, len(tokens) - 1))
    return tree


def expected(tree: dict[str, Any]) -> tuple[list[list[float]], float]:
    given_, options = tree["given"], tree["options"]
    ids = [given_["vocabulary"].index(token) for token in given_["tokens"]]
    heads = [(head["W_Q"], head["W_K"], head["W_V"]) for head in given_.get("heads", [given_])]
    temperature = 0.5 if options["temperature"] == "1/2" else options["temperature"]
    table = oracle.probabilities(
        given_["E"],
        ids,
        heads,
        given_["W_O"],
        causal=options["mask"] == "causal",
        scale=options["scale"],
        temperature=temperature,
    )
    return table, oracle.loss(table, ids, given_["answer"], options["predict"])


@settings(deadline=None, max_examples=60)
@given(problems())
def test_agrees_with_plain_loops(worked: Any, tree: dict[str, Any]) -> None:
    got = worked(tree)
    table, loss = expected(tree)
    assert [p for row in got["probabilities"] for p in row] == pytest.approx([p for row in table for p in row])
    assert got["loss"] == pytest.approx(loss)


def test_the_comparison_rejects_the_other_convention(worked: Any) -> None:
    got = worked("examples/sorter")
    tree = {"given": vars(load_problem("examples/sorter"))["given"]}
    ids = [tree["given"]["vocabulary"].index(token) for token in tree["given"]["tokens"]]
    assert got["loss"] == pytest.approx(oracle.loss(got["probabilities"], ids, 3, "next"))
    assert got["loss"] != pytest.approx(oracle.loss(got["probabilities"], ids, 3, "own"))


TINY: dict[str, Any] = {
    "kind": "decoder",
    "given": {
        "vocabulary": ["a", "b"],
        "E": [[3, 0], [0, 3]],
        "tokens": ["a", "b"],
        "answer": 1,
        "W_Q": [[1], [1]],
        "W_K": [[1], [1]],
        "W_V": [[1, 0], [0, 1]],
    },
    "options": {},
}


def changed(**changes: Any) -> dict[str, Any]:
    """TINY with other givens; None takes one out."""
    found = {**TINY["given"], **changes}
    return {**TINY, "given": {key: value for key, value in found.items() if value is not None}}


def test_names_and_order_of_the_steps() -> None:
    names = [step.name for step in work("examples/sorter-two-heads").plan.steps]
    one = ["Q", "K", "V", "scores", "masked", "weights", "Z"]
    heads = [f"{name}{n}" for n in (1, 2) for name in one]
    assert names == ["X", *heads, "Z", "R", "logits", "probabilities", "loss"]


def test_without_w_o_the_output_is_scored_as_it_is() -> None:
    assert [step.name for step in work(TINY).plan.steps][-4:] == ["Z", "logits", "probabilities", "loss"]


def test_a_probability_rounded_to_zero_makes_the_loss_infinite_and_that_is_said() -> None:
    working = work(TINY, round=2)  # b gets e^-9 at the place of a
    assert working.values["loss"].cell == math.inf
    assert any("infinite" in sentence and "b" in sentence for sentence in working.observations)
    assert work(TINY).values["loss"].cell != math.inf


def test_a_loss_of_any_size_is_worked() -> None:
    working = work(changed(E=[[10**12, 0], [0, 10**12]], W_V=[[10**6, 0], [0, 1]]))
    assert working.said(working.values["loss"].cell) == "1.0000e+30"


def test_the_loss_is_written_as_a_person_would() -> None:
    loss = work("examples/sorter").values["loss"].cell
    assert text(loss) == "ln (e^(3/2) + e^(3/4) + 1) + 3 ln 2 - 3/2 + 2 ln (e^3 + 2)"


def test_nothing_comes_before_the_first_token() -> None:
    tree = changed(answer=2)
    with pytest.raises(InputError, match=r"given\.answer is 2, but 2 tokens .* predict = \"own\""):
        work(tree)
    said = work({**tree, "options": {"predict": "own"}}).observations
    assert any('predict = "next" is not possible' in sentence for sentence in said)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"vocabulary": ["a", "a"]}, "given.vocabulary must name each row of E once, but has 'a' twice"),
        ({"vocabulary": ["a", "b", "c"]}, "given.vocabulary has 3 names and E has 2 rows"),
        ({"tokens": ["a", "B"]}, "given.tokens: 'B' is not in the vocabulary"),
        ({"answer": 3}, "given.answer is 3, but there are only 2 tokens"),
        ({"answer": 0}, "given.answer: must be a whole number from 1"),
        ({"answer": None}, "given.answer is missing"),
        ({"E": None}, "given.E is missing"),
        ({"W_V": [[1], [1]]}, "given.W_O is missing: the values have 1 columns and E has 2"),
        ({"W_O": [[1], [1]]}, "W_O is 2×1 and E is 2×2: W_O needs as many columns as E"),
        ({"W_Q": [[1]]}, "X is 2×2 and W_Q is 1×1"),
        ({"X": [[1]]}, "given.X: unknown key"),
    ],
)
def test_bad_input_is_told_by_its_key(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError) as told:
        work(changed(**changes))
    assert says in str(told.value)


def test_own_and_next_only() -> None:
    with pytest.raises(InputError, match=r"options\.predict: must be one of next, own"):
        work({**TINY, "options": {"predict": "before"}})
