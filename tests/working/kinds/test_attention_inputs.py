"""Attention as people have it: Q, K, V given, biases, any mask, any scale, heads that share one matrix; against numpy."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead import work
from clearhead.errors import InputError
from clearhead.working import load_problem
from clearhead.working.marking import Marker
from clearhead.working.reading import read_working

RNG = np.random.default_rng(5)


def table(rows: int, columns: int) -> Any:
    return RNG.integers(-2, 3, (rows, columns))


def attended(q: Any, k: Any, v: Any, added: Any = 0.0, scale: float | None = None) -> Any:
    """One head in floats: weights and output."""
    scores = q @ k.T * (q.shape[1] ** -0.5 if scale is None else scale) + added
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = powers / powers.sum(axis=1, keepdims=True)
    return weights, weights @ v


def close(value: Any, wanted: Any) -> bool:
    return bool(np.allclose(np.asarray(value), wanted, rtol=1e-12, atol=1e-12))


@given(m=st.integers(1, 3), n=st.integers(1, 4), d=st.integers(1, 3))
@settings(deadline=None, max_examples=20)
def test_queries_keys_and_values_given_as_they_are(m: int, n: int, d: int) -> None:
    q, k, v = table(m, d), table(n, d), table(n, 2)
    working = work(kind="attention", Q=q, K=k, V=v)
    weights, output = attended(q, k, v)
    assert close(working["weights"], weights)
    assert close(working["output"], output)
    assert [step.name for step in working.steps] == ["scores", "scaled", "weights", "output"]


def test_keys_from_x_and_queries_given() -> None:
    q, x, w_k, w_v = table(2, 2), table(3, 2), table(2, 2), table(2, 1)
    working = work(kind="attention", Q=q, X=x, W_K=w_k, W_V=w_v)
    assert close(working["output"], attended(q, x @ w_k, x @ w_v)[1])


def test_biases_stand_under_every_row() -> None:
    x, w = table(3, 2), [table(2, 2) for _ in range(4)]
    b = [table(1, 2)[0] for _ in range(4)]
    names = "QKVO"
    parts = {f"W_{n}": m for n, m in zip(names, w, strict=True)} | {f"b_{n}": m for n, m in zip(names, b, strict=True)}
    working = work(kind="attention", X=x, **parts)
    q, k, v = (x @ w[i] + b[i] for i in range(3))
    assert close(working["Q"], q)
    assert close(working["projected"], attended(q, k, v)[1] @ w[3] + b[3])
    assert working.plan.step("Q").formula == "X W_Q + b_Q"


@pytest.mark.parametrize("scale", [2, "1/4", 0.125])
def test_a_scale_multiplies_the_scores(scale: Any) -> None:
    q, k, v = table(2, 3), table(2, 3), table(2, 2)
    factor = 0.25 if scale == "1/4" else scale
    assert close(work(kind="attention", Q=q, K=k, V=v, scale=scale)["output"], attended(q, k, v, scale=factor)[1])


@pytest.mark.parametrize(("m", "n"), [(2, 4), (4, 2), (3, 3)])
def test_a_causal_mask_needs_no_square(m: int, n: int) -> None:
    q, k, v = table(m, 2), table(n, 2), table(n, 2)
    hidden = np.where(np.arange(n)[None] > np.arange(m)[:, None], -np.inf, 0)
    assert close(work(kind="attention", Q=q, K=k, V=v, mask="causal")["output"], attended(q, k, v, hidden)[1])


def test_padding_hides_the_last_keys() -> None:
    q, k, v = table(2, 2), table(4, 2), table(4, 2)
    working = work(kind="attention", Q=q, K=k, V=v, mask="padding", lengths=3)
    assert close(working["output"], attended(q, k[:3], v[:3])[1])
    assert np.asarray(working["weights"])[:, 3].tolist() == [0.0, 0.0]


MASKS = {
    "numbers": [[1, 0, 1], [1, 1, 0]],
    "flags": [[True, False, True], [True, True, False]],
    "added": [[0, "-inf", 0], [0, 0, "−∞"]],
    "numpy": np.array([[0, -np.inf, 0], [0, 0, -np.inf]]),
    "torch-like": np.array([[True, False, True], [True, True, False]]),
}


@pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS)
def test_a_table_says_who_may_look_where(mask: Any) -> None:
    q, k, v = table(2, 2), table(3, 2), table(3, 2)
    working = work(kind="attention", Q=q, K=k, V=v, mask=mask)
    assert close(working["output"], attended(q, k, v, np.array([[0, -np.inf, 0], [0, 0, -np.inf]]))[1])
    assert working["M"].tolist() == [[0.0, float("-inf"), 0.0], [0.0, 0.0, float("-inf")]]


def test_numbers_added_to_the_scores_need_not_hide() -> None:
    q, k, v, slope = table(3, 2), table(3, 2), table(3, 2), [[0, -0.5, -1], [-0.5, 0, -0.5], ["-1", "-1/2", 0]]
    added = np.array([[0, -0.5, -1], [-0.5, 0, -0.5], [-1, -0.5, 0]])
    assert close(work(kind="attention", Q=q, K=k, V=v, mask=slope)["output"], attended(q, k, v, added)[1])


@pytest.mark.parametrize("given_as", ["matrices", "letters"])
def test_heads_share_one_matrix(given_as: str) -> None:
    x, w_q, w_k, w_v, w_o = table(3, 4), table(4, 4), table(4, 4), table(4, 2), table(2, 3)
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    parts = {"X": x, "W_Q": w_q, "W_K": w_k, "W_V": w_v} if given_as == "matrices" else {"Q": q, "K": k, "V": v}
    working = work(kind="attention", heads=2, W_O=w_o, **parts)
    outputs = [attended(q[:, 2 * h : 2 * h + 2], k[:, 2 * h : 2 * h + 2], v[:, h : h + 1])[1] for h in (0, 1)]
    assert close(working["heads"], np.hstack(outputs))
    assert close(working["projected"], np.hstack(outputs) @ w_o)
    assert working.plan.maps == ("weights1", "weights2")


def test_a_decoder_takes_the_same() -> None:
    parts = {"vocabulary": ["a", "b"], "E": [[1, 0], [0, 1]], "tokens": ["a", "b"], "answer": 1}
    eye = [[1, 0], [0, 1]]
    working = work(kind="decoder", **parts, W_Q=eye, W_K=eye, W_V=eye, heads=2, b_V=[1, 0], scale=1)
    assert [step.name for step in working.steps][:8] == ["X", "Q", "K", "V", "Q1", "K1", "V1", "scores1"]


BASE: dict[str, Any] = {"kind": "attention", "Q": [[1, 2]], "K": [[1, 0], [0, 1]], "V": [[1], [2]]}


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"W_Q": [[1]]}, "both Q and W_Q"),
        ({"K": [[1]]}, "same number of columns, d_k"),
        ({"V": [[1]]}, "each key, a row, needs one value"),
        ({"mask": [[1, 0], [1, 1]]}, "options.mask is 2×2, but there are 1 queries and 2 keys"),
        ({"mask": [[0, 0]]}, "row 1 hides every key"),
        ({"mask": [["-inf", "-inf"]]}, "row 1 hides every key"),
        ({"mask": "padding"}, "options.lengths is missing"),
        ({"mask": "padding", "lengths": 3}, "only 2 keys"),
        ({"lengths": 1}, 'goes with mask = "padding"'),
        ({"heads": 3}, "Q has 2 columns: they cannot be split evenly"),
        ({"heads": 2}, "V has 1 column:"),
        ({"b_Q": [1, 1]}, "both Q and b_Q"),
        ({"b_O": [1]}, "needs given.W_O"),
        ({"scale": 0}, "above 0"),
    ],
)
def test_what_does_not_fit_is_named(parts: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        work(**{**BASE, **parts})


def test_a_bias_that_is_too_short_is_named() -> None:
    with pytest.raises(InputError, match="b_Q has 1 numbers and W_Q is 2×2"):
        work(kind="attention", X=[[1, 2]], W_Q=[[1, 0], [0, 1]], W_K=[[1], [1]], W_V=[[1], [1]], b_Q=[1])


@pytest.mark.parametrize(
    ("mask", "lines", "slip"),
    [
        ([[1, 0], [1, 1]], "weights = [[0.27, 0.73], [0.5, 0.5]]", "no-mask"),
        ([[1, 0], [1, 1]], "weights = [[0.27, 0], [0.5, 0.5]]", "late-mask"),
        ("padding", "weights = [[0.27, 0], [0.5, 0]]", "late-mask"),
    ],
)
def test_slips_of_every_mask_are_named(mask: Any, lines: str, slip: str) -> None:
    options = {"scale": False, "mask": mask, "round": 2} | ({"lengths": 1} if mask == "padding" else {})
    tree = {"kind": "attention", "given": {"Q": [[1, 2], [0, 0]], "K": [[1, 0], [0, 1]], "V": [[1], [2]]}, "options": options}
    marker = Marker(load_problem(tree))
    error = marker.mark(read_working(lines, marker.key.plan, worked=marker.key.exact)).first_error
    assert error is not None
    assert (error.step, error.slip) == ("weights", slip)
