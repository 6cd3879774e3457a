"""What people would pick instead of a neural bigram: models that only count pairs of words.

Each is a table of log-probabilities, (vocab, vocab): row = the word before, column = the word that follows. Nothing ever
predicts <s>, so each row is a distribution over the other words.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from clearhead.corpora.vocabularies.words import WordVocabulary
from clearhead.errors import InputError

Counts = NDArray[np.float64]  # (vocab, vocab)
LogTable = NDArray[np.float64]
CANDIDATES = tuple(float(f"{mantissa}e{power}") for power in range(-4, 2) for mantissa in (1, 2, 3, 5, 7))
HELD_OUT = 0.1  # share of the training sentences, at their end, on which k is tuned


def pairs_of(vocabulary: WordVocabulary, sentences: Iterable[Sequence[str]]) -> NDArray[np.int64]:
    """Every word with the one before it, sentence marks included: (pairs, 2)."""
    rows: list[tuple[int, int]] = []
    for words in sentences:
        ids = [vocabulary.pad, *vocabulary.encode(" ".join(words)), vocabulary.mask]
        rows += pairwise(ids)
    if not rows:
        raise InputError("there are no words to count: the text is empty.")
    return np.array(rows, np.int64)


def counted(pairs: NDArray[np.int64], vocab: int) -> Counts:
    """How often each word follows each."""
    counts = np.zeros((vocab, vocab))
    np.add.at(counts, (pairs[:, 0], pairs[:, 1]), 1)
    return counts


def unigram(counts: Counts, start: int, k: float = 1.0) -> LogTable:
    """The same for every word before: (count + k) / (all + k·V)."""
    return np.broadcast_to(smoothed(counts.sum(0)[None], start, k), counts.shape)


def add_k(counts: Counts, start: int, k: float) -> LogTable:
    """(count of the pair + k) / (count of the word before + k·V)."""
    return smoothed(counts, start, k)


def smoothed(counts: Counts, start: int, k: float) -> LogTable:
    more = counts + k
    more[:, start] = 0
    with np.errstate(divide="ignore"):
        table: LogTable = np.log(more) - np.log(more.sum(1, keepdims=True))
    return table


def kneser_ney(counts: Counts, start: int) -> LogTable:
    """Interpolated Kneser–Ney: each seen pair gives D of its count away, and what comes together goes to words by how many
    different words they have followed. D = n₁ / (n₁ + 2 n₂), as is usual; a last bit of mass goes to words never seen.
    """
    once, twice = float((counts == 1).sum()), float((counts == 2).sum())
    discount = once / (once + 2 * twice) if once else 0.5
    follows = (counts > 0).sum(0).astype(float)  # how many different words each has followed
    lower = np.maximum(follows - discount, 0)
    lower += discount * (follows > 0).sum() / (len(counts) - 1)
    lower[start] = 0
    lower /= lower.sum()
    before = counts.sum(1, keepdims=True)
    kept = np.maximum(counts - discount, 0)
    given = discount * (counts > 0).sum(1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        mixed = np.where(before > 0, (kept + given * lower) / before, lower)
        table: LogTable = np.log(mixed)
    return table


def tuned_k(pairs: NDArray[np.int64], vocab: int, start: int) -> float:
    """The k under which counts of the first part of the training text predict its last part best."""
    cut = round(len(pairs) * (1 - HELD_OUT))
    counts, rest = counted(pairs[:cut], vocab), pairs[cut:]
    return min(CANDIDATES, key=lambda k: -float(add_k(counts, start, k)[rest[:, 0], rest[:, 1]].sum()))


@dataclass(frozen=True, slots=True)
class WordScore:
    """Perplexity a word, with UUUNKKK counted as a word and over the other words only."""

    name: str
    perplexity: float
    without_unknown: float


def word_score(name: str, table: LogTable, pairs: NDArray[np.int64], unknown: int) -> WordScore:
    """Score a table on pairs."""
    surprisal = -table[pairs[:, 0], pairs[:, 1]]
    known = pairs[:, 1] != unknown
    return WordScore(name, float(np.exp(surprisal.mean())), float(np.exp(surprisal[known].mean())))


def baselines(vocabulary: WordVocabulary, train: NDArray[np.int64]) -> dict[str, LogTable]:
    """Every counting model, learned from the pairs of a training text."""
    counts, start = counted(train, vocabulary.size), vocabulary.pad
    k = tuned_k(train, vocabulary.size, start)
    return {
        "unigram": unigram(counts, start),
        f"bigram, add-k (k = {k:g})": add_k(counts, start, k),
        "bigram, Kneser–Ney": kneser_ney(counts, start),
    }
