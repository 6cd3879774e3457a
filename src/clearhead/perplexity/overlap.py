"""Whether a text stands in the training text: runs of words of the one that are found in the other."""

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from math import log2

RUN = 8  # words in a row that hardly anybody writes twice
MOST = 200_000  # runs of the text that are looked for
LONGEST_WORD = 1 << 16  # characters without a space after which a word is cut all the same
LETTERS = re.compile(r"[^\W\d_]+")


def plain_words(chunks: Iterable[str]) -> Iterator[str]:
    """Words of letters only, small: what running text and a column of tokens have in common."""
    rest = ""
    for chunk in chunks:
        rest += chunk
        cut = max((found.end() for found in re.finditer(r"\s", rest)), default=len(rest) if len(rest) > LONGEST_WORD else 0)
        yield from LETTERS.findall(rest[:cut].lower())
        rest = rest[cut:]
    yield from LETTERS.findall(rest.lower())


def runs_of(words: Iterable[str]) -> Iterator[int]:
    """A number for each run of words."""
    window: deque[str] = deque(maxlen=RUN)
    for word in words:
        window.append(word)
        if len(window) == RUN:
            yield hash(tuple(window))


def overlap(text: Iterable[str], training: Iterable[str]) -> float:
    """The share of the text's runs of 8 words that stand in the training text too.

    >>> overlap(["one two three four five six seven eight nine"], ["zero one two three four five six seven eight"])
    0.5
    """
    wanted: set[int] = set()
    for run in runs_of(plain_words(text)):
        wanted.add(run)
        if len(wanted) >= MOST:
            break
    found = wanted & {run for run in runs_of(plain_words(training)) if run in wanted}
    return len(found) / len(wanted) if wanted else 0.0


def distance(text: Counter[str], training: Counter[str]) -> float:
    """How far the words of a text are from those of the training text: KL of unigrams, in bits a word.

    Each word that is in either gets half a count more in the training text, so that a new word is dear and not impossible.
    """
    both = text.keys() | training.keys()
    of_text, of_training = text.total(), training.total() + 0.5 * len(both)
    return sum(n / of_text * log2(n / of_text / ((training[word] + 0.5) / of_training)) for word, n in text.items())
