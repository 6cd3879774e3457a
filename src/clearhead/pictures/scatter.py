"""Points in the plane, with a colour and a shape for each class: several planes side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

from clearhead.errors import InputError
from clearhead.pictures.svg import FAINT, digits, document, element, label

SIZE, EDGE, TOP, BELOW, GAP = 340.0, 20.0, 62.0, 44.0, 24.0  # px
CLASSES = (
    "#1f5fae", "#b3541e", "#2e7d4f", "#7a3e9d", "#8a6d00", "#a0305a", "#3aa0a8", "#6b6b6b", "#d08a00", "#5b7fd0",
)  # fmt: skip

SHAPES = (
    "",  # a dot
    "M -0.9 -0.9 L 0.9 -0.9 L 0.9 0.9 L -0.9 0.9 z",  # square
    "M 0 -1.2 L 1.1 0.8 L -1.1 0.8 z",  # triangle
    "M -1 -1 L 1 1 M -1 1 L 1 -1",  # cross
    "M 0 -1.3 L 1.3 0 L 0 1.3 L -1.3 0 z",  # diamond
    "M -1.2 0 L 1.2 0 M 0 -1.2 L 0 1.2",  # plus
    "M 0 1.2 L 1.1 -0.8 L -1.1 -0.8 z",  # triangle on its tip
    "M -1.2 0 L 1.2 0",  # dash
    "M -1 -1 L 1 -1 L 1 1 L -1 1 L -1 -1",  # open square
    "M 0 -1.3 L 1.3 0 L 0 1.3 L -1.3 0 L 0 -1.3",  # open diamond
)
"""One for each colour, so that classes are told apart without colours."""


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
    2
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
        parts += [mark(name, x, y, 5), label(str(name), x + 10, y, size=12)]
    return document(wide * len(planes), TOP + SIZE + BELOW, title, parts)


def draw(plane: Plane) -> list[str]:
    places = [stretched([point[axis] for point in plane.points]) for axis in (0, 1)]
    parts = [
        element("rect", x=0, y=0, width=SIZE, height=SIZE, fill="none", stroke=FAINT),
        label(plane.title, SIZE / 2, -12, anchor="middle", size=13, most=60),
    ]
    for x, y, each in zip(*places, plane.classes, strict=True):
        parts.append(mark(each, x, SIZE - y, 2.6))
    return parts


def mark(number: int, x: float, y: float, r: float) -> str:
    """A point of a class: its colour, and a shape that tells it apart where there are no colours; r is half its size."""
    fill = CLASSES[number % len(CLASSES)]
    if number % len(SHAPES) == 0:
        return element("circle", cx=x, cy=y, r=r, fill=fill, fill_opacity="0.75")
    shape = SHAPES[number % len(SHAPES)]
    if shape.endswith("z"):
        return element("path", d=placed(shape, x, y, r), fill=fill, fill_opacity="0.75")
    return element("path", d=placed(shape, x, y, r), fill="none", stroke=fill, stroke_width=r * 0.42)


def placed(shape: str, x: float, y: float, r: float) -> str:
    """A shape of half size 1 around 0, at a place.

    >>> placed("M -1 0 L 1 0", 10, 20, 2)
    'M8 20L12 20'
    """
    out, numbers = "", iter(shape.split())
    for sign in numbers:
        out += sign if sign == "z" else f"{sign}{digits(x + r * float(next(numbers)))} {digits(y + r * float(next(numbers)))}"
    return out


def stretched(values: Sequence[float]) -> list[float]:
    """Values as px, from one edge to the other.

    >>> stretched([1.0, 3.0])
    [20.0, 320.0]
    """
    low, high = min(values), max(values)
    return [EDGE + (value - low) / (high - low or 1.0) * (SIZE - 2 * EDGE) for value in values]
