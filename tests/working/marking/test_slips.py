"""Every slip of the catalogue is named from its numbers alone, wherever it can occur, and none is claimed without them."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from clearhead.exact.matrices import Matrix, matrix
from clearhead.working import Problem, load_problem
from clearhead.working.marking.marker import Marker
from clearhead.working.marking.marks import FirstError
from clearhead.working.marking.reasons.plan_slips import HINTS
from clearhead.working.written import Reading

ReadingOf = Callable[..., Reading]


SQUARE: dict[str, list[list[int]]] = {
    "X": [[1, 2, 0], [0, 1, -1], [2, 0, 1]],
    "W_Q": [[1, 0, 1], [0, 2, 1], [1, 1, 0]],
    "W_K": [[1, 1, 0], [0, 1, 2], [1, 0, 1]],
    "W_V": [[2, 0, 1], [1, 1, 0], [0, 3, 1]],
    "W_O": [[1, 2, 0], [0, 1, 1], [3, 0, 1]],
}


@pytest.fixture(scope="module")
def square() -> Problem:
    """Three tokens, d_k = 3: K may be multiplied untransposed; causal, scaled, W_O square."""
    return load_problem({"kind": "attention", "given": dict(SQUARE), "options": {"mask": "causal"}})


def shares(scores: Any) -> Any:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def worked(**instead: Callable[..., Any]) -> dict[str, Matrix]:
    """The whole working in floats, by numpy; a step named in `instead` is made by that from the steps before it."""
    v: dict[str, Any] = {name: np.array(table, dtype=float) for name, table in SQUARE.items()}
    seen = np.tril(np.ones((3, 3), dtype=bool))
    makers: dict[str, Callable[[dict[str, Any]], Any]] = {
        "Q": lambda v: v["X"] @ v["W_Q"],
        "K": lambda v: v["X"] @ v["W_K"],
        "V": lambda v: v["X"] @ v["W_V"],
        "scores": lambda v: v["Q"] @ v["K"].T,
        "scaled": lambda v: v["scores"] / 3**0.5,
        "masked": lambda v: np.where(seen, v["scaled"], -np.inf),
        "weights": lambda v: shares(v["masked"]),
        "output": lambda v: v["weights"] @ v["V"],
        "projected": lambda v: v["output"] @ v["W_O"],
    }
    for name, make in (makers | instead).items():
        v[name] = make(v)
    exactly = {name: [[Fraction(x) if np.isfinite(x) else float(x) for x in row] for row in v[name]] for name in makers}
    return {name: matrix(rows) for name, rows in exactly.items()}


def without(values: dict[str, Matrix], *skipped: str) -> dict[str, Matrix]:
    return {name: value for name, value in values.items() if name not in skipped}


def error_in(problem: Problem, values: dict[str, Matrix], reading_of: ReadingOf, decimals: int = 3) -> FirstError | None:
    names = [step.name for step in problem.plan().steps if step.name in values]
    return Marker(problem).mark(reading_of(values, decimals, names)).first_error


BY_HAND: dict[str, tuple[str, Callable[[dict[str, Any]], Any]]] = {
    "no-scale": ("scaled", lambda v: v["scores"]),
    "d_k": ("scaled", lambda v: v["scores"] / 3),
    "no-transpose": ("scores", lambda v: v["Q"] @ v["K"]),
    "columns": ("weights", lambda v: shares(v["masked"].T).T),
    "no-mask": ("weights", lambda v: shares(v["scaled"])),
    "late-mask": ("weights", lambda v: np.tril(shares(v["scaled"]))),
    "w_o-side": ("projected", lambda v: v["W_O"] @ v["output"]),
    "swapped-rows": ("K", lambda v: (v["X"] @ v["W_K"])[[1, 0, 2]]),
    "swapped-columns": ("K", lambda v: (v["X"] @ v["W_K"])[:, [1, 0, 2]]),
}
"""slip → the step it shows in, and how that comes out."""


@pytest.mark.parametrize("slip", BY_HAND)
@pytest.mark.parametrize("decimals", [2, 4])
def test_a_slip_is_named_where_it_shows(square: Problem, reading_of: ReadingOf, slip: str, decimals: int) -> None:
    step, make = BY_HAND[slip]
    skipped = ("masked",) if slip in ("no-mask", "late-mask") else ()
    error = error_in(square, without(worked(**{step: make}), *skipped), reading_of, decimals)
    assert error is not None
    assert (error.step, error.slip) == (step, slip)


def test_a_working_without_a_slip_has_no_error(square: Problem, reading_of: ReadingOf) -> None:
    assert error_in(square, worked(), reading_of) is None


def test_a_slip_is_named_through_steps_that_were_not_written(square: Problem, reading_of: ReadingOf) -> None:
    values = without(worked(scaled=BY_HAND["no-scale"][1]), "scaled", "masked")
    error = error_in(square, values, reading_of)
    assert error is not None
    assert (error.step, error.slip) == ("weights", "no-scale")


@pytest.mark.parametrize(
    ("change", "slip"),
    [
        (lambda terms, other: sum(terms) - 2 * terms[0], "sign"),
        (lambda terms, other: sum(terms) - terms[1], "product"),
        (lambda terms, other: sum(terms) + terms[1], "product"),
        (lambda terms, other: sum(terms) - terms[1] + other, "product"),
        (lambda terms, other: sum(terms) + Fraction(17, 3), None),
    ],
)
def test_one_wrong_term_in_one_cell(
    square: Problem, reading_of: ReadingOf, change: Callable[..., Fraction], slip: str | None
) -> None:
    x, w = square.given["X"], square.given["W_V"]
    terms = [x[0, k] * w[k, 0] for k in range(3)]  # 1·2, 2·1, 0·0
    other = x[0, 1] * w[1, 1] + 0  # the neighbouring column's factor: 2·1
    wrong = change(terms, other)
    if wrong == sum(terms):
        wrong = sum(terms) - terms[0]
    changed = np.array(SQUARE["X"], dtype=float) @ np.array(SQUARE["W_V"], dtype=float)
    changed[0, 0] = float(wrong)
    error = error_in(square, worked(V=lambda v: changed), reading_of, 4)
    assert error is not None
    assert (error.step, error.cell, error.slip) == ("V", (0, 0), slip)


@pytest.fixture(scope="module")
def two_heads() -> Problem:
    head = {"W_Q": [[1, 0], [0, 1]], "W_K": [[1, 1], [0, 1]], "W_V": [[1, 0], [2, 1]]}
    other = {"W_Q": [[1, 0], [1, 1]], "W_K": [[1, 2], [0, 1]], "W_V": [[1, 1], [2, 1]]}
    return load_problem({"kind": "attention", "given": {"X": [[1, 2], [3, -1], [0, 1]], "heads": [head, other]}})


def test_heads_in_the_wrong_order_and_heads_averaged(two_heads: Problem, reading_of: ReadingOf) -> None:
    v = Marker(two_heads).key.exact
    swapped = Matrix(tuple(b + a for a, b in zip(v["output1"].rows, v["output2"].rows, strict=True)))
    rows = zip(v["output1"].rows, v["output2"].rows, strict=True)
    averaged = Matrix(tuple(tuple((x + y) / 2 for x, y in zip(a, b, strict=True)) for a, b in rows))  # type: ignore[operator]
    for value, slip in ((swapped, "heads-order"), (averaged, "heads-averaged")):
        error = error_in(two_heads, {**v, "heads": value}, reading_of)
        assert error is not None
        assert (error.step, error.slip) == ("heads", slip)


@pytest.mark.parametrize("stated", [True, False])
def test_the_own_position_loss_is_a_slip_only_where_the_problem_says_which(stated: bool, reading_of: ReadingOf) -> None:
    tree = {
        "kind": "decoder",
        "given": {
            "vocabulary": ["a", "b"],
            "E": [[1, 0], [0, 1]],
            "tokens": ["a", "b", "a"],
            "answer": 2,
            "W_Q": [[1, 0], [0, 1]],
            "W_K": [[1, 0], [0, 1]],
            "W_V": [[3, 1], [0, 1]],
        },
        "options": {"predict": "next"} if stated else {},
    }
    problem = load_problem(tree)
    own = load_problem({**tree, "options": {"predict": "own"}})
    values = dict(Marker(own).key.exact)
    mark = Marker(problem).mark(reading_of(values, 4, [step.name for step in problem.plan().steps]))
    if stated:
        assert mark.first_error is not None
        assert (mark.first_error.step, mark.first_error.slip) == ("loss", "own-position")
    else:
        assert mark.first_error is None
        assert any(note.step == "loss" and "own position" in note.text for note in mark.notes)


def test_a_loss_in_bits_is_a_matter_of_the_base(reading_of: ReadingOf) -> None:
    import math

    problem = load_problem("examples/sorter")
    exact = Marker(problem).key.exact
    bits = Fraction(round(8.797299 / math.log(2) * 10**4), 10**4)
    values = {**exact, "loss": Matrix(((bits,),), 0)}
    error = error_in(problem, values, reading_of, 3)
    assert error is not None
    assert (error.step, error.slip) == ("loss", "log-base")


LOGISTIC = {
    "kind": "gradient",
    "given": {"x": [1, 2], "y": 1, "w": ["1/2", -1]},
    "options": {"of": "logistic", "penalty": "l2", "lambda": 2},
}


def test_another_base_leaves_the_penalty_as_it_is(reading_of: ReadingOf) -> None:
    import math

    problem = load_problem(LOGISTIC)
    exact = Marker(problem).key.exact
    penalty = Fraction(5, 4)
    bits = Fraction(round(math.log2(1 + math.exp(1.5)) * 10**6), 10**6) + penalty
    all_of_it = Fraction(round((math.log(1 + math.exp(1.5)) + 1.25) / math.log(2) * 10**6), 10**6)
    for loss, slip in ((bits, "log-base"), (all_of_it, None)):
        error = error_in(problem, {**exact, "loss": Matrix(((loss,),), 0)}, reading_of, 4)
        assert error is not None
        assert (error.step, error.slip) == ("loss", slip)


def test_half_a_square_has_no_base(reading_of: ReadingOf) -> None:
    import math

    problem = load_problem(
        {"kind": "gradient", "given": {"x": [1], "y": 3, "w": 1, "a": 1, "g": "relu"}, "options": {"of": "rnn"}}
    )
    loss = Fraction(round(2 / math.log(2) * 10**6), 10**6)
    error = error_in(problem, {**Marker(problem).key.exact, "loss": Matrix(((loss,),), 0)}, reading_of, 4)
    assert error is not None
    assert (error.step, error.slip) == ("loss", None)


def test_the_hint_names_the_table_that_was_not_transposed(square: Problem, reading_of: ReadingOf) -> None:
    error = error_in(square, worked(scores=BY_HAND["no-transpose"][1]), reading_of)
    assert error is not None
    assert error.hint.startswith("K was not transposed")


def test_every_slip_has_a_hint(square: Problem, two_heads: Problem) -> None:
    of_the_design = """no-scale d_k no-transpose columns no-mask late-mask sign product swapped-rows swapped-columns
        heads-averaged heads-order w_o-side own-position log-base shape
        term order axis elementwise function-left-out old-value derivative-left-out arithmetic"""
    plans = [problem.plan() for problem in (square, two_heads, load_problem("examples/sorter"))]
    plans += [load_problem(f"examples/{name}").plan() for name in ("backpropagation", "lstm")]
    of_rules = {slip.name: slip.hint for plan in plans for s in plan.steps if s.rule for slip in s.rule.slips(*s.needs)}
    assert set(HINTS) | set(of_rules) == set(of_the_design.split())
    assert all(HINTS.values())
    assert all(of_rules.values())
