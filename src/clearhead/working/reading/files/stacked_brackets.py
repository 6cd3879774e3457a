"""Matrices drawn with plain brackets on every line, one or several side by side, the label beside one of their rows."""

import re
from dataclasses import dataclass, field

NUMBER = r"[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:/\d+)?|-?∞|-?inf"
ROW = re.compile(rf"[(\[|⎡⎢⎣⎛⎜⎝]\s*((?:{NUMBER})(?:(?:\s*,\s*|\s+)(?:{NUMBER}))*)\s*[)\]|⎤⎥⎦⎞⎟⎠]")
TALLEST = 40
SIGNS = ("=", ":", "→")
OPERATORS = ("+", "-", "−", "·", "×", "*", "@", "x", "/")
NAME_ABOVE = re.compile(r"\S+(?: \S+)*")
ASIDE = 12  # columns by which a name may stand beside the middle of its matrix


@dataclass(slots=True)
class Stack:
    """The rows of one matrix, and where they stand."""

    start: int
    end: int
    rows: list[str] = field(default_factory=list)
    label: str = ""

    @property
    def text(self) -> str:
        return "[" + ", ".join("[" + ", ".join(cells_of(row)) + "]" for row in self.rows) + "]"

    @property
    def joint(self) -> str:
        """The sign that joins it to what stands before it, if it is nothing else."""
        bare = self.label.strip()
        return bare if bare in OPERATORS or bare == "=" else ""


def take_stacked(text: str) -> str:
    """The text with every such block as one statement on its first line; the other lines are left empty."""
    if ROW.search(text) is None:
        return text
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        height = height_at(lines, at)
        stacks = stacks_in(lines[at : at + height]) if height > 1 else None
        if stacks is None or not (any(one.label for one in stacks) or named_above(lines, at, stacks)):
            at += 1
            continue
        lines[at : at + height] = [statement_of(stacks)] + [""] * (height - 1)
        at += height
    return "\n".join(lines)


def statement_of(stacks: list[Stack]) -> str:
    """All matrices of a block in one line; where the first is an operand without a name, it stands once by itself too."""
    if not any(one.joint in OPERATORS for one in stacks):
        return " ⇒ ".join(f"{one.label}{one.text}" for one in stacks)
    text = ""
    for place, one in enumerate(stacks):
        text += f" {one.joint} {one.text}" if one.joint and place else f"{' ⇒ ' if place else ''}{one.label}{one.text}"
    alone = len(stacks) > 1 and not stacks[0].label and stacks[1].joint in OPERATORS
    return f"{stacks[0].text} ⇒ {text}" if alone else text


def named_above(lines: list[str], at: int, stacks: list[Stack]) -> bool:
    """Whether a line above has one name over each matrix; they become the labels."""
    above = next((k for k in range(at - 1, max(at - 3, -1), -1) if lines[k].strip()), None)
    if above is None or len(stacks) < 2:
        return False
    names = list(NAME_ABOVE.finditer(lines[above]))
    if len(names) != len(stacks) or any(
        abs(name.start() + name.end() - one.start - one.end) > 2 * ASIDE for name, one in zip(names, stacks, strict=True)
    ):
        return False
    for name, one in zip(names, stacks, strict=True):
        one.label = f"{name[0].rstrip(':= ')} = "
    lines[above] = ""
    return True


def cells_of(row: str) -> list[str]:
    return row.replace(",", " ").split()


def height_at(lines: list[str], at: int) -> int:
    """How many lines from here hold rows in brackets and next to nothing else."""
    height = 0
    while at + height < len(lines) and height < TALLEST and is_drawn(lines[at + height]):
        height += 1
    return height


def is_drawn(line: str) -> bool:
    found = list(ROW.finditer(line))
    if not found or line.count("|") > 2 * len(found):
        return False
    rest = ROW.sub(" ", line).split()
    return all(len(word) <= 12 for word in rest) and len(rest) <= 4 * len(found)


def stacks_in(lines: list[str]) -> list[Stack] | None:
    """The matrices of a block, from left to right; None where its rows do not stand below each other under one label."""
    stacks: list[Stack] = []
    for line in lines:
        behind = 0
        for row in ROW.finditer(line):
            label = line[behind : row.start()].strip(" ,;")
            behind = row.end()
            stack = next((one for one in stacks if row.start() < one.end and one.start < row.end()), None)
            if stack is None:
                stack = Stack(row.start(), row.end())
                stacks.append(stack)
            stack.rows.append(row[1])
            stack.start, stack.end = min(stack.start, row.start()), max(stack.end, row.end())
            if label and stack.label:
                return None  # every row has a label of its own: no matrix
            stack.label = f"{label} " if label else stack.label
    stacks.sort(key=lambda one: one.start)
    whole = all(len(one.rows) > 1 and len({len(cells_of(row)) for row in one.rows}) == 1 for one in stacks)
    labelled = all(not one.label or one.joint or one.label.rstrip().endswith(SIGNS) for one in stacks)
    return stacks if whole and labelled else None
