"""A few numbers side by side as bars, each with the interval in which its true value lies."""

import math
from collections.abc import Mapping

from clearhead.errors import InputError
from clearhead.pictures.curves import scale, ticks
from clearhead.pictures.palette import COLOURS
from clearhead.pictures.svg import FAINT, INK, document, element, escape, label

WIDE, TALL, LEFT, TOP, BELOW, RIGHT = 120.0, 280.0, 70.0, 56.0, 50.0, 24.0  # px; the first is for each bar


def bars(values: Mapping[str, tuple[float, float, float]], title: str, up: str) -> str:
    """An SVG with a bar a name, up to its value, and a whisker from its low to its high.

    >>> bars({"with": (0.9, 0.8, 1.0), "without": (0.1, 0.0, 0.2)}, "right", "share").count("<rect")
    3
    """
    numbers = [number for each in values.values() for number in each]
    if not numbers or not all(map(math.isfinite, numbers)) or any(not low <= at <= high for at, low, high in values.values()):
        raise InputError("bars need values of finite numbers, each between its low and its high.")
    marks = ticks([0.0, *numbers])
    y_of = scale(marks, TOP + TALL, TOP)
    wide = LEFT + WIDE * len(values) + RIGHT
    parts = [label(title, wide / 2, 20, anchor="middle", size=15, most=70), label(up, 8, TOP - 16, size=12, most=50)]
    for mark in marks:
        parts.append(element("line", x1=LEFT, y1=y_of(mark), x2=wide - RIGHT, y2=y_of(mark), stroke=FAINT, stroke_width=0.4))
        parts.append(label(f"{mark:,.6g}", LEFT - 8, y_of(mark), anchor="end", size=11))
    for place, (name, (at, low, high)) in enumerate(values.items()):
        middle, colour = LEFT + WIDE * (place + 0.5), COLOURS[place % len(COLOURS)]
        tip = element("title", escape(f"{name}: {at:g}, from {low:g} to {high:g}"))
        top, floor = y_of(max(at, 0.0)), y_of(min(at, 0.0))
        parts.append(element("rect", tip, x=middle - 34, y=top, width=68, height=floor - top, fill=colour, fill_opacity="0.75"))
        parts.append(element("line", x1=middle, y1=y_of(low), x2=middle, y2=y_of(high), stroke=INK, stroke_width=1.6))
        for edge in (low, high):
            parts.append(
                element("line", x1=middle - 7, y1=y_of(edge), x2=middle + 7, y2=y_of(edge), stroke=INK, stroke_width=1.6)
            )
        parts.append(label(f"{at:.3g}", middle + 12, y_of(at) - 9, size=12))
        parts.append(label(name, middle, TOP + TALL + 16, anchor="middle", size=12, most=20))
    return document(wide, TOP + TALL + BELOW, title, parts)
