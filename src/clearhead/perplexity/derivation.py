"""A text as the model tells it: which tokens it predicts one after the other, and what the side model adds to each.

A derivation spells exactly one text. So the shares of all texts, each by its derivation, sum to at most 1.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from clearhead.corpora import BytePairVocabulary, CharacterVocabulary, Vocabulary
from clearhead.corpora.vocabularies.words import WordVocabulary
from clearhead.perplexity.side_model import Adaptive, one_character
from clearhead.perplexity.word_derivation import WordDerivation

LONGEST_LINE = 1 << 14  # characters that byte pairs are made of at once


class Piece(NamedTuple):
    """One token of a derivation."""

    predicted: int | None  # the id that the model pays for; None: it cannot say this, the side model pays alone
    fed: int  # what the model is told was there
    text: str  # what it spells
    charges: Mapping[str, float] = MappingProxyType({})  # nats of the side model, by what they are for
    unknown: bool = False


def derived(vocabulary: Vocabulary, chunks: Iterable[str]) -> Iterator[Piece]:
    """The derivation of a text, piece by piece."""
    if isinstance(vocabulary, WordVocabulary):
        for token in WordDerivation(vocabulary).tokens(chunks):
            yield Piece(token.id if token.id >= 0 else None, token.fed, token.text, token.charges, token.unknown)
    elif isinstance(vocabulary, CharacterVocabulary):
        yield from characters(vocabulary, chunks)
    else:
        assert isinstance(vocabulary, BytePairVocabulary)
        yield from byte_pairs(vocabulary, chunks)


def characters(vocabulary: CharacterVocabulary, chunks: Iterable[str]) -> Iterator[Piece]:
    """Each character; one outside the vocabulary is announced, and then spelled by the side model.

    The announcement learns: after u unknown ones of t it costs −ln((u + 1) / (t + 1000)).
    """
    strange = Adaptive(one_character)
    unknown = total = 0
    for chunk in chunks:
        for character, index in zip(chunk, vocabulary.encode(chunk), strict=True):
            odds = (unknown + 1) / (total + 1000)
            total += 1
            if index != vocabulary.pad:
                yield Piece(index, index, character, {"announcing": -math.log1p(-odds)})
            else:
                unknown += 1
                cost = strange.cost(character)
                yield Piece(None, index, character, {"announcing": -math.log(odds), "spelling": cost}, unknown=True)


def byte_pairs(vocabulary: BytePairVocabulary, chunks: Iterable[str]) -> Iterator[Piece]:
    """Lines as byte pairs, which can spell anything; one bit a line tells whether the space before it was written."""
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
