"""Every decimal shown is correctly rounded, however many are asked for; numbers are read exactly as written."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.errors import InputError
from clearhead.exact.decimals import as_float, decimal_text, is_terminating, parse_number
from clearhead.exact.expressions import Exact, inverse, total_of
from clearhead.exact.policies import EXACT, Policy, rounded
from clearhead.exact.powers import exp, log, sqrt
from oracle import exact

small = st.builds(Fraction, st.integers(-40, 40), st.integers(1, 7))


def softmax_recipe(scores: list[Fraction], j: int) -> tuple[object, ...]:
    return ("/", ("exp", scores[j]), ("+", *(("exp", s) for s in scores)))


def softmax_cell(scores: list[Fraction], j: int) -> Exact:
    powers = [exp(s) for s in scores]
    return powers[j] * inverse(total_of(powers))


def test_worked_on_paper() -> None:
    third = exp(Fraction(1)) / (exp(Fraction(1)) + exp(Fraction(1)) * 2)
    assert third == Fraction(1, 3)
    assert decimal_text(third, 3) == "0.333"
    assert decimal_text(sqrt(Fraction(2)), 10) == "1.4142135624"
    assert decimal_text(exp(Fraction(1)), 0) == "3"
    assert decimal_text(-exp(Fraction(1)) * 100, 1) == "-271.8"
    assert decimal_text(float("-inf"), 2) == "-inf"


@given(scores=st.lists(small, min_size=2, max_size=5), decimals=st.integers(1, 500))
@settings(deadline=None, max_examples=60)
def test_softmax_to_any_number_of_digits(scores: list[Fraction], decimals: int) -> None:
    cell = softmax_cell(scores, 0)
    if isinstance(cell, Fraction):
        assert decimal_text(cell, decimals) == exact.fraction_digits(cell, decimals)
    else:
        assert decimal_text(cell, decimals) == exact.decimal_digits(softmax_recipe(scores, 0), decimals)


@given(x=small, y=small, k=st.integers(2, 50), decimals=st.integers(1, 500))
@settings(deadline=None, max_examples=40)
def test_roots_logarithms_and_powers_to_any_number_of_digits(x: Fraction, y: Fraction, k: int, decimals: int) -> None:
    size = abs(y) + 1
    recipe = (
        "+",
        ("*", x, ("root", Fraction(k))),
        ("*", y, ("exp", x)),
        ("log", size),
        ("log", ("+", ("exp", y), Fraction(1))),
    )
    logs = [log(size), log(exp(y) + Fraction(1))]
    cell = total_of([sqrt(Fraction(k)) * x, exp(x) * y, *(part for part in logs if not isinstance(part, float))])
    if isinstance(cell, Fraction):
        assert decimal_text(cell, decimals) == exact.fraction_digits(cell, decimals)
    else:
        assert decimal_text(cell, decimals) == exact.decimal_digits(recipe, decimals)


@given(x=st.fractions(min_value=-(10**15), max_value=10**15), decimals=st.integers(0, 40))
@settings(deadline=None)
def test_fractions_agree_with_long_division(x: Fraction, decimals: int) -> None:
    assert decimal_text(x, decimals) == exact.fraction_digits(x, decimals)


@given(n=st.integers(-(10**6), 10**6), decimals=st.integers(0, 5))
@settings(deadline=None)
def test_exact_ties_go_away_from_zero(n: int, decimals: int) -> None:
    tie = Fraction(2 * n + 1, 2 * 10**decimals)
    size = abs(2 * n + 1) // 2 + 1
    assert rounded(tie, decimals) == Fraction(size if tie > 0 else -size, 10**decimals)
    assert decimal_text(tie, decimals) == exact.fraction_digits(tie, decimals)


@pytest.mark.parametrize(
    "cell", [Fraction(-1, 1000), Fraction(0), -exp(Fraction(-20)), sqrt(Fraction(2)) * Fraction(-1, 10**9)]
)
def test_minus_zero_is_written_zero(cell: Exact) -> None:
    assert decimal_text(cell, 2) == "0.00"
    assert as_float(rounded(cell, 2)) == 0
    assert str(as_float(rounded(cell, 2))) == "0.0"


def test_the_oracle_rejects_a_wrong_last_digit() -> None:
    assert exact.decimal_digits(("root", Fraction(2)), 10) == "1.4142135624"
    assert exact.decimal_digits(("root", Fraction(2)), 10) != "1.4142135623"
    assert exact.fraction_digits(Fraction(-1, 8), 2) == "-0.13"
    with pytest.raises(ArithmeticError):
        exact.decimal_digits(("*", ("root", Fraction(2)), ("root", Fraction(1, 8))), 0)  # ½, a tie


def test_large_numbers_are_written_short() -> None:
    assert decimal_text(exp(Fraction(1000)), 4) == "1.9701e+434"
    assert decimal_text(-exp(Fraction(1000)), 0) == "-2e+434"
    assert decimal_text(exp(Fraction(10**12)), 3).endswith("e+434294481903")
    assert decimal_text(Fraction(10**30 - 1), 2) == "1.00e+30"
    assert decimal_text(Fraction(10**20), 1) == "100000000000000000000.0"
    assert decimal_text(Fraction(10**6000), 1) == "1.0e+6000"


def test_thousands_of_digits() -> None:
    assert decimal_text(Fraction(1, 3), 6000) == "0." + "3" * 6000
    assert decimal_text(exp(Fraction(1)), 2000)[:12] == "2.7182818284"
    assert len(decimal_text(exp(Fraction(1)), 2000)) == 2002


@given(x=st.fractions(), y=small)
@settings(deadline=None)
def test_as_float_is_the_nearest_float(x: Fraction, y: Fraction) -> None:
    assert as_float(x) == exact.nearest_float(x) or abs(as_float(x) - x) <= abs(exact.nearest_float(x) - x)
    assert as_float(exp(y)) == exact.nearest_float(("exp", y))


def test_a_number_beyond_floats_is_infinite_as_a_float() -> None:
    assert as_float(Fraction(10**400)) == float("inf")
    assert as_float(-exp(Fraction(1000))) == float("-inf")
    assert as_float(exp(Fraction(-(10**6)))) == 0.0


def test_policies() -> None:
    assert EXACT.settle(Fraction(1, 3)) == Fraction(1, 3)
    assert Policy(2).settle(Fraction(2, 3)) == Fraction(67, 100)
    assert Policy(2).settle(float("-inf")) == float("-inf")
    assert (EXACT.name, Policy(3).name) == ("exact", "round 3")


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("3", "3"),
        ("-0.5", "-1/2"),
        ("1/2", "1/2"),
        ("0.1", "1/10"),
        ("1e-3", "1/1000"),
        ("2.5e2", "250"),
        ("−7", "-7"),
        (".25", "1/4"),
        ("5.", "5"),
        ("+4", "4"),
        (" -1 / 3 ", "-1/3"),
        ("1.5/3", "1/2"),
        ("1E+12", "1000000000000"),
    ],
)
def test_numbers_are_read_as_written(written: str, value: str) -> None:
    assert parse_number(written) == Fraction(value)


@pytest.mark.parametrize(
    "written",
    [
        "",
        "nan",
        "inf",
        "1/0",
        "1e999",
        "1e-999",
        "1" * 5000,
        "0x10",
        "1,5",
        "1_000",
        "1/2/3",
        "--1",
        "e",
        "½",
        "1e13",
        "1e-13",
        "٣",
    ],
)
def test_what_is_no_number_or_out_of_reach_is_refused(written: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_number(written)
    assert len(str(caught.value)) < 160


@given(x=st.decimals(min_value=-(10**11), max_value=10**11, places=9))
@settings(deadline=None)
def test_decimals_are_exact(x: Decimal) -> None:
    if abs(x) >= Decimal("1e-12") or x == 0:
        assert parse_number(format(x, "f")) == Fraction(x)


def test_only_twos_and_fives_terminate() -> None:
    assert is_terminating(Fraction(7, 40))
    assert not is_terminating(Fraction(1, 3))
    assert not is_terminating(sqrt(Fraction(2)))
