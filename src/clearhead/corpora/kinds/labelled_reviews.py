"""Reviews with labels, for classifiers of words."""

from clearhead.corpora.corpus import CorpusKind, HeldOut
from clearhead.corpora.examples.example import Source
from clearhead.corpora.examples.review_examples import ReviewExamples
from clearhead.corpora.sources.invented_reviews import COUNT, invent_reviews
from clearhead.corpora.sources.reviews import Reviews
from clearhead.corpora.vocabularies.vocabulary import Vocabulary
from clearhead.corpora.vocabularies.words import WordVocabulary
from clearhead.errors import ConfigError


def open_reviews(name: str, held_out: HeldOut) -> Reviews:
    """The reviews of a name."""
    return Reviews(name, held_out.share)


def labelled(vocabulary: Vocabulary, corpus: Reviews, block: int) -> Source:
    """Whole reviews with their labels."""
    if not isinstance(vocabulary, WordVocabulary) or vocabulary.pad != 0:
        raise ConfigError(
            'objective "reviews" needs words learned from them: vocabulary.kind = "words" and no vocabulary.file.'
        )
    return ReviewExamples(vocabulary, corpus.training())


def show(name: str, count: int, seed: int) -> list[str]:
    """The first built-in reviews."""
    shown = (f"{'liked' if label else 'disliked'}: {text}" for text, label in invent_reviews(count, seed))
    return [f"{name}: {COUNT:,} reviews, half of them liked it", *shown]


def held_out(vocabulary: Vocabulary, corpus: Reviews, block: int) -> Source:
    """The reviews that are not learned from, with their labels."""
    assert isinstance(vocabulary, WordVocabulary)  # else there is nothing to learn either
    return ReviewExamples(vocabulary, corpus.validation())


KIND = CorpusKind(open=open_reviews, objectives={"reviews": labelled}, show=show, held_out=held_out)
