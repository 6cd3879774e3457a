"""The values inside a piece of a line: tables, vectors, sizes and numbers, and the words and arithmetic between them."""

import math
import re
from dataclasses import dataclass, field
from fractions import Fraction

from clearhead.exact.decimals import as_float
from clearhead.working.reading.files.tables import RawTable, Tables
from clearhead.working.reading.first_look.grids import read_cells
from clearhead.working.reading.numbers.amounts import BLANK, Amount, Blank, ReadCell, Unread, read_amount
from clearhead.working.reading.page.outside_brackets import closing, split_outside

TABLE_SIGN = re.compile("[\U000f0000-\U000fffff]")
NUMBER = re.compile(
    r"[+-]?\s?(?:\d{1,3}(?:,\d{3})+(?![\d,])(?!\.\d)|\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,2}(?![\w]))?(?:\s?\\?%)?(?:…|\.\.\.)?"
)
SIZE = re.compile(r"(\d+(?: \d)*)((?:\s*[x×X*]\s*\d+(?: \d)*){1,3})(?![\w(])")
SPOKEN_SIZE = re.compile(r"(?<![\d.,×x*+/·^-])(?<![×x*+/·^-] )\d{1,5}(?:\s*[x×X]\s*\d{1,5}){2}(?!\s*[\d.,]*[x×X*·+/=^-]|\d)")
PLAIN = r"[+-]?(?:\d+(?:\.\d+)?(?:[eE][+-]?\d{1,2})?|\.\d+|∞|inf)"
BARE_ROW = re.compile(rf"{PLAIN}(?:(?:,\s+|\s+){PLAIN}(?![\w.%×/*]))+")
WORKED = re.compile(r"\d\s*[·*×+]|\d\s*-\s*\d|\d\s*/\s*[\d(].*[.+]|exp|\be\^.*/|\\frac\s*\{[^{}]*\d\.\d")
BOLD_NUMBER = re.compile(r"(?<!\w)\*\*(?=\d)|(?<=\d)\*\*(?!\w)")
TRAILING = re.compile(r"(?<=[^\W\d_])[\s:`]+([(\d+-].*)$")
SPACED = re.compile(r"\d(?: \d)+")
OPERATOR = re.compile(r"\s*(?:[+*/×·÷^@]|-\s?[\d(\[]|\*\*|\\frac|\.\s*\[|[(\[]|[xX]\s*[\d(\[])")
REMARKED = re.compile(r"\s+\(\s*[^\W\d_]{3,}")  # 0 (nothing to learn)
BEFORE_VALUE = re.compile(r"[+*/×·÷^@√\\(\[{,]\s*$|(?:\d|\))\s*-\s*$|[A-Za-z_]$|\d\s*$")
WORD = re.compile(r"[^\W\d_½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒]+")
NUMBER_WORDS = frozenset(("e", "E", "frac", "inf", "exp", "sqrt", "ln", "log", "infty", "x", "tanh", "sigmoid", "σ"))
DRESS = " \t`*_$'\"“”"
CLOSERS = {"[": "]", "(": ")", "{": "}", "<": ">"}
FUNCTION = re.compile(r"\s*\\?(tanh|σ|sigmoid)\s*[({]\s*([^(){}]*)\s*[)}]\s*")
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
    turned: bool = False
    line: int = 0
    mixed: RawTable | None = None  # a table of the page that holds words too
    lines: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Text:
    """Words, or arithmetic that is no value by itself."""

    text: str
    is_expression: bool = False


def scanned(text: str, tables: Tables) -> list[Side | Text]:
    """What one side of a chain holds, in order."""
    bare = text.strip(DRESS)
    if not bare:
        return []
    row = bare_row(bare)
    if row is not None:
        side, rest = row
        return [side, *behind(rest, tables)]
    first = value_at_start(bare, tables)
    if first is not None:
        side, rest = first
        if (OPERATOR.match(rest) is None or REMARKED.match(rest)) and not TABLE_SIGN.match(rest.strip()):
            return [side, *behind(rest, tables)]
    worked = worked_value(bare)
    if worked is not None:
        return [worked]
    if looks_worked(bare):
        return [Text(bare, is_expression=True)]
    return embedded_values(text, tables)


def bare_row(text: str) -> tuple[Side, str] | None:
    """A row of numbers without brackets, and what is left: 0.50  0.25  0.25 (sum 1.00)."""
    match = BARE_ROW.match(text)
    if match is None:
        return None
    rest = text[match.end() :]
    if rest.strip() and (
        (not rest[:1].isspace() and rest[:1] not in ",.;") or (OPERATOR.match(rest) and rest.lstrip()[:1] != "(")
    ):
        return None
    cells = [cell_of(part) for part in re.split(r",\s+|\s+", match[0].strip())]
    if any(isinstance(cell, Unread) for cell in cells):
        return None
    return Side([cells], "vector", match[0]), rest


def behind(rest: str, tables: Tables) -> list[Side | Text]:
    """What follows a value: a remark, the words of the next one, more values."""
    if not rest.strip(DRESS + ".,;:"):
        return []
    number = next_column(rest)
    return [number] if number is not None else embedded_values(rest, tables)


def next_column(rest: str) -> Side | None:
    """A lone number far behind a value: the next column of a table without lines."""
    number = NUMBER.fullmatch(rest.strip()) if rest[:2].isspace() and len(rest) > 1 else None
    amount = number_of(number[0]) if number is not None else None
    return Side([[amount]], "number", amount.text, embedded=True) if amount is not None else None


def value_at_start(text: str, tables: Tables) -> tuple[Side, str] | None:
    """The value that a text begins with, and what is left."""
    while (wrapped := re.match(r"[({\[]\s*(?=[\U000f0000-\U000fffff])", text)) is not None:
        text = text[wrapped.end() :]
    if TABLE_SIGN.match(text):
        rest = text[1:].lstrip(" )}]|\v")
        turned = re.match(r"\s*\^\s*\{?\s*T\b\s*\}?", rest)
        side = table_side(tables[text[0]])
        if side is None:
            return None
        side.turned = turned is not None
        return side, rest[turned.end() :] if turned else rest
    if text[0] in CLOSERS:
        end = closing(text)
        if end < 0:
            return None
        vector = vector_of(text[1:end])
        if vector is not None and len(vector) == 4 and isinstance(vector[0], Blank):
            return Side([vector[1:]], "size", text[: end + 1]), text[end + 1 :]  # (None, 26, 26, 8): any number of examples
        if vector is not None:
            turned = re.match(r"\s*\^\s*\{?\s*T\b\s*\}?", text[end + 1 :])
            rest = text[end + 1 :][turned.end() :] if turned else text[end + 1 :]
            return Side([vector], "vector", text[: end + 1], worked=is_worked(vector)), rest
        if (size := size_of(text[1:end].strip())) is not None:
            return size, text[end + 1 :]
        inside = read_amount(text[1:end])
        return (Side([[inside]], "number", text[: end + 1]), text[end + 1 :]) if isinstance(inside, Amount) else None
    match = SIZE.match(text)
    if match is not None and (size := size_of(match[0])) is not None:
        return size, text[match.end() :]
    match = NUMBER.match(text)
    if match is None or not match[0].strip():
        return None
    amount = number_of(match[0])
    rest = text[match.end() :]
    if amount is None or re.match(r"[A-Za-z_\d]", rest.lstrip("*`")[:1] if not rest[:1].isspace() else ""):
        return None
    return Side([[amount]], "number", match[0].strip()), rest


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


def worked_value(text: str) -> Side | None:
    """A text that is arithmetic throughout: what it comes to."""
    if len(text) > 400 or TABLE_SIGN.search(text) or not re.search(r"\d", text):
        return None
    match = FUNCTION.fullmatch(text)
    if match is not None and isinstance(inside := read_amount(match[2]), Amount):
        x = as_float(inside.value)
        value = math.tanh(x) if match[1] == "tanh" else 1 / (1 + math.exp(-x)) if abs(x) < 500 else 0.0
        return Side([[Amount(text, Fraction(value), 9)]], "number", text, worked=True)
    bare = text.rstrip(" .,;✓✔")
    for candidate in (bare, re.sub(r"\s+[^\W\d_]{2,}.*$", "", bare)):
        if all(word in NUMBER_WORDS for word in WORD.findall(candidate)):
            found = read_amount(candidate)
            if isinstance(found, Amount):
                return Side([[found]], "number", text, worked=True)
    return None


def looks_worked(text: str) -> bool:
    """Numbers with signs between them and no words: arithmetic on vectors and tables."""
    if not re.search(r"\d|[\U000f0000-\U000fffff]", text):
        return False
    return all(word in NUMBER_WORDS or word == "T" for word in WORD.findall(text))


def is_embeddable(side: Side) -> bool:
    """What counts among words: no single number, no arithmetic, no (3×4) that only tells a shape."""
    return side.layout != "number" and not side.worked and not (side.layout == "size" and len(side.cells[0]) < 3)


def embedded_values(text: str, tables: Tables) -> list[Side | Text]:
    """Words with vectors and tables among them."""
    items: list[Side | Text] = []
    text = BOLD_NUMBER.sub("", text) if "**" in text else text
    start = at = 0
    while at < len(text):
        said = SPOKEN_SIZE.match(text, at) if text[at].isdigit() else None
        if text[at] in "[(" or TABLE_SIGN.match(text, at) or said is not None:
            before = text[start:at]
            found = None if BEFORE_VALUE.search(before) else value_at_start(text[at:], tables)
            if found is not None and is_embeddable(found[0]) and OPERATOR.match(found[1]) is None:
                side, rest = found
                if before.strip():
                    items.append(Text(before))
                side.embedded = True
                items.append(side)
                if (number := next_column(rest)) is not None:
                    return [*items, number]
                start = at = len(text) - len(rest)
                continue
            if text[at] in "[(":
                end = closing(text[at:])
                at += end if end > 0 else 0
        at += 1
    rest = text[start:]
    if rest.strip(DRESS + ".,;"):
        worked = trailing_arithmetic(rest)
        items += [Text(rest[: -len(worked.text)]), worked] if worked is not None else [Text(rest)]
    return items


def trailing_arithmetic(text: str) -> Side | None:
    """The sum that a text of words ends with: the mean is (0.7 + 1.4) / 2."""
    for mark in TRAILING.finditer(text):
        if (WORKED.search(mark[1]) or "/" in mark[1]) and SIZE.fullmatch(mark[1].strip(" ()")) is None:
            side = worked_value(mark[1].strip())
            if side is not None:
                side.text = mark[1]
                return side
    return None
