"""A formula cut into words and the tables that are put in for its names."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from clearhead.working.notation import named


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


def latex_pieces(latex: str, needs: Sequence[str]) -> list[Piece]:
    r"""
    >>> latex_pieces(r"\\mathrm{softmax}(\\mathrm{scores})", ["scores"])
    ['\\mathrm{softmax}(', Put(name='scores', transposed=False), ')']
    """
    return pieces(latex, tuple((written, name) for name in needs for written in (named(name), name)))


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
    return re.compile(rf"(?<![\w\\])({words})(?![\w{{])(\^T|ᵀ|\^\\top|\^\{{\\top\}})?")


def left_out(found: Iterable[Piece], needs: Sequence[str]) -> list[str]:
    """What a step needs without its formula saying so."""
    told = {piece.name for piece in found if isinstance(piece, Put)}
    return [name for name in dict.fromkeys(needs) if name not in told]
