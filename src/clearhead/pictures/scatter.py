"""Points in the plane, coloured by class: several planes side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

from clearhead.errors import InputError
from clearhead.pictures.svg import FAINT, digits, document, element, label

SIZE, EDGE, TOP, BELOW, GAP = 340.0, 20.0, 62.0, 44.0, 24.0  # px
CLASSES = (
    "#1f5fae", "#b3541e", "#2e7d4f", "#7a3e9d", "#8a6d00", "#a0305a", "#3aa0a8", "#6b6b6b", "#d08a00", "#5b7fd0",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Plane:
    """Points with their classes."""

    title: str
    points: Sequence[tuple[float, float]]
    classes: Sequence[int]

    def __post_init__(self) -> None:
        if not self.points or len(self.points) != len(self.classes):
            raise InputError(f"{self.title}: a plane needs points, and a class for each.")


def scatter(planes: Sequence[Plane], title: str) -> str:
    """An SVG with one square a plane; each is stretched to its own points.

    >>> scatter([Plane("two", [(0.0, 0.0), (1.0, 2.0)], [0, 1])], "points").count("<circle")
    4
    """
    names = sorted({each for plane in planes for each in plane.classes})
    wide = SIZE + GAP
    parts = [label(title, wide * len(planes) / 2, 16, anchor="middle", size=15, most=90)]
    for number, plane in enumerate(planes):
        parts.append(
            element("g", "\n".join(draw(plane)), transform=f"translate({digits(number * wide + GAP / 2)} {digits(TOP)})")
        )
    for place, name in enumerate(names):
        x, y = GAP + place * 44, TOP + SIZE + 26
        parts += [
            element("circle", cx=x, cy=y, r=5, fill=CLASSES[name % len(CLASSES)]),
            label(str(name), x + 10, y, size=12),
        ]
    return document(wide * len(planes), TOP + SIZE + BELOW, title, parts)


def draw(plane: Plane) -> list[str]:
    places = [stretched([point[axis] for point in plane.points]) for axis in (0, 1)]
    parts = [
        element("rect", x=0, y=0, width=SIZE, height=SIZE, fill="none", stroke=FAINT),
        label(plane.title, SIZE / 2, -12, anchor="middle", size=13, most=60),
    ]
    for x, y, each in zip(*places, plane.classes, strict=True):
        parts.append(element("circle", cx=x, cy=SIZE - y, r=2.4, fill=CLASSES[each % len(CLASSES)], fill_opacity="0.75"))
    return parts


def stretched(values: Sequence[float]) -> list[float]:
    """Values as px, from one edge to the other.

    >>> stretched([1.0, 3.0])
    [20.0, 320.0]
    """
    low, high = min(values), max(values)
    return [EDGE + (value - low) / (high - low or 1.0) * (SIZE - 2 * EDGE) for value in values]
