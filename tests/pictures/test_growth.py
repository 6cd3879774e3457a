"""The log-log picture: slopes by hand, points where they belong, what it refuses."""

import re

import pytest

from clearhead.errors import InputError
from clearhead.pictures import Chart, GrowthLine, growth, slope


def test_slopes_of_powers() -> None:
    sizes = [128, 256, 512, 1024]
    for power in (0.0, 1.0, 1.5, 2.0):
        assert slope(GrowthLine("power", sizes, [3 * size**power for size in sizes]), 4)[0] == pytest.approx(power)


def test_the_slope_is_that_of_the_largest_sizes() -> None:
    line = GrowthLine("overhead first", [1, 2, 4, 8], [5, 5, 10, 20])
    assert slope(line, 2)[0] == pytest.approx(1)
    assert slope(line, 4)[0] < 0.9
    assert slope(GrowthLine("in any order", [8, 1, 4, 2], [20, 5, 10, 5]), 2)[0] == pytest.approx(1)


def test_equal_ratios_are_equally_far_apart() -> None:
    svg = growth([Chart("t", "tokens", "s", [GrowthLine("linear", [1, 10, 100], [1, 10, 100])])])
    xs, ys = ([float(x) for x in re.findall(rf'<circle[^>]* {axis}="([\d.]+)"', svg)] for axis in ("cx", "cy"))
    assert xs[1] - xs[0] == pytest.approx(xs[2] - xs[1], abs=0.02)
    assert ys[0] - ys[1] == pytest.approx(ys[1] - ys[2], abs=0.02)
    assert ys[0] > ys[2]
    assert "linear: slope 1.00" in svg


def test_one_level_still_has_an_axis() -> None:
    assert "slope 0.00" in growth([Chart("flat", "tokens", "s", [GrowthLine("flat", [1, 2], [10, 10])])])


@pytest.mark.parametrize(("sizes", "costs"), [([1], [1]), ([1, 2], [1]), ([1, 2], [0, 1]), ([-1, 2], [1, 1])])
def test_points_that_have_no_logarithm_are_refused(sizes: list, costs: list) -> None:
    with pytest.raises(InputError):
        GrowthLine("wrong", sizes, costs)
