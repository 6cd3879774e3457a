"""Text: 80 columns, aligned, the numbers of the problem sets to the last digit."""

import re
from decimal import Decimal, localcontext

from rich.cells import cell_len

from clearhead.working import Working, work
from clearhead.working.render import render
from clearhead.working.render.formats.terminal import painted
from clearhead.working.render.page.boxes import aligned, beside, blocks, bracketed

SELF_ATTENTION = """\
4. scores = Q K^T
   Each query is compared with each key by their dot product: the larger, the
   better the match.

   ⎡  1.00   3.00 ⎤                           ⎡  1.50  -2.50    8.00 ⎤
   ⎢ -1.00   1.00 ⎥ ⎡  3.00   2.00  -2.50 ⎤ = ⎢ -3.50  -3.50    6.00 ⎥
   ⎣  2.50  -2.00 ⎦ ⎣ -0.50  -1.50   3.50 ⎦   ⎣  8.50   8.00  -13.25 ⎦

   scores[1,1] = 1·3 + 3·(-0.5) = 1.50

5. weights = softmax(scores)
   The softmax of each row turns scores into shares that are positive and sum to
   1.

           ⎡  1.50  -2.50    8.00 ⎤    ⎡ 0.00  0.00  1.00 ⎤
   softmax(⎢ -3.50  -3.50    6.00 ⎥) ≈ ⎢ 0.00  0.00  1.00 ⎥
           ⎣  8.50   8.00  -13.25 ⎦    ⎣ 0.62  0.38  0.00 ⎦

   weights[3,1] = e^(8.5) / (e^(8.5) + e^(8) + e^(-13.25)) ≈ 0.62

6. output = weights V
   Each token takes the average of the values, weighted by where it looks.

   ⎡ 0.00  0.00  1.00 ⎤ ⎡  2.50  -1.50 ⎤   ⎡ -2.00  -3.00 ⎤
   ⎢ 0.00  0.00  1.00 ⎥ ⎢ -1.00   3.00 ⎥ = ⎢ -2.00  -3.00 ⎥
   ⎣ 0.62  0.38  0.00 ⎦ ⎣ -2.00  -3.00 ⎦   ⎣  1.17   0.21 ⎦

   output[3,1] = 0.62·2.5 + 0.38·(-1) + 0·(-2) = 1.17
"""  # the values are those of the problem set, checked by hand


def test_the_problem_set_reads_as_on_paper() -> None:
    assert SELF_ATTENTION in render(work("examples/self-attention"))


def test_every_line_fits_80_columns(working: Working) -> None:
    written = render(working)
    assert isinstance(written, str)
    assert [line for line in written.splitlines() if cell_len(line) > 80] == []


def test_every_step_shows_its_formula_its_value_and_why(working: Working) -> None:
    written = str(render(working))
    flat = " ".join(written.split())
    for step in working.plan.steps:
        assert " ".join(step.why.split()) in flat
        assert " ".join(step.formula.split()) in flat


def test_nothing_in_it_can_steer_a_terminal(working: Working) -> None:
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e]", str(render(working)))


def test_exact_mode_shows_the_exact_form_and_the_decimals() -> None:
    written = str(render(work("examples/self-attention", round="exact")))
    assert "[2,1] = e^(-7/2) / (2e^(-7/2) + e^6)" in written
    assert "⎡ -1.9932  -2.9976 ⎤" in written
    assert "Worked exactly" in written
    assert "output[1,1] ≈ 0.0015·2.5" in written


def test_digits_are_correctly_rounded_however_many() -> None:
    with localcontext() as context:
        context.prec = 60
        weight = 1 / (1 + Decimal("-0.5").exp() + Decimal("-21.75").exp())  # weights[3,1] of scores 8.5, 8 and -13.25
        for digits in (1, 7, 30, 50):
            written = str(render(work("examples/self-attention", round="exact", digits=digits)))
            assert str(weight.quantize(Decimal(1).scaleb(-digits))) in written


def test_a_wide_table_is_cut_into_blocks_of_columns() -> None:
    found = blocks([["1234567"] * 12], (), (), 40)
    assert [heading for heading, _ in found] == ["columns 1–4", "columns 5–8", "columns 9–12"]
    assert all(len(line) <= 40 for _, box in found for line in box)


def test_points_stand_under_points() -> None:
    assert aligned(["1", "-2.5", "13.25"]) == [" 1   ", "-2.5 ", "13.25"]
    assert aligned(["−∞", "0.5"]) == ["−∞  ", " 0.5"]


def test_boxes_meet_at_their_middles_and_names_stand_outside_the_brackets() -> None:
    assert beside([["x = "], bracketed([["1"], ["2"], ["3"]])]) == ["    ⎡ 1 ⎤", "x = ⎢ 2 ⎥", "    ⎣ 3 ⎦"]
    assert bracketed([["1", "2"]], ["cat"], ["a", "b"]) == ["      a  b  ", "cat [ 1  2 ]"]


def test_a_terminal_gets_the_same_words_in_colour(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    working = work("examples/self-attention")
    coloured = painted(working)
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == render(working)
