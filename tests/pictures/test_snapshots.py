"""Every picture is the same text on every machine, can be told apart without colours, and is read on dark and light.

After a change that is meant, `PYTHONPATH=tests python tests/pictures/test_snapshots.py` writes them anew; look at each.
"""

import itertools
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from clearhead.errors import InputError
from clearhead.pictures import png, themed
from clearhead.pictures.maps.heatmap import ink_on, shade
from clearhead.pictures.palette import COLOURS, line_style
from clearhead.pictures.scatter import CLASSES, mark
from pictures.drawn_again import SCRIPTS, pictures

KEPT = Path(__file__).parent / "snapshots"
DRAWN = pictures()


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_is_what_it_was(name: str) -> None:
    assert DRAWN[name] == (KEPT / f"{name}.svg").read_text(encoding="utf-8")
    ElementTree.fromstring(DRAWN[name])


def test_there_is_a_snapshot_for_every_picture_and_no_other() -> None:
    assert {path.stem for path in KEPT.glob("*.svg")} == set(DRAWN)


def test_a_picture_can_be_drawn_in_pixels() -> None:
    assert png(DRAWN["heads-dark"]).startswith(b"\x89PNG")


def test_tokens_of_every_script_are_whole() -> None:
    for word in SCRIPTS:
        assert f">{word}</text>" in DRAWN["heatmap"]


# ---- colours


# What people with too few cones of a kind see, on linear light (Machado, Oliveira and Fernandes 2009, severity 1).
EYES = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def linear(colour: str) -> list[float]:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def lab(light: list[float]) -> tuple[float, float, float]:
    """CIE L*a*b* of linear sRGB, white D65."""
    red, green, blue = (min(max(part, 0.0), 1.0) for part in light)
    xyz = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
    )
    x, y, z = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def apart(one: str, two: str, eye: str) -> float:
    seen = []
    for colour in (one, two):
        light = linear(colour)
        seen.append(lab([sum(a * b for a, b in zip(row, light, strict=True)) for row in EYES[eye]]))
    return sum((a - b) ** 2 for a, b in zip(*seen, strict=True)) ** 0.5


@pytest.mark.parametrize("eye", EYES)
def test_the_first_colours_are_told_apart_by_every_eye(eye: str) -> None:
    for one, two in itertools.combinations(COLOURS[:4], 2):
        assert apart(one, two, eye) > 20, (one, two)  # about 2 can just be seen


def test_the_check_rejects_red_and_green() -> None:
    assert apart("#b3541e", "#6b7d1f", "deutan") < 12


def test_without_colours_every_line_has_a_stroke_of_its_own() -> None:
    assert len({line_style(number)[1] for number in range(6)}) == 6
    assert len({line_style(number) for number in range(30)}) == 30


def bright(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, two: str) -> float:
    low, high = sorted((bright(one), bright(two)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark", "grey"])
def test_names_are_read_on_their_paper(theme: str) -> None:
    """Every colour of a line, and the ink, stands off the paper by 3 to 1 at least, the ink by 10."""
    ink, paper, *lines = (themed(colour, theme) for colour in ("#1c2430", "#ffffff", *COLOURS))
    assert contrast(ink, paper) > 10
    assert all(contrast(line, paper) > 3 for line in lines)


@pytest.mark.parametrize("theme", ["light", "dark", "grey"])
def test_numbers_are_read_on_every_shade(theme: str) -> None:
    for depth in range(101):
        number, paper = (themed(colour, theme) for colour in (ink_on(depth / 100), shade(depth / 100)))
        assert contrast(number, paper) > 3.2, depth


def test_classes_have_a_shape_each() -> None:
    shapes = {re.sub(r'"#[0-9a-f]{6}"', "", mark(number, 0, 0, 5)) for number in range(len(CLASSES))}
    assert len(shapes) == len(CLASSES)


def test_a_theme_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="light, dark, grey"):
        themed("", "pink")


def test_a_dark_picture_has_the_same_shapes() -> None:
    def without_colours(svg: str) -> str:
        return re.sub(r"#[0-9a-f]{6}", "", svg)

    assert without_colours(DRAWN["heads-dark"]) == without_colours(DRAWN["heads"])


if __name__ == "__main__":
    KEPT.mkdir(exist_ok=True)
    for name, svg in DRAWN.items():
        (KEPT / f"{name}.svg").write_text(svg, encoding="utf-8")
