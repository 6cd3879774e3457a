"""Matrices drawn over several lines with ⎡ ⎢ ⎣, beside each other and around an equals sign, brought back to one line."""

import re
from dataclasses import dataclass

from clearhead.working.reading.files.markup import plain_notation
from clearhead.working.reading.files.tables import RawTable, Tables

TOPS, SIDES, FEET = "⎡⎛┌", "⎢⎜│", "⎣⎝└"
CLOSER = re.compile("[⎤⎥⎦⎞⎟⎠┐┘│]")
TALLEST = 400  # lines of a block
WIDEST = 500  # letters of a line


@dataclass(frozen=True, slots=True)
class DrawnBox:
    """One drawn matrix: where it stands in its block of lines, and its rows as text."""

    top: int
    left: int
    rows: list[str]
    ends: list[int]  # the column behind the closing bracket, row by row

    def right(self, line: int) -> int:
        return self.ends[line - self.top]

    def covers(self, line: int) -> bool:
        return self.top <= line < self.top + len(self.rows)


def take_drawn(text: str, tables: Tables) -> str:
    """The text with each block of drawn matrices on the line where its equals sign stands."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        if not has_top(lines[at]):
            at += 1
            continue
        end = at
        while end < len(lines) and end - at < TALLEST and has_bracket(lines[end]):
            end += 1
        block = lines[at:end]
        boxes = boxes_of(block)
        if boxes:
            lines[at:end] = one_line(block, boxes, tables, at + 1)
        at = max(end, at + 1)
    return "\n".join(lines)


def has_top(line: str) -> bool:
    return len(line) <= WIDEST and any(sign in line for sign in TOPS)


def has_bracket(line: str) -> bool:
    return len(line) <= WIDEST and any(sign in line for sign in TOPS + SIDES + FEET)


def boxes_of(block: list[str]) -> list[DrawnBox]:
    """Every bracket that opens, runs down one column and ends at its foot."""
    found = []
    for top, line in enumerate(block):
        for left, sign in enumerate(line):
            if sign in TOPS and (box := box_at(block, top, left)) is not None:
                found.append(box)
    return found


def box_at(block: list[str], top: int, left: int) -> DrawnBox | None:
    rows: list[str] = []
    ends: list[int] = []
    for line in block[top:]:
        sign = line[left : left + 1]
        close = CLOSER.search(line, left + 1)
        if not sign or close is None or sign not in (TOPS if not rows else SIDES + FEET):
            return None
        rows.append(line[left + 1 : close.start()])
        ends.append(close.end())
        if sign in FEET:
            return DrawnBox(top, left, rows, ends)
    return None


def one_line(block: list[str], boxes: list[DrawnBox], tables: Tables, first_line: int) -> list[str]:
    """The block with its statement on one line and nothing on the others."""
    outside = [outside_of(line, at, boxes) for at, line in enumerate(block)]
    spoken = [at for at, text in enumerate(outside) if text.strip()]
    middle = next((at for at in spoken if "=" in outside[at] or "≈" in outside[at]), spoken[0] if spoken else boxes[0].top)
    pieces: list[str] = []
    at = 0
    for box in sorted(boxes, key=lambda box: box.left):
        before = block[middle][at : box.left]
        if has_labels(box, outside, middle, at):
            before = before[: max(before.rfind("="), before.rfind("≈")) + 1]
        lines = [first_line + box.top + i for i in range(len(box.rows))]
        pieces += [before, tables.put(RawTable([plain_notation(row).split() for row in box.rows], lines, loose=True))]
        at = box.right(middle) if box.covers(middle) else box.right(box.top)
    statement = "".join([*pieces, block[middle][at:]])
    return [statement if at == middle else "" for at in range(len(block))]


def outside_of(line: str, at: int, boxes: list[DrawnBox]) -> str:
    """What a line says outside the boxes, each sign in its column."""
    signs = list(line)
    for box in boxes:
        if box.covers(at):
            end = box.right(at)
            signs[box.left : end] = " " * (end - box.left)
    return "".join(signs)


def has_labels(box: DrawnBox, outside: list[str], middle: int, start: int) -> bool:
    """Whether the rows of a box have names on their left: cat ⎡ 1 0 ⎤."""
    others = [line for line in range(box.top, box.top + len(box.rows)) if line != middle]
    return any(outside[line][start : box.left].strip() for line in others)
