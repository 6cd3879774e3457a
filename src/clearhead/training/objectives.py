"""What there is to learn from a corpus, by name: a recipe lists objectives with their shares."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from clearhead.corpora import (
    Birthplaces,
    NearbySpans,
    NextToken,
    Questions,
    SalientSpans,
    Source,
    SpanCorruption,
    Vocabulary,
)
from clearhead.corpora.examples.picture_examples import DigitExamples
from clearhead.corpora.examples.review_examples import ReviewExamples
from clearhead.corpora.examples.sentence_examples import SentenceExamples
from clearhead.corpora.examples.text_windows import TextWindows
from clearhead.corpora.sources.digits import Digits
from clearhead.corpora.sources.reviews import Reviews
from clearhead.corpora.sources.running_text import RunningText
from clearhead.corpora.sources.sentences import Sentences
from clearhead.corpora.vocabularies.class_names import LabelVocabulary
from clearhead.corpora.vocabularies.encoded_text import encoded
from clearhead.corpora.vocabularies.words import WordVocabulary
from clearhead.errors import ConfigError
from clearhead.training.batches import Batches, Interleaved, Stream
from clearhead.training.config import TrainConfig
from clearhead.training.streams import Lanes

Builder = Callable[..., Source]


def from_biographies(source: Builder) -> Builder:
    """A source of documents, fed with the biographies of a corpus."""

    def build(vocabulary: Vocabulary, corpus: Birthplaces, block: int, **options: Any) -> Source:
        return source(vocabulary, corpus.biographies, block=block, **options)

    return build


def from_questions(vocabulary: Vocabulary, corpus: Birthplaces, block: int) -> Source:
    """The training questions with their answers, and no others."""
    return Questions(vocabulary, corpus.train, block)


def from_text(vocabulary: Vocabulary, corpus: RunningText, block: int) -> Source:
    """Windows of the training part of a text."""
    return TextWindows(encoded(corpus.training(), vocabulary), block)


def from_sentences(vocabulary: Vocabulary, corpus: Sentences, block: int) -> Source:
    """Whole sentences of words."""
    if not isinstance(vocabulary, WordVocabulary):
        raise ConfigError('objective "sentences" needs words: set vocabulary.kind to "words".')
    return SentenceExamples(vocabulary, corpus.training())


def from_reviews(vocabulary: Vocabulary, corpus: Reviews, block: int) -> Source:
    """Whole reviews with their labels."""
    if not isinstance(vocabulary, WordVocabulary) or vocabulary.pad != 0:
        raise ConfigError(
            'objective "reviews" needs words learned from them: vocabulary.kind = "words" and no vocabulary.file.'
        )
    return ReviewExamples(vocabulary, corpus.training())


def from_pictures(vocabulary: Vocabulary, corpus: Digits, block: int) -> Source:
    """Pictures with their digits."""
    if not isinstance(vocabulary, LabelVocabulary):
        raise ConfigError('objective "pictures" needs classes: set vocabulary.kind to "labels".')
    return DigitExamples(corpus.training())


OBJECTIVES: dict[str, Builder] = {
    "spans": from_biographies(SpanCorruption),
    "salient": from_biographies(SalientSpans),
    "nearby": from_biographies(NearbySpans),
    "next": from_biographies(NextToken),
    "questions": from_questions,
    "windows": from_text,
    "lanes": from_text,  # the same text, as a stream that goes on from row to row
    "sentences": from_sentences,
    "reviews": from_reviews,
    "pictures": from_pictures,
}


@dataclass(frozen=True, kw_only=True)
class Objective:
    """One kind of examples, its share of the tokens, and what of the model it must not change."""

    kind: str
    share: float = 1.0
    frozen: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.kind not in OBJECTIVES:
            raise ConfigError(f"objective {self.kind!r} is not known; objectives: {', '.join(OBJECTIVES)}.")
        if self.share <= 0:
            raise ConfigError(f"the share of objective {self.kind!r} must be above 0; got {self.share}.")

    def source(self, vocabulary: Vocabulary, corpus: Any, block: int) -> Source:
        """Where its examples come from."""
        try:
            return OBJECTIVES[self.kind](vocabulary, corpus, block, **self.options)
        except TypeError as error:
            raise ConfigError(f"objective {self.kind!r} cannot take the options {self.options}: {error}.") from error

    def stream(self, vocabulary: Vocabulary, corpus: Any, block: int, config: TrainConfig, seed: int) -> Stream:
        """Its batches, without end."""
        if self.kind == "lanes":
            return Lanes(encoded(corpus.training(), vocabulary), max(1, config.batch // block), block)
        source = self.source(vocabulary, corpus, block)
        return Batches(source, config.batch, seed, config.pool, vocabulary.pad, self.frozen, config.examples)


def stream_of(
    objectives: tuple[Objective, ...],
    vocabulary: Vocabulary,
    corpus: Any,
    block: int,
    config: TrainConfig,
    seed: int,
) -> Stream:
    """All objectives of a recipe as one stream of batches."""
    streams = [each.stream(vocabulary, corpus, block, config, seed + number) for number, each in enumerate(objectives)]
    return streams[0] if len(streams) == 1 else Interleaved(streams, [each.share for each in objectives])
