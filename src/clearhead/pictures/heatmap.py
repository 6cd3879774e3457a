"""Weights as shades: one square a weight, its number inside while there is room."""

from collections.abc import Sequence

from clearhead.pictures.panel import Panel
from clearhead.pictures.svg import FAINT, INK, PAPER, digits, document, element, escape, label

SIDE, TOP, GAP = 120.0, 110.0, 30.0
NUMBERS_UP_TO = 16  # columns: beyond this the squares are too small for numbers
LIGHT, DARK = (255, 255, 255), (18, 70, 140)


def heatmap(panels: Sequence[Panel]) -> str:
    """An SVG with one map a panel, side by side; 0 is white and 1 is dark.

    >>> heatmap([Panel([[0.75, 0.25]])]).count("<rect")
    3
    """
    size = square(max(len(panel.columns) for panel in panels))
    widths = [SIDE + len(panel.columns) * size + GAP for panel in panels]
    height = TOP + max(len(panel.rows) for panel in panels) * size + GAP
    starts = [sum(widths[:k]) for k in range(len(panels))]
    body = [
        element("g", "\n".join(draw(panel, size)), transform=f"translate({digits(x)} 0)")
        for panel, x in zip(panels, starts, strict=True)
    ]
    return document(sum(widths), height, "How much each output looks at each input", body)


def square(columns: int) -> float:
    return 52.0 if columns <= NUMBERS_UP_TO else 18.0


def shade(weight: float) -> str:
    """
    >>> shade(0), shade(1)
    ('#ffffff', '#12468c')
    """
    return "#" + "".join(f"{round(light + (dark - light) * weight):02x}" for light, dark in zip(LIGHT, DARK, strict=True))


def draw(panel: Panel, size: float) -> list[str]:
    columns, rows = panel.columns, panel.rows
    middle = SIDE + len(columns) * size / 2
    letters = 13.0 if size > 40 else 11.0
    parts = [
        label(panel.title, middle, 18, anchor="middle", size=16, most=48),
        label("inputs →", SIDE - 10, TOP - 30, anchor="end", size=12, fill=FAINT),
        label("outputs ↓", SIDE - 10, TOP - 12, anchor="end", size=12, fill=FAINT),
    ]
    for j, name in enumerate(columns):
        x = SIDE + (j + 0.5) * size
        turned = element(
            "g", label(name, 0, 0, size=letters, most=12), transform=f"translate({digits(x)} {digits(TOP - 10)}) rotate(-50)"
        )
        parts.append(turned)
    for i, (name, row) in enumerate(zip(rows, panel.weights, strict=True)):
        y = TOP + i * size
        parts.append(label(name, SIDE - 10, y + size / 2, anchor="end", size=letters, most=14))
        for j, weight in enumerate(row):
            tip = element("title", escape(f"{name} looks at {columns[j]}: {weight:g}"))
            x = SIDE + j * size
            parts.append(element("rect", tip, x=x, y=y, width=size, height=size, fill=shade(weight), stroke=FAINT))
            if size > 40:
                ink = PAPER if weight > 0.55 else INK
                parts.append(label(f"{weight:.4g}", x + size / 2, y + size / 2, anchor="middle", size=12, fill=ink))
    return parts
