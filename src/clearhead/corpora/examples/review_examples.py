"""Reviews as examples: the words in, the label out."""

from array import array
from collections.abc import Iterable, Iterator

import numpy as np

from clearhead.corpora.examples.example import Example
from clearhead.corpora.sources.reviews import Review, words_of
from clearhead.corpora.vocabularies.encoded_text import encoded
from clearhead.corpora.vocabularies.words import WordVocabulary
from clearhead.errors import InputError


class ReviewExamples:
    """Each review once: its words in, its label out. The ids stand in a file that is mapped into memory."""

    def __init__(self, vocabulary: WordVocabulary, reviews: Iterable[Review]) -> None:
        lengths, labels = array("q"), array("b")

        def texts() -> Iterator[str]:
            for review in reviews:
                if words := words_of(review.text):
                    lengths.append(len(words))
                    labels.append(review.label)
                    yield " ".join(words)

        self._ids = encoded(texts(), vocabulary)
        self._ends, self._labels = np.cumsum(np.array(lengths)), labels
        if len(set(labels)) < 2:
            raise InputError("the reviews to learn from are all of one label; two classes at least are needed.")

    def __len__(self) -> int:
        return len(self._labels)

    def draw(self, index: int, epoch: int, seed: int) -> Example:
        start = self._ends[index - 1] if index else 0
        return Example(self._ids[start : self._ends[index]].tolist(), [self._labels[index]])
