"""The forward pass that trains, with somebody looking on: q, k, v and the output of every head."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor

from clearhead.attention import Attended, Attending, Mask, attend
from clearhead.heads import MultiHeadAttention, Watching
from clearhead.models.gpt import GPT, Block
from clearhead.models.parts.window_attention import whole_mask


@dataclass(frozen=True, slots=True)
class Recorded:
    """What passed one layer in one call; the first of a batch is looked at."""

    q: Tensor  # (batch, heads, n_q, d_k)
    k: Tensor  # (batch, heads, n_k, d_k)
    v: Tensor  # (batch, heads, n_k, d_v)
    mask: Mask  # over all keys
    output: Tensor  # (batch, heads, n_q, d_v), as the model itself went on with it
    changed: Tensor | None = None  # the weights, where somebody changed them on the way

    def weights(self) -> Tensor:
        """From q and k, by the one attention that shows its working: (batch, heads, n_q, n_k)."""
        return attend(self.q, self.k, self.v, self.mask).weights if self.changed is None else self.changed


class Onlooker:
    """Looks on and changes nothing: it hands on what it is given, to whoever looked on before."""

    def __init__(self, calls: list[Recorded], inner: Watching) -> None:
        self.calls, self.inner = calls, inner

    def __call__(self, attending: Attending, q: Tensor, k: Tensor, v: Tensor, mask: Mask) -> Attended | Tensor:
        result = self.inner(attending, q, k, v, mask)
        output, weights = (result.output, result.weights) if isinstance(result, Attended) else (result, None)
        self.calls.append(Recorded(q, k, v, whole_mask(attending, mask, q.shape[-2]), output, weights))
        return result


def attentions_of(model: GPT) -> list[MultiHeadAttention]:
    """The attention of each block, in order."""
    return [block.attention for block in model.blocks if isinstance(block, Block)]


@contextmanager
def watched(model: GPT, watchers: Sequence[Watching]) -> Iterator[None]:
    """While this is open, each block's heads are watched by its watcher; afterwards as before."""
    before = [attention.watching for attention in attentions_of(model)]
    try:
        for attention, watcher in zip(attentions_of(model), watchers, strict=True):
            attention.watching = watcher
        yield
    finally:
        for attention, watcher in zip(attentions_of(model), before, strict=True):
            attention.watching = watcher


@contextmanager
def recording(model: GPT) -> Iterator[list[list[Recorded]]]:
    """While this is open, every call of every layer is kept: one list a layer."""
    calls: list[list[Recorded]] = [[] for _ in model.blocks]
    recorders = [Onlooker(kept, attention.watching) for kept, attention in zip(calls, attentions_of(model), strict=True)]
    with watched(model, recorders), torch.no_grad():
        yield calls


def recorded(model: GPT, tokens: Sequence[int]) -> list[Recorded]:
    """What passed each layer when the model read some tokens, on the path that trains."""
    with recording(model) as calls:
        model(torch.tensor([list(tokens)], device=next(model.parameters()).device))
    return [layer[-1] if layer else unasked(attention) for layer, attention in zip(calls, attentions_of(model), strict=True)]


def unasked(attention: MultiHeadAttention) -> Recorded:
    """Of a layer that had nothing to do: a perceiver has no latents yet in a very short text."""
    nothing = attention.key.weight.new_zeros(1, attention.heads, 0, attention.width // attention.heads)
    return Recorded(nothing, nothing, nothing, None, nothing, nothing.new_zeros(1, attention.heads, 0, 0))
