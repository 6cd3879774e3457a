"""Span corruption: a document loses a span, which the model has to say at the end."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from clearhead.corpora.examples.example import Example, chance, shifted
from clearhead.corpora.vocabularies.vocabulary import MASK, Vocabulary
from clearhead.errors import ConfigError

SHORTEST = 4  # no document is cut shorter than this
SMALLEST_BLOCK = 9  # below, the longest document and its marks would not fit, in either edition

EditionName = Literal["xcs224n", "cs224n"]
Loss = Literal["all", "span"]


@dataclass(frozen=True, slots=True)
class Edition:
    """What differs between the two published editions of the course."""

    kept_eighths: int  # a document is cut to this many eighths of the block at most
    marks: int  # how many ⁇ an example holds

    def longest(self, block: int) -> int:
        """The longest a document may stay."""
        return self.kept_eighths * block // 8


EDITIONS: dict[str, Edition] = {"xcs224n": Edition(kept_eighths=6, marks=3), "cs224n": Edition(kept_eighths=7, marks=2)}


@dataclass(frozen=True, slots=True)
class SplitDocument:
    """A document cut to length and then in three: prefix + masked + suffix is the document again."""

    prefix: list[int]
    masked: list[int]
    suffix: list[int]

    def arranged(self, marks: int) -> list[int]:
        """prefix ⁇ suffix ⁇ masked, and a third ⁇ where there are three marks."""
        return [*self.prefix, MASK, *self.suffix, MASK, *self.masked, *([MASK] * (marks - 2))]


def split(document: Sequence[int], longest: int, random: Random) -> SplitDocument:
    """Cut a document to a random length from 4 to `longest`, then choose the span to mask.

    Every length that the document has is possible. A document shorter than 4 stays whole.
    """
    length = len(document)
    if length > SHORTEST:
        length = random.randint(SHORTEST, min(length, longest))
    size = masked_size(length, random)
    start = random.randint(0, length - size)
    return SplitDocument(
        list(document[:start]),
        list(document[start : start + size]),
        list(document[start + size : length]),
    )


def masked_size(length: int, random: Random) -> int:
    r"""How many of `length` to mask: at least 1, random, and a quarter of the length on average.

    Uniform over 1 … k has the mean (k+1)/2, which is length/4 for k = length/2 − 1; where that k falls between two
    whole numbers, one of the two is drawn so that the mean stays. Below 4 there is no such k, and one is masked.
    """
    if length < SHORTEST:
        return min(length, 1)
    most, odd_halves = divmod(length - 2, 2)
    return random.randint(1, most + (odd_halves and random.getrandbits(1)))


class SpanCorruption:
    """`prefix ⁇ suffix ⁇ masked ⁇` of each document, cut and split anew in each epoch; empty documents are left out.

    `edition` is "xcs224n" (cut to ⌊3/4·block⌋, three marks) or "cs224n" (⌊7/8·block⌋, two marks). `loss` is taken on
    "all" of the sequence, as in the course, or only on the "span" after the second ⁇.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        documents: Sequence[str],
        block: int = 128,
        edition: EditionName = "xcs224n",
        loss: Loss = "all",
    ) -> None:
        self.edition = edition_named(edition, block)
        self.longest = self.edition.longest(block)
        self.loss = loss
        # Only what can ever be drawn is kept: a draw starts at the start of its document.
        self._documents = [ids[: self.longest] for document in documents if (ids := vocabulary.encode(document))]

    def __len__(self) -> int:
        return len(self._documents)

    def draw(self, index: int, epoch: int, seed: int) -> Example:
        parts = split(self._documents[index], self.longest, chance(seed, epoch, index))
        before_span = len(parts.prefix) + len(parts.suffix) + 2
        return shifted(parts.arranged(self.edition.marks), before_span if self.loss == "span" else 1)


def edition_named(name: str, block: int) -> Edition:
    """The edition of a name, for a block that can hold its examples."""
    if name not in EDITIONS:
        raise ConfigError(f"edition={name!r} is not known; editions: {', '.join(EDITIONS)}.")
    if block < SMALLEST_BLOCK:
        raise ConfigError(f"span corruption needs block >= {SMALLEST_BLOCK}; got {block}.")
    return EDITIONS[name]
