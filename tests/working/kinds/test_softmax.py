"""Softmax against plain floats, its limits, the uniform case, and rounding."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.errors import InputError
from clearhead.working import work
from oracle.decoder import softmax as oracle


def problem(z: list[Any], **options: Any) -> dict[str, Any]:
    return {"kind": "softmax", "given": {"z": z}, "options": options}


def names(tree: dict[str, Any]) -> list[str]:
    return [step.name for step in work(tree).plan.steps]


@settings(deadline=None, max_examples=80)
@given(st.lists(st.integers(-8, 8), min_size=1, max_size=5), st.sampled_from([("1/2", 0.5), (1, 1), (3, 3), (0, 0)]))
def test_agrees_with_plain_floats(worked: Any, z: list[int], temperature: tuple[Any, float]) -> None:
    got = worked(problem(z, temperature=temperature[0]))["probabilities"]
    assert got == pytest.approx(oracle([float(x) for x in z], temperature[1]))
    assert sum(got) == pytest.approx(1)


def test_the_comparison_rejects_a_temperature_that_multiplies(worked: Any) -> None:
    got = worked(problem([1, 2], temperature=2))["probabilities"]
    assert got != pytest.approx(oracle([2.0, 4.0]))


def test_steps_in_order() -> None:
    assert names(problem([1, 2], temperature=2)) == ["scaled", "exponentials", "sum", "probabilities"]
    assert names(problem([1, 2])) == ["exponentials", "sum", "probabilities"]  # nothing to scale
    assert names(problem([1, 2], temperature=0)) == ["probabilities"]  # z / 0 has no exponential


def test_at_zero_the_largest_share() -> None:
    working = work(problem([5, -2, 5, 0], temperature=0))
    assert working.values["probabilities"].rows[0] == (Fraction(1, 2), 0, Fraction(1, 2), 0)
    assert any("T has no value" in sentence for sentence in working.observations)


def test_at_infinity_all_are_equal() -> None:
    assert work(problem([5, -2, 0], temperature="inf")).values["probabilities"].rows[0] == (Fraction(1, 3),) * 3


def test_both_limits_are_told() -> None:
    [said] = work(problem([4, 3, 2, 1])).observations
    assert "[1, 0, 0, 0]" in said
    assert "1/4 each" in said


def test_equal_numbers_are_uniform_at_every_temperature() -> None:
    for temperature in (0, "1/3", 1, 7, "inf"):
        working = work(problem([7, 7, 7], temperature=temperature))
        assert working.values["probabilities"].rows[0] == (Fraction(1, 3),) * 3
        assert any("uniform" in sentence for sentence in working.observations)


def test_rounded_at_every_step() -> None:
    values = work(problem([1, 0]), round=1).values
    assert values["exponentials"].rows[0] == (Fraction(27, 10), 1)
    assert values["sum"].cell == Fraction(37, 10)
    assert values["probabilities"].rows[0] == (Fraction(7, 10), Fraction(3, 10))


@pytest.mark.parametrize(
    ("tree", "options", "says"),
    [
        (problem([]), {}, "given.z: must be a list of numbers"),
        (problem(["x"]), {}, "given.z: number 1: 'x' is not a number"),
        (problem([1], temperature=-1), {}, "options.temperature: must be 0 or more"),
        (problem([1], temperature="warm"), {}, "options.temperature: 'warm' is not a number"),
        (problem([-9, -9]), {"round": 1}, "sum is 0 as rounded"),
        ({"kind": "softmax", "given": {}}, {}, "given.z is missing"),
    ],
)
def test_bad_input_is_told_by_its_key(tree: dict[str, Any], options: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError) as told:
        work(tree, **options)
    assert says in str(told.value)
