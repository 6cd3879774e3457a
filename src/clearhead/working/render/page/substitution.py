"""A formula cut into words and the tables that are put in for its names."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from unicodedata import combining

CUT = re.compile(r"\[\s*(:|\d+(?:\.\.\d+)?)\s*(?:,\s*(:|\d+(?:\.\.\d+)?)\s*)?\]")
ACCENTED = ("hat{", "bar{", "tilde{", "dot{")
TRANSPOSE = re.compile(r"\^T|ᵀ|\^\\top|\^\{\\top\}")


@dataclass(frozen=True, slots=True)
class Put:
    """The place of a table in a formula: all of it, or some of its rows and columns (`1..2`, counted from 1; `:` for all)."""

    name: str
    transposed: bool = False
    cut: tuple[str, ...] = ()


Piece = str | Put


def text_pieces(formula: str, needs: Sequence[str]) -> list[Piece]:
    """A formula in plain text, cut at the names of what it needs.

    >>> text_pieces("Q K^T / √2", ["Q", "K"])
    [Put(name='Q', transposed=False, cut=()), ' ', Put(name='K', transposed=True, cut=()), ' / √2']
    """
    return pieces(formula, tuple((name, name) for name in needs))


def latex_pieces(latex: str, symbols: Mapping[str, str]) -> list[Piece]:
    r"""The same in LaTeX, where `symbols` says how each name is written.

    >>> latex_pieces(r"\\mathrm{softmax}(u W_2)", {"u": "u", "W2": "W_{2}"})
    ['\\\\mathrm{softmax}(', Put(name='u', transposed=False, cut=()), ' ', Put(name='W2', transposed=False, cut=()), ')']
    """
    spelt = [(written, name) for name, symbol in symbols.items() for written in (symbol, bare(symbol), name)]
    return pieces(latex, tuple(spelt))


def bare(symbol: str) -> str:
    """W_{2} is also written W_2."""
    return re.sub(r"_\{(\w)\}", r"_\1", symbol)


def pieces(formula: str, spellings: tuple[tuple[str, str], ...]) -> list[Piece]:
    """Whole words only, the longest spelling first, each with the sign of a transpose behind it."""
    places = [(start, -len(written), name) for written, name in dict(spellings).items() for start in words_at(formula, written)]
    found: list[Piece] = []
    end = 0
    for start, size, name in sorted(places):
        if start < end:
            continue
        after = start - size
        cut = CUT.match(formula, after)
        after = after if cut is None else cut.end()
        turned = TRANSPOSE.match(formula, after)
        parts = () if cut is None else tuple(part for part in cut.groups() if part is not None)
        found += [formula[end:start], Put(name, turned is not None, parts)]
        end = after if turned is None else turned.end()
    return [piece for piece in [*found, formula[end:]] if piece]


def words_at(formula: str, written: str) -> Iterator[int]:
    """Where a spelling stands as a word of its own; ŷ is no y."""
    at = formula.find(written)
    while at >= 0:
        before, after = formula[at - 1 : at], formula[at + len(written) : at + len(written) + 1]
        part_of_word = before == "\\" or is_word(before) or after == "{" or is_word(after)
        if not part_of_word and not formula[:at].endswith(ACCENTED):
            yield at
        at = formula.find(written, at + 1)


def is_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_" or bool(sign and combining(sign))
