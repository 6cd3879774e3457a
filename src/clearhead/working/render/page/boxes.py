"""Text in two dimensions: tables in brackets, set side by side like formulas on paper, within a width."""

from collections.abc import Iterable, Sequence

Box = list[str]
"""Lines of one width; side by side they meet at their middles."""


OWN_SIGNS = frozenset("⎡⎤⎢⎥⎣⎦·√≈−∞…–ᵀ≤≥→⊙∂ΣσθληγδΔ∗²½⌊⌋‖“”×")
"""Signs that pages write themselves, all of them one column wide."""


def width_of(words: str) -> int:
    """How many columns of a terminal the words take: wide signs and emoji take two, combining ones none.

    >>> width_of("日本"), width_of("⎡ 1 ⎤")
    (4, 5)
    """
    if words.isascii() or all(sign.isascii() or sign in OWN_SIGNS for sign in words):
        return len(words)
    from rich.cells import cell_len  # only for what people wrote: its tables take 3 ms to read

    return cell_len(words)


def padded(words: str, width: int, *, right: bool = False) -> str:
    space = " " * (width - width_of(words))
    return space + words if right else words + space


def aligned(column: Sequence[str]) -> list[str]:
    """Numbers under one another with their points in one line; a word stands at the right.

    >>> aligned(["1", "-2.5"])
    [' 1  ', '-2.5']
    """
    halves = [
        (cell, "") if " " in cell or "/" in cell else (cell.partition(".")[0], cell[len(cell.partition(".")[0]) :])
        for cell in column
    ]
    left, right = max(width_of(a) for a, _ in halves), max(width_of(b) for _, b in halves)
    return [padded(a, left, right=True) + padded(b, right) for a, b in halves]


def bracketed(cells: Sequence[Sequence[str]], rows: Sequence[str] = (), columns: Sequence[str] = ()) -> Box:
    """A table in brackets, its rows and columns named where names are given.

    >>> bracketed([["1"], ["2"]])
    ['⎡ 1 ⎤', '⎣ 2 ⎦']
    """
    inside = [aligned(column) for column in zip(*cells, strict=True)]
    widths = [
        max(width_of(column[0]), width_of(name)) for column, name in zip(inside, columns or [""] * len(inside), strict=True)
    ]
    inside = [[padded(cell, width, right=True) for cell in column] for column, width in zip(inside, widths, strict=True)]
    lines = ["  ".join(row) for row in zip(*inside, strict=True)]
    last = len(lines) - 1
    left = ["[" if last == 0 else "⎡" if i == 0 else "⎣" if i == last else "⎢" for i in range(len(lines))]
    right = ["]" if last == 0 else "⎤" if i == 0 else "⎦" if i == last else "⎥" for i in range(len(lines))]
    margin = max((width_of(name) for name in rows), default=-1) + 1
    names = [padded(name, margin, right=False) for name in rows] or [""] * len(lines)
    box = [f"{name}{a} {line} {b}" for name, a, line, b in zip(names, left, lines, right, strict=True)]
    if columns:
        heads = "  ".join(padded(name, width, right=True) for name, width in zip(columns, widths, strict=True))
        box.insert(0, " " * (margin + 2) + heads + "  ")
    return box


def blocks(cells: Sequence[Sequence[str]], rows: Sequence[str], columns: Sequence[str], width: int) -> list[tuple[str, Box]]:
    """A table that is too wide, in blocks of columns that fit, each with its heading; one block without one where it fits."""
    total = len(cells[0])
    margin = max((width_of(name) + 1 for name in rows), default=0) + len("[  ]")
    most = columns_that_fit(column_widths(cells, columns), width - margin)
    if most >= total:
        return [("", bracketed(cells, rows, columns))]
    ends = [(start, min(start + most, total)) for start in range(0, total, most)]
    return [
        (columns_heading(start, end), bracketed([row[start:end] for row in cells], rows, columns[start:end]))
        for start, end in ends
    ]


def column_widths(cells: Sequence[Sequence[str]], columns: Sequence[str]) -> list[int]:
    names = columns or [""] * len(cells[0])
    return [
        max(width_of(aligned(column)[0]), width_of(name)) for column, name in zip(zip(*cells, strict=True), names, strict=True)
    ]


def columns_that_fit(widths: list[int], room: int) -> int:
    """The largest number of columns, at least 1, of which every block is narrow enough.

    >>> columns_that_fit([4, 4, 4, 4], 12)
    2
    """
    for most in range(len(widths), 1, -1):
        if all(sum(widths[k : k + most]) + 2 * (len(widths[k : k + most]) - 1) <= room for k in range(0, len(widths), most)):
            return most
    return 1


def columns_heading(start: int, end: int) -> str:
    """What stands above a block of columns, counted from 1.

    >>> columns_heading(0, 8)
    'columns 1–8'
    """
    return f"column {end}" if end - start == 1 else f"columns {start + 1}–{end}"


def box_width(box: Box) -> int:
    """The width of the widest line."""
    return max(width_of(line) for line in box)


def beside(boxes: Sequence[Box]) -> Box:
    """Boxes in one row, each centred on the tallest."""
    height = max(len(box) for box in boxes)
    columns = []
    for box in boxes:
        width, above = box_width(box), (height - len(box) + 1) // 2  # low, so that a heading of columns stays above
        blank = " " * width
        columns.append([blank] * above + [padded(line, width) for line in box] + [blank] * (height - len(box) - above))
    return ["".join(parts).rstrip() for parts in zip(*columns, strict=True)]


def flowed(boxes: Iterable[Box], width: int, gap: int = 0) -> list[Box]:
    """Boxes in as many rows as it takes, none wider than the width unless one box alone is."""
    rows: list[list[Box]] = []
    room = 0
    for box in boxes:
        if not rows or room < box_width(box):
            rows.append([])
            room = width
        rows[-1] += [[" " * gap], box] if rows[-1] and gap else [box]
        room -= box_width(box) + gap
    return [beside(row) for row in rows]
