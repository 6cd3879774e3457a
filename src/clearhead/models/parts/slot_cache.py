"""Keys and values kept by number instead of in the order they came, so that a slot can be written again."""

import torch
from torch import Tensor
from torch.nn.functional import pad

from clearhead.heads import Pair
from clearhead.models.parts.cache import Cache


class SlotCache:
    """The part of a cache that one layer writes: new keys and values go into the slots `at`, (batch, n); all come out."""

    def __init__(self, cache: Cache, layer: int, at: Tensor) -> None:
        self.cache, self.layer, self.at = cache, layer, at

    def __call__(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """k, v (batch, heads, n, head width) to (batch, heads, slots, head width)."""
        size = room(self.cache, self.layer, self.at)
        keys, values = self.cache.keys, self.cache.values
        keys[self.layer] = written(keys.get(self.layer, k[:, :, :0]), self.at, k, size)
        values[self.layer] = written(values.get(self.layer, v[:, :, :0]), self.at, v, size)
        return keys[self.layer], values[self.layer]


class SplitPair:
    """Two pairs side by side: the first `size` keys and values go to one, the rest to the other."""

    def __init__(self, first: Pair, second: Pair, size: int) -> None:
        self.first, self.second, self.size = first, second, size

    def __call__(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        size = self.size
        keys, values = self.first(k[:, :, :size], v[:, :, :size])
        more_keys, more_values = self.second(k[:, :, size:], v[:, :, size:])
        return torch.cat([keys, more_keys], dim=2), torch.cat([values, more_values], dim=2)


def room(cache: Cache, layer: int, at: Tensor) -> int:
    """How many slots a layer has once those `at` are written."""
    before = cache.keys[layer].shape[2] if layer in cache.keys else 0
    return max(before, int(at.max()) + 1 if at.numel() else 0)


def written(kept: Tensor, at: Tensor, new: Tensor, size: int) -> Tensor:
    """The slots (batch, heads, size, head width) with `new` in those `at`; what was there before stays as it is elsewhere."""
    grown = pad(kept, (0, 0, 0, size - kept.shape[2]))
    return grown.scatter(2, at[:, None, :, None].expand_as(new), new)


def to_front(x: Tensor, pads: Tensor) -> Tensor:
    """Rows padded at their start, moved to begin at 0: x (batch, n, width); after a row's end its last vector is repeated."""
    n = x.shape[1]
    at = (torch.arange(n, device=x.device) + pads[:, None]).clamp(max=n - 1)  # (batch, n)
    return x.gather(1, at[..., None].expand_as(x))


def to_back(x: Tensor, pads: Tensor) -> Tensor:
    """Rows that begin at 0, moved to end together again."""
    at = (torch.arange(x.shape[1], device=x.device) - pads[:, None]).clamp(min=0)  # (batch, n)
    return x.gather(1, at[..., None].expand_as(x))
