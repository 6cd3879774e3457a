"""One number as it stands in a working, and the sum that was written out before it."""

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from clearhead.exact.expressions import Cell
from clearhead.working.reading.numbers.arithmetic import Arithmetic
from clearhead.working.reading.numbers.safe_arithmetic import Unparsed, added, plain
from clearhead.working.written import WrittenSum

LEFT_OUT = frozenset({
    "", "?", "??", "???", "_", "__", "___", "____", "-", "--", "---", "…", "...", "..", ".", "□", "☐", "*", "none", "null",
    "None", "n/a", "N/A", "nan", "NaN", "x?", "\\square", "\\vdots", "\\hspace",
})  # fmt: skip
PLAIN = re.compile(r"([+-]?)\s*(\d+(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d{1,2}))?\s*(\\?%)?")
COMMA = re.compile(r"([+-]?)\s*(\d+)(?:,|\{,\})(\d+)\s*(\\?%)?")
POWER_OF_TEN = re.compile(r"([+-]?(?:\d+(?:\.\d*)?|\.\d+))\s*[·*×⋅]\s*10\s*(?:\^|\*\*)\s*[{(]?\s*([+-]?\d{1,2})\s*[)}]?")
RECURRING = re.compile(r"([+-]?)(\d*)\.(\d*?)(\d)\4+(?:…|\.\.\.)")
NUMBER = r"[+-]?\s?\d+(?:\.\d+|/\d+)?"
FACTOR = rf"({NUMBER}|\({NUMBER}\))"
PRODUCT = re.compile(rf"\s*([+-]?)\s*(?:\(\s*{FACTOR}\s*[·*×]\s*{FACTOR}\s*\)|{FACTOR}\s*[·*×]\s*{FACTOR})\s*")
LONGEST = 600
LONGEST_FACTOR = 20
BARE = str.maketrans("", "", " ()")
PRINTED = 15  # so many significant digits are what a program prints of a float, the last ones its own error
KEPT = 12


@dataclass(frozen=True, slots=True)
class Amount:
    """A number read: what it says, the digits it carries, and its second reading if it has one."""

    text: str
    value: Cell
    decimals: int | None = None
    otherwise: Cell | None = None


@dataclass(frozen=True, slots=True)
class Blank:
    """A cell left out: blank, `?`, `_` or `…`."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A cell that stands there and cannot be read."""

    text: str


BLANK = Blank()
ReadCell = Amount | Blank | Unread


def read_amount(text: str) -> ReadCell:
    """What one cell says.

    >>> read_amount("5/2").value, read_amount("62%").decimals, read_amount("?")
    (Fraction(5, 2), 2, Blank())
    """
    return amount_of(text) if len(text) <= LONGEST else Unread(text.strip()[:40] + "…")


@lru_cache(maxsize=65_536)
def amount_of(text: str) -> ReadCell:
    written = text.strip(" \t,;")
    if written[-1:] == "." and (written[-2:-1] == " " or ("." in written[:-1] and written[-2] != ".")):
        written = written[:-1].rstrip()  # the end of a sentence
    if (match := PLAIN.fullmatch(written)) is not None:
        return plain_amount(written, match)
    bare = unwrapped(written)
    if bare in LEFT_OUT:
        return BLANK
    try:
        return decimal_amount(bare, bare) or arithmetic_amount(bare, bare)
    except (Unparsed, ArithmeticError, RecursionError, ValueError):
        return Unread(written)


def unwrapped(text: str) -> str:
    """Without brackets, braces and quotes around the whole, which boxes and strings leave behind."""
    closers = {"(": ")", "{": "}", "[": "]", '"': '"', "'": "'", "`": "`"}
    while len(text) > 1 and closers.get(text[0]) == text[-1] and balanced(text[1:-1]):
        text = text[1:-1].strip()
    return text


def balanced(text: str) -> bool:
    """Whether every bracket inside is closed inside."""
    depth = 0
    for sign in text:
        if sign in "({[":
            depth += 1
        elif sign in ")}]":
            depth -= 1
            if depth < 0:
                return False
    return depth == 0


def decimal_amount(written: str, bare: str) -> "Amount | Unread | None":
    """The forms that carry their digits: plain ones in brackets, 0,62, 1.2·10^-3 and 0.333…"""
    if (match := PLAIN.fullmatch(bare)) is not None:
        found = plain_amount(written, match)
        return found if isinstance(found, Amount) else Unread(written)
    if (match := COMMA.fullmatch(bare)) is not None:
        sign, whole, decimals, percent = match.groups()
        if len(decimals) == 3 and whole.strip("0") and len(whole) < 4:
            return Unread(written)  # 1,234: a thousand or a decimal? nobody can know
        return number_amount(written, sign, f"{whole}.{decimals}", len(decimals), 0, bool(percent))
    if (match := POWER_OF_TEN.fullmatch(bare)) is not None:
        size, power = match.groups()
        sign, digits = ("-", size[1:]) if size[0] == "-" else ("", size.lstrip("+"))
        return number_amount(written, sign, digits, len(digits.partition(".")[2]), int(power), False)
    if (match := RECURRING.fullmatch(bare)) is not None:
        sign, whole, fixed, digit = match.groups()
        if len(whole) + len(fixed) > PRINTED:
            return Unread(written)
        value = Fraction(int((whole or "0") + fixed), 10 ** len(fixed)) + Fraction(int(digit), 9 * 10 ** len(fixed))
        return Amount(written, -value if sign == "-" else value)
    return None


def plain_amount(written: str, match: re.Match[str]) -> "Amount | Unread":
    sign, size, after, only, power, percent = match.groups()
    return number_amount(written, sign, size, len(after or only or ""), int(power or 0), percent is not None)


def number_amount(written: str, sign: str, size: str, places: int, power: int, percent: bool) -> "Amount | Unread":
    try:
        value = plain(f"{size}e{power}" if power else size)
    except Unparsed:
        return Unread(written[:40])
    if percent:
        value, power = value / 100, power - 2
    decimals = max(places - power, 0)
    if sign == "-":
        value = -value
    if len(size) > PRINTED and len(size.replace(".", "").strip("0")) >= PRINTED and decimals:
        return printed_float(written, value, decimals)
    return Amount(written, value, decimals)


def printed_float(written: str, value: Fraction, decimals: int) -> Amount:
    """What a program printed of a float holds to twelve digits; where the rest is a tie, either neighbour may be meant."""
    leading = len(str(abs(value.numerator) // value.denominator)) if abs(value) >= 1 else -leading_zeros(value)
    kept = max(min(decimals, KEPT - leading), 0)
    scaled = value * 10**kept
    below = math.floor(scaled)
    rest = scaled - below
    near, far = (below, below + 1) if rest < Fraction(1, 2) else (below + 1, below)
    tie = abs(rest - Fraction(1, 2)) < Fraction(1, 500)
    return Amount(written, Fraction(near, 10**kept), kept, Fraction(far, 10**kept) if tie else None)


def leading_zeros(value: Fraction) -> int:
    """How many zeros stand behind the point of a number below 1."""
    count, size = 0, abs(value) * 10
    while size and size < 1 and count < 30:
        count, size = count + 1, size * 10
    return count


def arithmetic_amount(written: str, bare: str) -> ReadCell:
    reader = Arithmetic(bare)
    value = added(reader.whole())
    if not reader.saw_mixed:
        return Amount(written, value)
    return Amount(written, value, None, added(Arithmetic(bare, mixed=True).whole()))


def read_sum(text: str) -> WrittenSum | None:
    """A cell's own arithmetic, if it is numbers throughout.

    >>> read_sum("(1·0) + (-1·1) + (2·1)").terms[1]
    (Fraction(-1, 1), Fraction(1, 1))
    """
    return sum_of(text) if len(text) <= LONGEST else None


@lru_cache(maxsize=16_384)
def sum_of(text: str) -> WrittenSum | None:
    bare = text.strip()
    if (quick := sum_of_products(bare)) is not None:
        return quick
    bare = unwrapped(bare)
    if not bare or PLAIN.fullmatch(bare) is not None:
        return None
    try:
        reader = Arithmetic(bare)
        terms = flattened(reader.whole())
        value = added([list(term) for term in terms])
        other = added(Arithmetic(bare, mixed=True).whole()) if reader.saw_mixed else None
    except (Unparsed, ArithmeticError, RecursionError, ValueError):
        return None
    return WrittenSum(text.strip(), terms, value, 0, other)


def sum_of_products(text: str) -> WrittenSum | None:
    """The commonest sum, (1·0) + (-1·0.5) + …, without the whole grammar."""
    terms: list[tuple[Cell, ...]] = []
    above, below, at = 0, 1, 0
    while at < len(text):
        match = PRODUCT.match(text, at)
        if match is None or (at and not match[1]):
            return None
        sign, *factors = match.groups()
        left, right = factor_of(sign + (factors[0] or factors[2])), factor_of(factors[1] or factors[3])
        if left is None or right is None:
            return None
        terms.append((left, right))
        bottom = left.denominator * right.denominator
        above, below = above * bottom + left.numerator * right.numerator * below, below * bottom
        at = match.end()
    return WrittenSum(text, tuple(terms), Fraction(above, below)) if terms else None


@lru_cache(maxsize=16_384)
def factor_of(text: str) -> Fraction | None:
    """A factor with its signs: a plain number or a fraction of whole ones."""
    size = text.translate(BARE)
    signs = len(size) - len(size.lstrip("+-"))
    above, _, below = size[signs:].partition("/")
    if len(above) > LONGEST_FACTOR or len(below) > LONGEST_FACTOR or (below and (not int(below) or "." in above)):
        return None
    value = plain(above) / int(below) if below else plain(above)
    return -value if size[:signs].count("-") % 2 else value


def flattened(terms: list[list[Cell]]) -> tuple[tuple[Cell, ...], ...]:
    return tuple(tuple(term) for term in terms)
