"""Bounds hold the true value at every precision, and order and rounding are decided rightly however close it is."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from clearhead.exact.balls import FLOATS, Ball, BallArithmetic, Undecided, decimals
from clearhead.exact.enclosures import compare, enclose
from clearhead.exact.expressions import Exact, Expression, inverse, total_of
from clearhead.exact.nearest import leading_digits, nearest_float, nearest_whole, rough_float
from clearhead.exact.powers import exp, log, sqrt
from oracle import exact

fractions = st.builds(Fraction, st.integers(-60, 60), st.integers(1, 12))
wide = st.builds(lambda n, d, k: Fraction(n, d) * Fraction(10) ** k, st.integers(-9, 9), st.integers(1, 9), st.integers(-12, 6))


def recipes(leaves: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Ways to make a number; those that have no value are refused by `both`."""
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.tuples(st.just("+"), inner, inner),
            st.tuples(st.just("+"), inner, inner, inner),
            st.tuples(st.just("*"), inner, inner),
            st.tuples(st.just("/"), inner, inner),
            st.tuples(st.just("exp"), inner),
            st.tuples(st.just("log"), inner),
            st.tuples(st.just("root"), st.builds(Fraction, st.integers(1, 50), st.integers(1, 9))),
        ),
        max_leaves=6,
    )


def made(recipe: Any) -> Exact:
    """The same number as clearhead keeps it."""
    if isinstance(recipe, Fraction):
        return recipe
    name, *parts = recipe
    cells = [made(part) for part in parts]
    if name == "+":
        return total_of(cells)
    if name == "*":
        return cells[0] * cells[1]
    if name == "/":
        return cells[0] * inverse(cells[1])
    if name == "root":
        assert isinstance(cells[0], Fraction)
        return sqrt(cells[0])
    result = exp(cells[0]) if name == "exp" else log(cells[0])
    assert not isinstance(result, float)
    return result


def sane(recipe: Any) -> bool:
    """Whether every part has a value of a size that a test can afford, away from the poles of 1/x and ln x."""
    if isinstance(recipe, Fraction):
        return True
    if not all(sane(part) for part in recipe[1:]):
        return False
    with mpmath.workdps(60):
        sizes = [exact.evaluated(part) for part in recipe[1:]]
    if recipe[0] == "/":
        return bool(abs(sizes[1]) > 1e-25)
    if recipe[0] == "log":
        return bool(sizes[0] > 1e-25)
    return recipe[0] != "exp" or bool(abs(sizes[0]) < 2000)


def true_value(recipe: Any) -> Fraction:
    """A fraction within 10^-500 of the number, relative to the parts it is made of."""
    with mpmath.workdps(1000):
        found = exact.evaluated(recipe)
    return Fraction(int(found.man)) * Fraction(2) ** int(found.exp) * (-1 if found < 0 and found.man > 0 else 1)


def holds(ball: Ball, truth: Fraction) -> bool:
    return abs(as_fraction(ball.middle) - truth) <= as_fraction(ball.radius) + Fraction(1, 10**700)


def as_fraction(x: Any) -> Fraction:
    """A float or Decimal exactly; what lies below 10^-5000 is not worth the memory."""
    return Fraction(0) if isinstance(x, Decimal) and x.adjusted() < -5000 else Fraction(x)


@given(recipe=recipes(st.one_of(fractions, wide)), digits=st.sampled_from([0, 40, 41, 65, 120]))
@settings(deadline=None, max_examples=300)
def test_the_true_value_is_never_outside_its_bounds(recipe: Any, digits: int) -> None:
    assume(sane(recipe))
    arithmetic: BallArithmetic = decimals(digits) if digits else FLOATS
    try:
        with arithmetic.active():
            ball = enclose(made(recipe), arithmetic)
    except Undecided:
        return
    assert holds(ball, true_value(recipe))


def test_the_check_rejects_bounds_that_are_too_narrow() -> None:
    with FLOATS.active():
        ball = enclose(exp(Fraction(1)), FLOATS)
    assert holds(ball, true_value(("exp", Fraction(1))))
    assert not holds(Ball(ball.middle, ball.radius / 1e6), true_value(("exp", Fraction(1))))
    assert not holds(ball, true_value(("exp", Fraction(1))) + Fraction(1, 10**12))


@given(recipe=recipes(fractions), n=st.integers(-(10**6), 10**6), d=st.integers(1, 10**4))
@settings(deadline=None, max_examples=200)
def test_order_agrees_with_mpmath(recipe: Any, n: int, d: int) -> None:
    assume(sane(recipe))
    border = Fraction(n, d)
    gap = true_value(recipe) - border
    assume(abs(gap) > Fraction(1, 10**400))
    assert compare(made(recipe), border) == (1 if gap > 0 else -1)


@given(recipe=recipes(fractions))
@settings(deadline=None, max_examples=150)
def test_the_nearest_float_is_the_nearest(recipe: Any) -> None:
    assume(sane(recipe))
    cell = made(recipe)
    assume(isinstance(cell, Expression))
    assert isinstance(cell, Expression)
    assume(true_value(recipe) == 0 or abs(true_value(recipe)) > Fraction(1, 10**330))
    assert nearest_float(cell) == exact.nearest_float(recipe)
    assert rough_float(cell) == pytest.approx(exact.nearest_float(recipe), rel=1e-14, abs=1e-14)


@pytest.mark.parametrize("power", [-708, -720, -744, -745, -746, 709, 710])
def test_floats_at_the_ends_of_their_range(power: int) -> None:
    assert nearest_float(exp(Fraction(power)) + 0) == exact.nearest_float(("exp", Fraction(power)))


def test_equal_values_written_differently_compare_equal() -> None:
    e, two, three = exp(Fraction(1)), sqrt(Fraction(2)), sqrt(Fraction(3))
    pairs = [
        (two * sqrt(Fraction(8)), Fraction(4)),
        ((two + three) * (two + three) - 5, sqrt(Fraction(24))),
        (sqrt(Fraction(1, 2)), two / 2),
        (inverse(1 + two), two - 1),  # only multiplying out shows it
        ((e * e - 1) / (e - 1), e + 1),
        (1 / (1 + e) + 1 / (1 + exp(Fraction(-1))), Fraction(1)),
        (inverse(inverse(1 + e)), 1 + e),
        (exp(total_of([inverse(1 + two), Fraction(1)])), exp(two)),  # equal only to thousands of digits
        (log(Fraction(10403)) - log(Fraction(101)), log(Fraction(103))),
        (inverse((1 + e) * (1 + e)) * (1 + e), inverse(1 + e)),
    ]
    for left, right in pairs:
        assert compare(left - right, Fraction(0)) == 0, (left, right)
        assert compare(left - right + Fraction(1, 10**60), Fraction(0)) == 1
        assert compare(left - right - Fraction(1, 10**60), Fraction(0)) == -1


def test_huge_and_tiny_exponents_keep_their_order() -> None:
    million, trillion = exp(Fraction(-(10**6))), exp(Fraction(10**12))
    assert compare(million, Fraction(0)) == 1
    assert compare(-million, Fraction(0)) == -1
    assert compare(exp(Fraction(-(10**48))), Fraction(0)) == 1  # far below what any Decimal can hold
    assert compare(million, Fraction(1, 10**500)) == -1
    assert compare(trillion, Fraction(10**300)) == 1
    assert compare(exp(Fraction(10**12, 3)) - trillion, Fraction(0)) == -1
    weights = [exp(Fraction(10**12)), exp(Fraction(10**12 - 1))]
    share = weights[0] / (weights[0] + weights[1])
    assert nearest_whole(share, 10**9) == 731058579  # 1/(1 + 1/e)
    assert compare(share - 1 / (1 + exp(Fraction(-1))), Fraction(0)) == 0


def test_exponents_that_floats_cannot_tell_apart_are_still_told_apart() -> None:
    big = Fraction(10**12)
    near = exp(big) / (exp(big) + exp(big + Fraction(1, 10**12)))
    assert compare(near, Fraction(1, 2)) == -1
    assert nearest_whole(near, 10**14) == 49999999999975


def test_what_cannot_be_told_apart_is_refused_and_not_called_equal() -> None:
    enormous = exp(Fraction(10**19))  # beyond the range of Decimal
    with pytest.raises(ArithmeticError, match="told apart"):
        compare(enormous - exp(Fraction(10**19 - 1)) * 2, Fraction(1))
    nothing = exp(inverse(1 + sqrt(Fraction(2)))) - exp(sqrt(Fraction(2)) - 1)  # 0, but not seen to be
    with pytest.raises(ArithmeticError):
        compare(inverse(nothing), Fraction(1))
    with pytest.raises(ArithmeticError):
        nearest_whole(inverse(nothing), 100)


def test_many_terms_do_not_wear_the_bounds_out() -> None:
    terms = [exp(Fraction(k, 7)) * (-1) ** k for k in range(300)]
    recipe = ("+", *(("*", Fraction((-1) ** k), ("exp", Fraction(k, 7))) for k in range(300)))
    total = total_of(terms)
    for arithmetic in (FLOATS, decimals(40)):
        with arithmetic.active():
            assert holds(enclose(total, arithmetic), true_value(recipe))


@given(x=st.fractions(min_value=-(10**9), max_value=10**9, max_denominator=10**6), decimals_=st.integers(0, 30))
@settings(deadline=None)
def test_a_fraction_hidden_in_an_expression_rounds_like_the_fraction(x: Fraction, decimals_: int) -> None:
    e = exp(Fraction(1))
    hidden = Expression({**dict((1 / (1 + e)).terms), **dict((e / (1 + e)).terms)})  # 1, not yet cancelled
    cell = Expression({m: c * x for m, c in hidden.terms.items()}) if x else x
    assert nearest_whole(cell, 10**decimals_) == nearest_whole(x, 10**decimals_)


@pytest.mark.parametrize(("x", "whole"), [("1/8", 13), ("-1/8", -13), ("5/1000", 1), ("-5/1000", -1), ("3/1000", 0), ("0", 0)])
def test_half_goes_away_from_zero(x: str, whole: int) -> None:
    assert nearest_whole(Fraction(x), 100) == whole
    e = exp(Fraction(1))
    hidden = Expression({**dict((1 / (1 + e)).terms), **dict((e / (1 + e)).terms)})
    if Fraction(x):
        assert nearest_whole(hidden * Fraction(x), 100) == whole


def test_leading_digits_of_what_no_page_could_hold() -> None:
    assert leading_digits(exp(Fraction(1000)) + 0, 5) == (19701, 434)
    digits, power = leading_digits(exp(Fraction(10**12)) + 0, 6)
    with mpmath.workdps(60):
        tens = mpmath.mpf(10) ** 12 / mpmath.log(10)
        assert power == int(mpmath.floor(tens))
        assert digits == int(mpmath.nint(mpmath.mpf(10) ** (tens - power + 5)))
    assert leading_digits(Fraction(999999, 10), 3) == (100, 5)
