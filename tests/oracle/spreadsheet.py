"""A small spreadsheet engine: the formulas of an .xlsx, worked out from its givens alone. Knows nothing of clearhead.

Reads the file as the zip of XML that it is; stored values of formulas are never looked at unless asked for. Formulas are
parsed by their grammar (comparison < & < sum < product < sign < power) and worked out when they are asked for; a range is a
list of rows, and what is done to a range is done to each of its cells.
"""

import io
import math
import re
import sys
import zipfile
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

SPACE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
TOKEN = re.compile(r'\s*("(?:[^"]|"")*"|\$?[A-Z]{1,3}\$?\d+(?![\d(A-Z])|\d+\.?\d*(?:E[+-]?\d+)?|[A-Z][A-Z0-9.]*|<>|<=|>=|.)')
PLACE = re.compile(r"\$?([A-Z]{1,3})\$?(\d+)")
Number = float
sys.setrecursionlimit(20_000)


class SheetError(Exception):
    """What a spreadsheet shows as #N/A or #VALUE!."""


def rounded(x: float, digits: float) -> float:
    """Half away from zero, of the number as a person sees it (fifteen digits)."""
    scaled = float(f"{abs(x) * 10 ** int(digits):.15g}")
    return math.copysign(math.floor(scaled + 0.5) / 10 ** int(digits), x)


def power(a: float, b: float) -> float:
    return a**b


def each(function: Callable[..., Any], *values: Any) -> Any:
    """The function of every cell; a column goes with every column, a row with every row, a number with all."""
    tables = [value for value in values if isinstance(value, list)]
    if not tables:
        return function(*values)
    height, width = max(len(table) for table in tables), max(len(table[0]) for table in tables)

    def cell(value: Any, i: int, j: int) -> Any:
        return value[min(i, len(value) - 1)][min(j, len(value[0]) - 1)] if isinstance(value, list) else value

    return [[function(*(cell(value, i, j) for value in values)) for j in range(width)] for i in range(height)]


def flat(*values: Any) -> list[Any]:
    return [cell for value in values for cell in ([c for row in value for c in row] if isinstance(value, list) else [value])]


def numbers(*values: Any) -> list[float]:
    return [cell for cell in flat(*values) if isinstance(cell, float)]


def match(wanted: Any, where: Any, kind: float = 1.0) -> float:
    assert kind == 0.0
    for n, cell in enumerate(flat(where), start=1):
        if type(cell) is type(wanted) and same(cell, wanted):
            return float(n)
    raise SheetError("not found")


def same(a: Any, b: Any) -> bool:
    """As `=` does: letters large or small alike."""
    return bool(a.lower() == b.lower()) if isinstance(a, str) and isinstance(b, str) else bool(a == b)


def index(table: Any, row: float, column: float | None = None) -> Any:
    if column is None:
        return flat(table)[int(row) - 1]
    return table[int(row) - 1][int(column) - 1]


PLAIN: dict[str, Callable[..., Any]] = {
    "EXP": lambda x: 0.0 if x < -700 else math.exp(x), "LN": math.log, "SQRT": math.sqrt, "ABS": abs, "TANH": math.tanh,
    "SIN": math.sin, "COS": math.cos, "ERF": math.erf, "POWER": power, "ROUND": rounded, "INT": lambda x: float(math.floor(x)),
    "EXACT": lambda a, b: a == b, "MID": lambda text, start, count: text[int(start) - 1 : int(start) - 1 + int(count)],
    "LEN": lambda text: float(len(text)),
}  # fmt: skip
WHOLE: dict[str, Callable[..., Any]] = {
    "MAX": lambda *values: max(numbers(*values), default=0.0), "SUM": lambda *values: math.fsum(numbers(*values)),
    "SUMPRODUCT": lambda table: math.fsum(float(cell) for cell in flat(table)), "MATCH": match, "INDEX": index,
    "AND": lambda *values: all(flat(*values)), "OR": lambda *values: any(flat(*values)),
    "LARGE": lambda table, k: sorted(numbers(table), reverse=True)[int(k) - 1],
}  # fmt: skip
SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "=": same, "<>": lambda a, b: not same(a, b), "<": lambda a, b: a < b, ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b, "&": lambda a, b: spoken(a) + spoken(b),
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b, "^": power,
}  # fmt: skip
BINDING = (("=", "<>", "<", ">", "<=", ">="), ("&",), ("+", "-"), ("*", "/"))


def spoken(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:g}"


class Workbook:
    """The first sheet: its numbers, its formulas and its texts."""

    def __init__(self, data: bytes) -> None:
        archive = zipfile.ZipFile(io.BytesIO(data))
        strings = [
            "".join(part.text or "" for part in item.iter(f"{SPACE}t"))
            for item in ElementTree.fromstring(archive.read("xl/sharedStrings.xml")).iter(f"{SPACE}si")
        ]
        self.numbers: dict[str, float] = {}
        self.formulas: dict[str, str] = {}
        self.stored: dict[str, float | str] = {}
        self.texts: dict[str, str] = {}
        for cell in ElementTree.fromstring(archive.read("xl/worksheets/sheet1.xml")).iter(f"{SPACE}c"):
            place, formula, value = cell.get("r", ""), cell.find(f"{SPACE}f"), cell.find(f"{SPACE}v")
            if formula is not None:
                self.formulas[place] = formula.text or ""
                words = "" if value is None else value.text or ""
                self.stored[place] = words if cell.get("t") == "str" or not words else float(words)
            elif cell.get("t") == "s" and value is not None:
                self.texts[place] = strings[int(value.text or 0)]
            elif value is not None:
                self.numbers[place] = float(value.text or "nan")

    def worked(self, **changed: float | str) -> dict[str, Any]:
        """Every formula from the givens, some of them perhaps changed."""
        known: dict[str, Any] = {**self.texts, **self.numbers, **changed}

        def at(place: str) -> Any:
            if place not in known:
                known[place] = Formula(self.formulas[place], at).value() if place in self.formulas else 0.0
            return known[place]

        for place in self.formulas:
            if place not in changed:
                at(place)
        return known


class Formula:
    """One formula, read from left to right and worked out on the way; what is not taken is passed over unworked."""

    def __init__(self, text: str, at: Callable[[str], Any]) -> None:
        self.tokens, self.next, self.at, self.idle = TOKEN.findall(text), 0, at, False

    def value(self) -> Any:
        found = self.binary(0)
        assert self.next == len(self.tokens), self.tokens
        return float(found) if isinstance(found, bool | int) else found

    def peek(self) -> str:
        return self.tokens[self.next] if self.next < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        token = self.peek()
        assert not wanted or token == wanted, (token, wanted, self.tokens)
        self.next += 1
        return token

    def binary(self, level: int) -> Any:
        if level == len(BINDING):
            return self.signed()
        left = self.binary(level + 1)
        while self.peek() in BINDING[level]:
            sign = SIGNS[self.take()]
            right = self.binary(level + 1)
            left = None if self.idle else each(sign, left, right)
        return left

    def signed(self) -> Any:
        if self.peek() in ("-", "+"):
            minus = self.take() == "-"
            inside = self.signed()
            return inside if self.idle or not minus else each(lambda x: -x, inside)
        base = self.atom()
        if self.peek() != "^":
            return base
        self.take()
        exponent = self.signed()
        return None if self.idle else each(power, base, exponent)

    def atom(self) -> Any:
        token = self.take()
        if token == "(":
            inside = self.binary(0)
            self.take(")")
            return inside
        if token.startswith('"'):
            return token[1:-1].replace('""', '"')
        if token[0].isdigit():
            return float(token)
        if PLACE.fullmatch(token):
            return self.place(token)
        return self.call(token)

    def place(self, token: str) -> Any:
        first, last = PLACE.fullmatch(token), None
        if self.peek() == ":":
            self.take()
            last = PLACE.fullmatch(self.take())
        if self.idle or first is None:
            return None
        if last is None:
            return self.at(first[1] + first[2])
        columns = range(column_number(first[1]), column_number(last[1]) + 1)
        return [[self.at(column_name(c) + str(row)) for c in columns] for row in range(int(first[2]), int(last[2]) + 1)]

    def call(self, name: str) -> Any:
        self.take("(")
        if name in ("ROW", "COLUMN"):
            return self.spot(name == "ROW")
        if name == "IF":
            return self.chosen()
        if name == "IFERROR":
            return self.saved()
        values = [self.binary(0)] if self.peek() != ")" else []
        while self.peek() == ",":
            self.take()
            values.append(self.binary(0))
        self.take(")")
        if self.idle:
            return None
        return WHOLE[name](*values) if name in WHOLE else each(PLAIN[name], *values)

    def spot(self, of_rows: bool) -> Any:
        """The number of each row or column of a range."""
        ends = [PLACE.fullmatch(self.take())]
        if self.peek() == ":":
            self.take()
            ends.append(PLACE.fullmatch(self.take()))
        self.take(")")
        rows = [int(end[2]) for end in ends if end]
        columns = [column_number(end[1]) for end in ends if end]
        return [
            [float(row if of_rows else column) for column in range(columns[0], columns[-1] + 1)]
            for row in range(rows[0], rows[-1] + 1)
        ]

    def chosen(self) -> Any:
        """IF works out only the branch that is taken."""
        condition = self.binary(0)
        found = None
        for wanted in (True, False):
            self.take(",")
            before, self.idle = self.idle, self.idle or bool(condition) != wanted
            value = self.binary(0)
            found = found if self.idle else value
            self.idle = before
        self.take(")")
        return found

    def saved(self) -> Any:
        """IFERROR: the second where the first fails; the first is passed over again to find its end."""
        start, found, failed = self.next, None, False
        try:
            found = self.binary(0)
        except (SheetError, ArithmeticError, IndexError, TypeError):
            failed, self.next, before, self.idle = True, start, self.idle, True
            self.binary(0)
            self.idle = before
        self.take(",")
        before, self.idle = self.idle, self.idle or not failed
        other = self.binary(0)
        self.idle = before
        self.take(")")
        return other if failed else found


def column_number(name: str) -> int:
    """A is 1, Z 26, AA 27."""
    number = 0
    for letter in name:
        number = number * 26 + ord(letter) - 64
    return number


def column_name(number: int) -> str:
    name = ""
    while number:
        number, letter = divmod(number - 1, 26)
        name = chr(65 + letter) + name
    return name
