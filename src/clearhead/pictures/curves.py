"""Numbers over numbers as lines, with plain axes: how a loss falls."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from clearhead.errors import InputError
from clearhead.pictures.palette import line_style
from clearhead.pictures.svg import FAINT, INK, digits, document, element, escape, label

WIDTH, HEIGHT, LEFT, TOP, BELOW, RIGHT = 720.0, 420.0, 70.0, 50.0, 60.0, 30.0
Points = Sequence[tuple[float, float]]


def curves(lines: Mapping[str, Points], title: str, across: str, up: str) -> str:
    """An SVG with one line a name; the axes reach from the least to the greatest value.

    >>> curves({"loss": [(0, 4.0), (10, 2.0)]}, "a run", "steps", "nats").count("<polyline")
    1
    """
    points = [point for line in lines.values() for point in line]
    if not points or not all(math.isfinite(x) and math.isfinite(y) for x, y in points):
        raise InputError("a curve needs at least one point, and finite numbers.")
    xs, ys = ticks([x for x, _ in points]), ticks([y for _, y in points])
    across_of = scale(xs, LEFT, WIDTH - RIGHT)
    up_of = scale(ys, HEIGHT - BELOW, TOP)
    parts = [label(title, WIDTH / 2, 20, anchor="middle", size=16, most=80)]
    for x in xs:
        at = across_of(x)
        parts.append(element("line", x1=at, y1=TOP, x2=at, y2=HEIGHT - BELOW, stroke=FAINT, stroke_width=0.4))
        parts.append(label(f"{x:,.10g}", at, HEIGHT - BELOW + 16, anchor="middle", size=12))
    for y in ys:
        at = up_of(y)
        parts.append(element("line", x1=LEFT, y1=at, x2=WIDTH - RIGHT, y2=at, stroke=FAINT, stroke_width=0.4))
        parts.append(label(f"{y:,.10g}", LEFT - 8, at, anchor="end", size=12))
    for number, (name, line) in enumerate(lines.items()):
        colour, dashes = line_style(number)
        drawn = partial(element, fill="none", stroke=colour, stroke_width=1.8, stroke_dasharray=dashes)
        path = " ".join(f"{digits(across_of(x))},{digits(up_of(y))}" for x, y in line)
        parts.append(drawn("polyline", points=path))
        if line:
            parts += [dot(across_of(line[-1][0]), up_of(line[-1][1]), name, line[-1][1], colour)]
        end, height = WIDTH - RIGHT - 8, TOP + 14 + 18 * number
        parts.append(drawn("line", x1=end - 26, y1=height, x2=end, y2=height))
        parts.append(label(name, end - 32, height, anchor="end", size=13, fill=colour, most=40))
    parts.append(label(across, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 18, anchor="middle", size=13, fill=INK, most=60))
    turned = f"translate(18 {digits(HEIGHT / 2)}) rotate(-90)"
    parts.append(element("g", label(up, 0, 0, anchor="middle", size=13, most=60), transform=turned))
    return document(WIDTH, HEIGHT, title, parts)


def dot(x: float, y: float, name: str, value: float, colour: str) -> str:
    """The last point of a line, with its value as a tooltip."""
    return element("circle", element("title", escape(f"{name}: {value:g}")), cx=x, cy=y, r=3, fill=colour)


def ticks(values: Sequence[float], about: int = 6) -> list[float]:
    """Round numbers that enclose the values.

    >>> ticks([0.0, 9.3])
    [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
    """
    low, high = min(values), max(values)
    rough = (high - low or abs(high) or 1.0) / (about - 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * nice for nice in (1, 2, 2.5, 5, 10) if power * nice >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(step * place, 12) for place in range(first, max(last, first + 1) + 1)]


def scale(marks: Sequence[float], start: float, end: float) -> Callable[[float], float]:
    """From values to places: the first mark stands at `start`, the last at `end`."""
    return lambda value: start + (value - marks[0]) / (marks[-1] - marks[0]) * (end - start)
