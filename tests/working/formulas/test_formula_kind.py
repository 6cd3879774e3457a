"""The contract of `kind = "formula"`: names, loops, gradients, optimisers, answers, and what a problem file may not say."""

from fractions import Fraction
from typing import Any

import pytest

from clearhead.errors import ClearheadError
from clearhead.exact.matrices import matrix
from clearhead.working import Working, work
from clearhead.working.render.renderers import RENDERERS, render

NET: dict[str, Any] = {
    "kind": "formula",
    "given": {"x": [[1, 2]], "W1": [[1, 0], [-1, 1]], "b1": [[0, 1]], "y": [[1, 0]]},
    "steps": {"u": "x W1 + b1", "h": "relu(u)", "p": "softmax(h)", "loss": "cross_entropy(p, y)"},
    "gradient": {"of": "loss", "by": ["W1", "b1"]},
}


def names(working: Working) -> list[str]:
    return [step.name for step in working.plan.steps]


def test_a_hidden_layer_by_hand() -> None:
    working = work({**NET, "gradient": {"of": "loss", "by": ["W1"]}})
    assert working.values["u"] == matrix([[-1, 3]])
    assert working.values["h"] == matrix([[0, 3]])
    assert working.said(working.values["loss"].cell) == "3.0486"  # ln(1 + e^3)


def test_cross_entropy_of_a_softmax_goes_back_in_one_step() -> None:
    working = work(NET)
    assert names(working) == ["u", "h", "p", "loss", "d_h", "d_u", "d_W1", "d_b1"]
    formulas = {step.name: step.formula for step in working.plan.steps}
    assert formulas["d_h"] == "p - y"
    assert formulas["d_u"] == "d_h ⊙ relu'(u)"
    assert formulas["d_W1"] == "x^T d_u"
    two_rows = {**NET, "given": {**NET["given"], "x": [[1, 2], [0, 1]], "y": [[1, 0], [0, 1]]}}
    formulas = {step.name: step.formula for step in work(two_rows).plan.steps}
    assert formulas["d_h"] == "(p - y) / 2"
    assert formulas["d_b1"] == "colsum(d_u)"


def test_every_derived_step_says_why() -> None:
    assert all(step.why and step.latex for step in work({**NET, "update": {"rule": "adam"}}).plan.steps)


@pytest.mark.parametrize(
    ("rule", "made"),
    [
        ("sgd", ["new_W1"]),
        ("momentum", ["v_W1", "new_W1"]),
        ("rmsprop", ["v_W1", "new_W1"]),
        ("adam", ["m_W1", "v_W1", "mhat_W1", "vhat_W1", "new_W1"]),
    ],
)
def test_an_optimiser_is_named_steps(rule: str, made: list[str]) -> None:
    working = work({**NET, "gradient": {"of": "loss", "by": ["W1"]}, "update": {"rule": rule}})
    assert names(working)[-len(made) :] == made
    assert working.plan.answer == ("d_W1", "new_W1")


def test_steps_over_time_are_named_by_their_number() -> None:
    problem = {
        "kind": "formula",
        "given": {"s0": [[1, 0]], "W": [[1, 1], [0, 1]], "x": [[1, 0], [0, 1], [2, 2]]},
        "steps": {"s[t] for t in 1..3": "s[t-1] W + x[t]", "last": "s[3] + s3"},
    }
    working = work(problem)
    assert names(working) == ["s1", "s2", "s3", "last"]
    assert working.values["s3"] == matrix([[4, 8]])
    assert working.values["last"].rows == ((Fraction(8), Fraction(16)),)


def test_loops_that_run_alike_go_through_time_side_by_side() -> None:
    problem = {
        "kind": "formula",
        "given": {"h0": [1, 1], "c0": [0, 2], "x": [[1, 2], [3, 4]]},
        "steps": {"c[t] for t in 1..2": "c[t-1] + h[t-1]", "h[t] for t in 1..2": "c[t] - x[t]"},
    }
    assert names(work(problem)) == ["c1", "h1", "c2", "h2"]


def test_rounding_goes_on_with_rounded_numbers() -> None:
    problem = {"kind": "formula", "given": {"x": ["1/3"]}, "steps": {"a": "2 x", "b": "3 a"}, "options": {"round": 1}}
    assert work(problem).values["b"].rows == ((Fraction(21, 10),),)


@pytest.mark.parametrize("form", RENDERERS)
def test_every_format_shows_every_step(form: str) -> None:
    working = work({**NET, "update": {"rule": "sgd", "rate": "1/10"}})
    page = render(working, form)
    if isinstance(page, str):
        assert "new" in page
        assert "relu" in page
    else:
        assert page.startswith(b"%PDF")


def test_a_softmax_of_rows_is_a_map_that_can_be_drawn() -> None:
    problem = {"kind": "formula", "given": {"A": [[1, 2], [3, 1]]}, "steps": {"p": "softmax(A)", "q": "A p"}}
    assert work(problem).plan.maps == ("p",)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"steps": {"T": "x"}}, "the sign of a transpose"),
        ({"steps": {"softmax": "x"}}, "softmax is a function"),
        ({"steps": {"x": "W1"}}, "stands there already"),
        ({"steps": {"u": 3}}, "text in quotes"),
        ({"steps": {}}, "name at least one"),
        ({"answer": ["v"]}, "answer: v is no step"),
        ({"why": {"v": "because"}}, "no such step"),
        ({"gradient": {"of": "u", "by": ["W1"]}}, "a gradient is of one number"),
        ({"gradient": {"of": "loss", "by": ["Q"]}}, "no given and no step"),
        ({"gradient": {"of": "loss"}}, "gradient.by: is missing"),
        ({"update": {"rule": "adamw"}}, "must be one of sgd, momentum, rmsprop, adam"),
        ({"update": {"rule": "sgd", "beta1": 1}}, "sgd takes rate"),
        ({"update": {"rule": "adam", "beta1": 1}}, "from 0 to below 1"),
        ({"steps": {"s[t] for t in 1..3": "s[t-1] W1"}}, "s[0] would be the given s0"),
        ({"steps": {"s[t] for k in 1..3": "x"}}, "repeats over k"),
        ({"steps": {"s[t] for t in 1..9999": "x"}}, "more than 400"),
        ({"given": {"T": 1}}, "the sign of a transpose"),
    ],
)
def test_a_problem_that_does_not_hold_together_is_refused(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ClearheadError) as refused:
        work({**NET, **change})
    assert sentence in str(refused.value)


CHAIN = {"s0": [[1, "1/2"]], "W": [["1/2", "-1/3"], ["1/5", "2/3"]], "x": [[1, 2], [3, 4]]}


@pytest.mark.parametrize(
    "formula",
    [
        "x^1000000000",
        "x^(1/1000000007)",
        "conv(ones(128, 128), ones(64, 64))",
        "positions(128, 128)",
        "exp(ones(60, 60)) exp(ones(60, 60)) exp(ones(60, 60))",
        "softmax(ones(100, 100)) softmax(ones(100, 100))",
        "exp(exp(exp(exp(x))))",
        "reshape(x, 1000000000000, 1)",
        "onehot(x, 100000000)",
        "topk(x, 3)",
        "topk(x, 1.5)",
        "ones(1.5, 2)",
        "causal_mask(2) - causal_mask(2)",
        "softmax(-causal_mask(2))",
    ],
)
def test_what_no_hand_can_work_is_refused_before_it_is_begun(formula: str) -> None:
    with pytest.raises(ClearheadError):
        work({"kind": "formula", "given": CHAIN, "steps": {"u": formula}})


@pytest.mark.parametrize(
    "formula", ["tanh(s[t-1] W)", "s[t-1] ⊙ s[t-1] + 1", "softmax(s[t-1] W)", "layernorm(tanh(s[t-1] W), 1)"]
)
def test_long_chains_are_worked_exactly_and_end(formula: str) -> None:
    working = work({"kind": "formula", "given": CHAIN, "steps": {"s[t] for t in 1..40": formula}})
    assert len(working.plan.steps) == 40
    assert isinstance(render(working, "json"), str)


def test_a_gradient_through_thirty_steps_of_time_is_exact() -> None:
    steps = {"s[t] for t in 1..30": "tanh(s[t-1] W)", "loss": "sum(s30)"}
    working = work({"kind": "formula", "given": CHAIN, "steps": steps, "gradient": {"of": "loss", "by": ["W"]}})
    assert isinstance(render(working, "text"), str)


def test_an_impossible_step_is_named() -> None:
    with pytest.raises(ClearheadError, match="q: something is divided by 0"):
        work({"kind": "formula", "given": CHAIN, "steps": {"u": "x - x", "q": "x / u"}})


def test_a_raised_dot_is_the_product_that_people_mean() -> None:
    given = {"w": [1, 2, 3], "x": [4, 0, -1], "W": [[1, 0], [2, 1], [0, 1]], "c": [[1], [2]], "k": 3}
    made = work({"kind": "formula", "given": given, "steps": {"z": "w·x", "u": "W·c", "v": "k·c", "m": "1/2·c"}})
    assert made["z"].tolist() == 1.0
    assert made["u"].tolist() == [[1.0], [4.0], [2.0]]
    assert made["v"].tolist() == [[3.0], [6.0]]
    assert made["m"].tolist() == [[0.5], [1.0]]


def test_a_column_beside_a_table_is_told_how_to_be_repeated() -> None:
    tree = {"kind": "formula", "given": {"g": [[1], [2]], "y": [[1, 2], [3, 4]]}, "steps": {"u": "g * y"}}
    with pytest.raises(ClearheadError, match=r"write g ones\(1, 2\) instead"):
        work(tree)
    assert work({**tree, "steps": {"u": "(g ones(1, 2)) * y"}})["u"].tolist() == [[1.0, 2.0], [6.0, 8.0]]
