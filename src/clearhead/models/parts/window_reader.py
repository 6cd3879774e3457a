"""A model with a window, going along a text of any length."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from clearhead.models.parts.cache import Cache


class WindowReader:
    """A window that slides: when it is full, its newer half stays, so every token has at least that much before it."""

    def __init__(self, model: Callable[[Tensor, Cache], Tensor], context: int) -> None:
        self.model, self.context = model, context
        self.half = max(1, context // 2)
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
        return self.model(torch.tensor([fresh]), self.cache)[0, len(before) :]
