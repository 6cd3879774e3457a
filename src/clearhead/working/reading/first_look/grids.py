"""From rows of text to rows of numbers: headings and row labels taken off, cells split where the step's width says so."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from clearhead.working.reading.files.tables import RawTable, split_commas
from clearhead.working.reading.numbers.amounts import BLANK, Amount, ReadCell, Unread, read_amount
from clearhead.working.written import Place

WORDLIKE = re.compile(r"[\s{(*#'\"<\\]*[A-Za-zα-ω]")
NOT_WORDS = re.compile(
    r"[\s{(*+\\-]*(?:e[\^*]|exp\b|ln\b|log\b|inf|frac|sqrt|Fraction|Rational|nan\b|none\b|null\b|N/A|n/a)|[\s{(]*e$",
    re.IGNORECASE,
)
RULE = re.compile(r"[\s|:+-]*-[\s|:+-]*-[\s|:+-]*")
SUMS = re.compile(
    r"^\W*(?:sum|total|Σ|row sum|somme|suma|summe|soma|somma|合计|合計|总和|сумма|합계?|jumlah|toplam)\W*$", re.IGNORECASE
)
WHOLE = re.compile(r"[+-]?\d+")
FRACTION = re.compile(r"\d+/\d+")

Cells = Sequence[Sequence[ReadCell]]
Rows = tuple[tuple[str, ...], ...]  # as they were written


@lru_cache(maxsize=65_536)
def is_word(cell: str) -> bool:
    """Whether a cell is a name (cat, k_1, Q_{11}) rather than a number."""
    return WORDLIKE.match(cell) is not None and NOT_WORDS.match(cell) is None


def read_cells(
    table: RawTable, shape: Place | None, labels: Sequence[str] = (), header: bool = False
) -> tuple[Cells, list[int]]:
    """The numbers of a table, without its heading row and its column of row labels; no cells at all if it holds names only."""
    rows, skipped = cells_of(tuple(map(tuple, table.rows)), shape, tuple(labels), header, table.loose)
    return rows, table.lines[skipped:]


@lru_cache(maxsize=4_096)  # a class writes the same tables over and over
def cells_of(
    rows: Rows, shape: Place | None, labels: tuple[str, ...], header: bool, loose: bool
) -> tuple[tuple[tuple[ReadCell, ...], ...], int]:
    """The numbers in rows of text, and how many rows of headings stood above them."""
    if not any(any(cell and not is_word(cell) for cell in row) for row in rows):
        return (), len(rows)
    heading = rows[0]
    headed = has_heading(rows, shape, header)
    rows = without_labels(rows[1:] if headed else rows, shape, labels, headed)
    if headed and shape and heading and SUMS.match(heading[-1]) and all(len(row) == shape[1] + 1 for row in rows):
        rows = tuple(row[:-1] for row in rows)  # what each row adds up to
    if shape and loose:
        rows = tuple(tuple(merged(row, shape[1])) for row in rows)
    return tuple(tuple(read_amount(cell) for cell in row) for row in rows), int(headed)


def has_heading(rows: Rows, shape: Place | None, header: bool) -> bool:
    first = rows[0]
    rest = rows[1:]
    named = [cell for cell in first if cell and is_word(cell)]
    if rest and len(named) == sum(bool(cell) for cell in first) and (named or header):
        return True
    if header and rest and not (shape and len(rest) == shape[0] - 1):
        return True
    return bool(rest and shape and len(rest) == shape[0] and named and len(first) >= len(rest[0]))


def without_labels(rows: Rows, shape: Place | None, labels: Sequence[str], headed: bool) -> Rows:
    width = max((len(row) for row in rows), default=0)
    if width < 2:
        return rows
    first = [row[0] if row else "" for row in rows]
    named = all(is_word(cell) or cell.strip("*\"' ") in labels for cell in first if cell)
    if named and any(first):
        return tuple(row[1:] for row in rows)
    if shape and width == shape[1] + 1:
        counted = [cell.rstrip(".:)") for cell in first]
        numbered = counted in ([str(i) for i in range(1, len(rows) + 1)], [str(i) for i in range(len(rows))])
        if numbered and ((headed and len(rows) > 1) or any(cell[-1:] in ".:)" for cell in first)):  # one row needs no number
            return tuple(row[1:] for row in rows)
        if not any(first):
            return tuple(row[1:] for row in rows)
    return rows


def merged(row: Sequence[str], width: int) -> Sequence[str]:
    """What blanks tore apart, `2` `1/2` or `-` `3`, joined again where that gives the step's width."""
    pairs = [i for i in range(len(row) - 1) if is_torn(row[i], row[i + 1])]
    if not pairs or len(row) - len(pairs) != width or len(row) <= width:
        return row
    joined: list[str] = []
    for i, cell in enumerate(row):
        if i - 1 in pairs:
            joined[-1] += f" {cell}"
        else:
            joined.append(cell)
    return joined


def is_torn(left: str, right: str) -> bool:
    if left in ("-", "+"):
        return right[:1].isdigit() or right[:1] == "."
    return WHOLE.fullmatch(left) is not None and FRACTION.fullmatch(right) is not None and proper(right)


def proper(fraction: str) -> bool:
    above, _, below = fraction.partition("/")
    return len(below) < 10 and 0 < int(above) < int(below)


def split_cells(text: str, width: int) -> list[str] | None:
    """One row written on a line: `[1, 3]`, `1 3`, `1 & 3`, `| 1 | 3 |`; None where it is no list of cells."""
    text = stripped_list(text)
    if not text:
        return None
    if "," in text:
        parts = [part.strip() for part in split_commas(text)]
        if not parts[-1]:
            parts.pop()
        if width and len(parts) != width:
            spaced = [part.strip() for part in re.split(r",\s+", text)]
            if len(spaced) == width:
                return spaced
        return parts
    for sign in ("&", "|", ";", "\t"):
        if sign in text:
            return [part.strip() for part in text.split(sign)]
    parts = blank_separated(text)
    if width and len(parts) != width:
        wide = [part.strip() for part in re.split(r"\s{2,}", text)]
        if len(wide) == width:
            return wide
        return list(merged(parts, width))
    return parts


def blank_separated(text: str) -> list[str]:
    """Split at blanks outside brackets; a sign before a blank belongs to what follows."""
    if "(" in text or "{" in text:
        parts = [part for part in split_commas(text.replace("\t", " "), " ") if part]
    else:
        parts = text.split()
    return parts


def stripped_list(text: str) -> str:
    """The inside of one pair of list brackets."""
    text = text.strip().rstrip(".;").strip()
    while text and text[0] in "[(|<{" and text[-1:] == {"[": "]", "(": ")", "|": "|", "<": ">", "{": "}"}[text[0]]:
        inside = text[1:-1]
        if any(closes_early(inside, pair) for pair in ("()", "[]", "{}")):
            break
        text = inside.strip()
    return (
        text.lstrip("[|").rstrip("]|").strip()
        if text.count("[") != text.count("]") or text[:1] == "|" or text[-1:] == "|"
        else text
    )


def closes_early(text: str, pair: str) -> bool:
    depth = 0
    for sign in text:
        depth += (sign == pair[0]) - (sign == pair[1])
        if depth < 0:
            return True
    return False


def read_row(text: str, width: int) -> list[ReadCell] | None:
    """The numbers of one row, or None if the text is no row of numbers at all."""
    parts = split_cells(text, width)
    if parts is None:
        return None
    cells = [read_amount(part) for part in parts]
    if "," not in text and any(isinstance(cell, Unread) and is_word(cell.text) for cell in cells):
        return None  # a sentence
    if not any(isinstance(cell, Amount) for cell in cells) and not all(cell is BLANK for cell in cells):
        return None
    if sum(isinstance(cell, Unread) for cell in cells) > len(cells) // 2:
        return None
    return cells


def all_blank(cells: Iterable[Iterable[ReadCell]]) -> bool:
    return not any(isinstance(cell, Amount | Unread) for row in cells for cell in row)
