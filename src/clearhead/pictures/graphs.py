"""Lines over plain or logarithmic axes, with a band where a number was sampled; several graphs side by side."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from clearhead.errors import InputError
from clearhead.pictures.curves import ticks
from clearhead.pictures.palette import line_style
from clearhead.pictures.svg import FAINT, INK, digits, document, element, escape, label

WIDE, TALL, LEFT, TOP, BELOW, RIGHT, KEY = 400.0, 280.0, 84.0, 56.0, 56.0, 24.0, 20.0  # px
Place: TypeAlias = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class Axis:
    """What it measures, and whether equal steps are equal factors."""

    name: str
    logarithmic: bool = False

    def marks(self, values: Sequence[float]) -> list[float]:
        """Round numbers that enclose the values.

        >>> Axis("tokens", logarithmic=True).marks([3, 700])
        [1.0, 10.0, 100.0, 1000.0]
        """
        if not self.logarithmic:
            return ticks(values)
        low, high = math.floor(math.log10(min(values)) + 1e-9), math.ceil(math.log10(max(values)) - 1e-9)
        step = max(1, -(-(high - low) // 7))
        return [10.0**power for power in range(low, max(high, low + 1) + step, step)]

    def placing(self, marks: Sequence[float], start: float, end: float) -> Place:
        """From values to px: the first mark stands at `start`, the last at `end`."""
        measure: Place = math.log10 if self.logarithmic else float
        first, last = measure(marks[0]), measure(marks[-1])
        return lambda value: start + (measure(value) - first) / (last - first) * (end - start)


@dataclass(frozen=True, slots=True)
class Trace:
    """One line: its points, and how far up and down each may be wrong."""

    name: str
    points: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float]] = ()  # the low and the high of each point; none: not sampled

    def __post_init__(self) -> None:
        numbers = [number for pair in (*self.points, *self.band) for number in pair]
        if not self.points or not all(map(math.isfinite, numbers)) or len(self.band) not in (0, len(self.points)):
            raise InputError(f"{self.name}: a line needs points of finite numbers, and a low and high for each or for none.")


@dataclass(frozen=True, slots=True)
class Graph:
    """Lines over one pair of axes."""

    title: str
    across: Axis
    up: Axis
    lines: Sequence[Trace]


def graphs(shown: Sequence[Graph]) -> str:
    """An SVG with the graphs side by side, a key under each.

    >>> line = Trace("loss", [(1, 4.0), (10, 2.0)], [(3.9, 4.1), (1.9, 2.1)])
    >>> drawn = graphs([Graph("a run", Axis("steps", logarithmic=True), Axis("nats"), [line])])
    >>> drawn.count("<polyline"), drawn.count("<polygon")
    (1, 1)
    """
    wide = LEFT + WIDE + RIGHT
    height = TOP + TALL + BELOW + KEY * max(len(graph.lines) for graph in shown)
    body = [
        element("g", "\n".join(draw(graph)), transform=f"translate({digits(place * wide)} 0)")
        for place, graph in enumerate(shown)
    ]
    return document(wide * len(shown), height, "; ".join(graph.title for graph in shown), body)


def draw(graph: Graph) -> list[str]:
    """Axes with their numbers, then each line over its band, then the key."""
    xs = graph.across.marks([x for line in graph.lines for x, _ in line.points])
    ys = graph.up.marks(heights(graph))
    x_of, y_of = graph.across.placing(xs, LEFT, LEFT + WIDE), graph.up.placing(ys, TOP + TALL, TOP)
    parts = [
        label(graph.title, LEFT + WIDE / 2, 22, anchor="middle", size=15, most=60),
        label(graph.across.name, LEFT + WIDE / 2, TOP + TALL + 38, anchor="middle", size=12, most=70),
        label(graph.up.name, 8, TOP - 18, size=12, most=60),
    ]
    for x in xs:
        parts.append(element("line", x1=x_of(x), y1=TOP, x2=x_of(x), y2=TOP + TALL, stroke=FAINT, stroke_width=0.4))
        parts.append(label(f"{x:,.6g}", x_of(x), TOP + TALL + 15, anchor="middle", size=11))
    for y in ys:
        parts.append(element("line", x1=LEFT, y1=y_of(y), x2=LEFT + WIDE, y2=y_of(y), stroke=FAINT, stroke_width=0.4))
        parts.append(label(f"{y:,.6g}", LEFT - 8, y_of(y), anchor="end", size=11))
    for number, line in enumerate(graph.lines):
        colour, dashes = line_style(number)
        if line.band:
            lows = [(x_of(x), y_of(low)) for (x, _), (low, _) in zip(line.points, line.band, strict=True)]
            highs = [(x_of(x), y_of(high)) for (x, _), (_, high) in zip(line.points, line.band, strict=True)]
            parts.append(element("polygon", points=path(lows + highs[::-1]), fill=colour, fill_opacity="0.18"))
        tip = element("title", escape(f"{line.name}: {line.points[-1][1]:g} at the end"))
        drawn = path([(x_of(x), y_of(y)) for x, y in line.points])
        parts.append(
            element("polyline", tip, points=drawn, fill="none", stroke=colour, stroke_width=1.8, stroke_dasharray=dashes)
        )
        key = TOP + TALL + BELOW + KEY * (number + 0.3)
        parts.append(
            element("line", x1=LEFT, y1=key, x2=LEFT + 28, y2=key, stroke=colour, stroke_width=2.5, stroke_dasharray=dashes)
        )
        parts.append(label(line.name, LEFT + 36, key, size=12, fill=INK, most=64))
    return parts


def heights(graph: Graph) -> list[float]:
    """Every value that the axis upwards must reach; on a logarithmic one those above 0."""
    values = [y for line in graph.lines for _, y in line.points]
    values += [edge for line in graph.lines for pair in line.band for edge in pair]
    if graph.up.logarithmic and min(values) <= 0:
        raise InputError(f"{graph.title}: values must be above 0 on a logarithmic axis.")
    return values


def path(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{digits(x)},{digits(y)}" for x, y in points)
