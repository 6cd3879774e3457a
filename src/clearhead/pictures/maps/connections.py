"""The connection diagram of problem sets: inputs on one vertical line, outputs on another, lines by influence."""

from collections.abc import Sequence

from clearhead.pictures.maps.panel import Panel
from clearhead.pictures.svg import ACCENT, FAINT, INK, QUIET, digits, document, element, escape, label

ROW, TOP, SIDE, BETWEEN = 40.0, 78.0, 165.0, 190.0  # px: line to line, above, beside, from inputs to outputs
WIDTH = 2 * SIDE + BETWEEN
LEGEND = 46.0
NAME_LENGTH = 16  # what fits beside a line


def connections(panels: Sequence[Panel]) -> str:
    """An SVG with one diagram a panel, side by side.

    Each output has a solid line to the input of the largest weight (to all of them, where several tie) and a dashed line to
    the next lower weight that is not zero; the weights count as given, so pass them as they are shown.

    >>> connections([Panel([[0.75, 0.25, 0.0]])]).count("stroke-dasharray")
    2
    """
    tallest = max(max(len(panel.rows), len(panel.columns)) for panel in panels)
    height = TOP + (tallest - 1) * ROW + 30 + LEGEND
    body = [
        element("g", "\n".join(draw(panel)), transform=f"translate({digits(k * WIDTH)} 0)") for k, panel in enumerate(panels)
    ]
    return document(WIDTH * len(panels), height, "Which input each output looks at", [*body, *legend(height)])


def strongest(row: Sequence[float]) -> tuple[list[int], list[int]]:
    """The places of the largest weight, and those of the next lower one that is not zero.

    >>> strongest([0.4, 0.2, 0.4, 0.0, 0.2])
    ([0, 2], [1, 4])
    """
    levels = sorted({weight for weight in row if weight > 0}, reverse=True)
    solid = [j for j, weight in enumerate(row) if levels and weight == levels[0]]
    dashed = [j for j, weight in enumerate(row) if len(levels) > 1 and weight == levels[1]]
    return solid, dashed


def draw(panel: Panel) -> list[str]:
    left, right = SIDE, SIDE + BETWEEN
    parts = [
        label(panel.title, WIDTH / 2, 20, anchor="middle", size=16, most=48),
        label("inputs", left, 46, anchor="middle", fill=QUIET),
        label("outputs", right, 46, anchor="middle", fill=QUIET),
        axis(left, len(panel.columns)),
        axis(right, len(panel.rows)),
    ]
    for i, row in enumerate(panel.weights):
        solid, dashed = strongest(row)
        for j in [*dashed, *solid]:
            tip = element("title", label_of(panel, i, j, row[j]))
            parts.append(
                element(
                    "line", tip, x1=left, y1=TOP + j * ROW, x2=right, y2=TOP + i * ROW,
                    stroke=ACCENT, stroke_width=1 + 4 * row[j], **({} if j in solid else {"stroke_dasharray": "7 6"}),
                )
            )  # fmt: skip
    for j, name in enumerate(panel.columns):
        parts += [dot(left, j), label(name, left - 14, TOP + j * ROW, anchor="end", most=NAME_LENGTH)]
    for i, name in enumerate(panel.rows):
        parts += [dot(right, i), label(name, right + 14, TOP + i * ROW, most=NAME_LENGTH)]
    return parts


def label_of(panel: Panel, i: int, j: int, weight: float) -> str:
    return escape(f"{panel.rows[i]} looks at {panel.columns[j]}: {weight:g}")


def axis(x: float, count: int) -> str:
    return element("line", x1=x, y1=TOP - 12, x2=x, y2=TOP + (count - 1) * ROW + 12, stroke=FAINT, stroke_width=1)


def dot(x: float, place: int) -> str:
    return element("circle", cx=x, cy=TOP + place * ROW, r=5, fill=INK)


def legend(height: float) -> list[str]:
    y = height - LEGEND / 2
    return [
        element("line", x1=20, y1=y, x2=56, y2=y, stroke=ACCENT, stroke_width=3),
        label("largest weight (ties: all)", 64, y, size=12, most=60),
        element("line", x1=250, y1=y, x2=286, y2=y, stroke=ACCENT, stroke_width=2, stroke_dasharray="7 6"),
        label("next lower, not zero", 294, y, size=12, most=60),
    ]
