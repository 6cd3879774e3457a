"""The picture of a network: sizes to scale, the same on every machine, escaped."""

import re
from xml.etree import ElementTree

import pytest

from clearhead.errors import InputError
from clearhead.pictures import Box, network, png

EXAM = [Box((1, 32, 32), "input"), Box((8, 28, 28), "Conv2d", "208 weights"), Box((16, 7, 7), "Pool"), Box((10,), "Linear")]


def fronts(svg: str) -> list[tuple[float, float]]:
    """Width and height of each box's front, without the white paper."""
    found = re.findall(r'<rect x="[^"]*" y="[^"]*" width="([^"]*)" height="([^"]*)"', svg)
    return [(float(width), float(height)) for width, height in found]


def test_heights_and_thickness_are_to_scale() -> None:
    (_, tallest), (thin, tall), (thick, low), _ = fronts(network(EXAM))
    assert tall / tallest == pytest.approx(28 / 32, abs=0.001)
    assert low / tallest == pytest.approx(7 / 32, abs=0.001)
    assert thick / thin == pytest.approx(2)


def test_vectors_have_a_scale_of_their_own() -> None:
    (_, long), (_, short) = fronts(network([Box((144,), "Flatten"), Box((36,), "Linear")]))
    assert short / long == pytest.approx(1 / 4)


def test_it_is_well_formed_and_names_every_box() -> None:
    svg = network([*EXAM, Box((3,), "<&>\0")], "line 9: 3 < 4 & so on")
    words = "".join(ElementTree.fromstring(svg).itertext())
    assert all(text in words for text in ("1×32×32", "8×28×28", "208 weights", "<&>", "breaks here", "3 < 4 & so on"))


def test_it_is_the_same_every_time_and_becomes_a_png() -> None:
    assert network(EXAM) == network(EXAM)
    assert png(network(EXAM)).startswith(b"\x89PNG")


def test_very_long_nets_are_cut_and_say_so() -> None:
    svg = network([Box((4,), "Linear")] * 500)
    assert svg.count("<g") == 120
    assert "380 boxes" in svg


@pytest.mark.parametrize("boxes", [[], [Box((0, 3), "x")]])
def test_nothing_to_draw_is_refused(boxes: list[Box]) -> None:
    with pytest.raises(InputError):
        network(boxes)
