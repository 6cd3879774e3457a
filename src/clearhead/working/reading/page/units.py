"""A page taken apart into what is written on it: chains of equal things with their values, labels and headings."""

import re

from clearhead.working.reading.files.adjacent_matrices import take_beside, without_gutter
from clearhead.working.reading.files.box_matrices import take_drawn
from clearhead.working.reading.files.console_tables import without_drawing
from clearhead.working.reading.files.markup import BREAK, SWALLOWED, plain_notation
from clearhead.working.reading.files.stacked_brackets import take_stacked
from clearhead.working.reading.files.tables import RawTable, Tables, take_tables, unmarked
from clearhead.working.reading.numbers.amounts import Amount, ReadCell
from clearhead.working.reading.numbers.decimal_commas import with_points
from clearhead.working.reading.page.page_tables import units_in
from clearhead.working.reading.page.sides import Side, Text, table_side
from clearhead.working.reading.page.signs import several, split_signs
from clearhead.working.reading.page.unit import Unit
from clearhead.working.reading.page.values import TABLE_SIGN, scanned

HEADING = re.compile(r"\s*(?:#{1,6}\s+\S|\*\*[^*]+\*\*:?\s*$|__[^_]+__:?\s*$|(?:step|part|move|stage)\s+\d+\b)", re.IGNORECASE)
UNDERLINE = re.compile(r"\s*(?:-{4,}|={4,}|─{4,}|\*{4,})\s*")
NOTHING = re.compile(r"""[\s`~"'*_>|.\-–—─=:;,()\[\]{}]*""")
RULE = re.compile(r"[\s|:+-]*-[\s|:+-]*-[\s|:+-]*")
BULLET = re.compile(r"^\s*(?:>\s*)*(?:[-*+•·○●▪]\s+|\(?\d{1,2}[.)]\s+|\(?(?:[a-h]|[ivx]{1,4})\)\s+|#+\s+)?")
SAYS_VALUE = re.compile(r"=|→|\d\s*[x×]\s*\d|\[")
INDEXED = re.compile(  # Q1[1,2], scores[0][1]: what stands behind the name is no value
    r"\s*(?!softmax|exp|relu|tanh|sigmoid|max|min|sum|mean|norm)[A-Za-z_]\w*\[\s*\d{1,3}\s*(?:(?:,|\]\s*\[)\s*\d{1,3}\s*)?\]\s*",
    re.IGNORECASE,
)
REACH = 6  # lines over which a label waits for its numbers
LONGEST_LINE = 20_000
DATE = re.compile(
    r"(?<![\d.,/-])(?:\d{1,2}\.\d{1,2}\.\d{1,4}|\d{4}-\d\d-\d\d|\d{1,2}/\d{1,2}/\d{4}|\d{1,2}:\d\d(?::\d\d)?)(?!\d|[.,/]\d)"
)
"""Dates, times and the numbers of chapters and versions: no values."""
ESCAPED = re.compile(r"\\([\[\]*_])")
LEFTWARDS = re.compile(r"\\leftarrow|\\gets|:=|<-+(?!\w)")
BREAK_TAG = re.compile(r"<br\s*/?>|</?(?:details|summary|math|center|thead|tbody)[^<>]*>", re.IGNORECASE)
ADDED_BELOW = re.compile(  # a sum goes on in the next line
    r"(?<=[\])\d])[ \t]*\n(?:[ \t]{2,}\+[ \t]+(?=[\[(\d.-])|[ \t]*\+[ \t]+(?=[\d.]+[ \t]*[×·*][ \t]*\[))"
)
JOINT = "\x1f"  # for a line end, until all signs are plain
FACTORS = re.compile(
    r"\\end\{[a-zA-Z]*matrix\}[ \t]*\n(?=[ \t]*\\begin\{[a-zA-Z]*matrix\})"
)  # a product goes on in the next line
LAYOUT_TABLE = re.compile(r"</?(?:table|tr|td|th)\b[^<>]*>", re.IGNORECASE)


def units_of(text: str) -> list[Unit]:
    """Every chain with a value on a page, in the order of the page."""
    tables = Tables()
    return PageReader(tables).read(prepared(text, tables))


def prepared(text: str, tables: Tables) -> str:
    """The text in one plain notation, every table as one sign."""
    plain = unmarked(with_points(DATE.sub(" ", text.replace(JOINT, " ")))).replace("\r\n", "\n").replace("\t", "    ")
    text = take_beside(take_stacked(without_drawing(without_gutter(plain))))
    if "\\" in text:
        text = "\n".join(unescaped(line) for line in text.split("\n"))
        text = LEFTWARDS.sub("←", text)
    if "<" in text:
        text = BREAK_TAG.sub(" ", text)
        text = LAYOUT_TABLE.sub(" ", text) if "\\begin" in text and "<t" in text.lower() else closed_tables(text)
    if not text.isascii():
        text = take_drawn(text, tables)
    if "matrix}" in text:
        text = FACTORS.sub(lambda found: found[0].replace("\n", JOINT), text)
    text = plain_notation(text.replace("^{[", "^{").replace("]}", "}") if "^{[" in text else text)
    return ADDED_BELOW.sub(
        lambda found: SWALLOWED * found[0].count("\n") + " + ", take_tables(text.replace(JOINT, SWALLOWED), tables)
    )


def unescaped(line: str) -> str:
    """Markdown's \\[2, 0] is a bracket; LaTeX's \\[ … \\] is not."""
    if "\\[" in line and "\\]" not in line and "]" in line:
        return ESCAPED.sub(r"\1", line)
    return line.replace("\\*", "*").replace("\\_", "_")


def closed_tables(text: str) -> str:
    """A table whose end was cut off ends with the page."""
    lowered = text.lower()
    return text + "</table>" if lowered.rfind("<table") > lowered.rfind("</table>") else text


class PageReader:
    """Walks the lines of a page and keeps what a later number may belong to: open chain, labels above, headings."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.units: list[Unit] = []
        self.headings: list[str] = []
        self.above: list[tuple[int, str]] = []  # lines of words, latest last
        self.open: Unit | None = None  # the last chain: a line that begins with = goes on with it
        self.line = 1
        self.reached = 0  # the line where it ends so far: a table may be long
        self.fresh = False  # nothing has come yet under the latest heading

    def read(self, text: str) -> list[Unit]:
        lines = text.split("\n")
        at = 0
        while at < len(lines):
            rows = table_rows(lines, at)
            if len(rows) > 1:
                self.page_table(RawTable(rows, [self.line] * len(rows)))
                taken = rows_taken(lines, at)
                self.line += taken
                at += taken
                continue
            grid = grid_rows(lines, at)
            if grid:
                self.statement(self.tables.put(RawTable(grid, list(range(self.line, self.line + len(grid))), loose=True)))
                self.line += len(grid)
                at += len(grid)
                continue
            for statement in lines[at].split(BREAK):
                self.statement(statement, lines[at + 1] if at + 1 < len(lines) else "")
                self.line += statement.count(SWALLOWED)
            self.line += 1
            at += 1
        return [unit for unit in self.units if any(not side.added for side in unit.sides)]

    def statement(self, text: str, following: str = "") -> None:
        bare = text.replace(SWALLOWED, " ").replace("&", " ").strip()
        if bare in ("=", "→") and self.open is not None:
            self.open.waits = True
        if len(bare) > LONGEST_LINE or NOTHING.fullmatch(bare) is not None:
            return
        if HEADING.match(bare) or (UNDERLINE.fullmatch(following) and not re.search(r"=|\d\s*$", bare)):
            self.heading(bare)
            if SAYS_VALUE.search(bare) is None:
                return
        begun = len(self.units)
        pieces = several(BULLET.sub("", bare))
        for at, one in enumerate(pieces):
            parts = split_signs(one)
            if at or not self.continues(parts):
                self.open = None
            self.chain(parts)
        self.reached = self.line + text.count(SWALLOWED)
        made = self.units[begun:]
        for unit in made if len(pieces) > 1 else ():
            unit.listed = begun + 1
        if not any(unit.sides for unit in made) and not (self.open and self.open.sides and begun == len(self.units)):
            self.above.append((self.line, bare))

    def heading(self, text: str) -> None:
        """A heading ends what the labels above it reach; the one before it stays as its parent."""
        self.fresh = True
        self.headings = [text, *[one for one in self.headings if depth_of(one) < depth_of(text)][:2]]
        self.above.clear()
        self.open = None

    def continues(self, parts: list[tuple[str, str]]) -> bool:
        """Whether a statement goes on with the last chain: it begins with =, or the chain still waits for its value."""
        if self.open is None or self.line - max(self.open.line, self.reached) > REACH + 4:
            return False
        if NOTHING.fullmatch(parts[0][1]) is not None and len(parts) > 1 and parts[1][0] in "=→":
            return True
        return self.open.waits and is_value(parts[0][1], self.tables)

    def chain(self, parts: list[tuple[str, str]]) -> None:
        """The chains of one statement, split where words follow a value."""
        unit = self.open
        prefix = ""
        if unit is None:
            unit = self.begin()
        elif unit.waits and self.above:
            self.above.pop()  # its label has found its numbers
        else:
            unit.line = self.line if not unit.sides else unit.line
        for place, (sign, text) in enumerate(parts):
            if sign == ":" and place == 1 and not unit.sides:
                prefix = parts[0][1].strip()
                unit.prefix, unit.labels = prefix, unit.labels[:-1]
            if sign:
                unit.signs += sign
            if place == 0 < len(parts) - 1 and INDEXED.fullmatch(text):
                unit.labels.append(text)
                continue
            items = scanned(text, self.tables)
            for item in items:
                if isinstance(item, Text):
                    if item.is_expression:
                        unit.factors = [
                            side.cells for sign in TABLE_SIGN.findall(item.text) if (side := table_side(self.tables[sign]))
                        ]
                        unit.worked.append(item.text)
                        unit.labels.append(item.text)
                    elif unit.sides and place == len(parts) - 1 and sign == "=" and item is items[-1]:
                        unit.tail += item.text
                        unit.labels.append(item.text)
                    elif unit.sides:
                        unit.tail += item.text
                        unit = self.begin(item.text, prefix)
                    else:
                        unit.labels.append(item.text)
                else:
                    item.line = self.line
                    if unit.sides and (item.embedded or sign in (":", "←")):
                        unit = self.begin("", prefix)
                    elif unit.sides and (is_other(unit.sides[-1], item) or (sign == "→" and becomes(unit.sides[-1], item))):
                        unit = self.begin("", unit.prefix)
                    unit.sides.append(item)
                    if item.told and len(items) > 1 and isinstance(items[0], Text):
                        unit.above = [items[0].text, *unit.above]
                    if item.worked:
                        unit.worked.append(item.text)
                    if item.mixed:
                        unit.sides.pop()
                        self.page_table(item.mixed, unit)
        unit.waits = not unit.sides and not parts[-1][1].strip() and bool(parts[-1][0])
        self.open = unit

    def begin(self, label: str = "", prefix: str = "") -> Unit:
        above = [text for line, text in reversed(self.above[-4:]) if self.line - line <= REACH][:2]
        if not above and self.fresh and self.headings:
            above = self.headings[:1]  # what stands first under a heading is labelled by it
        self.fresh = False
        unit = Unit(self.line, len(self.units), [], [label] if label.strip() else [], prefix, above, list(self.headings))
        self.units.append(unit)
        return unit

    def page_table(self, table: RawTable, holder: Unit | None = None) -> None:
        """A table of a page: numbers throughout are one value; a column of vectors or sizes is a value for each row."""
        base = holder or self.begin()
        whole = len(self.units)
        for unit in units_in(table, base, self.tables):
            unit.order = len(self.units)
            unit.table = whole if unit.table >= 0 else -1
            self.units.append(unit)
        self.open = None


def depth_of(heading: str) -> int:
    marks = len(heading) - len(heading.lstrip().lstrip("#"))
    return marks if heading.lstrip().startswith("#") else 7


def is_other(before: Side, side: Side) -> bool:
    """Whether a value cannot be the same thing as the one before it: a vector behind a number."""
    sizes = [(len(one.cells), len(one.cells[0])) if one.cells else (0, 0) for one in (before, side)]
    return sizes[0] != sizes[1] and sizes[0] != sizes[1][::-1] and "size" not in (before.layout, side.layout)


def becomes(before: Side, side: Side) -> bool:
    """Whether an arrow leads from one vector to another, [2, 1] → [0.73, 0.27]: not the same thing twice."""
    if side.layout == "number" or before.worked or side.worked or before.layout != side.layout:
        return False
    return [cell_text(one) for one in before.cells[0]] != [cell_text(one) for one in side.cells[0]]


def cell_text(cell: ReadCell) -> str:
    return cell.text if isinstance(cell, Amount) else ""


def is_value(text: str, tables: Tables) -> bool:
    items = scanned(text, tables)
    return bool(items) and (isinstance(items[0], Side) or items[0].is_expression)


def table_rows(lines: list[str], at: int) -> list[list[str]]:
    """The rows of a Markdown table that begins here; none where there is none."""
    rows: list[list[str]] = []
    for line in lines[at : at + rows_taken(lines, at)]:
        if not RULE.fullmatch(line.strip()):
            rows.append([cell.strip() for cell in line.strip().strip("|").split("|")])
    return rows


def rows_taken(lines: list[str], at: int) -> int:
    taken = 0
    while at + taken < len(lines):
        line = lines[at + taken].strip()
        if (
            line.count("|") < 2
            and not (taken and RULE.fullmatch(line) and "|" in line)
            and not (line.count("|") == 1 and taken)
        ):
            break
        if "=" in line and not line.startswith("|"):
            break
        taken += 1
    return taken if taken > 1 else 0


def grid_rows(lines: list[str], at: int) -> list[list[str]]:
    """Lines of plain numbers with blanks between them, two or more of one width; one number a line is a column."""
    rows: list[list[str]] = []
    for line in lines[at:]:
        row = grid_row(line)
        if row is None or (rows and len(row) != len(rows[0])):
            break
        rows.append(row)
    return rows if len(rows) > 1 else []


GRID_CELL = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,2}|/\d+)?%?|-?(?:∞|inf)", re.IGNORECASE)


def grid_row(line: str) -> list[str] | None:
    bare = line.strip().strip("[]|(),;").replace("&", " ").replace("|", " ")
    cells = bare.replace(",", " ").split() if ", " in bare else bare.split()
    return cells if cells and all(GRID_CELL.fullmatch(cell) for cell in cells) and not TABLE_SIGN.search(line) else None
