"""Pictures of digits, for classifiers of pictures."""

from clearhead.corpora.corpus import CorpusKind, HeldOut
from clearhead.corpora.examples.example import Source
from clearhead.corpora.examples.picture_examples import DigitExamples
from clearhead.corpora.sources.digits import Digits, drawn
from clearhead.corpora.vocabularies.class_names import LabelVocabulary
from clearhead.corpora.vocabularies.vocabulary import Vocabulary
from clearhead.errors import ConfigError


def open_digits(name: str, held_out: HeldOut) -> Digits:
    """The pictures of a name."""
    return Digits(name, held_out.share)


def pictures(vocabulary: Vocabulary, corpus: Digits, block: int) -> Source:
    """Pictures with their digits."""
    if not isinstance(vocabulary, LabelVocabulary):
        raise ConfigError('objective "pictures" needs classes: set vocabulary.kind to "labels".')
    return DigitExamples(corpus.training())


def show(name: str, count: int, seed: int) -> list[str]:
    """The first built-in digits, drawn in letters."""
    found = Digits(name).everything
    some = list(zip(found.pixels, found.labels, strict=True))[:count]
    lines = [line for picture, label in some for line in (f"{label}:", *drawn(picture))]
    return [f"{name}: {len(found.labels):,} digits of 8×8, enlarged to 32×32", *lines]


def held_out(vocabulary: Vocabulary, corpus: Digits, block: int) -> Source:
    """The pictures that are not learned from, with their digits."""
    return DigitExamples(corpus.validation())


KIND = CorpusKind(open=open_digits, objectives={"pictures": pictures}, show=show, held_out=held_out)
