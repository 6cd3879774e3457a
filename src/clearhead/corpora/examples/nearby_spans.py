"""Spans with what stands near them: who a document is about, the few words before a span, and the span to say.

A sharper form of salient spans. A document is one fact after another about whatever it names first, so that name is kept
and the rest of the context shrinks to the words next to the span. Spans are found by their looks alone (capitals and
digits): nothing here knows what will be asked.
"""

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property, lru_cache
from random import Random

from clearhead.corpora.examples.example import Example, chance, shifted
from clearhead.corpora.examples.salient_spans import ordinary_words, salient_spans
from clearhead.corpora.vocabularies.vocabulary import Vocabulary
from clearhead.errors import ConfigError

BEFORE = (0, 0, 1, 2, 3, 4)  # words kept before the span, each as likely
AFTER = (0, 0, 0, 0, 0, 1, 2)  # and after it
KEPT = 1 << 17  # encoded texts: the same words come again in every pass


class Marked:
    """A document and where its spans stand; what every draw needs of it is worked out once."""

    def __init__(self, text: str, spans: list[tuple[int, int]]) -> None:
        self.text, self.places = text, spans
        self._askable: dict[int, tuple[list[int], list[int]]] = {}

    @cached_property
    def spans(self) -> list[str]:
        return [self.text[start:end] for start, end in self.places]

    @cached_property
    def around(self) -> list[tuple[list[str], list[str]]]:
        """The words that may be kept before and after each span."""
        sides = ((self.text[:start].split(), self.text[end:].split()) for start, end in self.places)
        return [(before[-max(BEFORE) :], after[: max(AFTER)]) for before, after in sides]

    def askable(self, anchor: int, numbers: bool) -> tuple[list[int], list[int]]:
        """Which spans may be asked for beside an anchor, and where they begin: none that the anchor gives away."""
        if anchor not in self._askable:
            known = self.spans[anchor]
            others = [place for place, span in enumerate(self.spans) if place != anchor and span not in known]
            names = [place for place in others if numbers or not self.spans[place][0].isdigit()]
            possible = names or others or [place for place in range(len(self.spans)) if place != anchor]
            self._askable[anchor] = possible, [self.places[place][0] for place in possible]
        return self._askable[anchor]


class NearbySpans:
    """`anchor words ⁇ words ⁇ span ⁇`: the anchor is the first span of the document, or now and then another one.

    `reach` is how far into the document spans are taken from: to a random length up to so many characters in each draw,
    as the course cuts its documents. `first` is how often the anchor is the first span, `swapped` how often it stands
    after the words instead of before them. `numbers` lets numbers and dates be asked for too.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        documents: Sequence[str],
        block: int = 128,
        reach: int = 120,
        first: float = 0.9,
        swapped: float = 0.0,
        numbers: bool = False,
    ) -> None:
        if reach < 1 or not (0 <= first <= 1 and 0 <= swapped <= 1):
            raise ConfigError(
                f"reach must be at least 1, first and swapped shares from 0 to 1; got {reach}, {first} and {swapped}."
            )
        ordinary = ordinary_words(documents)
        marked = (Marked(text, salient_spans(text, ordinary)) for text in documents)
        self.mark, self.block, self.reach = vocabulary.mask, block, reach
        self.first, self.swapped, self.numbers = first, swapped, numbers
        self.encode = lru_cache(KEPT)(vocabulary.encode)
        self._documents = [document for document in marked if len(document.places) > 1]

    def __len__(self) -> int:
        return len(self._documents)

    def draw(self, index: int, epoch: int, seed: int) -> Example:
        random = chance(seed, epoch, index)
        document = self._documents[index]
        anchor = 0 if random.random() < self.first else random.randrange(len(document.spans))
        masked = self.choose(document, anchor, random)
        before, after = document.around[masked]
        before = before[len(before) - random.choice(BEFORE) :]
        after = after[: random.choice(AFTER)]
        known = document.spans[anchor]
        context = self.encode(" ".join([*before, known] if random.random() < self.swapped else [known, *before]))
        suffix = self.encode(" ".join(after)) if after else []
        question = [*context, self.mark, *suffix, self.mark]
        answer = [*self.encode(document.spans[masked]), self.mark]
        return shifted([*question, *answer][-self.block :], max(1, min(len(question), self.block - len(answer))))

    def choose(self, document: Marked, anchor: int, random: Random) -> int:
        """The span to mask: not far into the document."""
        possible, starts = document.askable(anchor, self.numbers)
        cut = random.randint(1, self.reach)
        return random.choice(possible[: bisect_left(starts, cut)] or possible[:1])
