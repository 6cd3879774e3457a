"""Exact numbers obey the laws of arithmetic, and what a person would simplify is simplified."""

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from clearhead.exact.enclosures import compare
from clearhead.exact.expressions import Exact, Expression, inverse, total_of
from clearhead.exact.notation import text
from clearhead.exact.powers import exp, log, sqrt
from clearhead.exact.primes import prime_powers, squarefree

fractions = st.builds(Fraction, st.integers(-12, 12), st.integers(1, 4))
roots = st.builds(sqrt, st.builds(Fraction, st.integers(1, 12)))
powers = st.builds(exp, fractions)
logs = st.builds(log, st.builds(Fraction, st.integers(2, 9))).filter(lambda cell: not isinstance(cell, float))
shares = st.builds(lambda x, y: exp(x) / (exp(x) + exp(y) + 1), fractions, fractions)
cells: st.SearchStrategy[Exact] = st.recursive(
    st.one_of(fractions, roots, powers, logs, shares),
    lambda inner: st.one_of(
        st.builds(lambda a, b: total_of([a, b]), inner, inner), st.builds(lambda a, b: a * b, inner, inner)
    ),
    max_leaves=3,
)


def same(a: Exact, b: Exact) -> bool:
    return compare(a - b, Fraction(0)) == 0


@given(a=cells, b=cells, c=cells)
@settings(deadline=None, max_examples=120)
def test_the_laws_of_arithmetic(a: Exact, b: Exact, c: Exact) -> None:
    assert same(a + b, b + a)
    assert same((a + b) - b, a)
    assert same((a + b) + c, a + (b + c))
    assert same(a * b, b * a)
    assert same((a * b) * c, a * (b * c))
    assert same(a * (b + c), a * b + a * c)
    assert same(a - a, Fraction(0))


@given(a=cells, b=cells)
@settings(deadline=None, max_examples=120)
def test_dividing_undoes_multiplying(a: Exact, b: Exact) -> None:
    assume(compare(b, Fraction(0)) != 0)
    assert same(a * b / b, a)
    assert same(a / b * b, a)
    assert same(inverse(inverse(b)), b)
    assert same(inverse(b) * inverse(b) * b * b, Fraction(1))


@given(a=fractions, b=fractions)
@settings(deadline=None)
def test_powers_of_e_add_their_exponents(a: Fraction, b: Fraction) -> None:
    assert exp(a) * exp(b) == exp(a + b)
    assert log(exp(a)) == a


@given(n=st.integers(1, 10**9), d=st.integers(1, 10**6))
@settings(deadline=None, max_examples=60)
def test_exp_and_sqrt_undo_log_and_square(n: int, d: int) -> None:
    x = Fraction(n, d)
    assert exp(log(x)) == x
    assert same(sqrt(x) * sqrt(x), x)
    assert sqrt(x * x) == x


@given(a=cells, b=cells)
@settings(deadline=None, max_examples=80)
def test_different_numbers_are_not_merged(a: Exact, b: Exact) -> None:
    assert not same(a + b + Fraction(1, 10**50), a + b)
    if a == b:
        assert same(a, b)
        assert hash(a) == hash(b)


def test_a_sum_over_itself_cancels_and_leaves_the_rest() -> None:
    e, f = exp(Fraction(1)), exp(Fraction(2))
    assert total_of([e / (e + f), f / (e + f)]) == 1
    assert total_of([3 * e / (e + f), 3 * f / (e + f), sqrt(Fraction(2))]) == 3 + sqrt(Fraction(2))
    assert total_of([e / (e + f), 2 * f / (e + f)]) != 1
    squared = inverse(e + f) * inverse(e + f)
    assert same(squared * (e + f), inverse(e + f))  # one power less, not two
    assert same(total_of([e * squared, f * squared]), inverse(e + f))
    assert same(squared * (e + f) * (e + f), Fraction(1))
    assert not same(squared * (e + f), Fraction(1))


def test_quotients_read_as_a_person_keeps_them() -> None:
    e3 = exp(Fraction(3))
    assert text(e3 / (2 * e3 + 4)) == "e^3 / (2e^3 + 4)"
    assert text(sqrt(Fraction(1, 2))) == "√2/2"
    assert text(log(Fraction(8, 9))) == "3 ln 2 - 2 ln 3"
    assert text(exp(log(Fraction(2)) * Fraction(1, 2))) == "√2"


@pytest.mark.parametrize("broken", [lambda: log(Fraction(-1)), lambda: sqrt(Fraction(-1)), lambda: inverse(Fraction(0))])
def test_what_has_no_value_says_so(broken: object) -> None:
    assert callable(broken)
    with pytest.raises(ArithmeticError, match=r"real|no value"):
        broken()


def test_a_power_that_would_fill_the_memory_stays_a_power() -> None:
    large = exp(log(Fraction(3)) * 10**12)
    assert isinstance(large, Expression)
    assert compare(large, Fraction(10**1000)) == 1


def test_a_million_digit_prime_search_stops() -> None:
    assert prime_powers(2**89 - 1) == ((2**89 - 1, 1),)
    assert squarefree(4 * 9 * 5) == (6, 5)
    assert squarefree((10007 * 10009) ** 2) == (10007 * 10009, 1)
