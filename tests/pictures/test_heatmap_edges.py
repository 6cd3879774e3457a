"""Nothing of a heatmap is cut at its edge."""

import math
import re

import pytest

from clearhead.pictures import Panel, heatmap


@pytest.mark.parametrize("title", ["", "Short", "A title that is as long as a title of a picture can ever be, and then some"])
@pytest.mark.parametrize("name", ["a", "considerations", "日本語の長い名前です"])
@pytest.mark.parametrize("columns", [1, 3, 20])
def test_titles_and_slanted_names_lie_inside(title: str, name: str, columns: int) -> None:
    drawn = heatmap([Panel([[1 / columns] * columns], ["o"], [name] * columns, title)])
    found = re.search(r'viewBox="0 0 ([\d.]+)', drawn)
    assert found is not None
    width = float(found[1])
    letter = 13.0 if columns <= 16 else 11.0
    places = [float(x) for x in re.findall(r"translate\(([\d.]+) [\d.]+\) rotate", drawn)]
    signs = sum(2 if ord(sign) > 0x1100 else 1 for sign in name[:11]) + 1
    assert max(places) + 0.55 * letter * signs * math.cos(math.radians(50)) <= width
    assert 10 + min(len(title), 48) * 16 * 0.55 <= width
