"""How often values came, as bars: several samples below one another, over one axis."""

import math
from collections.abc import Mapping, Sequence

from clearhead.errors import InputError
from clearhead.pictures.curves import scale, ticks
from clearhead.pictures.palette import COLOURS
from clearhead.pictures.svg import FAINT, document, element, escape, label

WIDE, TALL, LEFT, TOP, BETWEEN, BELOW, RIGHT = 560.0, 110.0, 60.0, 44.0, 34.0, 40.0, 24.0  # px


def histogram(samples: Mapping[str, Sequence[float]], title: str, across: str, bars: int = 51) -> str:
    """An SVG with one row of bars a sample, each as tall as its own most frequent bar.

    >>> histogram({"one": [0.0, 0.0, 1.0]}, "draws", "share", bars=2).count("<rect")
    3
    """
    values = [value for sample in samples.values() for value in sample]
    if not values or not all(map(math.isfinite, values)):
        raise InputError("a histogram needs at least one value, and finite numbers.")
    marks = ticks(values)
    x_of = scale(marks, LEFT, LEFT + WIDE)
    parts = [label(title, LEFT + WIDE / 2, 18, anchor="middle", size=15, most=80)]
    for row, (name, sample) in enumerate(samples.items()):
        floor = TOP + (row + 1) * TALL + row * BETWEEN
        counts = counted(sample, marks[0], marks[-1], bars)
        for place, count in enumerate(counts):
            tall = (TALL - 22) * count / max(counts)
            low = marks[0] + (marks[-1] - marks[0]) * place / bars
            tip = element("title", escape(f"{name}: {count} from {low:.4g}"))
            if count:
                colour = COLOURS[row % len(COLOURS)]
                parts.append(element("rect", tip, x=x_of(low), y=floor - tall, width=WIDE / bars - 1, height=tall, fill=colour))
        parts.append(element("line", x1=LEFT, y1=floor, x2=LEFT + WIDE, y2=floor, stroke=FAINT))
        parts.append(label(name, LEFT + 4, floor - TALL + 10, size=13, fill=COLOURS[row % len(COLOURS)], most=90))
        parts += [label(f"{mark:.6g}", x_of(mark), floor + 14, anchor="middle", size=11) for mark in marks]
    height = TOP + len(samples) * (TALL + BETWEEN) + BELOW - 12
    parts.append(label(across, LEFT + WIDE / 2, height - 16, anchor="middle", size=13, most=80))
    return document(LEFT + WIDE + RIGHT, height, title, parts)


def counted(sample: Sequence[float], low: float, high: float, bars: int) -> list[int]:
    """How many values fall under each of the bars; the last one holds its upper edge too.

    >>> counted([0.0, 0.4, 0.5, 1.0], 0, 1, 2)
    [2, 2]
    """
    counts = [0] * bars
    for value in sample:
        counts[min(bars - 1, int((value - low) / (high - low) * bars))] += 1
    return counts
