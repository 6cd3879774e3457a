"""Weights as shades: one square a weight, its number inside while there is room."""

import math
import unicodedata
from collections.abc import Sequence

from clearhead.pictures.maps.panel import Panel
from clearhead.pictures.svg import FAINT, INK, PAPER, QUIET, digits, document, element, escape, label

SIDE, TOP, GAP = 120.0, 122.0, 30.0
SIGN = 0.62  # width of a sign, of its size; wide ones are taken as two
SLANT = math.radians(50)  # of the names above the columns
LONGEST_NAME, LONGEST_TITLE = 12, 48  # signs
NUMBERS_UP_TO = 16  # columns: beyond this the squares are too small for numbers
MARGIN = 10.0
LIGHT, DARK = (255, 255, 255), (18, 70, 140)
TURNS_AT = 0.62  # from this shade on numbers are written in white


def heatmap(panels: Sequence[Panel]) -> str:
    """An SVG with one map a panel, side by side; 0 is white and 1 is dark.

    >>> heatmap([Panel([[0.75, 0.25]])]).count("<rect")
    3
    """
    size = square(max(len(panel.columns) for panel in panels))
    widths = [width_of(panel, size) for panel in panels]
    height = TOP + max(len(panel.rows) for panel in panels) * size + GAP
    starts = [sum(widths[:k]) for k in range(len(panels))]
    body = [
        element("g", "\n".join(draw(panel, size)), transform=f"translate({digits(x)} 0)")
        for panel, x in zip(panels, starts, strict=True)
    ]
    return document(sum(widths), height, "How much each output looks at each input", body)


def width_of(panel: Panel, size: float) -> float:
    """So wide that neither the title nor a slanted name is cut at the edge."""
    names = [
        SIDE + (j + 0.5) * size + room(name, LONGEST_NAME, letters_of(size)) * math.cos(SLANT) + 10
        for j, name in enumerate(panel.columns)
    ]
    return max(SIDE + len(panel.columns) * size + GAP, room(panel.title, LONGEST_TITLE, 16) + 2 * MARGIN, *names)


def room(words: str, most: int, size: float) -> float:
    """About how many pixels some words take, cut to so many signs."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in words[:most]) * size * SIGN


def letters_of(size: float) -> float:
    """The size of the names beside squares of a size."""
    return 13.0 if size > 40 else 11.0


def square(columns: int) -> float:
    return 52.0 if columns <= NUMBERS_UP_TO else 18.0


def shade(weight: float) -> str:
    """
    >>> shade(0), shade(1)
    ('#ffffff', '#12468c')
    """
    return "#" + "".join(f"{round(light + (dark - light) * weight):02x}" for light, dark in zip(LIGHT, DARK, strict=True))


def ink_on(depth: float) -> str:
    """The colour of a number on a shade: whichever stands off more, in every theme.

    >>> ink_on(0.6), ink_on(0.7)
    ('#1c2430', '#ffffff')
    """
    return PAPER if depth > TURNS_AT else INK


def draw(panel: Panel, size: float) -> list[str]:
    columns, rows = panel.columns, panel.rows
    letters = letters_of(size)
    parts = [
        label(panel.title, MARGIN, 18, size=16, most=LONGEST_TITLE),
        label(f"{panel.across} →", SIDE - 10, TOP - 30, anchor="end", size=12, fill=QUIET),
        label(f"{panel.down} ↓", SIDE - 10, TOP - 12, anchor="end", size=12, fill=QUIET),
    ]
    for j, name in enumerate(columns):
        x = SIDE + (j + 0.5) * size
        turned = element(
            "g",
            label(name, 0, 0, size=letters, most=LONGEST_NAME),
            transform=f"translate({digits(x)} {digits(TOP - 10)}) rotate(-50)",
        )
        parts.append(turned)
    for i, (name, row) in enumerate(zip(rows, panel.weights, strict=True)):
        y = TOP + i * size
        parts.append(label(name, SIDE - 10, y + size / 2, anchor="end", size=letters, most=14))
        for j, weight in enumerate(row):
            tip = element("title", escape(f"{name} {panel.verb} {columns[j]}: {weight:g}"))
            x = SIDE + j * size
            parts.append(element("rect", tip, x=x, y=y, width=size, height=size, fill=shade(weight), stroke=FAINT))
            if size > 40:
                number = label(f"{weight:.4g}", x + size / 2, y + size / 2, anchor="middle", size=12, fill=ink_on(weight))
                parts.append(number)
    return parts
