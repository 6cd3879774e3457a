"""Tables taken out of a text: matrix environments, nested and MATLAB lists, HTML; each leaves one sign in its place."""

import re
from dataclasses import dataclass
from functools import lru_cache

from clearhead.working.reading.files.markup import BREAK, OPEN, SHUT, SWALLOWED

FIRST = 0xF0000  # private signs: one for each table taken out
MOST_TABLES = 0xFFFF
MARKS = re.compile("[\U000f0000-\U000fffff]")
ENVIRONMENT = re.compile(f"[{OPEN}{SHUT}]")
BRACKET = re.compile(r"[\[\]]|\n[ \t]*\n")
BEHIND_NAME = re.compile(r"[\w\])}]$")
WRAPPER = re.compile("(?:array|matrix|tensor|asarray|Matrix|FloatTensor|mat)\\(\\s*([\U000f0000-\U000fffff])[^()\n]*\\)")
FLAT_WRAPPER = re.compile(
    r"(?:\b(?:np|numpy|torch|jnp)\.)?\b(?:array|asarray|tensor|FloatTensor|Matrix)\(\s*(\[[^\[\]()]*\])[^\[\]()\n]*\)"
)
AROUND = re.compile("[\\[(|](?<![A-Za-z}].)\\s*([\U000f0000-\U000fffff])\\s*[\\])|]")
PRINTED = re.compile("^[ \t]*#+[ \t]*(?=[\\[\U000f0000-\U000fffff])", re.MULTILINE)  # what a program printed, as its comment
COMMENT = re.compile(r"(?:#|←|//)[^\n]*")
QUOTED_COMMENT = re.compile(
    r"#[ \t]*\"[^\"\n]*\"(?=[ \t]*[\[\]]|[ \t]*$)", re.MULTILINE
)  # between rows that lost their line ends
COMMENTED_ROW = re.compile(r"^[ \t]*#+[ \t]*(?=[\[(\d.+-])", re.MULTILINE)  # a printed table behind comment signs
BESIDE_ROW = re.compile(r"(?<=\])([ \t]*[,;]?)[ \t]{2,}[^\[\]\n]+(?=\n)")  # words in the margin, a row on each line
INNER = re.compile(r"\[[^\[\]]*\]|\([^()]*\)")
NUMERIC = re.compile(r"\d|\?|∞|\binf\b|[½¼¾⅓⅔]")
WORDY = re.compile(r"[A-Za-z]{5,}")
TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class RawTable:
    """Rows of cells as text, with the line that each row stands on."""

    rows: list[list[str]]
    lines: list[int]
    loose: bool = False  # only blanks between the cells, so that 2 1/2 may be one or two

    @property
    def line(self) -> int:
        return self.lines[0] if self.lines else 0

    @property
    def width(self) -> int:
        return max((len(row) for row in self.rows), default=0)


class Tables:
    """The tables of one text, by the sign that stands in their place. The text must be free of such signs: `unmarked`."""

    __slots__ = ("found",)

    def __init__(self) -> None:
        self.found: list[RawTable] = []

    def put(self, table: RawTable) -> str:
        """The sign for a table; none once there are more than anybody writes."""
        if len(self.found) >= MOST_TABLES:
            return " "
        self.found.append(table)
        return chr(FIRST + len(self.found) - 1)

    def __getitem__(self, sign: str) -> RawTable:
        return self.found[ord(sign) - FIRST]


def unmarked(text: str) -> str:
    return text if text.isascii() else MARKS.sub("\ufffd", text)


def take_tables(text: str, tables: Tables) -> str:
    """The text, in plain notation, with a sign for each table."""
    if "<t" in text.lower():
        text = take_html(text, tables)
    if OPEN in text:
        text = take_environments(text, tables)
    if "[" in text:
        text = take_lists(FLAT_WRAPPER.sub(r"\1", text) if "([" in text else text, tables)
    if tables.found:
        text = AROUND.sub(alone, WRAPPER.sub(alone, text))
    return PRINTED.sub("", text) if "#" in text else text


def alone(wrapped: re.Match[str]) -> str:
    """A table without what stands around it, and with all its line ends."""
    return wrapped[1] + SWALLOWED * wrapped[0].count(SWALLOWED)


def take_environments(text: str, tables: Tables) -> str:
    """Innermost \\begin…\\end pairs; an unclosed one is left as text."""
    pieces: list[str] = []
    at, line, counted = 0, 1, 0
    opened = -1
    for mark in ENVIRONMENT.finditer(text):
        if mark[0] == OPEN:
            opened = mark.start()
            continue
        if opened < at:
            continue
        body = text[opened + 1 : mark.start()]
        line += lines_between(text, counted, opened)
        counted = opened
        pieces += [text[at:opened], tables.put(environment_table(body, line)), SWALLOWED * body.count("\n")]
        at, opened = mark.end(), -1
    return "".join([*pieces, text[at:]]).replace(OPEN, " ").replace(SHUT, " ")


def lines_between(text: str, start: int, end: int) -> int:
    """Line ends between two places, those of tables already taken out among them."""
    return text.count("\n", start, end) + text.count(SWALLOWED, start, end)


def environment_table(body: str, line: int) -> RawTable:
    rows, starts = environment_rows(body)
    return RawTable([list(row) for row in rows], [line + start for start in starts])


@lru_cache(maxsize=4_096)  # a class writes the same tables over and over
def environment_rows(body: str) -> tuple[list[list[str]], list[int]]:
    """The cells between a \\begin and its \\end, and how many lines below it each row stands."""
    rows: list[list[str]] = []
    starts: list[int] = []
    line = 0
    for piece in body.split(BREAK):
        lead = len(piece) - len(piece.lstrip())
        start = line + piece.count("\n", 0, lead)
        line += piece.count("\n")
        if not piece.strip():
            continue
        rows.append([cell.strip() for cell in piece.split("&")] if "&" in piece else split_bare(piece))
        starts.append(start)
    return rows, starts


def split_bare(piece: str) -> list[str]:
    """A row without column signs: one cell, or cells between commas."""
    return [cell.strip() for cell in split_commas(piece)] if "," in piece else [piece.strip()]


def split_commas(text: str, sign: str = ",") -> list[str]:
    """Split at a sign outside all brackets.

    >>> split_commas("1, Fraction(5, 2), 3")
    ['1', ' Fraction(5, 2)', ' 3']
    """
    if "(" not in text and "{" not in text and "[" not in text:
        return text.split(sign)
    parts: list[str] = []
    depth = start = 0
    for at, letter in enumerate(text):
        if letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif letter == sign and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]


def take_lists(text: str, tables: Tables) -> str:
    """Bracketed lists that hold rows: nested, with `;`, or over several lines. Indices and flat lists stay as text."""
    groups: list[tuple[int, int]] = []
    opened: list[int] = []
    for mark in BRACKET.finditer(text):
        if mark[0] == "[":
            opened.append(mark.start())
        elif mark[0] == "]":
            if opened:
                start = opened.pop()
                while groups and groups[-1][0] > start:
                    groups.pop()
                groups.append((start, mark.end()))
        else:
            opened.clear()
    pieces: list[str] = []
    at, line, counted = 0, 1, 0
    for start, end in groups:
        body = text[start + 1 : end - 1]
        if not ("[" in body or ";" in body or "\n" in body or "(" in body):
            continue
        line += lines_between(text, counted, start)
        counted = start
        table = list_table(body, line)
        if table is None or ("[" not in body and BEHIND_NAME.search(text[start - 1 : start])):
            continue
        pieces += [text[at:start], tables.put(table), SWALLOWED * body.count("\n")]
        at = end
    return "".join([*pieces, text[at:]])


def list_table(body: str, line: int) -> RawTable | None:
    """The rows of a list's inside, or None where it holds no numbers in rows."""
    if "#" in body or "←" in body or "//" in body:
        body = COMMENT.sub("", COMMENTED_ROW.sub("", QUOTED_COMMENT.sub("", body)))
    if "]" in body and "  " in body:
        body = BESIDE_ROW.sub(r"\1", body)
    if not NUMERIC.search(body) or WORDY.search(body.replace("Fraction", "").replace("Rational", "").replace("infinity", "")):
        return None
    if "[" in body or (";" not in body and INNER.match(body.strip())):
        pieces = [(m[0][1:-1], m.start()) for m in INNER.finditer(body)]
        if INNER.sub("", body).strip(" ,;\n\t"):
            return None
    elif ";" in body or "\n" in body:
        pieces = [(m[0], m.start()) for m in re.finditer(r"[^;\n]+", body) if m[0].strip(" ,")]
    else:
        return None
    rows, lines = [], []
    at = 0
    for piece, start in pieces:
        line += body.count("\n", at, start)
        at = start
        rows.append(split_row(piece))
        lines.append(line)
    return RawTable(rows, lines, loose=True) if rows else None


def split_row(piece: str) -> list[str]:
    """The cells of one row: between commas, else between `&` or tabs, else between blanks."""
    piece = piece.strip().rstrip(",")
    if "," in piece:
        return [cell.strip() for cell in split_commas(piece)]
    if "&" in piece:
        return [cell.strip() for cell in piece.split("&")]
    return piece.split("\t") if "\t" in piece.strip() else piece.split()


def take_html(text: str, tables: Tables) -> str:
    """<table>…</table>, cell by cell; an unclosed table is left as text."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a letter that changes length when folded: leave the tags alone
        return text
    pieces: list[str] = []
    at, line, counted = 0, 1, 0
    while (start := lowered.find("<table", at)) >= 0 and (end := lowered.find("</table>", start)) >= 0:
        line += text.count("\n", counted, start)
        counted = start
        body = text[start : end + 8]
        pieces += [text[at:start], tables.put(html_table(body, line)), SWALLOWED * body.count("\n")]
        at = end + 8
    return "".join([*pieces, text[at:]])


def html_table(body: str, line: int) -> RawTable:
    rows: list[list[str]] = []
    lines: list[int] = []
    first, *rest = re.split(r"<tr\b", body, flags=re.IGNORECASE)
    line += first.count("\n")
    for piece in rest:
        cells = re.split(r"<t[dh]\b[^<>]*>", piece, flags=re.IGNORECASE)[1:]
        rows.append([" ".join(TAG.sub(" ", cell).split()) for cell in cells])
        lines.append(line)
        line += piece.count("\n")
    return RawTable(rows, lines)


def named_rows(rows: list[list[str]]) -> list[list[str]]:
    """A table whose rows are counted under an empty corner, with words for the counts: they are names, not numbers.

    >>> named_rows([["", "1", "2"], ["1", "0.5", "0.5"], ["2", "0.1", "0.9"]])
    [['', '1', '2'], ['row 1', '0.5', '0.5'], ['row 2', '0.1', '0.9']]
    """
    if (
        len(rows) < 3
        or len(rows[0]) < 2
        or not any(rows[0][1:])
        or CORNER.fullmatch(rows[0][0]) is None
        or any(not row for row in rows)
    ):
        return rows
    counts = [row[0].strip(" *_`") for row in rows[1:]]
    if counts not in ([str(i) for i in range(len(counts))], [str(i + 1) for i in range(len(counts))]):
        return rows
    return [rows[0], *([f"row {count}", *row[1:]] for count, row in zip(counts, rows[1:], strict=True))]


CORNER = re.compile(r"\s*[#№*_`]*\s*|\W*(?:token|row|position|pos|query|word|index|i|t)\W*", re.IGNORECASE)
