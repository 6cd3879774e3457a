"""What a recipe learns from: biographies with questions, a text, sentences, reviews or pictures; its objectives tell which."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from clearhead.corpora import Birthplaces, find_corpus
from clearhead.corpora.sources.digits import Digits
from clearhead.corpora.sources.reviews import Reviews, words_of
from clearhead.corpora.sources.running_text import RunningText, find_text
from clearhead.corpora.sources.sentences import Sentences


@dataclass(frozen=True, kw_only=True)
class TextConfig:
    """What of a text is held out or left out, and which file is scored beside the training."""

    validation: float = 0.1  # share that is held out: of a text its end, of reviews and pictures some by their content
    left_out: tuple[str, ...] = ()  # files, or patterns, whose text is cut out of the training text
    dev: str = ""  # a file of its own to score on, where the text has no held-out end


TEXT_KINDS, SENTENCE_KINDS = ("windows", "lanes"), ("sentences",)


def find_material(kind: str, name: str, text: TextConfig) -> Any:
    """The corpus that an objective of this kind learns from: Birthplaces, RunningText, Sentences, Reviews or Digits."""
    if kind in TEXT_KINDS:
        return find_text(name, text.validation, text.left_out)
    if kind == "reviews":
        return Reviews(name, text.validation)
    if kind == "pictures":
        return Digits(name, text.validation)
    return Sentences(name) if kind in SENTENCE_KINDS else find_corpus(name)


def documents_of(corpus: Any) -> Iterable[str]:
    """What a vocabulary is learned from: never anything that is held out."""
    if isinstance(corpus, Birthplaces):
        return [*corpus.biographies, *(question.text for question in corpus.train)]
    if isinstance(corpus, RunningText):
        return corpus.chunks()  # as everybody counts characters: those of the whole text; nothing else is taken from its end
    if isinstance(corpus, Reviews):
        return (" ".join(words_of(review.text)) for review in corpus.training())
    if isinstance(corpus, Digits):
        return []  # pictures are no text: their classes are named in the recipe
    return (" ".join(words) for words in corpus.training())
