"""A recurrent net of any length: every digit of every step, exactly and rounded, in every form; and it can be marked."""

import json
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from mpmath import mp

from clearhead.exact.decimals import decimal_text
from clearhead.working import Problem, load_problem, work
from clearhead.working.marking import Marker
from clearhead.working.reading import read_working
from clearhead.working.render import render
from oracle.chains import DIGITS, chain

LENGTHS = [1, 2, 101, 300, pytest.param(1001, marks=pytest.mark.slow), pytest.param(5000, marks=pytest.mark.slow)]
GS = ["tanh", "sigmoid", "relu", "identity"]
SHOWN = 10


def numbers(length: int, g: str) -> tuple[list[Fraction], Fraction, Fraction, Fraction]:
    rng = Random(f"{length} {g}")
    x = [Fraction(rng.choice(["1/2", "-1/2", "3/10", "1", "-1", "2", "1/3", "0"])) for _ in range(length)]
    return x, Fraction(1, 2), Fraction(-9, 10) if g == "identity" else Fraction(9, 10), Fraction(7, 10)


def posed(length: int, g: str) -> Problem:
    x, y, w, a = numbers(length, g)
    given: dict[str, Any] = {"x": [str(each) for each in x], "y": str(y), "w": str(w), "a": str(a), "g": g}
    return load_problem({"kind": "gradient", "given": given, "options": {"of": "rnn", "rate": "1/10"}})


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("g", GS)
def test_every_digit_of_every_step_is_right(length: int, g: str) -> None:
    right = chain(*numbers(length, g), g)
    working = work(posed(length, g), digits=SHOWN)
    names = [step.name for step in working.plan.steps if step.rule is not None and not step.name.startswith("new_")]
    assert len(names) == 4 * length + 3
    for name in names:
        said = decimal_text(working.values[name].cell, SHOWN)
        with mp.workdps(DIGITS):
            assert abs(mp.mpf(said) - right[name]) <= mp.mpf(10) ** -SHOWN / 2 + mp.mpf(10) ** -60, name  # a tie is a tie


@pytest.mark.parametrize("length", LENGTHS)
def test_rounding_at_every_step_is_plain_arithmetic(length: int) -> None:
    """With relu the rounded chain is fractions alone, so that a loop of rounded fractions is the answer key."""
    x, _, w, a = numbers(length, "relu")
    values = work(posed(length, "relu"), round=3).values
    h = Fraction(0)
    for t, each in enumerate(x, start=1):
        z = rounded(w * h + a * each)
        h = max(z, Fraction(0))
        assert (values[f"z{t}"].cell, values[f"h{t}"].cell) == (z, h)


def rounded(x: Fraction) -> Fraction:
    size = int(abs(x) * 1000 + Fraction(1, 2))
    return Fraction(-size if x < 0 else size, 1000)


@pytest.mark.parametrize("length", [101, pytest.param(5000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("decimals", ["exact", 3])
@pytest.mark.parametrize("form", ["text", "markdown", "json", "html"])
def test_a_long_chain_is_written_in_every_form(length: int, decimals: "int | str", form: str) -> None:
    working = work(posed(length, "tanh"), round=decimals)
    written = render(working, form)
    answer = working.said(working.values["d_w"].cell)
    if form == "json":
        assert abs(json.loads(written)["answer"]["d_w"] - float(answer)) <= 1e-3
    else:
        assert answer.lstrip("-") in written
    assert max(map(len, written.splitlines())) <= 80 or form != "text"


def test_a_long_chain_is_exact_where_it_is_short() -> None:
    """The first steps still show their exact forms, and a chain of whole numbers stays one."""
    given = {"x": [1, *[0] * 100], "y": 0, "w": 1, "a": 1, "g": "tanh"}
    tree = json.loads(render(work(load_problem({"kind": "gradient", "given": given, "options": {"of": "rnn"}})), "json"))
    exact = {step["name"]: step["exact"] for step in tree["steps"]}
    assert (exact["z1"], exact["h1"], exact["z2"]) == ("1", "-2 / (e^2 + 1) + 1", "-2 / (e^2 + 1) + 1")
    assert exact["h2"] == "-2 / (e^(2·(-2 / (e^2 + 1) + 1)) + 1) + 1"
    assert exact["h101"] is None
    whole = load_problem(
        {"kind": "gradient", "given": {"x": [1] * 300, "y": 0, "w": 1, "a": 1, "g": "identity"}, "options": {"of": "rnn"}}
    )
    assert work(whole).values["h300"].cell == 300


def test_a_long_chain_can_be_marked() -> None:
    problem = posed(300, "tanh")
    working, marker = work(problem), Marker(problem)

    def marked(text: str) -> Any:
        return marker.mark(read_working(text, marker.key.plan, worked=marker.key.exact))

    right = marked(f"d_w = {working.said(working.values['d_w'].cell)}")
    assert right.first_error is None
    wrong = marked("d_w = 7.5\nnew_w = 0.15")
    assert (wrong.first_error.step, wrong.score) == ("d_w", 1.0)
    early = marked("h10 = 3")
    assert early.first_error.step == "h10"
