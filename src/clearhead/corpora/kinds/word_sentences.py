"""Sentences of words, for models that go from word to word."""

from clearhead.corpora.corpus import CorpusKind, HeldOut
from clearhead.corpora.examples.example import Source
from clearhead.corpora.examples.sentence_examples import SentenceExamples
from clearhead.corpora.sources.sentences import Sentences
from clearhead.corpora.vocabularies.vocabulary import Vocabulary
from clearhead.corpora.vocabularies.words import WordVocabulary
from clearhead.errors import ConfigError


def open_sentences(name: str, held_out: HeldOut) -> Sentences:
    """The sentences of a file, all of them: what is scored stands in a file of its own."""
    return Sentences(name)


def whole_sentences(vocabulary: Vocabulary, corpus: Sentences, block: int) -> Source:
    """Whole sentences of words."""
    if not isinstance(vocabulary, WordVocabulary):
        raise ConfigError('objective "sentences" needs words: set vocabulary.kind to "words".')
    return SentenceExamples(vocabulary, corpus.training())


KIND = CorpusKind(open=open_sentences, objectives={"sentences": whole_sentences})
