"""Numbers of any size as a table of shades, each with its number and, where it was sampled, its interval."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from clearhead.errors import InputError
from clearhead.pictures.maps.heatmap import ink_on, shade
from clearhead.pictures.svg import FAINT, document, element, escape, label

WIDE, TALL, LEFT, TOP, BELOW = 150.0, 34.0, 190.0, 84.0, 18.0  # px; the first two of a cell


@dataclass(frozen=True, slots=True)
class ValueMap:
    """A number for each row and column; `full` is as dark as it gets."""

    values: Sequence[Sequence[float]]
    rows: Sequence[str]
    columns: Sequence[str]
    title: str = ""
    intervals: Sequence[Sequence[tuple[float, float]]] = ()  # the low and the high of each; none: not sampled
    full: float = 1.0

    def __post_init__(self) -> None:
        if not self.values or any(len(row) != len(self.columns) for row in self.values) or len(self.values) != len(self.rows):
            raise InputError("a map of values needs a name for each row and each column.")


def value_map(shown: ValueMap) -> str:
    """An SVG with a cell for each number; a number that is not known is left white.

    >>> value_map(ValueMap([[0.5, 0.25]], ["memory"], ["name", "last"])).count("<rect")
    3
    """
    wide = LEFT + WIDE * len(shown.columns) + 20
    parts = [label(shown.title, 12, 20, size=15, most=90)]
    for j, name in enumerate(shown.columns):
        parts.append(label(name, LEFT + WIDE * (j + 0.5), TOP - 14, anchor="middle", size=12, most=24))
    for i, row in enumerate(shown.values):
        y = TOP + i * TALL
        parts.append(label(shown.rows[i], LEFT - 10, y + TALL / 2, anchor="end", size=13, most=26))
        for j, value in enumerate(row):
            x = LEFT + j * WIDE
            known = math.isfinite(value)
            depth = min(max(value / shown.full, 0.0), 1.0) if known else 0.0
            told = number_of(shown, i, j) if known else "–"
            tip = element("title", escape(f"{shown.rows[i]}, {shown.columns[j]}: {told}"))
            parts.append(element("rect", tip, x=x, y=y, width=WIDE, height=TALL, fill=shade(depth), stroke=FAINT))
            parts.append(label(told, x + WIDE / 2, y + TALL / 2, anchor="middle", size=12, fill=ink_on(depth), most=30))
    return document(wide, TOP + TALL * len(shown.rows) + BELOW, shown.title, parts)


def number_of(shown: ValueMap, i: int, j: int) -> str:
    """A number with its interval behind it, if it has one."""
    value = two_digits(shown.values[i][j])
    if not shown.intervals:
        return value
    low, high = shown.intervals[i][j]
    return f"{value} ({two_digits(low)} to {two_digits(high)})"


def two_digits(value: float) -> str:
    """
    >>> two_digits(-0.001), two_digits(-0.126)
    ('0.00', '−0.13')
    """
    written = f"{value:.2f}"
    return written.lstrip("-") if float(written) == 0 else written.replace("-", "−")
