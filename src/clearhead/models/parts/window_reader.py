"""A model with a window, going along a text of any length."""

from collections.abc import Callable, Iterator, Sequence

import torch
from torch import Tensor

from clearhead.models.model import Made, T, make_from
from clearhead.models.parts.cache import Cache

ROWS = 16  # windows that are worked side by side


class WindowReader:
    """A window that slides: when it is full, its newer half stays, so every token has at least that much before it."""

    def __init__(self, model: Callable[[Tensor, Cache | None], Tensor], context: int, device: torch.device) -> None:
        self.model, self.context, self.device = model, context, device
        self.half = max(1, context // 2)
        self.seen: list[int] = []
        self.filled = 0  # places of the window that are taken
        self.cache = self.empty_cache()

    def empty_cache(self) -> Cache:
        return Cache(torch.zeros(1, dtype=torch.long, device=self.device))

    @torch.no_grad()
    def read(self, tokens: Sequence[int]) -> Tensor:
        rows = [self.step(tokens[start : start + self.half]) for start in range(0, len(tokens), self.half)]
        return torch.cat(rows)  # (n, vocab)

    def step(self, tokens: Sequence[int]) -> Tensor:
        before: list[int] = []
        if self.filled + len(tokens) > self.context:
            before = self.seen[-min(self.half, self.context - len(tokens)) :] if self.context > len(tokens) else []
            self.cache, self.seen, self.filled = self.empty_cache(), [], 0
        fresh = [*before, *tokens]
        self.seen += fresh
        self.filled += len(fresh)
        return self.model(torch.tensor([fresh], device=self.device), self.cache)[0, len(before) :]

    def read_long(self, tokens: Sequence[int], make: Made[T]) -> Iterator[T]:
        done = 0
        for logits in self.windows(tokens):
            yield make_from(done, logits, make)
            done += len(logits)

    @torch.no_grad()
    def windows(self, tokens: Sequence[int]) -> Iterator[Tensor]:
        """Once the window is full, what each half sees are the halves themselves: many windows go side by side."""
        done, half = 0, self.half
        while done < len(tokens) and (self.filled + half <= self.context or len(self.seen) < half):
            yield self.step(tokens[done : done + half])
            done += half
        whole = (len(tokens) - done) // half - 1  # the last one goes through the cache, as what follows will
        if whole > 1 and 2 * half <= self.context:
            text = torch.tensor([*self.seen[-half:], *tokens[done : done + whole * half]], device=self.device)
            windows = text.unfold(0, 2 * half, half)  # (whole, 2·half): the half before, and the half that is read
            for first in range(0, whole, ROWS):
                yield self.model(windows[first : first + ROWS], None)[:, half:].flatten(0, 1)  # (rows · half, vocab)
            done += whole * half
            self.seen, self.filled = text[-2 * half :].tolist(), 2 * half  # as full as after a step
        for start in range(done, len(tokens), half):
            yield self.step(tokens[start : start + half])
