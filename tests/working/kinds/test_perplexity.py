"""Perplexity against plain floats in any base, the base that cancels, and a probability of 0."""

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.errors import InputError
from clearhead.working import work

BASES = [("e", math.e), (2, 2.0), (10, 10.0), ("1/2", 0.5), ("3.5", 3.5), ("2/15", 2 / 15)]
probabilities = st.lists(st.integers(1, 20), min_size=1, max_size=6)


def problem(of_twenty: list[int], base: Any) -> dict[str, Any]:
    return {"kind": "perplexity", "given": {"probabilities": [f"{n}/20" for n in of_twenty]}, "options": {"base": base}}


@settings(deadline=None, max_examples=60)
@given(probabilities, st.sampled_from(BASES))
def test_agrees_with_plain_floats(worked: Any, of_twenty: list[int], base: tuple[Any, float]) -> None:
    got = worked(problem(of_twenty, base[0]))
    mean = sum(math.log(n / 20) / math.log(base[1]) for n in of_twenty) / len(of_twenty)
    assert got["mean_log"] == pytest.approx(mean)
    assert got["perplexity"] == pytest.approx(base[1] ** -mean)


def test_the_comparison_rejects_another_base(worked: Any) -> None:
    assert worked(problem([1, 5], 2))["mean_log"] != pytest.approx(worked(problem([1, 5], "e"))["mean_log"])


@settings(deadline=None, max_examples=30)
@given(probabilities)
def test_the_base_cancels_exactly(of_twenty: list[int]) -> None:
    found = {work(problem(of_twenty, base)).values["perplexity"].cell for base, _ in BASES}
    assert len(found) == 1


def test_powers_of_the_base_have_whole_logarithms() -> None:
    tree = {"kind": "perplexity", "given": {"probabilities": ["0.1", "0.01"]}, "options": {"base": 10}}
    assert work(tree).values["mean_log"].cell == Fraction(-3, 2)


def test_equal_chances_among_four() -> None:
    working = work(problem([5, 5, 5], 2))
    assert (working.values["mean_log"].cell, working.values["perplexity"].cell) == (-2, 4)
    assert any("The base cancels" in said and "2^2.0000 ≈ e^1.3863" in said for said in working.observations)


def test_rounding_in_between_is_told() -> None:
    working = work("examples/perplexity", round=2)
    assert str(working.values["perplexity"].cell) == "131/25"
    assert any("from 5.25 to 5.24" in said for said in working.observations)
    assert len(work("examples/perplexity").observations) == 1


@pytest.mark.parametrize("base", ["e", 2, "1/2"])
@pytest.mark.parametrize("rounding", ["exact", 2])
def test_what_was_held_impossible_makes_it_infinite(base: Any, rounding: Any) -> None:
    working = work(problem([5, 0, 0], base), round=rounding)
    assert working.values["perplexity"].cell == math.inf
    assert working.observations == [
        "Token 2 got the probability 0, whose logarithm is -∞: the perplexity is infinite in every base."
    ]


@pytest.mark.parametrize(
    ("tree", "says"),
    [
        (problem([21], "e"), "given.probabilities: number 1 must be from 0 to 1, but is 1.05"),
        (problem([5, -1], "e"), "given.probabilities: number 2 must be from 0 to 1"),
        (problem([], "e"), "given.probabilities: must be a list of numbers"),
        (problem([1], 1), 'options.base: must be "e" or a positive number other than 1, but is 1'),
        (problem([1], -2), 'options.base: must be "e"'),
        (problem([1], "ten"), "options.base: 'ten' is not a number"),
    ],
)
def test_bad_input_is_told_by_its_key(tree: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError) as told:
        work(tree)
    assert says in str(told.value)
