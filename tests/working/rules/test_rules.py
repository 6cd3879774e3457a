"""The rules of attention: laws of the softmax, ties, masks, and explanations that add up to the cell."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.errors import InputError
from clearhead.exact.decimals import as_float
from clearhead.exact.enclosures import compare
from clearhead.exact.expressions import Cell, total_of
from clearhead.exact.matrices import Matrix, matrix
from clearhead.exact.order import compared, largest
from clearhead.exact.policies import rounded
from clearhead.exact.powers import exp, sqrt
from clearhead.working.cost_limit import cost_of, require_affordable
from clearhead.working.rules.arrangements import SideBySide
from clearhead.working.rules.products import Product, ProductTransposed, sum_of_products
from clearhead.working.rules.scores import CausalMask, OverRoot
from clearhead.working.rules.shares import Softmax, softmax_row

fractions = st.builds(Fraction, st.integers(-30, 30), st.integers(1, 6))
temperatures = st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(3), Fraction(1, 1000)])


@given(row=st.lists(fractions, min_size=1, max_size=6), temperature=temperatures)
@settings(deadline=None, max_examples=80)
def test_shares_are_positive_and_sum_to_one(row: list[Fraction], temperature: Fraction) -> None:
    shares = softmax_row(tuple(row), temperature)
    assert total_of([s for s in shares if not isinstance(s, float)]) == 1  # exactly, and seen to be
    assert all(compare(share, Fraction(0)) > 0 for share in shares)


@given(row=st.lists(fractions, min_size=2, max_size=5), shift=fractions)
@settings(deadline=None, max_examples=50)
def test_adding_the_same_to_all_changes_nothing(row: list[Fraction], shift: Fraction) -> None:
    before, after = softmax_row(tuple(row), Fraction(1)), softmax_row(tuple(x + shift for x in row), Fraction(1))
    assert all(compared(a, b) == 0 for a, b in zip(before, after, strict=True))


@given(row=st.lists(fractions, min_size=2, max_size=5))
@settings(deadline=None, max_examples=50)
def test_larger_scores_get_larger_shares(row: list[Fraction]) -> None:
    shares = softmax_row(tuple(row), Fraction(1))
    for x, a in zip(row, shares, strict=True):
        for y, b in zip(row, shares, strict=True):
            assert compared(a, b) == (x > y) - (x < y)


def test_ties_share_at_temperature_zero_even_if_written_differently() -> None:
    two = sqrt(Fraction(2))
    row: tuple[Cell, ...] = (two * sqrt(Fraction(8)), Fraction(4), Fraction(3), -math.inf)
    assert softmax_row(row, Fraction(0)) == (Fraction(1, 2), Fraction(1, 2), 0, 0)
    assert largest((two, Fraction(141421356, 10**8), Fraction(141421357, 10**8))) == [2]
    assert largest((two + sqrt(Fraction(3)), sqrt(5 + Fraction(0)) + Fraction(1, 10**9))) == [0]
    assert largest((-math.inf, Fraction(-5))) == [1]


def test_scores_that_differ_in_the_twentieth_digit_are_no_tie() -> None:
    tiny = Fraction(1, 10**20)
    assert softmax_row((Fraction(1), Fraction(1) + tiny), Fraction(0)) == (0, 1)


def test_a_million_apart_leaves_a_share_that_is_not_zero() -> None:
    small, large = softmax_row((Fraction(0), Fraction(10**6)), Fraction(1))
    assert compare(small, Fraction(0)) == 1
    assert compare(large, Fraction(1)) == -1  # they agree to 434,294 digits
    assert rounded(large * Fraction(1, 2), 0) == 0
    assert rounded(large * Fraction(1, 2) + small, 0) == 1
    assert as_float(small) == 0.0
    assert as_float(large) == 1.0


def test_masks_roots_and_heads_side_by_side() -> None:
    scores = matrix([[2, 4], [6, 8]])
    assert OverRoot(4)(scores) == matrix([[1, 2], [3, 4]])
    assert OverRoot(2)(scores)[0, 0] == sqrt(Fraction(2))
    assert CausalMask()(scores).rows == ((2, -math.inf), (6, 8))
    assert OverRoot(4)(CausalMask()(scores))[0, 1] == -math.inf
    assert SideBySide()(scores, matrix([[1], [0]])) == matrix([[2, 4, 1], [6, 8, 0]])


def test_explanations_name_the_numbers_that_went_in() -> None:
    a, b = matrix([[1, -2]]), matrix([[3, 4], [5, -6]])
    assert Product().explain(0, 1, str, a, b) == "1·4 + (-2)·(-6)"
    assert ProductTransposed().explain(0, 1, str, a, b) == "1·5 + (-2)·(-6)"
    assert sum_of_products(a.rows[0], b.rows[0], str) == "1·3 + (-2)·4"
    assert "shared by 2" in Softmax(Fraction(0)).explain(0, 0, str, matrix([[1, 1]]))
    assert "hidden" in CausalMask().explain(0, 1, str, matrix([[1, 1], [1, 1]]))
    assert SideBySide().explain(0, 1, str, matrix([[1]]), matrix([[5]])) == "row 1, column 1 of head 2: 5"


def test_cost_grows_with_the_work_and_is_refused_in_time() -> None:
    plain, symbolic = matrix([[1, 2]] * 2), Matrix(((exp(Fraction(1)), Fraction(1)),) * 2)
    costs = [cost_of(Product(), [a, b]) for a, b in ((plain, plain), (symbolic, plain), (symbolic, symbolic))]
    assert costs == sorted(set(costs))
    require_affordable(1, "Q")
    with pytest.raises(InputError, match="fewer tokens"):
        require_affordable(10**9, "Q")
