"""The risk–coverage curve: how many of the answers are wrong, when only the surest share is answered."""

from collections.abc import Sequence

from clearhead.errors import InputError
from clearhead.pictures.svg import ACCENT, FAINT, INK, QUIET, digits, document, element, label

WIDE, TALL, LEFT, TOP, BELOW, RIGHT = 420.0, 280.0, 70.0, 60.0, 50.0, 30.0  # px


def coverage_curve(points: Sequence[tuple[float, float]], chosen: tuple[float, float] | None, title: str) -> str:
    """An SVG of (share answered, share of those wrong), with a dot where the default level stands.

    >>> coverage_curve([(0.5, 0.0), (1.0, 0.25)], (0.5, 0.0), "dev").count("<circle")
    1
    """
    if not points:
        raise InputError("a risk–coverage curve needs at least one answer")
    top = min(1.0, max(0.1, -(-max(risk for _, risk in points) * 10 // 1) / 10))

    def at(point: tuple[float, float]) -> tuple[float, float]:
        return LEFT + WIDE * point[0], TOP + TALL * (1 - min(point[1], top) / top)

    parts = [
        label(title, LEFT + WIDE / 2, 22, anchor="middle", size=16, most=60),
        label("wrong", LEFT - 8, TOP - 16, anchor="end", size=12, fill=QUIET),
        label("answered →", LEFT + WIDE, TOP + TALL + 36, anchor="end", size=12, fill=QUIET),
        element("rect", x=LEFT, y=TOP, width=WIDE, height=TALL, fill="none", stroke=FAINT),
    ]
    for fifths in range(6):
        parts.append(label(f"{fifths * 20} %", LEFT + WIDE * fifths / 5, TOP + TALL + 14, anchor="middle", size=11))
        y = TOP + TALL * (1 - fifths / 5)
        parts.append(element("line", x1=LEFT, y1=y, x2=LEFT + WIDE, y2=y, stroke=FAINT, stroke_width=0.4))
        parts.append(label(f"{100 * top * fifths / 5:.0f} %", LEFT - 8, y, anchor="end", size=11))
    path = " ".join(f"{digits(x)},{digits(y)}" for x, y in map(at, points))
    parts.append(element("polyline", points=path, fill="none", stroke=ACCENT, stroke_width=2))
    if chosen is not None:
        x, y = at(chosen)
        parts.append(element("circle", cx=x, cy=y, r=6, fill=INK))
        words = f"default: {chosen[0]:.0%} answered, {chosen[1]:.1%} wrong"
        parts.append(label(words, LEFT + 12, TOP + 16, size=12, most=60))
    return document(LEFT + WIDE + RIGHT, TOP + TALL + BELOW, "How many answers are wrong, by how many are given", parts)
