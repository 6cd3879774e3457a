"""A trained model going along a text: tokens in, what it expects next out, however long the text gets."""

from collections.abc import Sequence
from typing import Any, Protocol

import torch
from torch import Tensor

from clearhead.errors import InputError
from clearhead.models.bigram import Bigram
from clearhead.models.gpt import GPT
from clearhead.models.parts.cache import Cache
from clearhead.models.recurrent import Recurrent


class Reader(Protocol):
    """Remembers what it needs of the text so far, and no more."""

    def read(self, tokens: Sequence[int]) -> Tensor:
        """Logits for what follows each of the next tokens: (n, vocab)."""
        ...


class BigramReader:
    """Only the last word matters."""

    def __init__(self, model: Bigram) -> None:
        self.model = model

    @torch.no_grad()
    def read(self, tokens: Sequence[int]) -> Tensor:
        logits: Tensor = self.model(torch.tensor(list(tokens)))
        return logits


class RecurrentReader:
    """The state is the memory."""

    def __init__(self, model: Recurrent) -> None:
        self.model, self.state = model, model.blank(1)

    @torch.no_grad()
    def read(self, tokens: Sequence[int]) -> Tensor:
        logits: Tensor
        logits, self.state = self.model(torch.tensor([list(tokens)]), self.state)
        return logits[0]


class WindowReader:
    """A window that slides: when it is full, its newer half stays, so every token has at least that much before it."""

    def __init__(self, model: GPT) -> None:
        self.model, self.context = model, model.config.context
        self.half = max(1, self.context // 2)
        self.seen: list[int] = []
        self.cache = Cache(torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def read(self, tokens: Sequence[int]) -> Tensor:
        rows = [self.step(tokens[start : start + self.half]) for start in range(0, len(tokens), self.half)]
        return torch.cat(rows)  # (n, vocab)

    def step(self, tokens: Sequence[int]) -> Tensor:
        before: list[int] = []
        if self.cache.length + len(tokens) > self.context:
            before = self.seen[-min(self.half, self.context - len(tokens)) :] if self.context > len(tokens) else []
            self.cache, self.seen = Cache(torch.zeros(1, dtype=torch.long)), []
        fresh = [*before, *tokens]
        self.seen += fresh
        logits: Tensor = self.model(torch.tensor([fresh]), self.cache)[0, len(before) :]
        return logits


def reader_of(model: Any) -> Reader:
    """The way to go along a text with a model, in whatever way it remembers."""
    model.eval()
    if isinstance(model, Bigram):
        return BigramReader(model)
    if isinstance(model, Recurrent):
        return RecurrentReader(model)
    if isinstance(model, GPT):
        return WindowReader(model)
    raise InputError(f"a {type(model).__name__} does not predict text; take a run of a language model.")
