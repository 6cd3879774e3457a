"""Numbers as people write them."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearhead.exact.decimals import as_float, decimal_text
from clearhead.exact.powers import exp, log, sqrt
from clearhead.working.reading.files.markup import plain_notation
from clearhead.working.reading.numbers.amounts import BLANK, Amount, Unread, read_amount, read_sum

F = Fraction


def amount(text: str) -> Amount:
    read = read_amount(plain_notation(text))
    assert isinstance(read, Amount), f"{text!r} was not read"
    return read


@pytest.mark.parametrize(
    ("text", "value", "decimals"),
    [
        ("3", F(3), 0), ("-3", F(-3), 0), ("−3", F(-3), 0), ("+4", F(4), 0), ("0.62", F(31, 50), 2), (".5", F(1, 2), 1),
        ("1.", F(1), 0), ("-0.50", F(-1, 2), 2), ("(0.5)", F(1, 2), 1), (r"\boxed{1.17}", F(117, 100), 2), ("$-2$", F(-2), 0),
        ("38%", F(19, 50), 2), (r"38.5\%", F(77, 200), 3), ("1e-3", F(1, 1000), 3), ("1.5E2", F(150), 0), ("- 2", F(-2), 0),
        (r"1.2 \times 10^{-3}", F(3, 2500), 4), ("1.2·10⁻³", F(3, 2500), 4), ("0,62", F(31, 50), 2), ("-0,5", F(-1, 2), 1),
        ("0{,}62", F(31, 50), 2), ("0,625", F(5, 8), 3), ("12,5", F(25, 2), 1), ("4.2114.", F(42114, 10000), 4),
    ],
)  # fmt: skip
def test_decimals_carry_their_digits(text: str, value: Fraction, decimals: int) -> None:
    assert (amount(text).value, amount(text).decimals) == (value, decimals)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5/2", F(5, 2)), ("-1/2", F(-1, 2)), (r"\frac{5}{2}", F(5, 2)), (r"-\tfrac{1}{2}", F(-1, 2)), (r"\dfrac12", F(1, 2)),
        ("½", F(1, 2)), ("-¾", F(-3, 4)), ("2½", F(5, 2)), ("−2½", F(-5, 2)), ("2 1/2", F(5, 2)), ("-2 1/2", F(-5, 2)),
        (r"2\frac{1}{2}", F(5, 2)), (r"-2\tfrac{1}{2}", F(-5, 2)), ("5⁄2", F(5, 2)), ("0.333…", F(1, 3)),
        ("-0.1666...", F(-1, 6)),
        ("e^3", exp(F(3))), ("e^{1.5}", exp(F(3, 2))), ("e^{-3.5}", exp(F(-7, 2))), ("e³", exp(F(3))), ("exp(3)", exp(F(3))),
        (r"\exp(3)", exp(F(3))), ("e**2", exp(F(2))), (r"\mathrm{e}^{2}", exp(F(2))), (r"\sqrt{2}", sqrt(F(2))),
        ("√2", sqrt(F(2))),
        (r"3\sqrt{2}", sqrt(F(18))), (r"\frac{9}{\sqrt{2}}", sqrt(F(81, 2))), ("9/sqrt(2)", sqrt(F(81, 2))),
        ("ln(2)", log(F(2))),
        (r"\ln 2", log(F(2))), ("log_2 8", F(3)), ("2^3", F(8)), ("2^{-1}", F(1, 2)), ("(1)(3)", F(3)), ("1/2·4", F(2)),
        ("Fraction(5, 2)", F(5, 2)), ("2*(3 + 1)", F(8)), ("--3", F(3)),
    ],
)  # fmt: skip
def test_exact_forms(text: str, value: object) -> None:
    assert amount(text).value == value
    assert amount(text).decimals is None


def test_a_softmax_written_out() -> None:
    expected = math.exp(3) / (2 * math.exp(3) + 4)
    for text in ("e^{3}/(2e^{3}+4)", r"\frac{e^3}{2e^3 + 4}", "exp(3) / (2 exp(3) + 4)", "e^3/(e^3+e^3+e^0+e^0+e^0+e^0)"):
        assert as_float(amount(text).value) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("text", ["-inf", "-∞", r"-\infty", "−∞", "-np.inf", 'float("-inf")', "-Infinity", "-math.inf"])
def test_minus_infinity(text: str) -> None:
    assert amount(text).value == -math.inf


@pytest.mark.parametrize("text", ["2^{1/2}", "2^{(1/2)}", r"2^{\frac{1}{2}}", "2^(1/2)"])
def test_a_power_of_one_half_is_a_root_and_otherwise_a_mixed_number(text: str) -> None:
    assert amount(text).value == sqrt(F(2))
    assert amount(text).otherwise == F(5, 2)
    assert amount("-" + text).otherwise == F(-5, 2)


def test_no_second_reading_where_there_is_none() -> None:
    assert amount("2^2").otherwise is None
    assert amount("e^{1/2}").otherwise is None
    assert amount("2½").otherwise is None


@pytest.mark.parametrize("text", ["", "?", "??", "_", "-", "—", "…", "...", r"\dots", r"\_", "□", "none", " "])
def test_cells_left_out(text: str) -> None:
    assert read_amount(plain_notation(text)) is BLANK


@pytest.mark.parametrize(
    "text",
    ["1,234", "1x", "abc", "1..2", "2 3", "1/0", "ln(0)", "√(-1)", "2^{999999999}", "9" * 60, "1e99",
    "1+(" * 60 + "1" + ")" * 60,
     "e^{e^{e^9}}", "__import__('os')", "lambda: 1", "1 if 1 else 2", "O.62", "1l", "5/", "/2", "(1", "2^", r"\frac{1}{}",
     "e^{99999}"],
)  # fmt: skip
def test_what_cannot_be_read_is_not_guessed(text: str) -> None:
    assert isinstance(read_amount(plain_notation(text)), Unread)


def test_what_a_program_prints_of_a_float_holds_to_twelve_digits() -> None:
    assert amount("0.6224593312018546").value == F(622459331202, 10**12)
    assert amount("-13.250000000000002").value == F(-53, 4)


@given(st.fractions(-1000, 1000, max_denominator=64))
def test_a_fraction_reads_as_itself(value: Fraction) -> None:
    assert amount(str(value)).value == value
    assert amount(rf"{'-' if value < 0 else ''}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}").value == value


@given(st.integers(-(10**6), 10**6), st.integers(0, 6))
def test_a_decimal_reads_as_itself(digits: int, places: int) -> None:
    text = decimal_text(F(digits, 10**places), places)
    assert (amount(text).value, amount(text).decimals) == (F(digits, 10**places), places)


@given(st.integers(1, 40), st.fractions(F(1, 60), F(59, 60), max_denominator=60))
def test_a_mixed_number_reads_as_itself(whole: int, part: Fraction) -> None:
    above, below = part.numerator, part.denominator
    for text in (f"{whole} {above}/{below}", rf"{whole}\frac{{{above}}}{{{below}}}", rf"{whole} \tfrac{{{above}}}{{{below}}}"):
        assert amount(text).value == whole + part


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        (r"(1 \cdot 0) + (-1 \cdot 1) + (2 \cdot 1)", [(1, 0), (-1, 1), (2, 1)]),
        ("1*0 + -1*1 + 2*1", [(1, 0), (-1, 1), (2, 1)]),
        (r"1 \times 0 - 1 \times 1 + 2 \times 1", [(1, 0), (-1, 1), (2, 1)]),
        ("1(0) + (-1)(1) + 2(1)", [(1, 0), (-1, 1), (2, 1)]),
        ("0 - 1 + 2", [(0,), (-1,), (2,)]),
        ("(0.5·2.5) + (0.38·-1) + (0·-2)", [(F(1, 2), F(5, 2)), (F(19, 50), -1), (0, -2)]),
        (r"(0 \cdot -1/2) + (2 \cdot \frac{3}{2})", [(0, F(-1, 2)), (2, F(3, 2))]),
        ("2·3·4", [(2, 3, 4)]),
    ],
)
def test_a_sum_keeps_its_terms_and_adds_up(text: str, terms: list[tuple[object, ...]]) -> None:
    read = read_sum(plain_notation(text))
    assert read is not None
    assert [tuple(term) for term in read.terms] == terms
    assert read.value == sum(math.prod(term) for term in terms)  # type: ignore[arg-type]


def test_a_sum_with_a_mixed_number_has_both_values() -> None:
    read = read_sum("(2^{1/2}·2) + (1·1)")
    assert read is not None
    assert read.value == sqrt(F(8)) + 1
    assert read.otherwise == 6


@pytest.mark.parametrize("text", ["(1·0) + …", "q_1·k_1", "3", "1·a", "(1·2", "", "1 + ? + 2"])
def test_what_is_no_sum_of_numbers_has_no_terms(text: str) -> None:
    assert read_sum(text) is None


@given(st.lists(st.tuples(st.integers(-9, 9), st.fractions(-5, 5, max_denominator=8)), min_size=1, max_size=6))
def test_the_short_way_and_the_grammar_agree(terms: list[tuple[int, Fraction]]) -> None:
    short = read_sum(" + ".join(f"({a}·{b})" for a, b in terms))
    long = read_sum(" + ".join(f"(({a})·({b})·1)" for a, b in terms))
    assert short is not None
    assert long is not None
    assert short.value == long.value == sum(a * b for a, b in terms)
