"""What a value on a page is: a table, a vector, a size or a number, and how each is read from its text."""

import re
from dataclasses import dataclass, field

from clearhead.working.reading.files.tables import RawTable
from clearhead.working.reading.first_look.grids import read_cells
from clearhead.working.reading.numbers.amounts import BLANK, Amount, Blank, ReadCell, Unread, read_amount
from clearhead.working.reading.page.outside_brackets import split_outside

NUMBER = re.compile(
    r"[+-]?\s?(?:\d{1,3}(?:,\d{3})+(?![\d,])(?!\.\d)|\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,2}(?![\w]))?(?:\s?\\?%)?(?:…|\.\.\.)?"
)
SIZE = re.compile(r"(\d+(?: \d)*)((?:\s*[x×X*]\s*\d+(?: \d)*){1,3})(?![\w(])")
WORKED = re.compile(r"\d\s*[·*×+]|\d\s*-\s*\d|\d\s*/\s*[\d(].*[.+]|exp|\be\^.*/|\\frac\s*\{[^{}]*\d\.\d")
SPACED = re.compile(r"\d(?: \d)+")
DRESS = " \t`*_$'\"“”"
BOXED = re.compile(r"\{\s*([+-]?[\d.]+)\s*\}")
MOST_CELLS = 64


@dataclass(slots=True)
class Side:
    """One value: rows of cells, how it was laid out, whether it is arithmetic still to be worked out."""

    cells: list[list[ReadCell]]
    layout: str  # table, vector, size or number
    text: str = ""
    worked: bool = False
    embedded: bool = False  # stands in the middle of words
    added: bool = False  # vectors that are added up, place by place
    told: bool = False  # only commas and words between its numbers: right where all of them are right for one thing
    turned: bool = False
    line: int = 0
    mixed: RawTable | None = None  # a table of the page that holds words too
    lines: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Text:
    """Words, or arithmetic that is no value by itself."""

    text: str
    is_expression: bool = False


def number_of(text: str) -> Amount | None:
    """One number; 1,960 is a thousand and more, and 1.960 where only that is right."""
    text = text.strip()
    if re.fullmatch(r"[+-]?\s?\d{1,3}(?:,\d{3})+", text):
        whole = read_amount(text.replace(",", "").replace(" ", ""))
        if isinstance(whole, Amount):
            other = read_amount(text.replace(",", ".")) if text.count(",") == 1 else BLANK
            return Amount(text, whole.value, 0, other.value if isinstance(other, Amount) else None)
    found = read_amount(text)
    return found if isinstance(found, Amount) else None


def cell_of(text: str) -> ReadCell:
    bare = text.strip(DRESS)
    if (boxed := BOXED.fullmatch(bare)) is not None:
        bare = boxed[1]
    if re.fullmatch(r"[+-]?\s?\d{1,3}(?:,\d{3})+", bare):
        return number_of(bare) or Unread(bare)
    if SPACED.fullmatch(bare):
        bare = bare.replace(" ", "")
    return read_amount(bare)


def vector_of(inside: str) -> list[ReadCell] | None:
    """The cells between brackets, two or more; None where they are no numbers."""
    text = inside.strip()
    if ";" in text:
        parts = text.split(";")
    elif ", " in text or text.count(",") > 1 or ("," in text and " " not in text.strip()):
        parts = (
            split_outside(text, re.compile(r",\s+|,(?!\d)"))
            if re.search(r",\s", text) and re.search(r"\d,\d", text)
            else split_outside(text, re.compile(","))
        )
    elif "&" in text:
        parts = text.split("&")
    else:
        parts = text.split()
        if not all(NUMBER.fullmatch(part) or part.lstrip("+-") in ("∞", "inf") for part in parts):
            parts = split_outside(text, re.compile(r"\s{2,}"))
    cells = [cell_of(part) for part in parts if part.strip()]
    if not 2 <= len(cells) <= MOST_CELLS or any(isinstance(cell, Unread) for cell in cells):
        return None
    return cells if any(isinstance(cell, Amount) for cell in cells) else None


def is_worked(cells: list[ReadCell]) -> bool:
    """Whether the cells are arithmetic rather than numbers; √2, 1/2 and e^3 are numbers."""
    return any(isinstance(cell, Amount) and WORKED.search(cell.text) for cell in cells)


def size_of(text: str) -> Side | None:
    match = SIZE.fullmatch(text)
    if match is None:
        return None
    parts = [part.replace(" ", "") for part in re.split(r"\s*[x×X*]\s*", text.strip())]
    cells = [read_amount(part) for part in parts]
    spelled = [part.strip() for part in re.split(r"\s*[x×X*]\s*", text.strip())]
    named = [
        Amount(said, cell.value, cell.decimals) for said, cell in zip(spelled, cells, strict=True) if isinstance(cell, Amount)
    ]
    return Side([list(named)], "size", text, worked="*" in text) if len(named) == len(parts) >= 2 else None


def table_side(raw: RawTable) -> Side | None:
    """A table of numbers; one with words and vectors in it is a table of the page."""
    cells, lines = read_cells(raw, None)
    whole = [list(row) for row in cells if row]
    if whole and all(isinstance(cell, Amount | Blank) for row in whole for cell in row):
        width = max(map(len, whole))
        if all(len(row) == width for row in whole) and width <= MOST_CELLS:
            worked = any(is_worked(row) for row in whole)
            layout = "table" if len(whole) > 1 else "vector"
            return Side(whole, layout, "", worked=worked, lines=lines)
    return Side([], "table", "", mixed=raw) if raw.rows and raw.width > 1 and not raw.loose else None
