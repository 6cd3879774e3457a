"""A classifier's mistakes on what its run held out: how many, a sample of them, which words pushed, and why."""

import heapq
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import torch

from clearhead.corpora.sources.review_labels import LIKING
from clearhead.corpora.sources.reviews import Review, Reviews, words_of
from clearhead.corpora.vocabularies.words import WordVocabulary
from clearhead.errors import InputError
from clearhead.mistakes.classification import class_names
from clearhead.mistakes.reasons import NAMES, Reason, reasons_of
from clearhead.mistakes.word_pushes import Judged, doubled, judged, logits_of_words, verdict_of
from clearhead.models.averaging import PAD, Averaging
from clearhead.training.folders.runs import Run
from clearhead.wilson import wilson

AT_ONCE = 64  # reviews judged together
COMPARED = 300  # reviews of each side over which reasons are counted


@dataclass(frozen=True, slots=True)
class Mistake:
    """A review that was judged wrongly, and the reasons that hold for it."""

    judged: Judged
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class ReasonShare:
    """How often a reason holds, among mistakes and among reviews that were judged rightly."""

    name: str
    mistakes: float
    right: float


@dataclass(frozen=True, slots=True)
class ReviewErrors:
    """What there is to say of a run over reviews."""

    run: str
    corpus: str
    names: tuple[str, ...]  # of the classes
    confusion: tuple[tuple[int, ...], ...]  # row the class, column the verdict
    sample: tuple[Mistake, ...]
    shares: tuple[ReasonShare, ...]
    compared: tuple[int, int]  # mistakes and right ones that the shares were counted over
    baselines: dict[str, float]
    held_out: bool = True  # by the run itself; else a test set that somebody named

    @property
    def reviews(self) -> int:
        return sum(map(sum, self.confusion))

    @property
    def wrong(self) -> int:
        return self.reviews - sum(self.confusion[place][place] for place in range(len(self.names)))

    @property
    def accuracy(self) -> float:
        return 1 - self.wrong / self.reviews

    @property
    def liking(self) -> bool:
        """Whether the classes are disliked and liked."""
        return self.names == LIKING

    def confused(self) -> list[tuple[int, str, str]]:
        """(how often, class, verdict), the most frequent first."""
        return most_confused(self.confusion, self.names)

    def tree(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "run": self.run,
            "corpus": self.corpus,
            "accuracy": self.accuracy,
            "held_out": self.reviews,
            "interval": list(wilson(self.reviews - self.wrong, self.reviews)),
            "classes": list(self.names),
            "confusion": [list(row) for row in self.confusion],
            **({"taken_for_liked": self.confusion[0][1], "taken_for_disliked": self.confusion[1][0]} if self.liking else {}),
            "baselines": self.baselines,
            "reasons": [{"name": each.name, "mistakes": each.mistakes, "right": each.right} for each in self.shares],
            "sample": [mistake_tree(mistake, self.names) for mistake in self.sample],
        }


def most_confused(confusion: Sequence[Sequence[int]], names: Sequence[str]) -> list[tuple[int, str, str]]:
    """(how often, class, verdict), the most frequent first.

    >>> most_confused([[5, 1], [3, 9]], ["a", "b"])
    [(3, 'b', 'a'), (1, 'a', 'b')]
    """
    off = [(count, i, j) for i, row in enumerate(confusion) for j, count in enumerate(row) if count and i != j]
    return [(count, names[i], names[j]) for count, i, j in sorted(off, key=lambda each: (-each[0], each[1:]))]


def mistake_tree(mistake: Mistake, names: Sequence[str]) -> dict[str, Any]:
    judged = mistake.judged
    return {
        "text": judged.review.text,
        "label": judged.review.label,
        "verdict": judged.verdict,
        "probability": judged.probability,
        "chances": dict(zip(names, judged.chances, strict=True)),
        "words": [
            {"word": place.word, "start": place.start, "end": place.end, "push": push}
            for place, push in zip(judged.places, judged.pushes, strict=True)
        ],
        "reasons": [{"name": reason.name, "told": reason.told} for reason in mistake.reasons],
    }


def review_errors(run: Run, count: int, seed: int, baselines: dict[str, float], held_out: bool = True) -> ReviewErrors:
    """Judge everything that was held out; keep a few mistakes and right ones, whatever the size of the corpus."""
    model, vocabulary = run.model, run.vocabulary
    assert isinstance(run.corpus, Reviews)
    assert isinstance(model, Averaging)
    assert isinstance(vocabulary, WordVocabulary)
    model = doubled(model)
    names = class_names(run)
    chance = random.Random(f"errors/{seed}")
    wrong, right = Sample(max(count, COMPARED), chance), Sample(COMPARED, chance)
    confusion = [[0] * len(names) for _ in names]
    for review, logits in logits_of(model, vocabulary, run.corpus.validation()):
        verdict = verdict_of(logits)
        confusion[review.label][verdict] += 1
        (right if verdict == review.label else wrong).offer(review)
    if not any(map(sum, confusion)):
        raise InputError(f"{run.folder} holds no reviews out; train it with some held out.", "(--set held_out=0.2)")
    mistakes = [explained(model, vocabulary, review, names) for review in wrong.drawn()]
    others = [explained(model, vocabulary, review, names) for review in right.drawn()]
    return ReviewErrors(
        run=str(run.folder),
        corpus=run.corpus.name,
        names=names,
        confusion=tuple(map(tuple, confusion)),
        sample=tuple(mistakes[:count]),
        shares=tuple(ReasonShare(name, share_of(name, mistakes), share_of(name, others)) for name in NAMES),
        compared=(len(mistakes), len(others)),
        baselines=baselines,
        held_out=held_out,
    )


def explained(model: Averaging, vocabulary: WordVocabulary, review: Review, names: Sequence[str]) -> Mistake:
    """A review with its pushes and the reasons that hold, right or wrong."""
    found = judged(model, vocabulary, review)
    ids = vocabulary.encode(" ".join(place.word for place in found.places))

    def reread(numbers: Sequence[int]) -> Sequence[float]:
        return logits_of_words(model, [ids[number] for number in numbers])

    return Mistake(found, tuple(reasons_of(found, reread, names)))


def share_of(name: str, reviews: list[Mistake]) -> float:
    return sum(any(reason.name == name for reason in each.reasons) for each in reviews) / max(len(reviews), 1)


@torch.no_grad()
def logits_of(model: Averaging, vocabulary: WordVocabulary, reviews: Iterator[Review]) -> Iterator[tuple[Review, list[float]]]:
    """Each review with its logits, some at a time."""
    while some := list(islice(reviews, AT_ONCE)):
        ids = [vocabulary.encode(" ".join(words_of(review.text))) for review in some]
        longest = max(1, max(map(len, ids)))
        logits = model(torch.tensor([row + [PAD] * (longest - len(row)) for row in ids], device=model.device))
        yield from zip(some, logits.tolist(), strict=True)


class Sample:
    """A fair sample of a stream of unknown length: those with the smallest random numbers stay."""

    def __init__(self, size: int, chance: random.Random) -> None:
        self.size, self.chance = size, chance
        self._kept: list[tuple[float, int, Review]] = []
        self._offered = 0

    def offer(self, review: Review) -> None:
        self._offered += 1
        entry = (-self.chance.random(), self._offered, review)
        if len(self._kept) < self.size:
            heapq.heappush(self._kept, entry)
        else:
            heapq.heappushpop(self._kept, entry)

    def drawn(self) -> list[Review]:
        """In the order of their random numbers, so that the first few are a fair sample too."""
        return [review for _, _, review in sorted(self._kept, reverse=True)]
