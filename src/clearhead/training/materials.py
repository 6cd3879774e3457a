"""What a recipe learns from: biographies with questions, a text, or sentences; which, its objectives tell."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from clearhead.corpora import Birthplaces, find_corpus
from clearhead.corpora.text import Text, find_text
from clearhead.corpora.words import Sentences


@dataclass(frozen=True, kw_only=True)
class TextConfig:
    """What of a text is held out or left out, and which file is scored beside the training."""

    validation: float = 0.1  # share at its end that is held out
    left_out: tuple[str, ...] = ()  # files whose text is cut out of the training text
    dev: str = ""  # a file of its own to score on, where the text has no held-out end


TEXT_KINDS, SENTENCE_KINDS = ("windows", "lanes"), ("sentences",)


def find_material(kind: str, name: str, text: TextConfig) -> Any:
    """The corpus that an objective of this kind learns from: Birthplaces, Text or Sentences."""
    if kind in TEXT_KINDS:
        return find_text(name, text.validation, text.left_out)
    return Sentences(name) if kind in SENTENCE_KINDS else find_corpus(name)


def documents_of(corpus: Any) -> Iterable[str]:
    """What a vocabulary is learned from: never anything that is held out."""
    if isinstance(corpus, Birthplaces):
        return [*corpus.biographies, *(question.text for question in corpus.train)]
    if isinstance(corpus, Text):
        return corpus.chunks()  # as everybody counts characters: those of the whole text; nothing else is taken from its end
    return (" ".join(words) for words in corpus.training())
