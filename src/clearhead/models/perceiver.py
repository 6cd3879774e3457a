"""A model with a waist: the first block reads the tokens into fewer latents, the last one hands them back to every token.

Latent i stands at place pᵢ = (i + 1)·stride − 1 and sees the tokens up to there; token t sees the latents with pᵢ ≤ t.
perceiver: the course's. Stride 1 and at most m latents, asked for by a learned basis: tokens past the m-th are seen by
themselves only.
perceiver-causal: the latents stand all along the text and are asked for by the tokens there. Each token takes over the
last latent that has come, and what has come since, or some more, is seen in a local window. So every token sees all before it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal, get_args

import torch
from torch import Tensor, nn

from clearhead.attention import Attended, Attending, Mask, attend_fused
from clearhead.errors import ConfigError
from clearhead.heads import Pair, as_they_are
from clearhead.masks import at_or_before, causal, nearest, strided_places
from clearhead.models.gpt import GPT, GPTConfig
from clearhead.models.model import Family
from clearhead.models.parts.cache import Cache
from clearhead.models.parts.slot_cache import SlotCache, SplitPair, room, to_back, to_front
from clearhead.models.parts.window_attention import attend_nearby

Variant = Literal["perceiver", "perceiver-causal"]
States = Iterator[tuple[Tensor, Attended | None]]


@dataclass(frozen=True, kw_only=True)
class PerceiverConfig(GPTConfig):
    """A GPT's, with the waist: in the context's 128 tokens every question and its answer fit into the first 64."""

    variant: Variant = "perceiver"
    bottleneck: int = 64  # m, the most latents
    window: int = 0  # tokens that the last block of perceiver-causal sees as they are; at least those since the last latent

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.variant not in get_args(Variant):
            raise ConfigError(f"variant={self.variant!r} is not known; variants: {', '.join(get_args(Variant))}.")
        if not 1 <= self.bottleneck <= self.context:
            raise ConfigError(f"bottleneck counts latents, from 1 to context={self.context}; got {self.bottleneck}.")
        if not 0 <= self.window <= self.context:
            raise ConfigError(f"window counts tokens, from 0 to context={self.context}; got {self.window}.")
        if self.layers < 2:
            raise ConfigError(f"a perceiver reads down in its first layer and up in its last: layers={self.layers} is too few.")

    @property
    def all_seeing(self) -> bool:
        return self.variant == "perceiver-causal"

    @property
    def stride(self) -> int:
        """Tokens from one latent to the next."""
        return -(-self.context // self.bottleneck) if self.all_seeing else 1

    @property
    def nearest(self) -> int:
        """Tokens of the local window."""
        return max(self.window, self.stride)

    def ends(self, n: int) -> Tensor:
        """The places of the latents of n tokens: (latents,)."""
        return strided_places(n, self.stride)[: self.bottleneck]


@dataclass(frozen=True, slots=True)
class Round:
    """One way through: where tokens and latents stand, who sees whom, how the last block attends, what each remembers."""

    places: Tensor  # (n,) or (batch, n)
    ends: Tensor  # (latents,) or (batch, latents)
    down: Mask
    among: Mask
    up: Mask
    attending: Attending
    attending_up: Attending
    carry: Callable[[Tensor], Tensor]  # latents (batch, latents, width) to what each token takes over, (batch, n, width)
    remember: Callable[[int], Pair]
    wanted: Tensor | None = None  # numbers of the tokens that the last block goes on with, (count,); None: all


class Perceiver(GPT):
    """Tokens to a guess at each next token, by way of latents; nothing sees what comes after it."""

    config: PerceiverConfig

    def __init__(self, config: PerceiverConfig) -> None:
        super().__init__(config)
        self.basis: nn.Parameter | None = None
        if not config.all_seeing:
            self.basis = nn.Parameter(nn.init.xavier_uniform_(torch.empty(config.bottleneck, config.width)))

    def sight(self, n: int) -> Tensor:
        """All before it; the course's: the first m tokens, itself, and what a phrase of the memory reaches."""
        if self.config.all_seeing:
            return causal(n)
        places = torch.arange(n, device="cpu")
        phrase = nearest(places, places, self.config.reach if self.config.memory else 1)
        return phrase | (causal(n) & (places < self.config.bottleneck))  # (n, n)

    def states(
        self,
        tokens: Tensor,
        attending: Attending = attend_fused,
        cache: Cache | None = None,
        last_only: bool = False,
        wanted: Tensor | None = None,
    ) -> States:
        """The state after each block, of the latents and at last of the tokens, and the attention in it.

        tokens (batch, n). With a cache the tokens go on where it ends, one by one; the last block takes all of them. Without
        one it ends in the states of those that are `wanted`.
        """
        before = 0 if cache is None else cache.length
        self.require_fitting(tokens, before)
        if cache is None or before == 0:
            yield from self.read(tokens, attending, cache, wanted)
        elif tokens.shape[1] == 1:
            yield from self.read_one(tokens, attending, cache)
        else:
            pieces = [list(self.read_one(token, attending, cache)) for token in tokens.chunk(tokens.shape[1], dim=1)]
            for layer in zip(*pieces, strict=True):
                yield torch.cat([x for x, _ in layer], dim=1), None

    def read(self, tokens: Tensor, attending: Attending, cache: Cache | None, wanted: Tensor | None) -> States:
        """A text from its start."""
        x, _ = self.entered(tokens, cache)
        n = tokens.shape[1]
        places, ends = torch.arange(n, device=x.device), self.config.ends(n).to(x.device)
        remember: Callable[[int], Pair] = forget
        if cache is not None:
            x = to_front(x, cache.pads)  # causal: the rows that are shorter do not see what now stands after them
            rows = len(x)
            latent_slots = torch.arange(len(ends), device=x.device).expand(rows, -1)
            remember = partial(self.memory_of, cache, places.expand(rows, -1), latent_slots)
        down, up = at_or_before(ends, places), at_or_before(places, ends)  # (latents, n) and (n, latents)
        attending_up = attending
        if self.config.all_seeing:
            attending_up = partial(attend_nearby, attending, self.config.nearest, len(ends))
        latents = x[:, ends] if self.basis is None else self.basis[: len(ends)].expand(len(x), -1, -1)
        carry = partial(self.carried, places, cache)
        way = Round(places, ends, down, "causal", up, attending, attending_up, carry, remember, wanted)
        for number, (state, attended) in enumerate(self.through(x, latents, way), 1):
            last = number == self.config.layers
            yield (to_back(state, cache.pads) if last and cache is not None else state), attended

    def read_one(self, token: Tensor, attending: Attending, cache: Cache) -> States:
        """The next token of each text, (batch, 1), where what came before is in the cache.

        A latent is worked out for the stretch in which the token stands. It is final once the token is the last of it; until
        then nobody sees it, and it is written over.
        """
        x, places = self.entered(token, cache)
        stride, most = self.config.stride, self.config.bottleneck
        slots = (places // stride).clamp(max=most - 1)  # (batch, 1)
        ends = slots * stride + stride - 1  # (batch, 1)
        if not bool((places == ends).any()):
            slots, ends = slots[:, :0], ends[:, :0]  # no text has a latent to finish
        latents = x[:, : slots.shape[1]] if self.basis is None else self.basis[slots]
        columns = torch.arange(room(cache, 0, places), device=x.device)
        numbers = torch.arange(room(cache, self.config.layers - 1, slots), device=x.device)
        up = at_or_before(places, numbers * stride + stride - 1)  # (batch, 1, latents)
        if self.config.all_seeing:
            nearby = nearest(places, columns, self.config.nearest)  # (batch, 1, columns)
            up = torch.cat([up, nearby], dim=-1)
        down, among = at_or_before(ends, columns), at_or_before(slots, numbers)
        carry = partial(self.carried_on, places == ends, cache)
        remember = partial(self.memory_of, cache, places, slots)
        yield from self.through(x, latents, Round(places, ends, down, among, up, attending, attending, carry, remember))

    def through(self, x: Tensor, latents: Tensor, way: Round) -> States:
        """Down, along, up: the one way through the blocks; x (batch, n, width), latents (batch, latents, width)."""
        first, *middle, last = self.blocks
        turn = self.turning(x, way.ends, way.places)
        latents, attended = first(latents, way.down, way.attending, turn, way.remember(0), source=x)
        yield latents, attended
        turn = self.turning(x, way.ends, way.ends)
        for number, block in enumerate(middle, 1):
            attended = None
            if latents.shape[1]:
                latents, attended = block(latents, way.among, way.attending, turn, way.remember(number))
            yield latents, attended
        turn, source, asking = self.turning(x, way.places, way.ends), latents, x
        if self.config.all_seeing:
            source = torch.cat([latents, x], dim=1)  # (batch, latents + n, width)
            turn = self.turning(x, way.places, torch.cat([way.ends, way.places], dim=-1))
            asking = x + way.carry(latents)  # (batch, n, width)
        yield last(asking, way.up, way.attending_up, turn, way.remember(self.config.layers - 1), source, way.wanted)

    def carried(self, places: Tensor, cache: Cache | None, latents: Tensor) -> Tensor:
        """The last latent that has come at each place, nothing before the first: (batch, n, width); a cache keeps the last."""
        nothing = latents.new_zeros(len(latents), 1, latents.shape[-1])
        shown = torch.cat([nothing, latents], dim=1)[:, (places + 1) // self.config.stride]  # (batch, n, width)
        if cache is not None:
            ends = (len(places) - 1 - cache.pads)[:, None, None]  # (batch, 1, 1)
            cache.carried = shown.gather(1, ends.expand(-1, 1, shown.shape[-1]))
        return shown

    def carried_on(self, finished: Tensor, cache: Cache, latents: Tensor) -> Tensor:
        """The same for the next token of each text: a latent that is finished now, (batch, 1), else what the cache kept."""
        assert cache.carried is not None
        if latents.shape[1]:
            cache.carried = torch.where(finished[..., None], latents, cache.carried)
        return cache.carried

    def memory_of(self, cache: Cache, places: Tensor, slots: Tensor, layer: int) -> Pair:
        """Where a layer's keys and values go: those of tokens by place, those of latents by number."""
        if layer == 0:
            return SlotCache(cache, layer, places)
        if layer < self.config.layers - 1 or not self.config.all_seeing:
            return SlotCache(cache, layer, slots)
        return SplitPair(SlotCache(cache, layer, slots), SlotCache(cache, self.config.layers, places), slots.shape[1])


def forget(layer: int) -> Pair:
    """No layer remembers anything."""
    return as_they_are


FAMILY = Family(PerceiverConfig, Perceiver)
