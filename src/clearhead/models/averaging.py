"""A deep averaging network: the vectors of all words averaged, a few layers, and a logit a class: did the writer like it?"""

from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, dropout, embedding, pad

from clearhead.errors import ConfigError
from clearhead.models.model import Classifier, Family
from clearhead.models.parts.phrase_memory import row_numbers

START = 0.1  # spread of a word's vector before it has learned anything
PAD = 0


@dataclass(frozen=True, kw_only=True)
class AveragingConfig:
    """Sizes, and how much is left out in training."""

    vocab: int
    classes: int = 2
    width: int = 64
    layers: int = 1
    hidden: int = 64
    pairs: int = 0  # rows of a table for pairs of neighbouring words, found by hashing; 0: single words only
    word_dropout: float = 0.3  # share of the words that are left out of an average, in training
    dropout: float = 0.2  # of each layer, in training

    def __post_init__(self) -> None:
        if self.classes < 2:
            raise ConfigError(f"there must be two classes at least to tell apart; got {self.classes}.")
        if min(self.vocab, self.width, self.hidden) < 1 or min(self.layers, self.pairs) < 0:
            raise ConfigError("vocab, width and hidden must be at least 1, layers and pairs at least 0.")
        for name in ("word_dropout", "dropout"):
            if not 0 <= getattr(self, name) < 1:
                raise ConfigError(f"{name} must lie from 0 to below 1; got {getattr(self, name)}.")


class Averaging(Classifier):
    r"""$\text{average} = \frac1n \sum_i v_i$, then `layers` times $h = \text{relu}(xW + b)$, then a logit a class.

    Of two classes one logit is enough: that of the second, the first having 0.
    The vector of a word is its own, plus that of the pair it makes with the word before it where there are pairs.
    Token 0 is the pad and stands in no average; the average of no words is zero.
    """

    def __init__(self, config: AveragingConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocab, config.width)
        nn.init.normal_(self.embedding.weight, std=START)
        self.pairs = nn.Embedding(config.pairs, config.width) if config.pairs else None
        if self.pairs is not None:
            nn.init.zeros_(self.pairs.weight)  # a pair that was never read says nothing
        sizes = [config.width, *[config.hidden] * config.layers]
        self.layers = nn.ModuleList(nn.Linear(before, after) for before, after in pairwise(sizes))
        self.head = nn.Linear(sizes[-1], 1 if config.classes == 2 else config.classes)

    def vectors(self, tokens: Tensor) -> Tensor:
        """What each word brings into the average: tokens (rows, n) give (rows, n, width)."""
        own = embedding(tokens, self.embedding.weight, sparse=True)
        if self.pairs is None:
            return own
        return own + embedding(row_numbers(tokens, 2, self.config.pairs), self.pairs.weight, sparse=True)

    def averaged(self, tokens: Tensor, kept: Tensor) -> Tensor:
        """The average over the words that are kept, (rows, n) of booleans: (rows, width)."""
        counted = kept[..., None].to(self.embedding.weight.dtype)  # (rows, n, 1)
        return (self.vectors(tokens) * counted).sum(1) / counted.sum(1).clamp(min=1)

    def judge(self, average: Tensor) -> Tensor:
        """The logits of an average: (..., width) give (..., classes)."""
        x = average
        for layer in self.layers:
            x = dropout(torch.relu(layer(x)), self.config.dropout, self.training)
        logits: Tensor = self.head(x)
        return pad(logits, (1, 0)) if self.config.classes == 2 else logits

    def forward(self, tokens: Tensor) -> Tensor:
        """The logits of reviews: tokens (rows, n) give (rows, classes)."""
        kept = tokens != PAD
        if self.training:
            kept = kept & (torch.rand(tokens.shape, device=tokens.device) >= self.config.word_dropout)
        return self.judge(self.averaged(tokens, kept))

    def chances(self, inputs: Tensor) -> Tensor:
        logits: Tensor = self(inputs)
        return logits.softmax(-1)

    def loss(self, inputs: Tensor, targets: Tensor) -> Tensor:
        """Mean cross-entropy; targets (rows, 1) are class numbers."""
        return cross_entropy(self(inputs), targets[:, 0])

    def tables(self) -> list[nn.Parameter]:
        tables = [self.embedding] if self.pairs is None else [self.embedding, self.pairs]
        return [weight for table in tables for weight in table.parameters()]


FAMILY = Family(AveragingConfig, Averaging)
