"""Spans with what stands near them: who a document is about, the few words before a span, and the span to say.

A sharper form of salient spans. A document is one fact after another about whatever it names first, so that name is kept
and the rest of the context shrinks to the words next to the span. Spans are found by their looks alone (capitals and
digits): nothing here knows what will be asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from clearhead.corpora.examples.example import Example, chance, shifted
from clearhead.corpora.examples.salient_spans import ordinary_words, salient_spans
from clearhead.corpora.vocabularies.vocabulary import Vocabulary
from clearhead.errors import ConfigError

BEFORE = (0, 0, 1, 2, 3, 4)  # words kept before the span, each as likely
AFTER = (0, 0, 0, 0, 0, 1, 2)  # and after it


@dataclass(frozen=True, slots=True)
class Marked:
    """A document and where its spans stand."""

    text: str
    spans: list[tuple[int, int]]

    def span(self, place: int) -> str:
        start, end = self.spans[place]
        return self.text[start:end]


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
        self.vocabulary, self.block, self.reach = vocabulary, block, reach
        self.first, self.swapped, self.numbers = first, swapped, numbers
        self._documents = [document for document in marked if len(document.spans) > 1]

    def __len__(self) -> int:
        return len(self._documents)

    def draw(self, index: int, epoch: int, seed: int) -> Example:
        random = chance(seed, epoch, index)
        document = self._documents[index]
        anchor = 0 if random.random() < self.first else random.randrange(len(document.spans))
        masked = self.choose(document, anchor, random)
        start, end = document.spans[masked]
        before, after = document.text[:start].split(), document.text[end:].split()
        before = before[len(before) - random.choice(BEFORE) :]
        after = after[: random.choice(AFTER)]
        encode, mark = self.vocabulary.encode, self.vocabulary.mask
        known = document.span(anchor)
        context = encode(" ".join([*before, known] if random.random() < self.swapped else [known, *before]))
        suffix = encode(" ".join(after)) if after else []
        question = [*context, mark, *suffix, mark]
        answer = [*encode(document.span(masked)), mark]
        return shifted([*question, *answer][-self.block :], max(1, min(len(question), self.block - len(answer))))

    def choose(self, document: Marked, anchor: int, random: Random) -> int:
        """The span to mask: not far into the document, and not one that the anchor gives away."""
        known = document.span(anchor)
        others = [place for place in range(len(document.spans)) if place != anchor and document.span(place) not in known]
        names = [place for place in others if self.numbers or not document.span(place)[0].isdigit()]
        possible = names or others or [place for place in range(len(document.spans)) if place != anchor]
        cut = random.randint(1, self.reach)
        return random.choice([place for place in possible if document.spans[place][0] < cut] or possible[:1])
