"""Keys and values kept from one token to the next, for prompts of unequal length padded at their start."""

from collections.abc import Sequence

import torch
from torch import Tensor


class Cache:
    """What a model has seen so far, a row for each prompt; `pads` counts the pads that stand before each."""

    def __init__(self, pads: Tensor) -> None:
        self.pads = pads  # (batch,)
        self.tokens = torch.zeros(len(pads), 0, dtype=torch.long, device=pads.device)
        self.keys: dict[int, Tensor] = {}
        self.values: dict[int, Tensor] = {}
        self.carried: Tensor | None = None  # (batch, 1, width): a state that a model hands on from token to token, if it does

    @property
    def length(self) -> int:
        return self.tokens.shape[1]

    def places(self, tokens: Tensor) -> Tensor:
        """Where the next tokens stand, counted without the pads: (batch, n)."""
        after = torch.arange(self.length, self.length + tokens.shape[1], device=tokens.device)
        return (after - self.pads[:, None]).clamp(min=0)

    def mask(self, tokens: Tensor) -> Tensor:
        """Each next token sees what came before it except pads, and always itself: (batch, n, before + n)."""
        total = self.length + tokens.shape[1]
        keys = torch.arange(total, device=tokens.device)
        queries = keys[self.length :, None]  # (n, 1)
        return ((keys <= queries) & (keys >= self.pads[:, None, None])) | (keys == queries)

    def take(self, tokens: Tensor) -> Tensor:
        """Add the next tokens and give back all of them: (batch, before + n)."""
        self.tokens = torch.cat([self.tokens, tokens], dim=1)
        return self.tokens

    def rows(self, chosen: Tensor) -> "Cache":
        """A cache of some of the prompts, each as often as it is chosen: chosen (rows,) are their numbers."""
        cache = Cache(self.pads[chosen])
        cache.tokens = self.tokens[chosen]
        cache.keys = {layer: keys[chosen] for layer, keys in self.keys.items()}
        cache.values = {layer: values[chosen] for layer, values in self.values.items()}
        cache.carried = None if self.carried is None else self.carried[chosen]
        return cache


def lined_up(prompts: Sequence[Sequence[int]], pad: int, device: torch.device | None = None) -> tuple[Tensor, Cache]:
    """Prompts as one table, (prompts, longest), with pads before the shorter ones, and the empty cache that knows of them."""
    longest = max(len(prompt) for prompt in prompts)
    tokens = torch.tensor([[pad] * (longest - len(prompt)) + list(prompt) for prompt in prompts], device=device)
    return tokens, Cache(torch.tensor([longest - len(prompt) for prompt in prompts], device=device))


class LayerCache:
    """The part of a cache that one layer adds to: new keys and values in, all so far out."""

    def __init__(self, cache: Cache, layer: int) -> None:
        self.cache, self.layer = cache, layer

    def __call__(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """k, v (batch, heads, n, head width)."""
        keys, values = self.cache.keys, self.cache.values
        if self.layer in keys:
            k, v = torch.cat([keys[self.layer], k], dim=2), torch.cat([values[self.layer], v], dim=2)
        keys[self.layer], values[self.layer] = k, v
        return k, v
