"""Matrices written beside each other over several lines of plain brackets, brought back to one line; gutters taken off."""

import re
from dataclasses import dataclass, field

OPENING = re.compile(r"\[\s*\[")
NEAR = 5  # columns by which a row may stand beside the one above it
ASIDE = 8  # columns by which a label may stand beside its matrix
NEXT_NAME = re.compile(r"(?<=\S) {2,}(?=[^\s=\[\],]{1,12} *=)")
REMARK = re.compile(r"\s*(?:#|//|<-|←|\\leftarrow).*")
GUTTER = re.compile(r"(\d{1,3})(?![\d.,):%])(.*)")
TALLEST = 60


@dataclass(slots=True)
class BracketGrid:
    """One matrix while its rows are being found."""

    start: int  # column of its first bracket
    inner: int  # column of its first row's bracket
    rows: list[str] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)  # the column behind each row
    closed: bool = False

    @property
    def text(self) -> str:
        return "[" + ", ".join(f"[{row}]" for row in self.rows) + "]"


def take_beside(text: str) -> str:
    """The text with every block of such matrices as one statement on its first line; the other lines are left empty."""
    if "[[" not in text and "[ [" not in text:
        return text
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        if OPENING.search(lines[at]) and (taken := block_at(lines, at)) > 1:
            at += taken
        else:
            at += 1
    return "\n".join(lines)


def block_at(lines: list[str], at: int) -> int:
    """How many lines a block takes from here, rewritten in place; 0 where there is none that needs it."""
    grids = [grid for mark in OPENING.finditer(lines[at]) if (grid := opened(lines[at], mark)) is not None]
    open_ones = [grid for grid in grids if not grid.closed]
    if not open_ones:
        return 0
    depth = 1
    left = [lines[at][: grids[0].start]]
    gaps = [""] * len(grids)  # what stands between the matrices on the lines below
    while any(not grid.closed for grid in open_ones):
        if at + depth >= len(lines) or depth > TALLEST:
            return 0
        line = lines[at + depth]
        here = [grid for grid in open_ones if not grid.closed]
        taken = rows_on(line, here)
        if not taken:
            return 0
        behind = 0
        for grid, start, end in taken:
            between = line[behind:start].strip(" ,;")
            place = grids.index(grid)
            if place == 0 or behind == 0:
                left.append(line[:start] if place == 0 else "")
                if place and between:
                    gaps[place] += between
            elif between:
                gaps[place] += between
            behind = end
        depth += 1
    if len(open_ones) == 1 and len(grids) == 1 and not any(part.strip(" #") for part in left[1:]):
        return 0  # a plain list over several lines, perhaps as a comment
    lines[at : at + depth] = [statement_of(lines, at, grids, left, gaps)] + [""] * (depth - 1)
    return depth


def opened(line: str, mark: re.Match[str]) -> BracketGrid | None:
    grid = BracketGrid(mark.start(), mark.end() - 1)
    at = grid.inner
    while (end := line.find("]", at)) >= 0:
        grid.rows.append(line[at + 1 : end])
        grid.ends.append(end + 1)
        rest = line[end + 1 :].lstrip()
        if rest.startswith("]"):
            grid.closed = True
            grid.ends[-1] = line.index("]", end + 1) + 1
            return grid
        following = re.match(r"\s?,?\s{0,2}\[(?!\s*\[)", line[end + 1 :])
        if following is None:
            return grid
        at = end + following.end()
    return grid if grid.rows else None


def rows_on(line: str, grids: list[BracketGrid]) -> list[tuple[BracketGrid, int, int]]:
    """The next row of each open matrix that has one on this line: where it begins and ends."""
    found: list[tuple[BracketGrid, int, int]] = []
    at = 0
    waiting = list(grids)
    while waiting and (start := line.find("[", at)) >= 0 and (end := line.find("]", start)) >= 0:
        grid = min(waiting, key=lambda one: abs(one.inner - start))
        at = end + 1
        if abs(grid.inner - start) > NEAR:
            continue
        waiting.remove(grid)
        grid.rows.append(line[start + 1 : end])
        stop = end + 1
        if line[stop:].lstrip().startswith("]"):
            grid.closed = True
            stop = line.index("]", stop) + 1
        grid.ends.append(stop)
        found.append((grid, start, stop))
    return found


def statement_of(lines: list[str], at: int, grids: list[BracketGrid], left: list[str], gaps: list[str]) -> str:
    """Everything on one line: labels above the matrices name them; names of rows on the left and remarks are left out."""
    names = names_above(lines, at, grids)
    if names is not None:
        first = lines[at][: grids[0].start].strip()
        pieces = [
            f"{name}{' ' if name.rstrip().endswith((':', '=')) else ' = '}{grid.text}"
            for name, grid in zip(names, grids, strict=True)
        ]
        lines[at - 1] = ""
        return (f"{first} ⇒ " if first and not first.startswith("=") else "") + " ⇒ ".join(pieces)
    words_left = [re.search(r"[^\W\d_]", part) is not None for part in left]
    text = "" if len(left) > 1 and all(words_left) and "=" not in left[0] else left[0]
    behind = grids[0].start
    for place, grid in enumerate(grids):
        if place:
            between = lines[at][behind : grid.start]
            text += f" {between.strip(' ,')} " if between.strip(" ,") else f" {gaps[place]} "
        text += grid.text
        behind = grid.ends[0]
    return text + REMARK.sub("", lines[at][behind:].lstrip(" ,"))


def names_above(lines: list[str], at: int, grids: list[BracketGrid]) -> list[str] | None:
    """The labels of a line above, one over each matrix; None where they do not stand so."""
    if at == 0 or len(grids) < 2 or not lines[at - 1].strip():
        return None
    above = lines[at - 1]
    pieces = [(mark.start(), mark[0]) for mark in re.finditer(r"\S(?:.*?\S)?(?= {3,}|\s*$)", above)]
    if len(pieces) == len(grids) and all(
        abs(start - grid.start) <= ASIDE for (start, _), grid in zip(pieces, grids, strict=True)
    ):
        return [text for _, text in pieces]
    named = NEXT_NAME.split(above.strip())
    return named if len(named) == len(grids) and lines[at].strip().startswith("=") else None


def without_gutter(text: str) -> str:
    """The text without line numbers that stick to the front of its lines: 1scores[0][0] = …"""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        run = gutter_at(lines, at)
        for k in range(run):
            found = GUTTER.fullmatch(lines[at + k])
            assert found is not None
            lines[at + k] = found[2]
        at += max(run, 1)
    return "\n".join(lines)


def gutter_at(lines: list[str], at: int) -> int:
    """How many lines from here carry the numbers 1, 2, 3… in front of text; fewer than two are no gutter."""
    count = stuck = 0
    while at + count < len(lines) and (found := GUTTER.fullmatch(lines[at + count])) is not None:
        if found[1] != str(count + 1) or not (re.search(r"[^\W\d_]|=", found[2]) or not found[2].strip()):
            break
        stuck += found[2][:1].isalpha()
        count += 1
    return count if count > 1 and stuck else 0
