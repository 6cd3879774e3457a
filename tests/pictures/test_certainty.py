"""The reliability diagram and the risk–coverage curve."""

import xml.etree.ElementTree as ET

import pytest

from clearhead.errors import InputError
from clearhead.pictures import Bar, coverage_curve, png, reliability

SVG = "{http://www.w3.org/2000/svg}"


def test_bars_stand_at_what_was_kept_and_dots_at_what_was_promised() -> None:
    root = ET.fromstring(reliability([Bar(0.2, 0.3, 4, 0.25, 0.5), Bar(0.9, 1.0, 8, 0.95, 1.0)], "dev"))
    dots = [(float(dot.get("cx", "")), float(dot.get("cy", ""))) for dot in root.iter(SVG + "circle")]
    (left, low), (right, high) = dots
    assert (right - left) / 340 == pytest.approx(0.7, abs=1e-3)
    assert (low - high) / 340 == pytest.approx(0.5, abs=1e-3)
    told = {title.text for title in root.iter(SVG + "title")}
    assert "4 answers, 25% promised, 50% right" in told


def test_the_curve_rises_as_more_is_answered_and_the_dot_lies_on_it() -> None:
    root = ET.fromstring(coverage_curve([(0.25, 0.0), (0.5, 0.1), (1.0, 0.4)], (0.5, 0.1), "dev"))
    (line,) = root.iter(SVG + "polyline")
    points = [tuple(map(float, pair.split(","))) for pair in line.get("points", "").split()]
    assert [x for x, _ in points] == sorted(x for x, _ in points)
    assert [y for _, y in points] == sorted((y for _, y in points), reverse=True)
    (dot,) = root.iter(SVG + "circle")
    assert (float(dot.get("cx", "")), float(dot.get("cy", ""))) == points[1]


def test_a_model_that_is_never_wrong_and_one_that_always_is_can_be_drawn() -> None:
    for risk in (0.0, 1.0):
        assert png(coverage_curve([(1.0, risk)], None, "dev"))[:4] == b"\x89PNG"
        assert png(reliability([Bar(0.0, 0.1, 1, 0.05, 1 - risk)], "dev"))[:4] == b"\x89PNG"


def test_nothing_cannot_be_drawn() -> None:
    with pytest.raises(InputError, match="at least one"):
        reliability([], "dev")
    with pytest.raises(InputError, match="at least one"):
        coverage_curve([], None, "dev")
