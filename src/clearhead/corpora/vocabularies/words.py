"""Words as the Penn Treebank course counts them: a fixed vocabulary, digits folded, everything else unknown."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from clearhead.corpora.text_files import read_lines
from clearhead.errors import InputError
from clearhead.saving import write_whole

START, END, UNKNOWN = "<s>", "</s>", "UUUNKKK"
DIGIT = "DG"
BRACKETS = {"-lrb-": "(", "-rrb-": ")", "-lcb-": "{", "-rcb-": "}", "-lsb-": "[", "-rsb-": "]"}
DIGITS = re.compile(r"\d")
MET = 1 << 16  # written words whose id is remembered: most words of a text have been met before


def folded(word: str) -> str:
    """A number with DG for each digit and no thousands commas; any other word as it is.

    >>> folded("1987"), folded("12,345.6"), folded("30-year")
    ('DGDGDGDG', 'DGDGDGDGDG.DG', '30-year')
    """
    if any(character.isalpha() for character in word):
        return word
    number = DIGITS.sub(DIGIT, word)
    return number.replace(",", "") if number.startswith(DIGIT) else number


class WordVocabulary:
    """Words with their ids in the order of the file; a word that is none of them is UUUNKKK.

    A sentence begins with <s>, which nothing predicts, so it serves as the pad; </s> ends it.

    >>> vocabulary = WordVocabulary(["<s>", "</s>", "UUUNKKK", "the", "DGDGDGDG"])
    >>> vocabulary.encode("The crash 1987"), vocabulary.cased
    ([3, 2, 4], False)
    """

    joint = " "

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self.ids = {word: index for index, word in enumerate(self.words)}
        missing = [mark for mark in (START, END, UNKNOWN) if mark not in self.ids]
        if missing or len(self.ids) != len(self.words):
            raise InputError(f"a word vocabulary needs distinct words with {START}, {END} and {UNKNOWN}; missing: {missing}.")
        self.pad, self.mask, self.unknown = self.ids[START], self.ids[END], self.ids[UNKNOWN]
        self.beginning, self.never_predicted = self.pad, (self.pad,)
        ordinary = (word.replace(DIGIT, "") for word in self.words if word != UNKNOWN)
        self.cased = any(word != word.lower() for word in ordinary)
        self.index = lru_cache(MET)(lambda word: self.ids[self.canonical(word)])

    @property
    def size(self) -> int:
        return len(self.words)

    def canonical(self, word: str) -> str:
        """The word of the vocabulary that stands for a written one."""
        word = word if self.cased else word.lower()
        word = BRACKETS.get(word.lower(), word)
        for form in (word, folded(word)):
            if form in self.ids and form not in (START, END):
                return form
        return UNKNOWN

    def encode(self, text: str) -> list[int]:
        """The ids of words with spaces between them."""
        return [self.index(word) for word in text.split()]

    def decode(self, ids: Iterable[int]) -> str:
        return " ".join(self.words[index] for index in ids)

    def save(self, path: Path) -> None:
        write_whole(path, json.dumps({"kind": "words", "words": self.words}, ensure_ascii=False))


def read_word_vocabulary(path: Path, size: int) -> WordVocabulary:
    """The first `size` words of a file with one word a line, whatever follows it (counts, frequencies)."""
    words: list[str] = []
    for number, line in read_lines(path):
        if len(words) == size:
            break
        if not line.strip():
            raise InputError(f"{path}, line {number}: a word was expected; the line is empty.")
        words.append(line.split()[0])
    if len(words) < size:
        raise InputError(f"{path}: a vocabulary of {size:,} words was asked for; the file has {len(words):,}.")
    try:
        return WordVocabulary(words)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def learn_word_vocabulary(documents: Iterable[str], size: int) -> WordVocabulary:
    """The most frequent words of documents in small letters, at most `size` with the three marks; a word seen once is unknown.

    >>> learn_word_vocabulary(["Good good film", "a good 10", "a 12"], 6).words
    ('<s>', '</s>', 'UUUNKKK', 'good', 'a', 'DGDG')
    """
    counts = Counter(folded(word) for document in documents for word in document.lower().split())
    marks = [START, END, UNKNOWN]
    return WordVocabulary([*marks, *(word for word, count in counts.most_common(max(0, size - 3)) if count > 1)])
