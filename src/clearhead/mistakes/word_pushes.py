"""What each word of a review did to the verdict: the logit with it less the logit without it, exactly.

Leaving a word out changes the average in two places: the word itself goes, and the word after it now pairs with the one
before. Both are put right in the sum, so no push is an approximation, and all of them cost about as much as one more review.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from clearhead.corpora.sources.reviews import Place, Review, places_of
from clearhead.corpora.vocabularies.words import WordVocabulary
from clearhead.models.averaging import PAD, Averaging


@dataclass(frozen=True, slots=True)
class Judged:
    """A text with the net's logits and what each word pushed; above 0 is towards the class `towards`."""

    review: Review
    places: tuple[Place, ...]
    logits: tuple[float, ...]  # of each class
    pushes: tuple[float, ...]

    @property
    def chances(self) -> list[float]:
        """How likely the net finds each class."""
        return softmax(self.logits)

    @property
    def verdict(self) -> int:
        """The class that the net finds likeliest."""
        return verdict_of(self.logits)

    @property
    def towards(self) -> int:
        """The class that pushes are told towards: of two the second, so that one sign is one side; else the verdict."""
        return towards_of(self.logits)

    @property
    def probability(self) -> float:
        """Of the class that pushes are told towards."""
        return self.chances[self.towards]

    @property
    def right(self) -> bool:
        return self.verdict == self.review.label


def softmax(logits: Sequence[float]) -> list[float]:
    """
    >>> softmax([0.0, 0.0]), softmax([-800.0, 0.0])
    ([0.5, 0.5], [0.0, 1.0])
    """
    raised = [math.exp(logit - max(logits)) for logit in logits]
    return [each / sum(raised) for each in raised]


def verdict_of(logits: Sequence[float]) -> int:
    """The class of the largest logit; of equal ones the first."""
    return max(range(len(logits)), key=lambda place: (logits[place], -place))


def towards_of(logits: Sequence[float]) -> int:
    return 1 if len(logits) == 2 else verdict_of(logits)


def log_odds(logits: Tensor, of: int) -> Tensor:
    """ln of how much likelier a class is than all others together: (..., classes) give (...)."""
    others = [place for place in range(logits.shape[-1]) if place != of]
    return logits[..., of] - logits[..., others].logsumexp(-1)


def doubled(model: Averaging) -> Averaging:
    """The model in float64, so that a push is exact to its printed digits; on the CPU where its device knows no float64."""
    return (model.cpu() if model.device.type == "mps" else model).double()


@torch.no_grad()
def logits_of_words(model: Averaging, ids: Sequence[int]) -> tuple[float, ...]:
    """The logits of some words by the whole net; of no words, those of an average of zero."""
    return tuple(model(torch.tensor([list(ids) or [PAD]], device=model.device))[0].tolist())


@torch.no_grad()
def judged(model: Averaging, vocabulary: WordVocabulary, review: Review) -> Judged:
    """A text and the push of each of its words."""
    places = places_of(review.text)
    if not places:
        return Judged(review, (), logits_of_words(model, []), ())
    tokens = torch.tensor(vocabulary.encode(" ".join(place.word for place in places)), device=model.device)
    vectors = model.vectors(tokens[None])[0]  # (n, width)
    total, n = vectors.sum(0), len(tokens)
    logits = model.judge(total / n)  # (classes,)
    without = model.judge((total - change_without(model, tokens, vectors)) / max(n - 1, 1))  # (n, classes)
    towards = towards_of(logits.tolist())
    pushes = log_odds(logits, towards) - log_odds(without, towards)  # (n,)
    return Judged(review, tuple(places), tuple(logits.tolist()), tuple(pushes.tolist()))


def change_without(model: Averaging, tokens: Tensor, vectors: Tensor) -> Tensor:
    """What goes out of the sum when each word in turn is left out: (n, width)."""
    after = torch.cat([vectors[1:], torch.zeros_like(vectors[:1])])  # the word after each, as it stands
    before = torch.cat([tokens.new_full((1,), PAD), tokens])[: len(tokens) - 1]  # the word before each, but for the last
    joined = torch.stack([before, tokens[1:]], dim=1)  # (n − 1, 2)
    rejoined = torch.zeros_like(vectors)
    rejoined[:-1] = model.vectors(joined)[:, 1]  # the word after each, behind the word before
    return vectors + after - rejoined
