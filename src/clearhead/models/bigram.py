"""A neural bigram: the last word's vector, one sigmoid layer, a softmax over the vocabulary."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout

from clearhead.errors import ConfigError
from clearhead.models.model import Family, LanguageModel


@dataclass(frozen=True, kw_only=True)
class BigramConfig:
    """Sizes; `width` is that of the word vectors it starts from."""

    vocab: int
    width: int = 50
    hidden: int = 128
    dropout: float = 0.0  # of the hidden layer, in training

    def __post_init__(self) -> None:
        if min(self.vocab, self.width, self.hidden) < 1:
            raise ConfigError(f"vocab, width and hidden must be at least 1; got {self.vocab}, {self.width}, {self.hidden}.")
        if not 0 <= self.dropout < 1:
            raise ConfigError(f"dropout must lie from 0 to below 1; got {self.dropout}.")


class Bigram(LanguageModel):
    r"""$h = \sigma(x W_1 + b_1)$, $\hat y = \text{softmax}(h W_2 + b_2)$, with x the vector of the last word."""

    def __init__(self, config: BigramConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocab, config.width)
        self.hidden = nn.Linear(config.width, config.hidden)
        self.head = nn.Linear(config.hidden, config.vocab)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, tokens: Tensor) -> Tensor:
        """Logits for the word after each: tokens (...) give (..., vocab)."""
        h = torch.sigmoid(self.hidden(self.embedding(tokens)))
        logits: Tensor = self.head(dropout(h, self.config.dropout, self.training))
        return logits

    def loss(self, inputs: Tensor, targets: Tensor) -> Tensor:
        """Mean cross-entropy over the targets that count (not negative).

        What follows depends on the last word alone, so each distinct word of a batch is worked out once, however often
        it stands there: a step costs as much as the vocabulary, not as much as the batch.
        """
        counted = targets >= 0
        words, place = torch.unique(inputs[counted], return_inverse=True)
        surprisal: Tensor = -self(words).log_softmax(-1)  # (distinct, vocab)
        return surprisal[place, targets[counted]].mean()

    def reader(self) -> "BigramReader":
        return BigramReader(self)

    def sight(self, n: int) -> Tensor:
        """Each place sees its own word alone: (n, n)."""
        return torch.eye(n, dtype=torch.bool, device="cpu")


class BigramReader:
    """Only the last word matters."""

    def __init__(self, model: Bigram) -> None:
        self.model = model

    @torch.no_grad()
    def read(self, tokens: Sequence[int]) -> Tensor:
        logits: Tensor = self.model(torch.tensor(list(tokens), device=self.model.device))
        return logits


FAMILY = Family(BigramConfig, Bigram)
