"""The values inside a piece of a line: tables, vectors, sizes and numbers, and the words and arithmetic between them."""

import math
import re
from fractions import Fraction

from clearhead.exact.decimals import as_float
from clearhead.working.reading.files.tables import Tables
from clearhead.working.reading.numbers.amounts import Amount, Blank, Unread, read_amount
from clearhead.working.reading.page.outside_brackets import closing
from clearhead.working.reading.page.sides import (
    DRESS,
    MOST_CELLS,
    NUMBER,
    SIZE,
    WORKED,
    Side,
    Text,
    cell_of,
    is_worked,
    number_of,
    size_of,
    table_side,
    vector_of,
)
from clearhead.working.reading.page.spoken_lists import spoken_lists

TABLE_SIGN = re.compile("[\U000f0000-\U000fffff]")
SPOKEN_SIZE = re.compile(r"(?<![\d.,×x*+/·^-])(?<![×x*+/·^-] )\d{1,5}(?:\s*[x×X]\s*\d{1,5}){2}(?!\s*[\d.,]*[x×X*·+/=^-]|\d)")
PLAIN = r"[+-]?(?:\d+(?:\.\d+)?(?:[eE][+-]?\d{1,2})?|\.\d+|∞|inf)"
BARE_ROW = re.compile(rf"{PLAIN}(?:(?:,\s+|\s+){PLAIN}(?![\w.%×/*]))+")
NAMED_ROW = re.compile(  # cat  0.71, 0.29 or cat 0.71 0.29: a name and a row without brackets
    rf"([^\W\d_][^\d=:\[\](){{}}|]{{0,24}}?)(?:\s{{2,}}({PLAIN}(?:(?:,\s*|\s+){PLAIN})+))"
)
BOLD_NUMBER = re.compile(r"(?<!\w)\*\*(?=\d)|(?<=\d)\*\*(?!\w)")
BOLD_END = re.compile(r"^(?:\*\*|__|`)(?!\s*[\d(\[])")
TRAILING = re.compile(r"(?<=[^\W\d_])[\s:`]+([(\d+-].*)$")
OPERATOR = re.compile(r"\s*(?:[+*/×·÷^@]|-\s?[\d(\[]|\*\*|\\frac|\.\s*\[|[(\[]|[xX]\s*[\d(\[])")
REMARKED = re.compile(r"\s*\(\s*[^\W\d_]{3,}")  # 0 (nothing to learn)
BEFORE_VALUE = re.compile(r"[+*/×·÷^@√\\(\[{,]\s*$|(?:\d|\))\s*-\s*$|[A-Za-z_]$|(?:^|[^\w.])\d[\d.]*\s*$")
WORD = re.compile(r"[^\W\d_½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒]+")
NUMBER_WORDS = frozenset(("e", "E", "frac", "inf", "exp", "sqrt", "ln", "log", "infty", "x", "tanh", "sigmoid", "σ"))
LONGEST_SUM = 400
ADDEND = re.compile(r"\s*([+-]?)\s*(?:([+-]?\d*\.?\d+)\s*[×·*]?\s*)?\[([^\[\]]*)\]\s*")
ADDENDS = re.compile(rf"(?:{ADDEND.pattern}){{2,}}")
CLOSERS = {"[": "]", "(": ")", "{": "}", "<": ">"}
FUNCTION = re.compile(r"\s*\\?(tanh|σ|sigmoid)\s*[({]\s*([^(){}]*)\s*[)}]\s*")


def scanned(text: str, tables: Tables) -> list[Side | Text]:
    """What one side of a chain holds, in order."""
    bare = text.strip(DRESS)
    if not bare:
        return []
    if bare.count("%") > 1 and bare[0] not in CLOSERS and (told := told_values(bare)):
        return told
    if " / " in bare and (table := slashed_rows(bare)) is not None:
        return table
    row = bare_row(bare)
    if row is not None:
        side, rest = row
        return [side, *behind(rest, tables)]
    named = NAMED_ROW.fullmatch(bare)
    if named is not None and (row := bare_row(named[2])) is not None and not row[1].strip():
        return [Text(named[1]), row[0]]
    first = value_at_start(bare, tables)
    if first is not None:
        side, rest = first[0], BOLD_END.sub("", first[1])
        if (OPERATOR.match(rest) is None or REMARKED.match(rest)) and not TABLE_SIGN.match(rest.strip()):
            return [side, *behind(rest, tables)]
    worked = worked_value(bare) or sum_of_vectors(bare)
    if worked is not None:
        return [worked]
    if looks_worked(bare):
        return [Text(bare, is_expression=True)]
    return embedded_values(text, tables)


SLASHED = re.compile(rf"\[?({PLAIN}(?:,\s*{PLAIN})+\]?(?:\s+/\s+\[?{PLAIN}(?:,\s*{PLAIN})+)+)\]?(?=\s*(?:$|[(;.,]))")


def slashed_rows(text: str) -> "list[Side | Text] | None":
    """Rows in one line with a slash between them, 2, 6 / 5, 5, and a remark in brackets behind."""
    match = SLASHED.match(text)
    if match is None:
        return None
    rows = [[cell_of(part) for part in row.strip(" []").split(",")] for row in match[1].split(" / ")]
    if len({len(row) for row in rows}) != 1:
        return None
    rest = text[match.end() :].strip(DRESS + ".,;")
    return [Side([list(row) for row in rows], "table", match[0]), *([Text(rest)] if rest else [])]


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


def sum_of_vectors(text: str) -> Side | None:
    """Vectors that are added up, each perhaps times a number: what stands in each place, still to be worked out.

    >>> [cell.text for cell in sum_of_vectors("0.4 × [1, 5] + 0.6 × [0, 2]").cells[0]]
    ['0.4·(1) + 0.6·(0)', '0.4·(5) + 0.6·(2)']
    """
    if not 10 < len(text) <= LONGEST_SUM or text.count("[") < 2 or ADDENDS.fullmatch(text) is None:
        return None
    addends = [(found[1], found[2], vector_of(found[3])) for found in ADDEND.finditer(text)]
    vectors = [vector for *_, vector in addends]
    if any(vector is None or is_worked(vector) or len(vector) != len(vectors[0] or ()) for vector in vectors):
        return None
    shares = [f"{'- ' if sign == '-' else '+ '}{times}·" if times else f"{sign or '+'} " for sign, times, _ in addends]
    texts = (
        "".join(f"{share}({cell.text}) " for share, cell in zip(shares, column, strict=True) if isinstance(cell, Amount)).strip(
            " +"
        )
        for column in zip(*(vector for vector in vectors if vector), strict=True)
    )
    cells = [read_amount(each) for each in texts]
    whole = all(isinstance(cell, Amount) for cell in cells)
    return Side([cells], "vector", text, worked=True, added=True) if whole else None


def looks_worked(text: str) -> bool:
    """Numbers with signs between them and no words: arithmetic on vectors and tables."""
    if not re.search(r"\d|[\U000f0000-\U000fffff]", text):
        return False
    return all(word in NUMBER_WORDS or word == "T" for word in WORD.findall(text))


def is_embeddable(side: Side) -> bool:
    """What counts among words: no single number, no arithmetic, no (3×4) that only tells a shape."""
    return side.layout != "number" and not side.worked and not (side.layout == "size" and len(side.cells[0]) < 3)


def told_values(text: str) -> list[Side | Text]:
    """Words with lists of numbers among them; nothing where there are none."""
    items: list[Side | Text] = []
    behind = 0
    for begin, end, numbers in spoken_lists(text):
        cells = [cell_of(number) for number in numbers]
        if len(cells) <= MOST_CELLS and all(isinstance(cell, Amount) for cell in cells):
            items += [Text(text[behind:begin])] if text[behind:begin].strip(DRESS + ".,;") else []
            items.append(Side([cells], "vector", text[begin:end], embedded=True, told=True))
            behind = end
    return [*items, Text(text[behind:])] if items and text[behind:].strip(DRESS + ".,;") else items


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
        if spoken := told_values(rest):
            return [*items, *spoken]
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
