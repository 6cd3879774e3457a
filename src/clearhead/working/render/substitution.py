"""A formula cut into words and the tables that are put in for its names."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Put:
    """The place of a table in a formula."""

    name: str
    transposed: bool = False


Piece = str | Put


def text_pieces(formula: str, needs: Sequence[str]) -> list[Piece]:
    """
    >>> text_pieces("Q K^T / √2", ["Q", "K"])
    [Put(name='Q', transposed=False), ' ', Put(name='K', transposed=True), ' / √2']
    """
    return pieces(formula, tuple((name, name) for name in needs))


def latex_pieces(latex: str, symbols: Mapping[str, str]) -> list[Piece]:
    r"""The same in LaTeX, where `symbols` says how each name is written.

    >>> latex_pieces(r"\\mathrm{softmax}(u W_2)", {"u": "u", "W2": "W_{2}"})
    ['\\\\mathrm{softmax}(', Put(name='u', transposed=False), ' ', Put(name='W2', transposed=False), ')']
    """
    spelt = [(written, name) for name, symbol in symbols.items() for written in (symbol, bare(symbol), name)]
    return pieces(latex, tuple(spelt))


def bare(symbol: str) -> str:
    """W_{2} is also written W_2."""
    return re.sub(r"_\{(\w)\}", r"_\1", symbol)


def pieces(formula: str, spellings: tuple[tuple[str, str], ...]) -> list[Piece]:
    if not spellings:
        return [formula]
    names = dict(spellings)
    found: list[Piece] = []
    end = 0
    for match in pattern_of(tuple(names)).finditer(formula):
        found += [formula[end : match.start()], Put(names[match[1]], match[2] is not None)]
        end = match.end()
    return [piece for piece in [*found, formula[end:]] if piece]


@lru_cache(maxsize=256)
def pattern_of(spellings: tuple[str, ...]) -> re.Pattern[str]:
    """Any of the names as a whole word, the longest first, with the sign of a transpose behind it."""
    words = "|".join(re.escape(spelling) for spelling in sorted(spellings, key=len, reverse=True))
    return re.compile(rf"(?<![\w\\])(?<!hat\{{)({words})(?![\w{{])(\^T|ᵀ|\^\\top|\^\{{\\top\}})?")
