"""The reliability diagram: how often answers of a certainty are right; on the diagonal they keep their word."""

from collections.abc import Sequence
from dataclasses import dataclass

from clearhead.errors import InputError
from clearhead.pictures.svg import ACCENT, FAINT, INK, QUIET, document, element, escape, label

SIZE, LEFT, TOP, BELOW, RIGHT = 340.0, 70.0, 60.0, 96.0, 30.0  # px
TALLEST = 40.0  # of the counts below


@dataclass(frozen=True, slots=True)
class Bar:
    """Answers of like certainty: between which probabilities, how many, how sure on average, how many of them right."""

    low: float
    high: float
    count: int
    promised: float
    kept: float


def reliability(bars: Sequence[Bar], title: str) -> str:
    """An SVG: a bar up to the share that was right, a dot at what was promised, the counts below.

    >>> reliability([Bar(0.5, 0.6, 4, 0.55, 0.5)], "dev").count("<circle")
    1
    """
    if not bars:
        raise InputError("a reliability diagram needs at least one answer")
    most = max(bar.count for bar in bars)
    floor = TOP + SIZE
    parts = [label(title, LEFT + SIZE / 2, 22, anchor="middle", size=16, most=60), *axes()]
    for bar in bars:
        x, width = LEFT + SIZE * bar.low, SIZE * (bar.high - bar.low)
        told = escape(f"{bar.count} answers, {bar.promised:.0%} promised, {bar.kept:.0%} right")
        tip = element("title", told)
        parts.append(
            element("rect", tip, x=x + 1, y=floor - SIZE * bar.kept, width=width - 2, height=SIZE * bar.kept, fill="#9dbde3")
        )
        tall = TALLEST * bar.count / most
        parts.append(element("rect", tip, x=x + 1, y=floor + 66 - tall, width=width - 2, height=tall, fill=FAINT))
        parts.append(label(str(bar.count), x + width / 2, floor + 76, anchor="middle", size=10))
    parts.append(element("line", x1=LEFT, y1=floor, x2=LEFT + SIZE, y2=TOP, stroke=INK, stroke_dasharray="6 5"))
    parts += [element("circle", cx=LEFT + SIZE * bar.promised, cy=floor - SIZE * bar.kept, r=5, fill=ACCENT) for bar in bars]
    parts.append(label("answers", LEFT - 8, floor + 56, anchor="end", size=12, fill=QUIET))
    return document(LEFT + SIZE + RIGHT, TOP + SIZE + BELOW, "How often answers of a certainty are right", parts)


def axes() -> list[str]:
    """The square and its numbers."""
    parts = [element("rect", x=LEFT, y=TOP, width=SIZE, height=SIZE, fill="none", stroke=FAINT)]
    for tenths in range(0, 11, 2):
        at, name = SIZE * tenths / 10, f"{tenths * 10} %"
        parts.append(label(name, LEFT - 8, TOP + SIZE - at, anchor="end", size=11))
        parts.append(label(name, LEFT + at, TOP + SIZE + 13, anchor="middle", size=11))
    parts.append(label("right", LEFT - 8, TOP - 16, anchor="end", size=12, fill=QUIET))
    parts.append(label("promised →", LEFT + SIZE, TOP - 14, anchor="end", size=12, fill=QUIET))
    return parts
