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
    """A review with the net's verdict and what each word pushed; above 0 is towards liked."""

    review: Review
    places: tuple[Place, ...]
    logit: float
    pushes: tuple[float, ...]

    @property
    def probability(self) -> float:
        """That the writer liked it."""
        return sigmoid(self.logit)

    @property
    def verdict(self) -> int:
        return int(self.logit > 0)

    @property
    def right(self) -> bool:
        return self.verdict == self.review.label


def sigmoid(logit: float) -> float:
    """
    >>> sigmoid(0.0), sigmoid(-800.0)
    (0.5, 0.0)
    """
    return 1 / (1 + math.exp(-logit)) if logit > -700 else 0.0


@torch.no_grad()
def logit_of(model: Averaging, ids: Sequence[int]) -> float:
    """The logit of some words by the whole net; of no words, that of an average of zero."""
    return float(model(torch.tensor([list(ids) or [PAD]], device=model.device))[0])


@torch.no_grad()
def judged(model: Averaging, vocabulary: WordVocabulary, review: Review) -> Judged:
    """A review and the push of each of its words."""
    places = places_of(review.text)
    if not places:
        return Judged(review, (), logit_of(model, []), ())
    tokens = torch.tensor(vocabulary.encode(" ".join(place.word for place in places)), device=model.device)
    vectors = model.vectors(tokens[None])[0]  # (n, width)
    total, n = vectors.sum(0), len(tokens)
    logit = model.judge(total / n)
    pushes = logit - model.judge((total - change_without(model, tokens, vectors)) / max(n - 1, 1))  # (n,)
    return Judged(review, tuple(places), float(logit), tuple(pushes.tolist()))


def change_without(model: Averaging, tokens: Tensor, vectors: Tensor) -> Tensor:
    """What goes out of the sum when each word in turn is left out: (n, width)."""
    after = torch.cat([vectors[1:], torch.zeros_like(vectors[:1])])  # the word after each, as it stands
    before = torch.cat([tokens.new_full((1,), PAD), tokens])[: len(tokens) - 1]  # the word before each, but for the last
    joined = torch.stack([before, tokens[1:]], dim=1)  # (n − 1, 2)
    rejoined = torch.zeros_like(vectors)
    rejoined[:-1] = model.vectors(joined)[:, 1]  # the word after each, behind the word before
    return vectors + after - rejoined
