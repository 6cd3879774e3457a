"""A text as the model tells it: which tokens it predicts one after the other, and what the side model adds to each.

A derivation spells exactly one text. So the shares of all texts, each by its derivation, sum to at most 1.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clearhead.corpora import BytePairVocabulary, CharacterVocabulary, Vocabulary
from clearhead.corpora.vocabularies.words import WordVocabulary
from clearhead.perplexity.side_model import Adaptive, one_character
from clearhead.perplexity.word_derivation import WordDerivation

SLICE = 1 << 16  # characters that are looked up at once
LONGEST_LINE = 1 << 14  # characters that byte pairs are made of at once


class Piece(NamedTuple):
    """One token of a derivation."""

    predicted: int | None  # the id that the model pays for; None: it cannot say this, the side model pays alone
    fed: int  # what the model is told was there
    text: str  # what it spells
    charges: Mapping[str, float] = MappingProxyType({})  # nats of the side model, by what they are for
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class TokenColumns:
    """Some tokens of a derivation one after the other, a column for each thing that is known of a token."""

    predicted: NDArray[np.int64]  # −1: the model cannot say this
    fed: NDArray[np.int64]
    texts: Sequence[str]
    charges: Mapping[str, NDArray[np.float64]]  # 0 where there is none
    unknown: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.fed)

    def pieces(self) -> Iterator[Piece]:
        """One after the other, for those who look at each."""
        charges = (
            [{} for _ in self.texts]
            if not self.charges
            else [
                {name: cost for name, cost in zip(self.charges, costs, strict=True) if cost}
                for costs in zip(*(column.tolist() for column in self.charges.values()), strict=True)
            ]
        )
        for id, *rest in zip(
            self.predicted.tolist(), self.fed.tolist(), self.texts, charges, self.unknown.tolist(), strict=True
        ):
            yield Piece(id if id >= 0 else None, *rest)


def derived(vocabulary: Vocabulary, chunks: Iterable[str]) -> Iterator[Piece]:
    """The derivation of a text, piece by piece."""
    for columns in in_columns(vocabulary, chunks, SLICE):
        yield from columns.pieces()


def in_columns(vocabulary: Vocabulary, chunks: Iterable[str], most: int) -> Iterator[TokenColumns]:
    """The derivation of a text, at most so many tokens at a time."""
    if isinstance(vocabulary, CharacterVocabulary):
        yield from joined(characters(vocabulary, chunks, min(SLICE, most)), most)
        return
    pieces = word_pieces(vocabulary, chunks) if isinstance(vocabulary, WordVocabulary) else byte_pairs(vocabulary, chunks)
    while some := list(islice(pieces, most)):
        yield columns_of(some)


def columns_of(pieces: Sequence[Piece]) -> TokenColumns:
    """Pieces, laid beside each other."""
    names = dict.fromkeys(name for piece in pieces for name in piece.charges)
    return TokenColumns(
        np.array([-1 if piece.predicted is None else piece.predicted for piece in pieces]),
        np.array([piece.fed for piece in pieces]),
        [piece.text for piece in pieces],
        {name: np.array([piece.charges.get(name, 0.0) for piece in pieces]) for name in names},
        np.array([piece.unknown for piece in pieces]),
    )


def joined(several: Iterable[TokenColumns], most: int) -> Iterator[TokenColumns]:
    """Small ones put together, as long as they are at most so many tokens."""
    held: list[TokenColumns] = []
    for some in several:
        if held and sum(map(len, held)) + len(some) > most:
            yield together(held)
            held = []
        held.append(some)
    if held:
        yield together(held)


def together(several: Sequence[TokenColumns]) -> TokenColumns:
    """TokenColumns, one below the other."""
    names = dict.fromkeys(name for some in several for name in some.charges)
    return TokenColumns(
        np.concatenate([some.predicted for some in several]),
        np.concatenate([some.fed for some in several]),
        "".join("".join(some.texts) for some in several),
        {name: np.concatenate([some.charges.get(name, np.zeros(len(some))) for some in several]) for name in names},
        np.concatenate([some.unknown for some in several]),
    )


def characters(vocabulary: CharacterVocabulary, chunks: Iterable[str], most: int) -> Iterator[TokenColumns]:
    """Each character; one outside the vocabulary is announced, and then spelled by the side model.

    The announcement learns: after u unknown ones of t it costs −ln((u + 1) / (t + 1000)).
    """
    strange = Adaptive(one_character)
    unknown = total = 0
    for text in (chunk[start : start + most] for chunk in chunks for start in range(0, len(chunk), most)):
        ids = vocabulary.encode_in_bulk(text)
        strangers = ids == vocabulary.pad
        before = unknown + strangers.cumsum() - strangers
        odds = (before + 1) / (total + np.arange(len(ids)) + 1000)
        charges = {"announcing": np.where(strangers, -np.log(odds), -np.log1p(-odds))}
        if strangers.any():
            charges["spelling"] = np.zeros(len(ids))
            charges["spelling"][strangers] = [strange.cost(text[place]) for place in np.flatnonzero(strangers)]
        yield TokenColumns(np.where(strangers, -1, ids), ids, text, charges, strangers)
        unknown, total = unknown + int(strangers.sum()), total + len(ids)


def word_pieces(vocabulary: WordVocabulary, chunks: Iterable[str]) -> Iterator[Piece]:
    """Words and what is told beside them."""
    for token in WordDerivation(vocabulary).tokens(chunks):
        yield Piece(token.id if token.id >= 0 else None, token.fed, token.text, token.charges, token.unknown)


def byte_pairs(vocabulary: Vocabulary, chunks: Iterable[str]) -> Iterator[Piece]:
    """Lines as byte pairs, which can spell anything; one bit a line tells whether the space before it was written."""
    assert isinstance(vocabulary, BytePairVocabulary)
    for line in lines_of(chunks):
        ids = vocabulary.encode(line)
        for place, index in enumerate(ids):
            yield Piece(index, index, vocabulary.decode([index]), {} if place else {"spacing": math.log(2)})


def lines_of(chunks: Iterable[str]) -> Iterator[str]:
    """Lines with their ends, long ones cut."""
    rest = ""
    for chunk in chunks:
        rest += chunk
        *lines, rest = rest.splitlines(keepends=True) if not rest.endswith("\n") else [*rest.splitlines(keepends=True), ""]
        for line in lines:
            yield from (line[start : start + LONGEST_LINE] for start in range(0, len(line), LONGEST_LINE))
        while len(rest) > LONGEST_LINE:
            yield rest[:LONGEST_LINE]
            rest = rest[LONGEST_LINE:]
    if rest:
        yield rest
