"""Slips that people make with whole tables: matrices exchanged or turned, a mask turned, a bias or the powers of e left out."""

from typing import Any

import numpy as np
import pytest

from clearhead.working import load_problem
from clearhead.working.marking import Mark, Marker
from clearhead.working.reading import read_working

X = np.array([[1, 2, 0], [0, 1, -1], [2, 0, 1]])
W_Q = np.array([[1, 0, 1], [0, 2, 1], [1, 1, 3]])
W_K = np.array([[1, 1, 0], [0, 1, 2], [1, 0, 1]])
W_V = np.array([[2, 0, 1], [1, 1, 0], [0, 3, 1]])
B_Q = np.array([1, 0, 2])
EARLIER = np.tril(np.ones((3, 3))) > 0
GIVEN = {"X": X.tolist(), "W_Q": W_Q.tolist(), "W_K": W_K.tolist(), "W_V": W_V.tolist()}


def shares(scores: Any) -> Any:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def page(q: Any, k: Any, mask: Any, normalise: Any = shares) -> str:
    """A working to four decimals, everything after the slip following from it."""
    scores = q @ k.T
    scaled = scores / np.sqrt(3)
    masked = np.where(mask, scaled, -np.inf)
    weights = normalise(masked)
    steps = {"Q": q, "K": k, "V": X @ W_V, "scores": scores, "scaled": scaled, "masked": masked}
    steps |= {"weights": weights, "output": weights @ (X @ W_V)}
    tables = {name: [[round(float(cell), 4) for cell in row] for row in table] for name, table in steps.items()}
    hidden = bool(mask.all())
    return "\n".join(f"{name} = {table}" for name, table in tables.items() if not (hidden and name == "masked"))


def mark_of(text: str, mask: str = "causal", **given: Any) -> Mark:
    marker = Marker(load_problem({"kind": "attention", "given": {**GIVEN, **given}, "options": {"mask": mask}}))
    return marker.mark(read_working(text, marker.key.plan, worked=marker.key.exact))


SLIPS = {
    "W_Q and W_K changed places": ("Q", "order", lambda: page(X @ W_K, X @ W_Q, EARLIER)),
    "W_K was taken transposed": ("K", "order", lambda: page(X @ W_Q, X @ W_K.T, EARLIER)),
    "the mask was transposed": ("masked", "axis", lambda: page(X @ W_Q, X @ W_K, EARLIER.T)),
}


@pytest.mark.parametrize("hint", SLIPS)
def test_a_slip_with_a_whole_table_is_named(hint: str) -> None:
    step, slip, text = SLIPS[hint]
    error = mark_of(text()).first_error
    assert error is not None
    assert (error.step, error.slip) == (step, slip)
    assert error.hint.startswith(hint)


def test_a_forgotten_bias_is_named() -> None:
    error = mark_of(page(X @ W_Q, X @ W_K, EARLIER), b_Q=B_Q.tolist()).first_error
    assert error is not None
    assert (error.step, error.slip, error.hint) == ("Q", "term", "the bias b_Q was left out")


def test_normalised_without_powers_of_e_is_named() -> None:
    everybody = np.ones((3, 3)) > 0
    given = {"X": np.abs(X).tolist()}
    q, k = np.abs(X) @ W_Q, np.abs(X) @ W_K
    text = page(q, k, everybody, lambda cells: cells / cells.sum(axis=1, keepdims=True))
    text = "\n".join(line for line in text.splitlines() if not line.startswith(("V ", "output ")))
    error = mark_of(text, "none", **given).first_error
    assert error is not None
    assert (error.step, error.slip) == ("weights", "function-left-out")


def test_every_wrong_step_has_its_reason() -> None:
    mark = mark_of(SLIPS["W_Q and W_K changed places"][2]())
    reasons = {step.name: step.reason for step in mark.steps if step.verdict == "wrong"}
    assert set(reasons) >= {"Q", "K"}
    assert all(reasons.values())


def test_without_a_slip_none_is_named() -> None:
    assert mark_of(page(X @ W_Q, X @ W_K, EARLIER)).first_error is None
