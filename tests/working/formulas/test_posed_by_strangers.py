"""Problems as strangers pose them: columns, ½ before a loss, hats and tildes; against numpy, which shares no code."""

from typing import Any

import numpy as np
import pytest

from clearhead import work

Posed = dict[str, Any]


def formula(given: Posed, steps: dict[str, str], **rest: Any) -> Posed:
    return {"kind": "formula", "given": given, "steps": steps, **rest}


def sigmoid(z: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-z))


def softmax(z: np.ndarray) -> np.ndarray:
    return np.exp(z) / np.exp(z).sum(-1, keepdims=True)


def lstm() -> tuple[Posed, Posed]:
    """One cell in column vectors, the state on top of the input."""
    g: Posed = {"h": [[0], [0.5]], "x": [[1], [-1]], "c": [[0.2], [-0.3]]}
    g |= {
        "W_f": [[1, 0, 0.5, 0], [0, 1, 0, 0.5]],
        "b_f": [[0], [1]],
        "W_i": [[0.5, 0, 1, 0], [0, 0.5, 0, 1]],
        "b_i": [[0], [0]],
    }
    g |= {"W_C": [[1, 1, 0, 0], [0, 0, 1, 1]], "b_C": [[0.1], [-0.1]], "W_o": [[0, 1, 0, 1], [1, 0, 1, 0]], "b_o": [[0], [0]]}
    steps = {
        "z": "[h; x]", "f_t": "σ(W_f z + b_f)", "i_t": "σ(W_i·z + b_i)", "C̃_t": "tanh(W_C z + b_C)",
        "c_t": "f_t ⊙ c + i_t ⊙ C̃_t", "o_t": "σ(W_o z + b_o)", "h_t": "o_t ⊙ tanh(c_t)",
    }  # fmt: skip
    a = {name: np.array(value, dtype=float) for name, value in g.items()}
    z = np.vstack([a["h"], a["x"]])
    f, i, o = (sigmoid(a[f"W_{gate}"] @ z + a[f"b_{gate}"]) for gate in "fio")
    new = np.tanh(a["W_C"] @ z + a["b_C"])
    c = f * a["c"] + i * new
    return formula(g, steps), {"C̃_t": new, "c_t": c, "h_t": o * np.tanh(c)}


def support_vectors() -> tuple[Posed, Posed]:
    """½‖w‖² and the hinge, with its subgradient."""
    x, y, w = np.array([[1.0, 2], [2, -1], [-1, 1]]), np.array([[1.0], [-1], [1]]), np.array([[0.5], [1]])
    steps = {"m": "1 - y ⊙ (X w)", "hinge": "relu(m)", "loss": "1/2 sum(w^2) + C sum(hinge)"}
    posed = formula(
        {"X": x, "y": y, "w": w, "C": 2},
        steps,
        gradient={"of": "loss", "by": ["w"]},
        update={"rule": "sgd", "rate": 0.1},
    )
    margin = 1 - y * (x @ w)
    slope = w - 2 * x.T @ (y * (margin > 0))
    loss = (w**2).sum() / 2 + 2 * np.maximum(margin, 0).sum()
    return posed, {"loss": loss, "d_w": slope, "new_w": w - 0.1 * slope}


def divergences() -> tuple[Posed, Posed]:
    """Kullback–Leibler both ways, and their mean from the middle."""
    p, q = np.array([0.5, 0.25, 0.25]), np.full(3, 1 / 3)
    steps = {"P_Q": "sum(P ⊙ ln(P / Q))", "Q_P": "kl(Q, P)", "M": "(P + Q)/2", "JS": "1/2 kl(P, M) + 1/2 kl(Q, M)"}

    def kl(a: np.ndarray, b: np.ndarray) -> float:
        return float((a * np.log(a / b)).sum())

    middle = (p + q) / 2
    found = {"P_Q": kl(p, q), "Q_P": kl(q, p), "JS": kl(p, middle) / 2 + kl(q, middle) / 2}
    return formula({"P": ["1/2", "1/4", "1/4"], "Q": ["1/3"] * 3}, steps), found


def columns() -> tuple[Posed, Posed]:
    """W x + b with columns, ½(ŷ − y)², all gradients."""
    g = {"x": [[1], [2]], "W1": [[0.1, 0.2], [0.3, 0.4]], "b1": [[0.1], [0.1]], "W2": [[0.5, -0.5]], "b2": 0.2, "y": 1}
    steps = {"z1": "W1 x + b1", "a1": "tanh(z1)", "ŷ": "W2 a1 + b2", "L": "1/2 (ŷ - y)^2"}
    posed = formula(g, steps, gradient={"of": "L", "by": ["W1", "b1", "W2", "b2"]})
    x, w1, b1, w2 = (np.array(g[name], dtype=float) for name in ("x", "W1", "b1", "W2"))
    a1 = np.tanh(w1 @ x + b1)
    off = (w2 @ a1).item() + 0.2 - 1
    back = w2.T * off * (1 - a1**2)
    return posed, {"L": off**2 / 2, "d_W1": back @ x.T, "d_b1": back, "d_W2": off * a1.T, "d_b2": off}


def additive_attention() -> tuple[Posed, Posed]:
    """tanh(s W + H U) v: a score for each place."""
    s, h, u, v = np.array([1.0, -1]), np.array([[1.0, 0], [0, 1], [1, 1]]), np.array([[1.0, 1], [0, 1]]), np.array([1.0, 2])
    steps = {"u": "tanh(H Ua + s)", "e": "u v^T", "alpha": "softmax(e^T)", "context": "alpha H"}
    alpha = softmax(np.tanh(h @ u + s) @ v)
    return formula({"s": s, "H": h, "Ua": u, "v": v}, steps), {"alpha": alpha, "context": alpha @ h}


def clusters() -> tuple[Posed, Posed]:
    """All squared distances at once, the nearest centre, and the new centres."""
    x, c = np.array([[1.0, 1], [2, 1], [4, 3], [5, 4]]), np.array([[1.0, 1], [5, 4]])
    steps = {
        "D": "rowsum(X^2) ones(1, 2) - 2 X C^T + ones(4, 1) rowsum(C^2)^T",
        "z": "onehot(argmax(-D), 2)",
        "n": "colsum(z)",
        "new": "(z^T X) / (n^T ones(1, 2))",
    }
    distances = ((x[:, None] - c) ** 2).sum(-1)
    nearest = distances.argmin(1)
    return formula({"X": x, "C": c}, steps), {"D": distances, "new": [x[nearest == k].mean(0) for k in range(2)]}


def values() -> tuple[Posed, Posed]:
    """Two rounds of value iteration."""
    reward, stay, go = np.array([0.0, 0, 1]), np.array([[0.9, 0.1, 0], [0, 0.9, 0.1], [0, 0, 1]]), np.eye(3)[[1, 2, 2]]
    steps = {"V[k] for k in 1..2": "R + gamma max(V[k-1] P_a^T, V[k-1] P_b^T)"}
    v = np.zeros(3)
    for _ in range(2):
        v = reward + 0.9 * np.maximum(stay @ v, go @ v)
    return formula({"V0": [0, 0, 0], "R": reward, "P_a": stay, "P_b": go, "gamma": 0.9}, steps), {"V2": v}


def masked() -> tuple[Posed, Posed]:
    """A mask of ones and zeros: its logarithm hides."""
    q, k, v = np.array([[1.0, 0], [0, 1], [1, 1]]), np.array([[1.0, 1], [0, 1], [1, 0]]), np.arange(1.0, 7).reshape(3, 2)
    steps = {"S": "Q K^T / √2", "S_m": "S + ln(M)", "A": "softmax(S_m)", "O": "A V"}
    scores = np.where(np.tri(3) > 0, q @ k.T / np.sqrt(2), -np.inf)
    return formula({"Q": q, "K": k, "V": v, "M": np.tri(3)}, steps), {"A": softmax(scores), "O": softmax(scores) @ v}


POSED = [lstm, support_vectors, divergences, columns, additive_attention, clusters, values, masked]


@pytest.mark.parametrize("problem", POSED, ids=lambda problem: problem.__name__)
def test_it_comes_to_what_numpy_says(problem: Any) -> None:
    posed, wanted = problem()
    worked = work(posed)
    for name, value in wanted.items():
        assert np.allclose(np.asarray(worked[name]), value, rtol=1e-12, atol=1e-12), name


@pytest.mark.parametrize("problem", POSED, ids=lambda problem: problem.__name__)
def test_every_page_of_it_can_be_made(problem: Any, tmp_path: Any) -> None:
    posed, _ = problem()
    worked = work(posed, round=3)
    for ending in ("html", "tex", "md", "txt", "json"):
        assert worked.save(tmp_path / f"page.{ending}").stat().st_size > 300


def test_a_half_before_a_sum_leaves_no_half_and_two_in_its_gradient() -> None:
    posed, _ = support_vectors()
    formulas = {step.name: step.formula for step in work(posed).steps}
    assert formulas["d_w"] == "w + X^T (-(d_m ⊙ y))"


def test_brackets_grow_around_all_that_is_inside_them() -> None:
    posed, _ = support_vectors()
    page = work(posed)._repr_latex_()
    assert r"\mathrm{sum}\left(\left[\begin{array}{r} 0.5 \\ 1 \end{array}\right]^{2}\right)" in page


def test_a_letter_and_its_hat_are_one_name_however_they_are_typed() -> None:
    together, apart = "\u0177", "y\u0302"
    worked = work(formula({apart: [1, 2]}, {"z": f"2 {together}", "u": f"{apart} + z"}))
    assert worked["u"].tolist() == [3.0, 6.0]
    assert together in worked.plan.given
