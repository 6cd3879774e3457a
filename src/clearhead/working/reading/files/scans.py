"""Photos and scans: what an OCR program found, box by box, as lines of text with the columns where they stood."""

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any

from clearhead.errors import InputError

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff")
LARGEST_PICTURE = 10_000_000  # bytes
SURE = 0.9  # below that confidence a number is not held against anybody
NUMBER = re.compile(r"[+−-]?\d+(?:[.,]\d+)*%?")
WIDE = 2.0  # times as wide as high: a box whose slant tells that of the page
FAR = 1.5  # widths of a sign between two boxes before they are columns
NO_WHEELS = (3, 13)  # from this Python on there is no rapidocr-onnxruntime


@dataclass(frozen=True, slots=True)
class TextBox:
    """One piece of text on a picture: its corners from the upper left one clockwise, and how sure the program is."""

    text: str
    corners: tuple[tuple[float, float], ...]
    confidence: float = 1.0

    @property
    def left(self) -> float:
        return min(x for x, _ in self.corners)

    @property
    def right(self) -> float:
        return max(x for x, _ in self.corners)

    @property
    def height(self) -> float:
        (_, top), _, _, (_, bottom) = self.corners
        return max(bottom - top, 1.0)

    @property
    def slant(self) -> float:
        (x0, y0), (x1, y1), *_ = self.corners
        return (y1 - y0) / max(x1 - x0, 1.0)

    def middle(self, slant: float) -> float:
        """The height of its middle on a page that is turned upright."""
        return sum(y - slant * x for x, y in self.corners) / len(self.corners)


def page_of(boxes: Sequence[TextBox]) -> tuple[str, frozenset[tuple[int, str]]]:
    """The lines of a picture from top to bottom, and the numbers (line, as read) that the program is not sure of."""
    if not boxes:
        return "", frozenset()
    slants = [box.slant for box in boxes if box.right - box.left > WIDE * box.height]
    slant = median(slants) if slants else 0.0
    height = median(box.height for box in boxes)
    sign = median((box.right - box.left) / max(len(box.text), 1) for box in boxes)
    lines: list[list[TextBox]] = []
    for box in sorted(boxes, key=lambda one: one.middle(slant)):
        if lines and box.middle(slant) - median(one.middle(slant) for one in lines[-1]) < height / 2:
            lines[-1].append(box)
        else:
            lines.append([box])
    text, faint = [], set()
    for number, line in enumerate(lines, start=1):
        text.append(line_of(sorted(line, key=lambda one: one.left), sign))
        faint |= {(number, mark[0]) for box in line if box.confidence < SURE for mark in NUMBER.finditer(box.text)}
    return "\n".join(text), frozenset(faint)


def line_of(boxes: Sequence[TextBox], sign: float) -> str:
    """Boxes side by side; a wide gap stays two blanks or more, so that columns remain columns."""
    text = boxes[0].text
    for before, box in pairwise(boxes):
        gap = box.left - before.right
        text += (" " * max(2, round(gap / sign)) if gap > FAR * sign else " ") + box.text
    return text


def scanned(data: bytes, name: str) -> tuple[str, frozenset[tuple[int, str]]]:
    """The text of a picture by OCR; what must be installed for it is said where it is not."""
    if len(data) > LARGEST_PICTURE:
        raise InputError(f"{name}: {len(data):,} bytes; a picture has at most {LARGEST_PICTURE:,}")
    found = recogniser(name)(data)[0]
    boxes = [
        TextBox(str(text), tuple((float(x), float(y)) for x, y in corners), float(sure)) for corners, text, sure in found or ()
    ]
    if not boxes:
        raise InputError(f"{name}: no text was found on this picture; a sharper one, or a typed working, can be read")
    return page_of(boxes)


def recogniser(name: str) -> Any:
    try:
        from rapidocr_onnxruntime import RapidOCR
    except ImportError:
        why = "pip install 'clearhead[scan]'"
        if sys.version_info >= NO_WHEELS:
            why = "it is there for Python below 3.13 only; type the working, or use such a Python"
        raise InputError(f"{name}: a photo is read with the scan extra: {why}") from None
    return RapidOCR()
