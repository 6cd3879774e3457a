"""Whole sentences of words as examples."""

from collections.abc import Iterable, Sequence

from clearhead.corpora.examples.example import Example
from clearhead.corpora.vocabularies.words import WordVocabulary


class SentenceExamples:
    """Each sentence once: <s> and its words in, its words and </s> out."""

    def __init__(self, vocabulary: WordVocabulary, sentences: Iterable[Sequence[str]]) -> None:
        marked = ([vocabulary.pad, *vocabulary.encode(" ".join(words)), vocabulary.mask] for words in sentences)
        self._examples = [Example(ids[:-1], ids[1:]) for ids in marked]

    def __len__(self) -> int:
        return len(self._examples)

    def draw(self, index: int, epoch: int, seed: int) -> Example:
        return self._examples[index]
