"""A network as papers draw it: one box for each map of numbers, its height, depth and thickness to scale."""

from collections.abc import Sequence
from dataclasses import dataclass

from clearhead.errors import InputError
from clearhead.pictures.svg import ACCENT, FAINT, INK, QUIET, document, element, label

TALL, THICK, LONG = 150.0, 60.0, 150.0  # px of the largest side, of the most channels, of the longest vector
LEAN = 0.35  # how far a depth leans to the right and up
LEAST = 2.0  # px, so that the smallest box can still be seen
GAP, COLUMN, MARGIN, LETTER = 26.0, 112.0, 30.0, 7.0
TOP, BELOW = 24.0, 100.0
FRONT, SIDE, LID = "#cfe0f5", "#9dbde3", "#e6effa"
VECTOR, BROKEN = "#f6d9b8", "#c0392b"
MOST = 120  # boxes
WIDEST, LANE = 1500.0, 14.0  # px of a row, and of the lane above it for skips


@dataclass(frozen=True, slots=True)
class Box:
    """What one layer gives: its shape without the batch, what made it, and a remark under it."""

    shape: tuple[int, ...]
    name: str
    remark: str = ""


def network(boxes: Sequence[Box], broken: str = "", skips: Sequence[tuple[int, int]] = ()) -> str:
    """An SVG of the boxes from left to right, in rows; `broken` is written behind the last one, where the net breaks.

    A map (channels, height, width) is as thick as it has channels; a vector is a bar as tall as it is long. A skip leads from
    one box to a later one: an arc above the row, or the same letter at both where they stand in different rows.

    >>> network([Box((1, 32, 32), "input"), Box((10,), "Linear")]).count("<g")
    2
    """
    if not boxes or any(size < 1 for box in boxes for size in box.shape):
        raise InputError("a picture needs at least one box, and every size must be at least 1")
    shown = list(boxes) if len(boxes) <= MOST else [*boxes[: MOST - 1], boxes[-1]]
    scale = scales(shown)
    row = TOP + LANE + TALL + LEAN * TALL + BELOW - 20  # px from one row to the next
    body, x, floor, widest = list[str](), MARGIN, TOP + LANE + TALL + LEAN * TALL, 0.0
    tops: list[tuple[float, float]] = []  # above the middle of each box, and the floor of its row
    for place, box in enumerate(shown):
        wide = max(COLUMN, extent(box, scale)[0] + GAP, LETTER * min(len(box.name), 24))
        if x + wide > WIDEST and x > MARGIN:
            x, floor = MARGIN, floor + row
        body.append(element("g", "\n".join(draw(box, scale, x, wide, floor))))
        if place:
            body.append(arrow(x - GAP / 2, floor - (TALL + LEAN * TALL) / 2))
        tops.append((x + wide / 2, floor))
        x += wide + GAP
        widest = max(widest, x)
    body += arcs(tops, [(start, end) for start, end in skips if start < end < len(shown)])
    if broken:
        middle = floor - (TALL + LEAN * TALL) / 2
        body.append(label("breaks here", x, middle, size=15, fill=BROKEN))
        body.append(label(broken, x, middle + 20, size=11, fill=BROKEN, most=60))
        widest = max(widest, x + max(120.0, 6.6 * min(len(broken), 60)) + GAP)
    note = "to scale: height and depth of maps, thickness for channels, height of vectors; each kind has its own scale"
    note += "" if len(boxes) <= MOST else f"; {len(boxes) - MOST} boxes before the last are left out"
    width = max(widest + MARGIN - GAP, 620.0)
    body.append(label(note, MARGIN, floor + BELOW - 14, size=11, fill=QUIET, most=160))
    return document(width, floor + BELOW, "The layers of a network and the sizes of what they give", body)


def arcs(tops: list[tuple[float, float]], skips: list[tuple[int, int]]) -> list[str]:
    """Skips as arcs above a row, or as the same letter above two boxes of different rows."""
    found, letters = [], iter("abcdefghijklmnopqrstuvwxyz")
    for start, end in skips:
        (left, floor), (right, below) = tops[start], tops[end]
        top = floor - TALL - LEAN * TALL - 4
        if floor == below:
            path = f"M {left:.2f} {top:.2f} Q {(left + right) / 2:.2f} {top - 2 * LANE:.2f} {right:.2f} {top:.2f}"
            found.append(element("path", d=path, fill="none", stroke=ACCENT, stroke_dasharray="4 3"))
            continue
        letter = next(letters, None)
        if letter is not None:
            found.append(label(f"{letter} ↷", left, top + 2, anchor="middle", size=13, fill=ACCENT))
            found.append(label(f"↷ {letter}", right, below - TALL - LEAN * TALL - 2, anchor="middle", size=13, fill=ACCENT))
    return found


def axes_of(box: Box) -> tuple[int, int, int]:
    """Thickness, height and depth of a box, in numbers of the net; a vector has thickness 0."""
    if len(box.shape) <= 1:
        return 0, box.shape[0] if box.shape else 1, 0
    if len(box.shape) == 2:
        return box.shape[0], box.shape[1], 1
    return box.shape[0], box.shape[-2], box.shape[-1]


def scales(boxes: Sequence[Box]) -> tuple[float, float, float]:
    """Px for one position of a map, one channel, one number of a vector."""
    maps = [axes_of(box) for box in boxes if len(box.shape) > 1]
    longest = max((axes_of(box)[1] for box in boxes if len(box.shape) <= 1), default=1)
    side = max((max(height, depth) for _, height, depth in maps), default=1)
    channels = max((thick for thick, _, _ in maps), default=1)
    return TALL / side, THICK / channels, LONG / longest


def sides(box: Box, scale: tuple[float, float, float]) -> tuple[float, float, float]:
    """Thickness, height and depth in px."""
    thick, height, depth = axes_of(box)
    if len(box.shape) <= 1:
        return 10.0, max(LEAST, height * scale[2]), 0.0
    lean = 0.0 if len(box.shape) == 2 else max(LEAST, depth * scale[0])
    return max(LEAST, thick * scale[1]), max(LEAST, height * scale[0]), lean


def extent(box: Box, scale: tuple[float, float, float]) -> tuple[float, float]:
    thick, height, depth = sides(box, scale)
    return thick + LEAN * depth, height + LEAN * depth


def draw(box: Box, scale: tuple[float, float, float], x: float, wide: float, floor: float) -> list[str]:
    """Three faces, and under them the shape, the layer and the remark."""
    thick, height, depth = sides(box, scale)
    across, tall = extent(box, scale)
    left, lean = x + (wide - across) / 2, LEAN * depth
    top = floor - TALL / 2 - LEAN * TALL / 2 + tall / 2 - height  # boxes are centred on one line
    parts = [element("rect", x=left, y=top, width=thick, height=height, fill=FRONT if depth else VECTOR, stroke=INK)]
    if depth:
        right = left + thick
        lid = [(left, top), (left + lean, top - lean), (right + lean, top - lean), (right, top)]
        side = [(right, top), (right + lean, top - lean), (right + lean, top - lean + height), (right, top + height)]
        parts += [face(lid, LID), face(side, SIDE)]
    middle = x + wide / 2
    shape = "×".join(str(size) for size in box.shape) or "1"
    parts.append(label(shape, middle, floor + 12, anchor="middle", size=14, most=20))
    parts.append(label(box.name, middle, floor + 32, anchor="middle", size=12, fill=ACCENT, most=24))
    if box.remark:
        parts.append(label(box.remark, middle, floor + 50, anchor="middle", size=11, fill=QUIET, most=24))
    return parts


def face(corners: list[tuple[float, float]], fill: str) -> str:
    points = " ".join(f"{x:.2f},{y:.2f}" for x, y in corners)
    return element("polygon", points=points, fill=fill, stroke=INK, stroke_linejoin="round")


def arrow(x: float, y: float) -> str:
    """A small arrow from one box to the next."""
    points = f"{x - 5:.2f},{y - 5:.2f} {x + 5:.2f},{y:.2f} {x - 5:.2f},{y + 5:.2f}"
    return element("polygon", points=points, fill=FAINT)
