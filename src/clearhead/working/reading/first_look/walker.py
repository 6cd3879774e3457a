"""A text walked line by line: labels open a step; tables, grids, rows and cells fill it; prose is passed over."""

import re

from clearhead.working.reading.files.markup import BREAK, SWALLOWED
from clearhead.working.reading.files.tables import RawTable, Tables, named_rows
from clearhead.working.reading.first_look.chains import LETTERS, NUMBER_WORDS, TABLES, last_part, split_chain
from clearhead.working.reading.first_look.findings import Gathering
from clearhead.working.reading.first_look.grids import RULE, read_row
from clearhead.working.reading.first_look.placement import Placing
from clearhead.working.reading.names.labels import Label, Names
from clearhead.working.reading.numbers.amounts import Unread

BULLET = re.compile(r"^\s*(?:>\s*)*(?:[-*+•]\s+|\(?\d{1,2}[.)]\s+)?(?=[A-Za-zα-ω{\\(\[*_`'\"\U000f0000-\U000fffff])")
HEADING = re.compile(r"\s*(?:#{1,6}\s|\*\*.*\*\*:?\s*$|__.*__:?\s*$)")
LONGEST_LINE = 20_000
FUNCTIONS = frozenset(("softmax", "argmax", "tanh", "σ", "sigmoid", "relu", "ReLU", "max"))
LONG_SENTENCE = 100
MOST_PROSE = 6
MOST_JOINED = 4
BRACKETS = re.compile(r"[()\[\]{}]")
FENCE = re.compile(r"\s*(?:```|~~~)")


class Walker(Placing):
    """Where the reading stands: the head, the label that waits for its numbers, the rows of a grid so far."""

    def __init__(self, names: Names, gathering: Gathering, tables: Tables) -> None:
        super().__init__(names, gathering, tables)
        self.head = ""
        self.prose = 0  # lines of it since the last label

    def walk(self, text: str) -> None:
        line = 1
        lines = text.split("\n")
        at = 0
        while at < len(lines):
            if "|" in lines[at] and (taken := self.markdown_table(lines, at, line)):
                line += taken
                at += taken
                continue
            text, taken = whole_statement(lines, at)
            for statement in text.split(BREAK) if BREAK in text else (text,):
                self.statement(statement, line)
                line += statement.count(SWALLOWED)
            line += taken
            at += taken
        self.end_grid()

    def statement(self, text: str, line: int) -> None:
        bare = text.strip()
        if not bare or len(bare) > LONGEST_LINE:
            if len(self.grid) >= self.sizes.height(*self.waiting):  # rows may have blank lines between them
                self.end_grid()
            if bare:
                self.gathering.complain("", line, f"a line of {len(bare):,} characters was not read")
            return
        if self.is_grid_row(bare):
            if self.waiting:
                self.grid.append(bare)
                self.grid_lines.append(line)
            return
        self.end_grid()
        if FENCE.match(bare):
            return
        if "&" in bare:
            bare = bare.replace("&", " ")
        if "=" in bare or "→" in bare:
            self.chain(bare, line)
        elif TABLES.search(bare):
            self.lone_table(bare, line)
        else:
            self.label_line(bare, line)

    def is_grid_row(self, text: str) -> bool:
        """Whether a line is numbers and nothing else."""
        if "=" in text or "→" in text or ":" in text:
            return False
        if text[0].isalpha() and text[0] not in "ei":
            return False
        words = LETTERS.findall(text)
        if not all(word in NUMBER_WORDS for word in words) or TABLES.search(text):
            return False
        if RULE.fullmatch(text):
            return False
        width = self.sizes.width(*self.waiting)
        cells = read_row(text, width)
        if cells is None or any(isinstance(cell, Unread) for cell in cells):
            return False
        if len(cells) > 1 or width <= 1 or text[0] in "[|":
            return True
        return text[-1] != "." and (bool(self.grid) or self.prose == 0)  # else a lone number ends somebody's sentence

    def label_line(self, text: str, line: int) -> None:
        """A heading or a line such as `Scores:`, or `Row 2: 1 3`, or prose."""
        before, colon, after = at_colon(text)
        if colon and after.strip() and self.labelled(before, after, line):
            return
        if self.waiting and self.labelled_row(text, line):
            return
        head = self.names.head_named(text) if len(text) < 80 else ""
        if head:
            self.head = head
        heading = HEADING.match(text) is not None
        if len(text) > LONG_SENTENCE and not heading:
            self.pass_prose(text)
            return
        label = self.names.resolve(text.rstrip(":"), self.head)
        if label is not None and not label.here:
            self.prose = 0
            self.waiting = (label,) if label.names else ()
            self.latest = self.waiting
        elif heading or text.endswith(":"):
            self.waiting = ()
        else:
            self.pass_prose(text)

    def pass_prose(self, text: str) -> None:
        """A sentence or two between a label and its numbers is usual; a page of them means that none will come."""
        self.prose += 1 + len(text) // LONG_SENTENCE
        if self.prose > MOST_PROSE:
            self.waiting = ()

    def labelled(self, before: str, after: str, line: int) -> bool:
        """`Loss: 4.21`, `Row 2: [1, 3]`, `Head 2: Q …`: a label and its value on one line."""
        head = self.names.head_named(before)
        if head:
            self.head = head
        label = self.label_of(before)
        if label is None or len(before) > 60:
            return False
        if not label.names and not label.here:
            return True
        if label.index and self.wants_row(label, after) and not self.is_whole_row(label, after):
            return False
        self.place((label,), after, [], line)
        return True

    def label_of(self, text: str) -> Label | None:
        """A label, or the name of a row of the step that is being written."""
        label = self.names.resolve(BULLET.sub("", text), self.head)
        if label is not None and "0" in label.index:
            self.gathering.zeros.add(label.style)
        row = self.row_named(text)
        if row is not None and (label is None or not label.index):
            return row
        return label

    def labelled_row(self, text: str, line: int) -> bool:
        """`cat 1 0`: a row's label and its numbers, without a sign between them."""
        word, _, rest = text.partition(" ")
        row = self.row_named(word, signed=False)
        if row is None or not rest.strip() or not self.is_whole_row(row, rest):
            return False
        return self.place_row(row, rest, line)

    def chain(self, text: str, line: int) -> None:
        """One or several statements with equals signs on a line: `Q_{11} = 1, Q_{12} = 3`."""
        self.prose = 0
        sides = split_chain(text)
        sides[0] = self.after_prefix(sides[0])
        first = 0
        for at in range(1, len(sides) - 1):
            ends, begins = self.parted(sides[at])
            if begins:
                self.sides([*sides[first:at], ends], line)
                sides[at], first = begins, at
        self.sides(sides[first:], line)

    def parted(self, side: str) -> tuple[str, str]:
        """A side that ends one statement and begins the next, as both; otherwise nothing."""
        if not LETTERS.search(side) or self.names.resolve(side, self.head) is not None:
            return "", ""
        ends, begins = last_part(side)
        label = self.names.resolve(begins, self.head) if ends.strip() else None
        return (ends, begins) if label is not None and label.names else ("", "")

    def after_prefix(self, side: str) -> str:
        """`Step 2, scores: QK^T`: what stands before the colon is a heading."""
        before, colon, after = at_colon(side)
        if not colon:
            return side
        head = self.names.head_named(before)
        if head:
            self.head = head
        label = self.label_of(before)
        if label is not None and self.names.resolve(BULLET.sub("", after), self.head) is None:
            return before
        return after

    def sides(self, sides: list[str], line: int) -> None:
        """One chain: the labels at its ends, the value between them, what was worked out on the way."""
        labels: list[Label] = []
        end = len(sides) - 1
        while end > 0 and (label := self.names.resolve(sides[end], self.head)) is not None:
            labels.append(label)
            end -= 1
        for at, side in enumerate(sides[:end]):
            if (at == 0 or LETTERS.search(side)) and (label := self.label_of(side)) is not None:
                labels.append(label)
        named = tuple(dict.fromkeys(label for label in labels if label.names or label.here))
        if not named and not labels:
            named = self.goes_on(sides)
        if not named:
            if labels:
                self.waiting = self.latest = ()
            return
        if end == 0 and sides[0].strip():  # only labels: Scores = QK^T
            self.waiting = self.latest = tuple(label for label in named if not label.here)
            return
        self.place(named, sides[end], sides[:end], line)

    def goes_on(self, sides: list[str]) -> tuple[Label, ...]:
        """The labels of a chain without any: it begins with =, or works out in numbers what a label waits for."""
        if not sides[0].strip():
            return self.waiting or self.latest
        if TABLES.search(sides[0]):
            return self.waiting
        one_row = all(self.sizes.is_one_row(name, 0) for label in self.waiting for name in label.names)
        words = LETTERS.findall("".join(sides))
        return self.waiting if one_row and all(word in NUMBER_WORDS or word in FUNCTIONS for word in words) else ()

    def lone_table(self, text: str, line: int) -> None:
        """A table on its own, or behind its label without an equals sign."""
        sign = TABLES.search(text)
        if sign is None:
            return
        before, after = text[: sign.start()].strip(), text[sign.start() :]
        if before[-1:] == "(" and len(before) > 1:
            return  # softmax(⟦…⟧): a function of a table, its value still to come
        label = self.label_of(before.rstrip(":")) if before else None
        if label is not None and (label.names or label.here):
            self.place((label,), after, [], line)
        elif not before and self.waiting and not LETTERS.search(after.replace(sign[0], "").replace("^T", "")):
            self.place(self.waiting, text, [], line)

    def markdown_table(self, lines: list[str], at: int, line: int) -> int:
        """How many lines a table of `|` takes from here; 0 where there is none."""
        rows: list[list[str]] = []
        numbers: list[int] = []
        ruled = -1
        taken = 0
        while at + taken < len(lines):
            text = lines[at + taken]
            inner = text.strip().strip("|")
            if "|" not in text or ("|" not in inner and not RULE.fullmatch(text.strip())):
                break
            if RULE.fullmatch(text.strip()):
                ruled = len(rows) if ruled < 0 else ruled
            else:
                rows.append([cell.strip() for cell in inner.split("|")])
                numbers.append(line + taken)
            taken += 1
        if taken < 2 or not rows or any("=" in cell for row in rows for cell in row):
            return 0
        self.end_grid()
        rows = named_rows(rows) if ruled == 1 else rows
        label = self.names.resolve(rows[0][0], self.head) if rows[0][0] else None
        labels = self.waiting or ((label,) if label and label.names else ())
        for each in labels:
            self.fill(self.sizes.chosen(each), RawTable(rows, numbers), each.turned, header=ruled == 1)
        self.waiting = ()
        return taken


def at_colon(text: str) -> tuple[str, str, str]:
    """Split at the first colon outside brackets: the one in Q[1,:] is an index."""
    before, colon, after = text.partition(":")
    if not colon or not BRACKETS.search(before):
        return before, colon, after
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == ":" and depth <= 0:
            return text[:at], ":", text[at + 1 :]
    return text, "", ""


def whole_statement(lines: list[str], at: int) -> tuple[str, int]:
    """A line, with those behind it that finish its sum or its brackets; and how many lines that is."""
    text, taken = lines[at], 1
    while (
        "=" in text and taken <= MOST_JOINED and at + taken < len(lines) and is_unfinished(text) and lines[at + taken].strip()
    ):
        text += " " + lines[at + taken].strip()
        taken += 1
    return text, taken


def is_unfinished(text: str) -> bool:
    return text.rstrip()[-1:] in ("+", "·", "×", "(", "/") or 0 < text.count("(") - text.count(")") < 4
