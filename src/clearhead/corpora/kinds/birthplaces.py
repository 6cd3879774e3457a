"""Biographies with questions about them: the course's four files, or the world that is built in."""

from typing import Any

from clearhead.corpora.corpus import CorpusKind, HeldOut, Learning
from clearhead.corpora.examples.example import Source
from clearhead.corpora.examples.nearby_spans import NearbySpans
from clearhead.corpora.examples.next_token import NextToken
from clearhead.corpora.examples.question_examples import Questions
from clearhead.corpora.examples.salient_spans import SalientSpans
from clearhead.corpora.examples.span_corruption import SpanCorruption
from clearhead.corpora.sources.biographies import Birthplaces
from clearhead.corpora.sources.named_birthplaces import find_corpus
from clearhead.corpora.vocabularies.vocabulary import Vocabulary


def open_birthplaces(name: str, held_out: HeldOut) -> Birthplaces:
    """The corpus of a name; what it holds out are people, and its files say whom."""
    return find_corpus(name)


def from_biographies(source: Learning) -> Learning:
    """A source of documents, fed with the biographies of a corpus."""

    def build(vocabulary: Vocabulary, corpus: Birthplaces, block: int, **options: Any) -> Source:
        return source(vocabulary, corpus.biographies, block=block, **options)

    return build


def from_questions(vocabulary: Vocabulary, corpus: Birthplaces, block: int) -> Source:
    """The training questions with their answers, and no others."""
    return Questions(vocabulary, corpus.train, block)


def held_out(vocabulary: Vocabulary, corpus: Birthplaces, block: int) -> Source:
    """The dev questions with their answers: about people of whom nothing was asked in training."""
    return Questions(vocabulary, [question for question in corpus.dev if question.answer is not None], block)


KIND = CorpusKind(
    open=open_birthplaces,
    held_out=held_out,
    objectives={
        "spans": from_biographies(SpanCorruption),
        "salient": from_biographies(SalientSpans),
        "nearby": from_biographies(NearbySpans),
        "next": from_biographies(NextToken),
        "questions": from_questions,
    },
)
