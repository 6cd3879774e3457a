"""The heatmap: a square a weight, darker for more."""

import xml.etree.ElementTree as ElementTree

from clearhead.pictures import Panel, heatmap
from clearhead.pictures.maps.heatmap import shade

SVG = "{http://www.w3.org/2000/svg}"


def squares(svg: str) -> list[str]:
    groups = ElementTree.fromstring(svg).iter(f"{SVG}g")
    return [rect.get("fill", "") for group in groups for rect in group.findall(f"{SVG}rect")]


def test_every_weight_has_its_square_in_reading_order() -> None:
    assert squares(heatmap([Panel([[1.0, 0.0], [0.5, 0.5]])])) == [shade(1.0), shade(0.0), shade(0.5), shade(0.5)]


def test_more_weight_is_darker() -> None:
    brightness = [int(shade(w / 20)[1:3], 16) for w in range(21)]
    assert brightness == sorted(brightness, reverse=True)
    assert len(set(brightness)) == 21


def test_small_maps_show_their_numbers_and_large_ones_do_not() -> None:
    small, large = heatmap([Panel([[0.62, 0.38]])]), heatmap([Panel([[1 / 40] * 40])])
    assert ">0.62<" in small
    assert ">0.025<" not in large


def test_it_is_the_same_every_time() -> None:
    assert heatmap([Panel([[0.1, 0.9]])]) == heatmap([Panel([[0.1, 0.9]])])


def test_a_map_that_is_not_of_attention_names_its_own_axes() -> None:
    drawn = heatmap([Panel([[0.5, 0.5]], ["first"], ["A", "B"], across="share of", down="place", verb="gives")])
    assert "share of →" in drawn
    assert "place ↓" in drawn
    assert "first gives A: 0.5" in drawn
