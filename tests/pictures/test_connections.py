"""The connection diagram: which lines are solid, which dashed, and that it is the same picture every time."""

import re
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.errors import InputError
from clearhead.pictures import Panel, connections
from clearhead.pictures.maps.connections import ROW, TOP

SVG = "{http://www.w3.org/2000/svg}"


def lines_of(svg: str) -> set[tuple[int, int, bool]]:
    """(output, input, solid) of every line between the two verticals, read off the picture itself."""
    found = set()
    for group in ElementTree.fromstring(svg).iter(f"{SVG}g"):
        for line in group.iter(f"{SVG}line"):
            if line.get("x1") != line.get("x2"):
                place = [round((float(line.get(y, "")) - TOP) / ROW) for y in ("y2", "y1")]
                found.add((place[0], place[1], line.get("stroke-dasharray") is None))
    return found


def wanted(weights: list[list[float]]) -> set[tuple[int, int, bool]]:
    """The same by the issue's own words, written independently of the picture."""
    found = set()
    for i, row in enumerate(weights):
        largest = max(row)
        if largest == 0:
            continue
        lower = [weight for weight in row if 0 < weight < largest]
        for j, weight in enumerate(row):
            if weight == largest:
                found.add((i, j, True))
            elif lower and weight == max(lower):
                found.add((i, j, False))
    return found


def test_a_map_drawn_on_paper() -> None:
    weights = [[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [0.62, 0.38, 0.0]]
    assert lines_of(connections([Panel(weights)])) == {(0, 2, True), (1, 2, True), (2, 0, True), (2, 1, False)}


def test_ties_are_all_solid_and_zero_is_never_drawn() -> None:
    assert lines_of(connections([Panel([[0.4, 0.4, 0.2, 0.0]])])) == {(0, 0, True), (0, 1, True), (0, 2, False)}
    assert lines_of(connections([Panel([[0.5, 0.5]])])) == {(0, 0, True), (0, 1, True)}


maps = st.integers(1, 6).flatmap(
    lambda n: st.lists(
        st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 1.0]), min_size=n, max_size=n), min_size=1, max_size=6
    )
)


@settings(deadline=None)
@given(maps)
def test_every_map_has_exactly_the_lines_that_the_words_ask_for(weights: list[list[float]]) -> None:
    assert lines_of(connections([Panel(weights)])) == wanted(weights)


def test_the_comparison_rejects_a_line_too_many() -> None:
    assert lines_of(connections([Panel([[0.5, 0.3, 0.2]])])) != {(0, 0, True), (0, 1, False), (0, 2, False)}


def test_a_heavier_weight_is_a_wider_line() -> None:
    svg = connections([Panel([[0.75, 0.25]])])
    widths = {w: float(x) for x, w in re.findall(r'stroke-width="([\d.]+)"[^>]*><title>1 looks at (\d)', svg)}
    assert widths["1"] > widths["2"]


def test_labels_are_escaped_and_long_ones_cut() -> None:
    svg = connections([Panel([[1.0]], ["<script>"], ["x" * 300 + "\x00\x1b"])])
    texts = [text.text or "" for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]
    assert "<script>" in texts
    assert max(len(text) for text in texts) < 60


def test_several_heads_are_panels_side_by_side() -> None:
    one, two = connections([Panel([[1.0]], title="Head 1")]), connections([Panel([[1.0]], title="Head 1")] * 2)
    width = [float(ElementTree.fromstring(svg).get("width", "0")) for svg in (one, two)]
    assert width[1] == 2 * width[0]


def test_the_picture_is_the_same_every_time() -> None:
    weights = [[1 / 3, 2 / 3], [0.1, 0.9]]
    assert connections([Panel(weights)]) == connections([Panel([list(row) for row in weights])])


@pytest.mark.parametrize("weights", [[], [[]], [[1.0], [0.5, 0.5]], [[1.5]], [[float("nan")]]])
def test_what_is_no_map_is_refused(weights: list[list[float]]) -> None:
    with pytest.raises(InputError):
        Panel(weights)


def test_a_name_too_few_is_refused() -> None:
    with pytest.raises(InputError, match="2 columns, 1 names"):
        Panel([[0.5, 0.5]], inputs=["cat"])
