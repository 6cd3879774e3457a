"""How a cost grows with a size, on log-log axes: measured points, and the slope of a fitted line through the largest."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from clearhead.errors import InputError
from clearhead.pictures.palette import line_style
from clearhead.pictures.svg import FAINT, INK, QUIET, digits, document, element, label

WIDE, TALL = 360.0, 260.0  # px of the axes
LEFT, TOP, BELOW, RIGHT = 76.0, 58.0, 58.0, 26.0
KEY = 22.0  # px for a line of the key


@dataclass(frozen=True, slots=True)
class GrowthLine:
    """One side: a cost for each size, both above 0."""

    name: str
    sizes: Sequence[float]
    costs: Sequence[float]

    def __post_init__(self) -> None:
        if len(self.sizes) != len(self.costs) or len(self.sizes) < 2:
            raise InputError(f"{self.name}: a line needs two points or more, and a cost for each size.")
        if min(*self.sizes, *self.costs) <= 0:
            raise InputError(f"{self.name}: sizes and costs must be above 0 on logarithmic axes.")


@dataclass(frozen=True, slots=True)
class Chart:
    """Several lines over the same axes."""

    title: str
    across: str  # what the sizes are
    up: str  # what the costs are
    lines: Sequence[GrowthLine]
    fitted: int = 4  # of the largest sizes the slope is fitted through so many


def slope(line: GrowthLine, most: int) -> tuple[float, float]:
    """The least-squares line log y = a + b·log x through the `most` largest sizes: (b, a).

    >>> b, a = slope(GrowthLine("square", [1, 2, 4], [3, 12, 48]), 3)
    >>> round(b, 6), round(math.exp(a), 6)
    (2.0, 3.0)
    """
    points = sorted(zip(line.sizes, line.costs, strict=True))[-most:]
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    b = sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True)) / sum((x - x_mean) ** 2 for x in xs)
    return b, y_mean - b * x_mean


def growth(charts: Sequence[Chart]) -> str:
    """An SVG with the charts side by side.

    >>> growth([Chart("time", "tokens", "s", [GrowthLine("ours", [1, 10], [1, 100])])]).count("<circle")
    2
    """
    wide = LEFT + WIDE + RIGHT
    height = TOP + TALL + BELOW + KEY * max(len(chart.lines) for chart in charts)
    body = [
        element("g", "\n".join(draw(chart)), transform=f"translate({digits(place * wide)} 0)")
        for place, chart in enumerate(charts)
    ]
    return document(wide * len(charts), height, "How costs grow, on logarithmic axes", body)


def draw(chart: Chart) -> list[str]:
    """Axes with their numbers, points, fitted lines and a key."""
    sizes = sorted({size for line in chart.lines for size in line.sizes})
    costs = [cost for line in chart.lines for cost in line.costs]
    low, high = math.floor(math.log10(min(costs))), math.ceil(math.log10(max(costs)))
    high += high == low

    def x_of(size: float) -> float:
        return LEFT + WIDE * (0.04 + 0.92 * math.log(size / sizes[0]) / math.log(sizes[-1] / sizes[0]))

    def y_of(cost: float) -> float:
        return TOP + TALL * (high - math.log10(cost)) / (high - low)

    parts = [
        label(chart.title, LEFT + WIDE / 2, 22, anchor="middle", size=16, most=48),
        label(chart.up, LEFT - 8, TOP - 16, anchor="end", size=12, fill=QUIET),
        label(chart.across, LEFT + WIDE, TOP + TALL + 40, anchor="end", size=12, fill=QUIET),
        element("rect", x=LEFT, y=TOP, width=WIDE, height=TALL, fill="none", stroke=FAINT),
    ]
    for power in range(low, high + 1):
        y = y_of(10.0**power)
        parts.append(element("line", x1=LEFT, y1=y, x2=LEFT + WIDE, y2=y, stroke=FAINT, stroke_width=0.4))
        parts.append(label(f"{10.0**power:,.6g}", LEFT - 8, y, anchor="end", size=12))
    parts += [label(f"{size:g}", x_of(size), TOP + TALL + 16, anchor="middle", size=12) for size in sizes]
    for number, line in enumerate(chart.lines):
        colour, dashes = line_style(number)
        b, a = slope(line, chart.fitted)
        ends = sorted(line.sizes)[-chart.fitted :]
        fit = [(x_of(size), y_of(math.exp(a + b * math.log(size)))) for size in (ends[0], ends[-1])]
        (x1, y1), (x2, y2) = fit
        parts.append(element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=colour, stroke_width=1.5, stroke_dasharray=dashes))
        parts += [
            element("circle", cx=x_of(x), cy=y_of(y), r=4, fill=colour) for x, y in zip(line.sizes, line.costs, strict=True)
        ]
        key = TOP + TALL + BELOW + KEY * (number + 0.3)
        parts.append(
            element("line", x1=LEFT, y1=key, x2=LEFT + 28, y2=key, stroke=colour, stroke_width=3, stroke_dasharray=dashes)
        )
        parts.append(label(f"{line.name}: slope {b:.2f}", LEFT + 38, key, size=13, fill=INK, most=60))
    return parts
