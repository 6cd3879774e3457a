"""A classifier's mistakes on what its run held out: how many, a sample of them, which words pushed, and why."""

import heapq
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import torch

from clearhead.corpora.sources.reviews import Review, Reviews, words_of
from clearhead.corpora.vocabularies.words import WordVocabulary
from clearhead.errors import InputError
from clearhead.mistakes.reasons import NAMES, Reason, reasons_of
from clearhead.mistakes.word_pushes import Judged, judged, logit_of
from clearhead.models.averaging import PAD, Averaging
from clearhead.training.folders.runs import Run

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
    reviews: int
    taken_for_liked: int  # the writer did not like it
    taken_for_disliked: int
    sample: tuple[Mistake, ...]
    shares: tuple[ReasonShare, ...]
    compared: tuple[int, int]  # mistakes and right ones that the shares were counted over
    baselines: dict[str, float]

    @property
    def wrong(self) -> int:
        return self.taken_for_liked + self.taken_for_disliked

    @property
    def accuracy(self) -> float:
        return 1 - self.wrong / self.reviews

    def tree(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "run": self.run,
            "corpus": self.corpus,
            "accuracy": self.accuracy,
            "held_out": self.reviews,
            "taken_for_liked": self.taken_for_liked,
            "taken_for_disliked": self.taken_for_disliked,
            "baselines": self.baselines,
            "reasons": [{"name": each.name, "mistakes": each.mistakes, "right": each.right} for each in self.shares],
            "sample": [mistake_tree(mistake) for mistake in self.sample],
        }


def mistake_tree(mistake: Mistake) -> dict[str, Any]:
    judged = mistake.judged
    return {
        "text": judged.review.text,
        "label": judged.review.label,
        "probability": judged.probability,
        "words": [
            {"word": place.word, "start": place.start, "end": place.end, "push": push}
            for place, push in zip(judged.places, judged.pushes, strict=True)
        ],
        "reasons": [{"name": reason.name, "told": reason.told} for reason in mistake.reasons],
    }


def review_errors(run: Run, count: int, seed: int, baselines: dict[str, float]) -> ReviewErrors:
    """Judge everything that was held out; keep a few mistakes and right ones, whatever the size of the corpus."""
    model, vocabulary = run.model, run.vocabulary
    assert isinstance(run.corpus, Reviews)
    assert isinstance(model, Averaging)
    assert isinstance(vocabulary, WordVocabulary)
    model.double()  # so that a push is exact to its printed digits
    chance = random.Random(f"errors/{seed}")
    wrong, right = Sample(max(count, COMPARED), chance), Sample(COMPARED, chance)
    reviews, tallies = 0, [0, 0]
    for review, logit in logits_of(model, vocabulary, run.corpus.validation()):
        reviews += 1
        verdict = int(logit > 0)
        if verdict == review.label:
            right.offer(review)
        else:
            tallies[verdict] += 1
            wrong.offer(review)
    if not reviews:
        raise InputError(f"{run.folder} holds no reviews out; train it with some held out.", "(--set held_out=0.2)")
    mistakes = [explained(model, vocabulary, review) for review in wrong.drawn()]
    others = [explained(model, vocabulary, review) for review in right.drawn()]
    shares = tuple(ReasonShare(name, share_of(name, mistakes), share_of(name, others)) for name in NAMES)
    sizes = (len(mistakes), len(others))
    sample = tuple(mistakes[:count])
    return ReviewErrors(str(run.folder), run.recipe.corpus, reviews, tallies[1], tallies[0], sample, shares, sizes, baselines)


def explained(model: Averaging, vocabulary: WordVocabulary, review: Review) -> Mistake:
    """A review with its pushes and the reasons that hold, right or wrong."""
    found = judged(model, vocabulary, review)
    ids = vocabulary.encode(" ".join(place.word for place in found.places))

    def reread(numbers: Sequence[int]) -> float:
        return logit_of(model, [ids[number] for number in numbers])

    return Mistake(found, tuple(reasons_of(found, reread)))


def share_of(name: str, reviews: list[Mistake]) -> float:
    return sum(any(reason.name == name for reason in each.reasons) for each in reviews) / max(len(reviews), 1)


@torch.no_grad()
def logits_of(model: Averaging, vocabulary: WordVocabulary, reviews: Iterator[Review]) -> Iterator[tuple[Review, float]]:
    """Each review with its logit, some at a time."""
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
