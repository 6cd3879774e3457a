"""Whether a text stands in the training text: runs of words of the one that are found in the other."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from math import log2

RUN = 8  # words in a row that hardly anybody writes twice
MOST = 200_000  # runs of the text that are looked for
LONGEST_WORD = 1 << 16  # characters without a space after which a word is cut all the same
LETTERS = re.compile(r"[^\W\d_]+")


def plain_words(chunks: Iterable[str]) -> Iterator[str]:
    """Words of letters only, small: what running text and a column of tokens have in common."""
    return chain.from_iterable(in_lists(chunks))


def in_lists(chunks: Iterable[str]) -> Iterator[list[str]]:
    """Such words, those of a chunk at a time."""
    rest = ""
    for chunk in chunks:
        rest += chunk
        cut = len(rest) - len(last_word(rest))
        if cut == 0 and len(rest) > LONGEST_WORD:
            cut = len(rest)
        yield LETTERS.findall(rest[:cut].lower())
        rest = rest[cut:]
    yield LETTERS.findall(rest.lower())


def last_word(text: str) -> str:
    """What stands behind the last space."""
    return "" if not text or text[-1].isspace() else text.rsplit(maxsplit=1)[-1]


def runs_of(words: Iterable[list[str]]) -> Iterator[int]:
    """A number for each run of words."""
    before: list[str] = []
    for some in words:
        row = before + some
        yield from map(hash, zip(*(row[start:] for start in range(RUN)), strict=False))
        before = row[max(len(row) - RUN + 1, 0) :]


def overlap(text: Iterable[str], training: Iterable[str]) -> float:
    """The share of the text's runs of 8 words that stand in the training text too.

    >>> overlap(["one two three four five six seven eight nine"], ["zero one two three four five six seven eight"])
    0.5
    """
    wanted = set(islice(runs_of(in_lists(text)), MOST))
    return len(wanted.intersection(runs_of(in_lists(training)))) / len(wanted) if wanted else 0.0


def distance(text: Counter[str], training: Counter[str]) -> float:
    """How far the words of a text are from those of the training text: KL of unigrams, in bits a word.

    Each word that is in either gets half a count more in the training text, so that a new word is dear and not impossible.
    """
    both = text.keys() | training.keys()
    of_text, of_training = text.total(), training.total() + 0.5 * len(both)
    return sum(n / of_text * log2(n / of_text / ((training[word] + 0.5) / of_training)) for word, n in text.items())
