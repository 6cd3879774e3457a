"""Salient spans: what is masked is a name, a number or a date, and part of the context is left out.

A span is found by its looks alone (capitals and digits), so nothing here knows what a question will ask for.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from random import Random

from clearhead.corpora.examples.example import Example, chance, shifted
from clearhead.corpora.examples.span_corruption import SMALLEST_BLOCK, Loss
from clearhead.corpora.vocabularies.vocabulary import MASK, Vocabulary
from clearhead.errors import ConfigError

MONTHS = frozenset(
    {"January", "February", "March", "April", "May", "June"}
    | {"July", "August", "September", "October", "November", "December"}
)
# Small words that stand inside names.
PARTICLES = frozenset({"al", "bin", "da", "de", "del", "der", "di", "du", "el", "la", "le", "of", "van", "von", "y"})
WORD = re.compile(r"\d+(?:[.,:/–-]\d+)*(?!\w)|[^\W\d_]\.(?=\s)|\w+(?:['’.–-]\w+)*")
OPENINGS, LEAST_OPENINGS = 0.002, 10  # a word that begins so many sentences, as a share of the documents, begins many
GAP = re.compile(r"\s*\S+|\s+$")


def salient_spans(text: str, ordinary: frozenset[str] = frozenset()) -> list[tuple[int, int]]:
    """Where the names, numbers and dates of a text stand: (start, end) in order, none overlapping.

    `ordinary` words count for nothing where they start a sentence, since there any word has a capital.

    >>> text = "Born on 4 May 1931, she left the University of Kiel."
    >>> [text[start:end] for start, end in salient_spans(text, frozenset({"born"}))]
    ['4 May 1931', 'University of Kiel']
    """
    words = list(WORD.finditer(text))
    spans, place = [], 0
    while place < len(words):
        length = date_length(text, words, place) or name_length(text, words, place, ordinary)
        if length or words[place][0][0].isdigit():
            spans.append((words[place].start(), words[place + max(length, 1) - 1].end()))
        place += max(length, 1)
    return spans


def date_length(text: str, words: Sequence[re.Match[str]], place: int) -> int:
    """How many words from here on are one date: numbers and at least one month, as in `26 February 1840`."""
    end = place
    while end < len(words) and (words[end][0].isdigit() or words[end][0] in MONTHS):
        if end > place and text[words[end - 1].end() : words[end].start()] not in (" ", ", "):
            break
        end += 1
    run = [word[0] in MONTHS for word in words[place:end]]
    return end - place if len(run) > 1 and any(run) else 0


def name_length(text: str, words: Sequence[re.Match[str]], place: int, ordinary: frozenset[str]) -> int:
    """How many words from here on are one name: capitalised ones, and particles between two such."""
    if not words[place][0][0].isupper() or (
        starts_sentence(text, words[place].start()) and words[place][0].lower() in ordinary
    ):
        return 0
    length, end = 1, place + 1
    while end < len(words) and text[words[end - 1].end() : words[end].start()] == " ":
        word = words[end][0]
        if word[0].isupper() and not date_length(text, words, end):
            length = end + 1 - place
        elif word not in PARTICLES:
            break
        end += 1
    return length


def starts_sentence(text: str, start: int) -> bool:
    """Whether a sentence begins here: at the start of the text, or after a full stop."""
    before = text[:start].rstrip(" \"'`(")
    return not before or before[-1] in ".!?"


def ordinary_words(documents: Sequence[str]) -> frozenset[str]:
    """Words that are no names although they begin a sentence, in small letters.

    They stand in small letters at least as often as with a capital, or begin many sentences and have a capital nowhere
    else. A name may begin many sentences too, but then it stands inside others.
    """
    small, starting, inside = Counter[str](), Counter[str](), Counter[str]()
    for document in documents:
        for word in WORD.finditer(document):
            if not word[0][0].isupper():
                small[word[0]] += 1
            else:
                (starting if starts_sentence(document, word.start()) else inside)[word[0]] += 1
    many = max(LEAST_OPENINGS, OPENINGS * len(documents))
    return frozenset(
        word.lower()
        for word, count in starting.items()
        if small[word.lower()] >= count + inside[word] or (count >= many and not inside[word])
    )


@dataclass(frozen=True, slots=True)
class SpanUnit:
    """A piece of a document that is kept, dropped or masked as a whole."""

    text: str
    salient: bool
    ids: list[int]  # as it stands in the context, with the space before it if there is one
    apart: list[int]  # with a space before it, for where what stood before was dropped
    bare: list[int]  # without a space, as an answer stands
    size: int  # what it takes up in the context at most: either form can be the longer one

    @classmethod
    def of(cls, vocabulary: Vocabulary, written: str, salient: bool) -> "SpanUnit":
        text = written.strip()
        ids, apart = vocabulary.encode(written), vocabulary.encode(" " + text)
        return cls(text, salient, ids, apart, vocabulary.encode(text), max(len(ids), len(apart)))


def units_of(unit: Callable[[str, bool], SpanUnit], document: str, ordinary: frozenset[str]) -> Iterator[SpanUnit]:
    """A document in pieces, each made by `unit`: salient spans, and the words between them."""
    end = 0
    for start, stop in [*salient_spans(document, ordinary), (len(document), len(document))]:
        gap = document[end:start]
        words = gap.rstrip() if start < stop else gap
        for word in GAP.findall(words):
            yield unit(word, False)
        if start < stop:
            yield unit(gap[len(words) :] + document[start:stop], True)
        end = stop


class SalientSpans:
    """`context ⁇ context ⁇ span ⁇`: one salient span of each document masked, and parts of its context dropped.

    Each draw takes a rate between 0 and `dropout` and drops each word or other span with it, so that one learns both
    from the whole sentence and from little more than two things that belong together. Other mentions of the masked
    span are dropped too: copying would teach nothing. A document without salient spans has one of its words masked.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        documents: Sequence[str],
        block: int = 128,
        dropout: float = 0.8,
        loss: Loss = "span",
    ) -> None:
        if block < SMALLEST_BLOCK:
            raise ConfigError(f"salient spans need block >= {SMALLEST_BLOCK}; got {block}.")
        if not 0 <= dropout <= 1:
            raise ConfigError(f"dropout must lie between 0 and 1; got {dropout}.")
        self.room = block - 3  # what the three marks leave
        self.dropout, self.loss = dropout, loss
        self._unit = cache(partial(SpanUnit.of, vocabulary))  # the same words come again and again
        self._ordinary = ordinary_words(documents)
        self._documents = [document for document in documents if document.strip()]
        self._known: dict[int, tuple[list[SpanUnit], list[list[int]]]] = {}  # each document is cut up once

    def __len__(self) -> int:
        return len(self._documents)

    def draw(self, index: int, epoch: int, seed: int) -> Example:
        random = chance(seed, epoch, index)
        units, choices = self._cut(index)
        masked = random.choice(random.choice(choices))
        span = units[masked].bare[: self.room]
        kept = fit(units, self._context(units, masked, random), self.room - len(span), random)
        prefix = joined(units, [place for place in kept if place < masked], after=-1)
        suffix = joined(units, [place for place in kept if place > masked], after=masked)
        sequence = [*prefix, MASK, *suffix, MASK, *span, MASK]
        return shifted(sequence, len(prefix) + len(suffix) + 2 if self.loss == "span" else 1)

    def _cut(self, index: int) -> tuple[list[SpanUnit], list[list[int]]]:
        """A document in units, and which of them may be masked."""
        if index not in self._known:
            units = list(units_of(self._unit, self._documents[index], self._ordinary))
            self._known[index] = units, choices_of(units)
        return self._known[index]

    def _context(self, units: Sequence[SpanUnit], masked: int, random: Random) -> list[int]:
        """Which units stay around the masked one."""
        rate, answer = self.dropout * random.random(), units[masked].text
        return [place for place, unit in enumerate(units) if random.random() >= rate and unit.text != answer]


def choices_of(units: Sequence[SpanUnit]) -> list[list[int]]:
    """What may be masked: the places of each distinct salient text, or of each word where nothing is salient."""
    wanted = any(unit.salient for unit in units)
    places: dict[str, list[int]] = {}
    for place, unit in enumerate(units):
        if unit.salient == wanted and unit.bare:
            places.setdefault(unit.text, []).append(place)
    return list(places.values())


def fit(units: Sequence[SpanUnit], kept: list[int], room: int, random: Random) -> list[int]:
    """The kept units without as many random ones as it takes to fit into the room."""
    spare = room - sum(units[place].size for place in kept)
    kept = list(kept)
    while spare < 0:
        spare += units[kept.pop(random.randrange(len(kept)))].size
    return kept


def joined(units: Sequence[SpanUnit], kept: Sequence[int], after: int) -> list[int]:
    """The kept units in their order, after the one at `after`; where some are missing between two, a space is left."""
    tokens: list[int] = []
    for place in kept:
        tokens += units[place].ids if place == after + 1 else units[place].apart
        after = place
    return tokens
