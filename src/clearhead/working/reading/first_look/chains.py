"""Chains of equalities: IW_Q = A·B = [[1, 3], …] = Q taken apart into what is named and what it is said to be."""

import re

LETTERS = re.compile(r"[^\W\d_½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒]+")
NUMBER_WORDS = frozenset(("e", "E", "frac", "inf", "exp", "sqrt", "ln", "log", "infty", "x"))
EQUALS = re.compile(r"[=→]")
SIGN = "[\U000f0000-\U000fffff]"
TABLES = re.compile(SIGN)
LONE_TABLE = re.compile(rf"[\s({{\[|]*({SIGN})\s*[)}}\]|]*(\^\s*\{{?\s*T\s*\}}?)?[\s.,;:)}}\]|\v]*(?:\s[(\[]?[A-Za-z,#].*)?")
COEFFICIENT = re.compile(r"\d")
NUMBER_FIRST = re.compile(r"\s*([({\[]*[+-]?[\d./]+%?[)}\]]*)[\s.]+(?:(?:and|so|then)\s+)?(?=\S)")
TAIL = re.compile(r"[,;]\s|\.\s|\s[A-Za-z]{2,}|✓|✔|✗|#|//|\s\((?=[^()]*[A-Za-z])")
GLUED = re.compile(r"(?<![\w^_{])\d+[A-Za-df-z]|[A-Za-z][.,]\d")  # 1l or O.62: a number misspelt, not a formula
NUMERIC = re.compile(r"(?<![\w^{√.\]])\d|\[\s*-?\d")


def split_chain(text: str) -> list[str]:
    """The sides of a chain; an equals sign inside brackets splits nothing.

    >>> split_chain("P(y_5 = A) = 1/2 = 0.5")
    ['P(y_5 = A) ', ' 1/2 ', ' 0.5']
    """
    parts = EQUALS.split(text)
    if len(parts) == 1 or ("(" not in text and "{" not in text):
        return parts
    sides: list[str] = []
    depth = 0
    for part in parts:
        if depth > 0:
            sides[-1] += "=" + part
        else:
            sides.append(part)
        depth = max(depth + sum(map(part.count, "({")) - sum(map(part.count, ")}")), 0)
    return parts if depth > 0 else sides


def trimmed_value(text: str) -> str:
    """A value without the words that follow it: `1.17 (rounded)` is 1.17."""
    match = TAIL.search(text.strip())
    return text.strip()[: match.start()] if match else text.strip()


def last_part(text: str) -> tuple[str, str]:
    """A side that ends one statement and begins the next, `3, so K^T`: what it ends with and what it begins with."""
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        sign = text[at]
        depth += (sign in ")]}") - (sign in "([{")
        if depth == 0 and sign in ",;" and text[at + 1 :].strip():
            return text[:at], text[at + 1 :]
    match = NUMBER_FIRST.match(text)
    return (match[1], text[match.end() :]) if match else ("", "")


def looks_numeric(text: str) -> bool:
    """Whether a side holds numbers of its own and no formula: what a person may have meant as the value."""
    if NUMERIC.search(text) is None:
        return False
    return GLUED.search(text) is not None or all(word in NUMBER_WORDS for word in LETTERS.findall(text))
