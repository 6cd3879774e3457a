"""Formulas as tokens: names, numbers and signs, each with its place."""

import re
from dataclasses import dataclass

from clearhead.errors import InputError

LONGEST = 400  # characters of one formula


TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.(?!\.)\d*)?(?:[eE][+-]?\d+)?|\.\d+|[½⅓⅔¼¾⅕⅛])|(?P<name>(?![ᵀ²³])[^\W\d](?:(?![ᵀ²³])[\w\u0300-\u036f])*'?)|(?P<sign>\.\.|\.\*|\./|[-+*/^@⊙∘·⋅×−√ᵀ⊤²³()\[\],;:]))"
)


SAME_SIGN = {".*": "⊙", "∘": "⊙", "⋅": "·", "×": "*", "−": "-", "⊤": "ᵀ", "./": "/"}
SAME_NUMBER = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅛": "1/8"}
ADVICE = {
    "=": '; the name stands before the formula: u = "x W"; rowsum or colsum says along what',
    "|": "; write abs(x) or norm(x)",
    "‖": "; write norm(x), rownorm(x) or colnorm(x)",
    ">": "; relu(x), step(x)",
    "<": "; relu(x), step(x)",
    ".": "; a product is A B, a transpose A^T",
    "∑": "; write sum(x), rowsum(A) or colsum(A)",
    "{": "; brackets are round, and a cell is A[1, 2]",
}


class FormulaError(InputError):
    """Something wrong at one place of a formula."""


@dataclass(frozen=True, slots=True)
class Token:
    kind: str  # number, name, sign or end
    text: str
    at: int
    apart: bool  # whether a space stands before it


def tokens_of(formula: str) -> list[Token]:
    if len(formula) > LONGEST:
        raise FormulaError(
            f"has {len(formula)} characters; at most {LONGEST} can be read: name a part of it as a step of its own"
        )
    found: list[Token] = []
    at = 0
    while formula[at:].strip():
        match = TOKEN.match(formula, at)
        if match is None:
            start = len(formula) - len(formula[at:].lstrip())
            raise FormulaError(
                f"{formula[start]!r} at character {start + 1} has no meaning in a formula{ADVICE.get(formula[start], '')}"
            )
        kind = match.lastgroup or ""
        start = match.start(kind)
        sign = match[kind]
        found.append(Token(kind, SAME_SIGN.get(sign, SAME_NUMBER.get(sign, sign)), start, start > at))
        at = match.end()
    return [*found, Token("end", "", len(formula), True)]
