"""Weights that are nearly 0 or nearly 1 are written with the fewest decimals that tell them from it."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from clearhead.exact.decimals import decimal_text
from clearhead.working.render.page.numerals import MOST_SHARE_DECIMALS, longer_share


@given(st.integers(1, 99_999), st.integers(5, 16), st.booleans(), st.integers(0, 4))
def test_the_fewest_decimals_that_tell(digits: int, place: int, nearly_one: bool, decimals: int) -> None:
    small = Fraction(digits, 10 ** (place + 1))
    cell = 1 - small if nearly_one else small
    written = decimal_text(cell, decimals)
    if float(written) not in (0, 1):
        return
    fewest = next((n for n in range(decimals + 1, MOST_SHARE_DECIMALS + 1) if float(decimal_text(cell, n)) not in (0, 1)), None)
    found = longer_share(cell, decimals, written)
    if fewest is None:
        assert "e-" in found
    else:
        assert found == decimal_text(cell, fewest)
