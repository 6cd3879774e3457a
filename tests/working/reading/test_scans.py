"""A picture's boxes become lines and columns; what the scan may have lost is unsure and never an accusation."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from clearhead.errors import InputError
from clearhead.working import load_problem
from clearhead.working.marking import Mark, Marker
from clearhead.working.reading import read_working
from clearhead.working.reading.files.scans import TextBox, page_of

PROBLEM = {"kind": "softmax", "given": {"z": [1, 2, -1]}}
SIGN, HEIGHT = 10.0, 20.0  # of a letter, in pixels


def box(text: str, column: float, line: float, sure: float = 0.99, slant: float = 0.0) -> TextBox:
    """A piece of text as an OCR program reports it, on a page that may be slanted."""
    left, top = column * SIGN, line * 1.6 * HEIGHT
    right = left + len(text) * SIGN
    corners = ((left, top), (right, top), (right, top + HEIGHT), (left, top + HEIGHT))
    return TextBox(text, tuple((x, y + slant * x) for x, y in corners), sure)


def marked(boxes: list[TextBox]) -> Mark:
    text, faint = page_of(boxes)
    marker = Marker(load_problem(PROBLEM))
    reading = read_working(text, marker.key.plan, worked=marker.key.exact)
    return marker.mark(replace(reading, scanned=True, faint=faint))


def working(sure: float = 0.99, **instead: str) -> list[TextBox]:
    """A right working on three lines, some numbers read otherwise."""
    shares = [instead.get("share", "0.2595"), "0.7054", "0.0351"]
    powers = ["2.718", instead.get("power", "7.389"), "0.368"]
    return [
        box("exponentials = [" + ", ".join(powers) + "]", 0, 0),
        box("sum = 10.475", 0, 1),
        box("probabilities = [" + ", ".join(shares) + "]", 0, 2, sure),
    ]


@pytest.mark.parametrize("slant", [0.0, 0.03, -0.05])
def test_boxes_become_lines_and_columns_on_a_slanted_page_too(slant: float) -> None:
    table = [[f"{i + j / 4:.2f}" for j in range(4)] for i in range(5)]
    boxes = [box(cell, 12 * j, i, slant=slant) for i, row in enumerate(table) for j, cell in enumerate(row)]
    boxes.append(box("Scores of the whole class", 0, -1, slant=slant))
    text, faint = page_of(boxes[::-1])
    lines = text.split("\n")
    assert lines[0] == "Scores of the whole class"
    assert [line.split() for line in lines[1:]] == table
    assert all("  " in line for line in lines[1:])
    assert faint == frozenset()


def test_a_right_working_is_right() -> None:
    assert {step.verdict for step in marked(working()).steps} <= {"right", "missing"}


@pytest.mark.parametrize("read_as", ["-0.2595", "02595", "2.595"])
def test_a_lost_sign_or_point_is_unsure(read_as: str) -> None:
    mark = marked(working(share=read_as))
    assert mark.first_error is None
    assert mark.undecided == 1
    assert any("lost a sign or a point" in note.text for note in mark.notes)


def test_a_number_the_program_is_not_sure_of_is_unsure() -> None:
    mark = marked(working(sure=0.6, share="0.2995"))
    assert mark.first_error is None
    assert mark.undecided == 1


def test_a_number_that_is_plainly_another_is_still_wrong() -> None:
    mark = marked(working(share="0.2895"))
    assert mark.first_error is not None
    assert mark.first_error.step == "probabilities"


def test_a_picture_without_the_extra_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "rapidocr_onnxruntime", None)
    photo = tmp_path / "w.png"
    photo.write_bytes(b"\x89PNG")
    with pytest.raises(InputError, match="scan extra"):
        read_working(photo, Marker(load_problem(PROBLEM)).key.plan)


@pytest.mark.slow
def test_a_rendered_page_is_read_and_nobody_is_accused(tmp_path: Path) -> None:
    pytest.importorskip("rapidocr_onnxruntime", reason="the scan extra is not installed")
    drawing = pytest.importorskip("PIL.ImageDraw", reason="Pillow is not installed")
    from PIL import Image, ImageFont

    sheet = Image.new("L", (1000, 360), 250)
    letters = ImageFont.load_default(size=36)
    for at, one in enumerate(working()):
        drawing.Draw(sheet).text((40, 40 + 90 * at), one.text, font=letters, fill=20)
    sheet.save(tmp_path / "w.png")
    marker = Marker(load_problem(PROBLEM))
    mark = marker.mark(read_working(tmp_path / "w.png", marker.key.plan, worked=marker.key.exact))
    verdicts = [cell.verdict for step in mark.steps for cell in step.cells]
    assert mark.first_error is None
    assert verdicts.count("right") >= 5


def test_the_numbers_of_the_working_are_right() -> None:
    powers = [math.exp(1), math.exp(2), math.exp(-1)]
    assert [round(power / sum(powers), 4) for power in powers] == [0.2595, 0.7054, 0.0351]
