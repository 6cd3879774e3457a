"""Arithmetic as people write it, in plain text and LaTeX, read by hand-written rules: a working is never executed."""

import math
import re
from fractions import Fraction

from clearhead.exact.expressions import ONE, Cell
from clearhead.working.reading.numbers.safe_arithmetic import (
    E,
    Unparsed,
    added,
    checked_exp,
    checked_log,
    checked_root,
    exact,
    negated,
    plain,
    raised,
    times,
    turned,
)

MOST_TOKENS = 400
DEEPEST = 24
VULGAR = {
    "½": Fraction(1, 2), "⅓": Fraction(1, 3), "⅔": Fraction(2, 3), "¼": Fraction(1, 4), "¾": Fraction(3, 4),
    "⅕": Fraction(1, 5), "⅖": Fraction(2, 5), "⅗": Fraction(3, 5), "⅘": Fraction(4, 5), "⅙": Fraction(1, 6),
    "⅚": Fraction(5, 6), "⅐": Fraction(1, 7), "⅛": Fraction(1, 8), "⅜": Fraction(3, 8), "⅝": Fraction(5, 8),
    "⅞": Fraction(7, 8), "⅑": Fraction(1, 9), "⅒": Fraction(1, 10),
}  # fmt: skip
TOKEN = re.compile(
    r"\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d{1,3}(?!\d))?|\.\d+(?:[eE][+-]?\d{1,3}(?!\d))?)|(\\?[^\W\d_½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒]+|\*\*|\S))"
)
TIMES = {"·", "*", "×", "⋅", "∙", "•", "x"}
CLOSERS = {"(": ")", "{": "}", "[": "]"}
PROPER = re.compile(r"[{(]+\d+/\d+[)}]+|[{(]?\\[dt]?frac\{\d+\}\{\d+\}[)}]?")
AFTER = {"^", "**", "%", "\\%"}
INFINITE = {"∞", "inf", "Inf", "infty", "infinity", "Infinity", "oo"}
FRACTIONS = {"\\frac", "\\tfrac", "\\dfrac", "\\cfrac"}
LOGARITHMS = {"ln", "log", "\\ln", "\\log"}


class Arithmetic:
    """A cursor over the tokens of one formula; `mixed` reads 2^{1/2} as 2½, and `saw_mixed` says that there was one."""

    __slots__ = ("at", "depth", "mixed", "numbers", "saw_mixed", "tokens")

    def __init__(self, text: str, mixed: bool = False) -> None:
        found = TOKEN.findall(text)
        if len(found) > MOST_TOKENS:
            raise Unparsed
        self.numbers = [number for number, _ in found]
        self.tokens = [number or sign for number, sign in found]
        self.at, self.depth, self.mixed, self.saw_mixed = 0, 0, mixed, False

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted: str) -> bool:
        if self.peek() == wanted:
            self.at += 1
            return True
        return False

    def whole(self) -> list[list[Cell]]:
        """All of the text as a sum: its terms, each a list of factors."""
        terms = self.sum()
        if self.at < len(self.tokens):
            raise Unparsed
        return terms

    def sum(self) -> list[list[Cell]]:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unparsed
        terms = [self.term()]
        while (sign := self.peek()) in ("+", "-"):
            self.at += 1
            term = self.term()
            terms.append([negated(term[0]), *term[1:]] if sign == "-" else term)
        self.depth -= 1
        return terms

    def term(self) -> list[Cell]:
        """Factors, also those of a product in brackets; a quotient belongs to the factor before it."""
        factors = self.factors()
        while token := self.peek():
            if token in TIMES:
                self.at += 1
                factors += self.factors()
            elif token in ("/", "÷"):
                self.at += 1
                factors[-1] = times(factors[-1], turned(self.factor()))
            elif not self.numbers[self.at] and self.starts_factor(token):
                factors += self.factors()
            else:
                break
        return factors

    def factors(self) -> list[Cell]:
        """One factor, or those of a product in brackets: (1·0) is 1 and 0."""
        minus = self.minus()
        token = self.peek()
        if token not in CLOSERS:
            value = self.power()
            return [negated(value) if minus else value]
        self.at += 1
        terms = self.sum()
        if not self.take(CLOSERS[token]):
            raise Unparsed
        inner = terms[0] if len(terms) == 1 and self.peek() not in AFTER else [self.raised_or_percent(added(terms), False)]
        return [negated(inner[0]), *inner[1:]] if minus else inner

    def minus(self) -> bool:
        """Takes the signs in front; whether they make a minus."""
        minus = False
        while (sign := self.peek()) in ("+", "-"):
            minus ^= sign == "-"
            self.at += 1
        return minus

    def starts_factor(self, token: str) -> bool:
        return (
            token in CLOSERS
            or token in FRACTIONS
            or token in FUNCTIONS
            or token in ("√", "e", "\\sqrt", "sqrt", "exp", "\\exp")
        )

    def factor(self) -> Cell:
        minus = self.minus()
        value = self.power()
        return negated(value) if minus else value

    def power(self) -> Cell:
        start = self.at
        value = self.primary()
        return self.raised_or_percent(value, self.at == start + 1 and self.tokens[start].isdigit())

    def raised_or_percent(self, value: Cell, literal: bool) -> Cell:
        """What stands behind a value: an exponent, a percent sign. 2^{1/2} may be a mixed number."""
        if self.peek() in ("^", "**"):
            self.at += 1
            mark = self.at
            exponent = self.exponent()
            above = "".join(self.tokens[mark : self.at])
            if literal and isinstance(exponent, Fraction) and 0 < exponent < 1 and PROPER.fullmatch(above):
                self.saw_mixed = True
                value = exact(value) + exponent if self.mixed else raised(value, exponent)
            else:
                value = raised(value, exponent)
        if self.peek() in ("%", "\\%"):
            self.at += 1
            value = times(value, Fraction(1, 100))
        return value

    def exponent(self) -> Cell:
        minus = self.minus()
        value = self.primary()
        return negated(value) if minus else value

    def primary(self) -> Cell:
        token = self.peek()
        if not token:
            raise Unparsed
        if self.numbers[self.at]:
            return self.number(token)
        self.at += 1
        if token in CLOSERS:
            return self.inside(CLOSERS[token])
        if token in VULGAR:
            return VULGAR[token]
        if token in FRACTIONS:
            above = self.argument()
            return times(above, turned(self.argument()))
        if token in INFINITE:
            return math.inf
        if token == "e":
            return E
        function = FUNCTIONS.get(token)
        if function is None:
            raise Unparsed
        return self.called(token, function)

    def called(self, token: str, function: str) -> Cell:
        if function == "log":
            base = self.argument() if self.take("_") else None
            value = checked_log(self.call_argument())
            return value if base is None else times(value, turned(checked_log(base)))
        if function == "fraction":
            if not self.take("("):
                raise Unparsed
            above = added(self.sum())
            below = added(self.sum()) if self.take(",") else ONE
            if not self.take(")"):
                raise Unparsed
            return times(above, turned(below))
        value = self.call_argument()
        return checked_exp(value) if function == "exp" else checked_root(value)

    def call_argument(self) -> Cell:
        """What a function is applied to: brackets, or the one number behind it."""
        if self.peek() in CLOSERS:
            return self.argument()
        return self.power()

    def argument(self) -> Cell:
        """A group in braces or brackets, or one digit as in \\frac12."""
        token = self.peek()
        if token in CLOSERS:
            self.at += 1
            return self.inside(CLOSERS[token])
        if token.isdigit() and token.isascii() and len(token) > 1:
            self.tokens[self.at] = self.numbers[self.at] = token[1:]
            return Fraction(int(token[0]))
        return self.primary()

    def inside(self, closer: str) -> Cell:
        value = added(self.sum())
        if not self.take(closer):
            raise Unparsed
        return value

    def number(self, token: str) -> Cell:
        self.at += 1
        value = plain(token)
        if value.denominator == 1 and token.isdigit():
            return value + self.rest_of_mixed()
        return value

    def rest_of_mixed(self) -> Fraction:
        """The proper fraction behind a whole number: 2 1/2, 2½, 2\\frac{1}{2}."""
        token, at = self.peek(), self.at
        if token in VULGAR:
            self.at += 1
            return VULGAR[token]
        if token.isdigit() and self.tokens[at + 1 : at + 2] == ["/"]:
            below = self.tokens[at + 2] if at + 2 < len(self.tokens) else ""
            if below.isdigit() and 0 < int(token) < int(below):
                self.at += 3
                return Fraction(int(token), int(below))
            raise Unparsed
        if token in FRACTIONS:
            self.at += 1
            above = self.argument()
            below_value = self.argument()
            if isinstance(above, Fraction) and isinstance(below_value, Fraction) and 0 < above < below_value:
                return above / below_value
            raise Unparsed
        return Fraction(0)


FUNCTIONS = {
    "exp": "exp", "\\exp": "exp", "√": "root", "\\sqrt": "root", "sqrt": "root", "ln": "log", "log": "log",
    "\\ln": "log", "\\log": "log", "Fraction": "fraction", "Rational": "fraction",
}  # fmt: skip
