"""Copying, averaging, projecting, one head against two: against plain attention, and what is said where they fail."""

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.errors import InputError
from clearhead.exact.decimals import decimal_text
from clearhead.exact.notation import text
from clearhead.working import work
from clearhead.working.kinds.geometries import draws as sampling
from clearhead.working.kinds.geometries.draws import VaryingKeys, sampled
from oracle import attention as oracle
from oracle.decoder import softmax

SMALL = st.integers(-3, 3)


def identity(n: int) -> list[list[int]]:
    return [[int(i == j) for j in range(n)] for i in range(n)]


def problem(question: str, **given_: Any) -> dict[str, Any]:
    return {"kind": "geometry", "given": given_, "options": {"question": question}}


def output(query: list[float], keys: list[list[float]], values: list[list[float]]) -> list[float]:
    """Unscaled attention of one query, in plain floats."""
    weights = softmax([sum(a * b for a, b in zip(query, key, strict=True)) for key in keys])
    return oracle.product([weights], values)[0]


@settings(deadline=None, max_examples=60)
@given(st.data(), st.integers(1, 4), st.sampled_from(["copy", "average"]))
def test_the_query_and_what_it_gives(worked: Any, data: st.DataObject, n: int, question: str) -> None:
    n = max(n, 2) if question == "average" else n
    keys = [data.draw(st.lists(SMALL, min_size=2, max_size=2)) for _ in range(n)]
    values = [data.draw(st.lists(SMALL, min_size=3, max_size=3)) for _ in range(n)]
    chosen = data.draw(st.permutations(range(n)))[: 1 if question == "copy" else 2]
    names = {"j": chosen[0] + 1} if question == "copy" else {"a": chosen[0] + 1, "b": chosen[1] + 1}
    got = worked(problem(question, K=keys, V=values, **names, **{"lambda": 2}))
    query = [2 * sum(keys[i][c] for i in chosen) for c in range(2)]
    target = [sum(values[i][c] for i in chosen) / len(chosen) for c in range(3)]
    c = output(query, keys, values)
    assert got["q"] == query
    assert got["c"] == pytest.approx(c)
    assert got["distance"] == pytest.approx(math.dist(c, target), abs=1e-12)


@settings(deadline=None, max_examples=40)
@given(st.data(), st.integers(2, 4), st.sampled_from(["copy", "average"]), st.sampled_from([("1/100", 0.01), ("2", 2.0)]))
def test_the_strength_that_was_found_comes_just_close_enough(
    worked: Any, data: st.DataObject, n: int, question: str, within: tuple[str, float]
) -> None:
    values = [data.draw(st.lists(SMALL, min_size=2, max_size=2)) for _ in range(n)]
    names = {"j": 1} if question == "copy" else {"a": 1, "b": 2}
    got = worked(problem(question, K=identity(n), V=values, within=within[0], **names))
    assert got["lambda"] >= 0
    assert got["distance"] <= within[1] * (1 + 1e-9)
    if got["lambda"] > 0:
        assert got["distance"] == pytest.approx(within[1])


def test_the_closed_form_for_orthonormal_keys_worked_on_paper() -> None:
    working = work(problem("copy", K=identity(3), V=[[4], [0], [0]], j=1, within="1/2"))
    # the others pull by 8; 8 / (e^λ + 2) = 1/2 gives e^λ = 14
    assert working.values["weights"].rows[0] == (Fraction(7, 8), Fraction(1, 16), Fraction(1, 16))
    assert working.values["c"].rows[0] == (Fraction(7, 2),)
    assert working.values["distance"].cell == Fraction(1, 2)
    assert any("e^λ / (e^λ + 2) = 0.8750" in said for said in working.observations)
    assert working.observations[-1] == "The distance 0.5000 is within the 0.5 that was asked for."


@pytest.mark.parametrize("strength", [10**12, -(10**12)])
@pytest.mark.parametrize("question", ["copy", "heads"])
def test_a_query_of_any_length_is_worked(question: str, strength: int) -> None:
    """e^(10¹²) has more digits than any machine, but what it does to the weights is known."""
    names = {"j": 1} if question == "copy" else {"a": 1, "b": 2}
    working = work(problem(question, K=identity(3), V=[[4], [0], [0]], **names, **{"lambda": strength}))
    name = "distance" if question == "copy" else "distance_one"
    assert (
        decimal_text(working.values[name].rows[0][0], 4)
        == {
            ("copy", 10**12): "0.0000",
            ("copy", -(10**12)): "4.0000",
            ("heads", 10**12): "2.0000",
            ("heads", -(10**12)): "2.0000",
        }[question, strength]
    )
    assert working.observations


def test_the_distance_is_written_as_a_person_would() -> None:
    working = work(problem("copy", K=identity(3), V=[[4], [0], [0]], j=1, **{"lambda": 2}))
    assert text(working.values["distance"].cell) == "8 / (e^2 + 2)"


def test_a_longer_key_in_the_way_is_told() -> None:
    [said] = work(problem("copy", K=[[1, 0], [3, 0]], V=[[1], [2]], j=1, **{"lambda": 9})).observations
    assert said.endswith("k2 matches the query best: as λ grows c goes to v2, not to v1.")


def test_keys_that_still_work_are_told() -> None:
    [said] = work(problem("copy", K=[[2, 0], [1, 1]], V=[[1], [2]], j=1, **{"lambda": 9})).observations
    assert said.endswith("but k1 matches the query best, so c goes to v1 as λ grows.")


def test_unequal_keys_are_not_averaged() -> None:
    [said] = work(problem("average", K=[[2, 0], [0, 1]], V=[[1], [2]], a=1, b=2, **{"lambda": 9})).observations
    assert said.endswith("as λ grows c goes to v1, not to the average of v1 and v2.")


def test_the_projection_takes_v_a_back_out() -> None:
    working = work("examples/geometry-project")
    assert working.values["recovered"].rows == working.values["v_a"].rows
    assert working.observations[-1] == "M v_a = v_a and M v_b = 0: M s is v_a exactly."


def test_a_basis_that_is_not_orthonormal_is_told() -> None:
    working = work(problem("project", A=[[2], [0]], B=[[0], [1]], v_a=[3, 0], v_b=[0, 5]))
    assert working.values["recovered"].rows[0] == (12, 0)
    assert "not orthonormal" in working.observations[0]
    assert working.observations[-1].endswith(
        "[12.0000, 0.0000] + [0.0000, 0.0000], and v_a is [3.0000, 0.0000]: M does not recover v_a."
    )


def test_spaces_that_overlap_are_told() -> None:
    working = work(problem("project", A=[[1], [0]], B=[["3/5"], ["4/5"]], v_a=[3, 0], v_b=[3, 4]))
    assert working.values["recovered"].rows[0] == (6, 0)
    assert "not perpendicular" in working.observations[1]


def test_a_vector_outside_its_space_is_not_recovered() -> None:
    working = work(problem("project", A=[[1], [0]], B=[[0], [1]], v_a=[3, 1], v_b=[0, 5]))
    assert working.observations[-1].endswith("M does not recover v_a.")


HEADS = {"K": identity(3), "V": [[2, 0], [0, 2], [1, 1]], "a": 1, "b": 2, "lambda": 3}


@settings(deadline=None, max_examples=30)
@given(st.integers(-6, 6).map(lambda n: n / 4), st.integers(0, 4))
def test_one_head_and_two_against_plain_attention(worked: Any, gamma: float, strength: int) -> None:
    got = worked(problem("heads", **{**HEADS, "gamma": [str(gamma)], "lambda": strength}))
    keys = [[1 + gamma, 0, 0], [0, 1, 0], [0, 0, 1]]
    one = output([strength, strength, 0], keys, HEADS["V"])
    first, second = output([strength, 0, 0], keys, HEADS["V"]), output([0, strength, 0], keys, HEADS["V"])
    two = [(a + b) / 2 for a, b in zip(first, second, strict=True)]
    assert got["share"] == pytest.approx([1 / (1 + math.exp(-strength * gamma))])
    assert got["one"][0] == pytest.approx(one)
    assert got["two"][0] == pytest.approx(two)
    assert got["distance_one"] == pytest.approx([math.dist(one, [1, 1])], abs=1e-12)
    assert got["distance_two"] == pytest.approx([math.dist(two, [1, 1])], abs=1e-12)


def setting(strength: float) -> VaryingKeys:
    return VaryingKeys(values=((2.0, 0.0), (0.0, 2.0), (1.0, 1.0)), a=0, b=1, strength=strength, variance=0.5)


def test_drawing_agrees_with_the_integral() -> None:
    """The variance of the share, by Simpson's rule over ±8 deviations, lies within what 10,000 draws can miss."""
    steps, edge, deviation = 4000, 8.0, math.sqrt(0.5)
    total = 0.0
    for i in range(steps + 1):
        x = -edge + 2 * edge * i / steps
        weight = 1 if i in (0, steps) else 4 if i % 2 else 2
        total += weight * (1 / (1 + math.exp(-10 * deviation * x)) - 0.5) ** 2 * math.exp(-x * x / 2)
    variance = total * (2 * edge / steps) / 3 / math.sqrt(2 * math.pi)
    assert sampled(setting(10.0), 10_000, 0).share_deviation == pytest.approx(math.sqrt(variance), abs=0.01)


@settings(deadline=None, max_examples=30)
@given(st.data(), st.integers(2, 4), st.integers(0, 3))
def test_each_draw_is_as_far_off_as_plain_attention(data: st.DataObject, n: int, strength: int) -> None:
    """The two numbers that sampling keeps of a draw, against attention over all the values."""
    values = [data.draw(st.lists(SMALL, min_size=3, max_size=3)) for _ in range(n)]
    gamma = data.draw(st.integers(-8, 8)) / 4
    keys = [[float(i == j) for j in range(n)] for i in range(n)]
    keys[0] = [(1 + gamma) * cell for cell in keys[0]]
    case = VaryingKeys(tuple(tuple(map(float, v)) for v in values), 0, 1, float(strength), 0.5)
    middle = [(a + b) / 2 for a, b in zip(values[0], values[1], strict=True)]
    both, first, second = ([float(strength) * (j in chosen) for j in range(n)] for chosen in ((0, 1), (0,), (1,)))
    one = output(both, keys, values)
    two = [(a + b) / 2 for a, b in zip(output(first, keys, values), output(second, keys, values), strict=True)]
    uu, ur, rr = sampling.products(case)
    for (u, r), wanted in ((sampling.one_head(case, gamma), one), (sampling.two_heads(case, gamma), two)):
        assert u * u * uu + 2 * u * r * ur + r * r * rr == pytest.approx(math.dist(wanted, middle) ** 2, abs=1e-12)


def test_the_same_seed_draws_the_same() -> None:
    assert sampled(setting(10.0), 100, 1) == sampled(setting(10.0), 100, 1)
    assert sampled(setting(10.0), 100, 1) != sampled(setting(10.0), 100, 2)


def test_two_heads_hold_where_one_does_not() -> None:
    found = sampled(setting(10.0), 2000, 0)
    assert found.one > 5 * found.two


def test_what_is_closed_and_what_is_drawn_is_told() -> None:
    said = work(problem("heads", **HEADS)).observations
    assert [sentence.split(":")[0] for sentence in said[:2]] == ["Closed form", "Closed form"]
    assert "probability 0.0786" in said[1]  # Φ(−√2)
    assert said[2].startswith("Drawn (10,000 times, seed 0; no closed form)")


@pytest.mark.parametrize(
    ("tree", "says"),
    [
        (problem("copy", K=identity(2), V=[[1]], j=1, **{"lambda": 1}), "given.K is 2×2 and given.V is 1×1: each key"),
        (problem("copy", K=identity(2), V=identity(2), j=3, **{"lambda": 1}), "given.j is 3, but K has only 2 rows"),
        (problem("copy", K=identity(2), V=identity(2), j=1), "given needs either lambda"),
        (problem("copy", K=[[2]], V=[[1]], j=1, within=1), "given.within needs orthonormal keys"),
        (problem("copy", K=identity(2), V=identity(2), j=1, within=0), "given.within: must be more than 0"),
        (problem("copy", K=identity(2), V=identity(2), a=1), 'given.a has no place where question = "copy"'),
        (problem("average", K=identity(2), V=identity(2), a=1, b=1, **{"lambda": 1}), "given.a and given.b are both 1"),
        (problem("project", A=[[1]], B=[[1]], v_a=[1, 2], v_b=[1]), "given.A is 1×1 and given.v_a has 2 numbers"),
        (problem("project", A=[[1]], B=[[1], [0]], v_a=[1], v_b=[1, 0]), "given.v_a has 1 numbers and given.v_b has 2"),
        (problem("heads", **{**HEADS, "K": [[2, 0], [0, 1], [1, 1]]}), "given.K must hold orthonormal rows"),
        (problem("heads", **{**HEADS, "variance": 0}), "given.variance: must be more than 0"),
        ({"kind": "geometry", "given": {}}, "options.question is missing"),
        (problem("rotate"), "options.question: must be one of copy, project, average, heads"),
    ],
)
def test_bad_input_is_told_by_its_key(tree: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError) as told:
        work(tree)
    assert says in str(told.value)
