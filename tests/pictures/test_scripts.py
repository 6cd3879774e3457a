"""Letters of other scripts name their fonts where pixels are drawn, and nothing that people write breaks the drawing."""

import itertools

import pytest

from clearhead.pictures import Panel, heatmap, png
from clearhead.pictures.scripts import with_fonts
from clearhead.pictures.svg import document, label

WORDS = [
    "run: ", "नमस्ते", "我们", "مرحبا", "😀", "👩\u200d👩\u200d👧", "🇩🇪", "ไทย", "서울", "ひらがな", "שלום", " (2024) ",
    "தமிழ்", "বাংলা", "አማርኛ", "ខ្មែរ", "e\u0301", "👍🏽", "⁇", "·", "a&<b",
]  # fmt: skip


def drawn(words: str) -> str:
    return document(400, 40, "t", [label(words, 10, 20, most=60)])


@pytest.mark.parametrize(
    ("words", "font"),
    [
        ("नमस्ते", "Noto Sans Devanagari"),
        ("ไทย!", "Noto Sans Thai"),
        ("我们 in Latin", "Noto Sans CJK SC"),
        ("東京タワー", "Noto Sans CJK JP"),
        ("서울 京", "Noto Sans CJK KR"),
        ("👍🏽", "Noto Color Emoji"),
    ],
)
def test_a_text_of_one_script_names_its_fonts(words: str, font: str) -> None:
    assert f"<text font-family=\"'{font}'" in with_fonts(drawn(words))


@pytest.mark.parametrize("words", ["plain", "Ärger", "мир", "שלום", "مرحبا", "Hindi नमस्ते", "✓ ⁇ ·"])
def test_other_texts_stay_as_they_are(words: str) -> None:
    assert with_fonts(drawn(words)) == drawn(words)


def test_what_is_written_stays_whole() -> None:
    long = "我们在北京出生 & <b>" * 8
    svg = with_fonts(document(400, 40, "t", [label(long, 10, 20, most=12)]))
    assert "<title>我们在北京出生 &amp; &lt;b&gt;" in svg
    assert svg.count("font-family") == 2  # the picture's and the text's


def test_every_two_scripts_side_by_side_can_be_drawn() -> None:
    labels = [label(one + two, 10, 20 * k, most=60) for k, (one, two) in enumerate(itertools.product(WORDS, WORDS))]
    assert png(document(300, 20 * len(labels), "t", labels)).startswith(b"\x89PNG")


def test_a_map_of_any_script_can_be_drawn() -> None:
    names = [word.strip() for word in WORDS]
    assert png(heatmap([Panel([[0.5] * len(names)] * len(names), names, names, "".join(names))])).startswith(b"\x89PNG")
