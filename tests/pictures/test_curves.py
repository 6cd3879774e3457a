"""Curves: every line can be told from every other."""

import re

import pytest

from clearhead.errors import InputError
from clearhead.pictures import curves

DRAWN = re.compile(r'<polyline fill="none" stroke="([^"]*)" stroke-width="[^"]*" stroke-dasharray="([^"]*)"')


@pytest.mark.parametrize("count", [1, 6, 7, 18])
def test_no_two_lines_look_alike_and_each_is_named(count: int) -> None:
    lines = {f"line {number}": [(0.0, 1.0 + number), (5.0, 2.0)] for number in range(count)}
    picture = curves(lines, "many", "steps", "nats")
    looks = DRAWN.findall(picture)
    assert len(looks) == len(set(looks)) == count
    for name in lines:
        assert f">{name}</text>" in picture


@pytest.mark.parametrize("lines", [{}, {"none": []}, {"no number": [(0.0, float("nan"))]}, {"far": [(float("inf"), 1.0)]}])
def test_what_cannot_be_drawn_is_refused(lines: dict[str, list[tuple[float, float]]]) -> None:
    with pytest.raises(InputError, match="finite"):
        curves(lines, "nothing", "steps", "nats")
