"""Graphs, histograms and planes: what they draw where, the same every time, and what they refuse."""

import re

import pytest

from clearhead.errors import InputError
from clearhead.pictures import Axis, Graph, Plane, Trace, bars, graphs, histogram, scatter
from clearhead.pictures.palette import COLOURS


def places(svg: str) -> list[tuple[float, float]]:
    (line,) = re.findall(r'<polyline points="([^"]*)"', svg)
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in line.split())]


def test_equal_factors_are_equally_far_apart_on_a_logarithmic_axis() -> None:
    line = Trace("square", [(1, 1), (10, 100), (100, 10_000)])
    (a, b, c) = places(graphs([Graph("t", Axis("x", logarithmic=True), Axis("y", logarithmic=True), [line])]))
    assert b[0] - a[0] == pytest.approx(c[0] - b[0], abs=0.02)
    assert a[1] - b[1] == pytest.approx(b[1] - c[1], abs=0.02)
    assert a[1] > c[1]


def test_a_band_encloses_its_line() -> None:
    line = Trace("mean", [(0, 1.0), (1, 2.0)], [(0.5, 1.5), (1.5, 2.5)])
    svg = graphs([Graph("t", Axis("x"), Axis("y"), [line])])
    (band,) = re.findall(r'<polygon points="([^"]*)"', svg)
    ys = [float(pair.split(",")[1]) for pair in band.split()]
    assert ys[0] > places(svg)[0][1] > ys[3]


@pytest.mark.parametrize("points", [[], [(0.0, float("nan"))], [(float("inf"), 0.0)]])
def test_a_line_without_finite_points_is_refused(points: list) -> None:
    with pytest.raises(InputError):
        Trace("wrong", points)


def test_a_band_for_some_of_the_points_and_zero_on_a_logarithmic_axis_are_refused() -> None:
    with pytest.raises(InputError):
        Trace("wrong", [(0, 1), (1, 1)], [(0, 1)])
    with pytest.raises(InputError):
        graphs([Graph("t", Axis("x"), Axis("y", logarithmic=True), [Trace("zero", [(0, 0.0), (1, 1.0)])])])


def test_the_tallest_bar_stands_over_the_most_frequent_value() -> None:
    svg = histogram({"draws": [0.0] + [0.5] * 9 + [1.0]}, "t", "x", bars=5)
    heights = [float(tall) for tall in re.findall(rf'height="([\d.]+)" fill="{COLOURS[0]}"', svg)]
    assert heights.index(max(heights)) == 1
    assert "9 from 0.4" in svg


def test_a_plane_stretches_its_points_from_edge_to_edge() -> None:
    svg = scatter([Plane("two", [(5.0, 5.0), (6.0, 9.0)], [0, 0])], "t")
    assert 'cx="20" cy="320"' in svg
    assert 'cx="320" cy="20"' in svg


def test_nothing_to_draw_is_refused() -> None:
    with pytest.raises(InputError):
        histogram({}, "t", "x")
    with pytest.raises(InputError):
        Plane("none", [], [])


def test_a_bar_is_as_tall_as_its_value_and_its_whisker_goes_from_low_to_high() -> None:
    svg = bars({"half": (0.5, 0.25, 0.75), "whole": (1.0, 1.0, 1.0)}, "t", "share")
    heights = [float(tall) for tall in re.findall(r'width="68" height="([\d.]+)"', svg)]
    assert heights == [140, 280]
    assert 'y1="266" x2="130" y2="126"' in svg  # 56 to 336 px: a quarter and three quarters


@pytest.mark.parametrize("values", [{}, {"outside": (0.5, 0.6, 0.7)}, {"nan": (float("nan"),) * 3}])
def test_bars_outside_their_interval_are_refused(values: dict) -> None:
    with pytest.raises(InputError):
        bars(values, "t", "share")
