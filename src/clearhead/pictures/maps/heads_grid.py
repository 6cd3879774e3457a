"""Every head of a model as a small map: a row a layer, so that all are seen at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from clearhead.errors import InputError
from clearhead.pictures.maps.heatmap import shade
from clearhead.pictures.svg import ACCENT, FAINT, INK, QUIET, digits, document, element, escape, label

SIDE, GAP, UNDER, LEFT, TOP = 84.0, 14.0, 34.0, 110.0, 58.0  # px; the first is a map's
MOST = 28  # cells on a side: a larger map is shrunk by keeping the largest of each square
LEVELS = 12  # shades


@dataclass(frozen=True, slots=True)
class HeadTile:
    """One head: its name, its weights (rows look at columns), and a word under it."""

    name: str
    weights: Sequence[Sequence[float]]
    word: str = ""

    def __post_init__(self) -> None:
        if not self.weights or len({len(row) for row in self.weights}) != 1 or not self.weights[0]:
            raise InputError(f"head {self.name}: weights must be rows of one length, with at least one number")


def heads_grid(layers: Sequence[Sequence[HeadTile]], names: Sequence[str], title: str, under: str = "") -> str:
    """An SVG with a row of maps for each layer; 0 is white, and small weights are lifted to be seen (the root is drawn).

    A line `under` the title has a text to itself, so that letters of any script join as they should.

    >>> heads_grid([[HeadTile("1.1", [[1.0, 0.0], [0.5, 0.5]])]], ["layer 1"], "a run").count("<path")
    2
    """
    wide = LEFT + max(len(row) for row in layers) * (SIDE + GAP) + 10
    fits = int(wide / 8)
    parts = [label(title, 12, 22, size=15, most=max(fits, 24))]
    if under:
        parts.append(label(under, 12, 41, size=12, fill=QUIET, most=max(fits, 24)))
    for i, (row, name) in enumerate(zip(layers, names, strict=True)):
        y = TOP + i * (SIDE + UNDER)
        parts.append(label(name, LEFT - 14, y + SIDE / 2, anchor="end", size=12, most=14))
        for j, tile in enumerate(row):
            inside = "".join(draw(tile))
            parts.append(element("g", inside, transform=f"translate({digits(LEFT + j * (SIDE + GAP))} {digits(y)})"))
    return document(wide, TOP + len(layers) * (SIDE + UNDER) + 6, title, parts)


def draw(tile: HeadTile) -> list[str]:
    """One map: a path for each shade, a frame, its name and its word."""
    cells = shrunk(tile.weights)
    unit = SIDE / max(len(cells), len(cells[0]))
    found: dict[int, list[str]] = {}
    for i, row in enumerate(cells):
        for j, weight in enumerate(row):
            level = round(max(weight, 0.0) ** 0.5 * LEVELS)
            if level:
                step = digits(unit)
                found.setdefault(level, []).append(f"M{digits(j * unit)} {digits(i * unit)}h{step}v{step}h-{step}z")
    parts = [element("title", escape(f"head {tile.name}{': ' + tile.word if tile.word else ''}"))]
    parts += [element("path", d="".join(found[level]), fill=shade(level / LEVELS)) for level in sorted(found)]
    parts.append(
        element("rect", width=unit * len(cells[0]), height=unit * len(cells), fill="none", stroke=FAINT, stroke_width=0.6)
    )
    parts.append(label(tile.name, SIDE / 2, SIDE + 9, anchor="middle", size=11, fill=INK))
    if tile.word:
        parts.append(label(tile.word, SIDE / 2, SIDE + 21, anchor="middle", size=9, fill=ACCENT, most=18))
    return parts


def shrunk(weights: Sequence[Sequence[float]]) -> list[list[float]]:
    """At most so many cells on a side.

    >>> shrunk([[0.5, 0.5]])
    [[0.5, 0.5]]
    """
    by = -(-max(len(weights), len(weights[0])) // MOST)
    return [
        [max(cell for row in weights[i : i + by] for cell in row[j : j + by]) for j in range(0, len(weights[0]), by)]
        for i in range(0, len(weights), by)
    ]
