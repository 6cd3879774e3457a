"""A decoder-only transformer in two styles: as the course builds it, and as one would build it today."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal, get_args

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, dropout, gelu, relu, rms_norm

from clearhead.attention import Attended, Attending, Mask, attend, attend_fused
from clearhead.errors import ConfigError, InputError, ShapeError
from clearhead.heads import MultiHeadAttention, Pair, as_they_are, rows_of
from clearhead.masks import causal
from clearhead.models.model import Family, LanguageModel
from clearhead.models.parts.cache import Cache, LayerCache
from clearhead.models.parts.phrase_memory import PhraseMemory
from clearhead.models.parts.rotary import rotate, rotations
from clearhead.models.parts.window_reader import WindowReader

Style = Literal["course", "modern"]


@dataclass(frozen=True, kw_only=True)
class GPTConfig:
    """How large the model is and in which style it is built; the sizes are the course's unless told."""

    vocab: int
    context: int = 128  # tokens it can look back over, its own included
    layers: int = 4
    heads: int = 8
    width: int = 256
    style: Style = "course"
    dropout: float = 0.1  # in the course's style only
    gelu: str = "exact"  # or "tanh", as GPT-2 comes near it; in the course's style only
    memory: int = 0  # rows of each table of phrases; 0: no such memory
    reach: int = 3  # tokens of the longest phrase with a row of its own

    def __post_init__(self) -> None:
        fits = [heads for heads in range(1, self.width + 1) if self.width % heads == 0]
        if self.heads not in fits:
            raise ConfigError(f"heads={self.heads} must divide width={self.width}; heads that do: {fits}.")
        if self.style not in get_args(Style):
            raise ConfigError(f"style={self.style!r} is not known; styles: {', '.join(get_args(Style))}.")
        if self.style == "modern" and self.head_width % 2:
            raise ConfigError(f"rotary positions turn pairs: width/heads must be even; it is {self.head_width}.")
        if min(self.vocab, self.context, self.layers) < 1:
            raise ConfigError(f"vocab, context and layers must be at least 1; got {self.vocab}, {self.context}, {self.layers}.")
        if self.gelu not in ("exact", "tanh"):
            raise ConfigError(f"gelu={self.gelu!r} is not known; exact, or tanh.")
        if not 0 <= self.dropout < 1:
            raise ConfigError(f"dropout must lie from 0 to below 1; got {self.dropout}.")
        if self.memory < 0 or (self.memory and self.reach < 2):
            raise ConfigError(f"memory counts rows, and reach is 2 or more; got memory={self.memory}, reach={self.reach}.")

    @property
    def head_width(self) -> int:
        return self.width // self.heads

    @property
    def modern(self) -> bool:
        return self.style == "modern"


class Block(nn.Module):
    """Attention, then a feed-forward net, each added to what comes in."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        bias = not config.modern
        self.attention = MultiHeadAttention(config.width, config.heads, bias=bias)
        self.widen = nn.Linear(config.width, 4 * config.width, bias=bias)
        self.narrow = nn.Linear(4 * config.width, config.width, bias=bias)
        self.before_attention = norm(config)
        self.before_widening = norm(config)
        self.modern = config.modern
        self.dropout = config.dropout
        self.approximate = "tanh" if config.gelu == "tanh" else "none"

    def forward(
        self,
        x: Tensor,
        mask: Mask,
        attending: Attending,
        turn: Pair,
        remember: Pair,
        source: Tensor | None = None,
        wanted: Tensor | None = None,
    ) -> tuple[Tensor, Attended | None]:
        """x (batch, n, width) looks at source, or at itself: the next state, and the working if there is one.

        Where only some tokens are wanted, the state is theirs alone: (count, width).
        """
        seen = None if source is None else self.before_attention(source)
        output, attended = self.attention(
            self.before_attention(x), seen, mask=mask, attending=attending, turn=turn, remember=remember, wanted=wanted
        )
        x = (x if wanted is None else rows_of(x, wanted)) + self.drop(output)
        wide = self.widen(self.before_widening(x))  # (batch, n, 4·width)
        return x + self.drop(
            self.narrow(relu(wide).square() if self.modern else gelu(wide, approximate=self.approximate))
        ), attended

    def drop(self, x: Tensor) -> Tensor:
        return x if self.modern else dropout(x, self.dropout, self.training)


class GPT(LanguageModel):
    """Tokens to a guess at each next token; nothing sees what comes after it."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocab, config.width)
        self.positions = None if config.modern else nn.Parameter(torch.zeros(config.context, config.width))
        self.memory = PhraseMemory(config.memory, config.width, config.reach) if config.memory else None
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.last_norm = norm(config)
        self.head = nn.Linear(config.width, config.vocab, bias=False)
        initialise(self)

    def states(
        self,
        tokens: Tensor,
        attending: Attending = attend_fused,
        cache: Cache | None = None,
        last_only: bool = False,
        wanted: Tensor | None = None,
    ) -> Iterator[tuple[Tensor, Attended | None]]:
        """The state after each block and the attention in it: the one way through the model.

        tokens (batch, n). With a cache the tokens go on where it ends. With `last_only` the last block may leave out all tokens
        but the last. With `wanted`, numbers among all tokens of the batch, it ends in the states of these: (count, width).
        """
        self.require_fitting(tokens, 0 if cache is None else cache.length)
        mask: Mask = "causal" if cache is None else cache.mask(tokens)
        x, places = self.entered(tokens, cache)
        turn = self.turning(x, places, places)
        for number, block in enumerate(self.blocks):
            source, last = None, number == len(self.blocks) - 1
            if last_only and last:
                source, x = x, x[:, -1:]
                mask = mask[:, -1:] if isinstance(mask, Tensor) else None  # (batch, 1, before + n)
                turn = self.turning(x, places[..., -1:], places)
            remember = LayerCache(cache, number) if cache is not None else as_they_are
            x, attended = block(x, mask, attending, turn, remember, source, wanted if last else None)
            yield x, attended

    def entered(self, tokens: Tensor, cache: Cache | None = None) -> tuple[Tensor, Tensor]:
        """Tokens as vectors, (batch, n, width), and their places, (n,) or (batch, n); a cache takes them in."""
        places = torch.arange(tokens.shape[1], device=tokens.device) if cache is None else cache.places(tokens)
        phrases = tokens if cache is None else cache.take(tokens)  # (batch, before + n)
        x = self.embedding(tokens)  # (batch, n, width)
        if self.memory is not None:
            x = x + self.memory(phrases)[:, -tokens.shape[1] :]
        if self.positions is not None:
            x = dropout(x + self.positions[places], self.config.dropout, self.training)
        return x, places

    def turning(self, x: Tensor, of_queries: Tensor, of_keys: Tensor) -> Pair:
        """What is done to queries and keys once split: normed and turned by their places in the modern style."""
        if not self.config.modern:
            return as_they_are
        angles = partial(rotations, width=self.config.head_width, dtype=x.dtype)
        queries = angles(of_queries)
        return partial(turned, queries, queries if of_keys is of_queries else angles(of_keys))

    @property
    def block(self) -> int:
        return self.config.context

    def reader(self) -> WindowReader:
        return WindowReader(self, self.config.context, self.device)

    def compilable(self) -> list[nn.Module]:
        return list(self.blocks)

    def sight(self, n: int) -> Tensor:
        return causal(n)

    def final(self, tokens: Tensor, cache: Cache | None = None, wanted: Tensor | None = None) -> Tensor:
        """The last state, normed: (batch, n, width), or (count, width) of the tokens that are wanted."""
        attending = attend_fused
        if self.training and self.config.dropout and not self.config.modern:
            attending = partial(attend_dropping, self.config.dropout)
        *_, (x, _) = self.states(tokens, attending, cache, wanted=wanted)
        normed: Tensor = self.last_norm(x)
        return normed

    def forward(self, tokens: Tensor, cache: Cache | None = None) -> Tensor:
        """Logits for each next token: (batch, n, vocab)."""
        logits: Tensor = self.head(self.final(tokens, cache))
        return logits

    def following(self, tokens: Tensor, cache: Cache | None = None) -> Tensor:
        """Logits for the one token after the last: (batch, vocab)."""
        *_, (x, _) = self.states(tokens, cache=cache, last_only=True)
        logits: Tensor = self.head(self.last_norm(x[:, -1]))
        return logits

    def trace(self, tokens: Tensor) -> list[Attended]:
        """The working of every layer's attention, from the same path that trains."""
        return [attended for _, attended in self.states(tokens, attend) if attended is not None]

    def loss(self, inputs: Tensor, targets: Tensor) -> Tensor:
        """Mean cross-entropy over the targets that count (not negative); the last block and the head work there only."""
        targets = targets.flatten()  # (batch · n,)
        counted = (targets >= 0).nonzero().squeeze(1)  # (count,)
        return cross_entropy(self.head(self.final(inputs, wanted=counted)), targets[counted])

    def matrices(self) -> list[nn.Parameter]:
        """The weights that are maps from vectors to vectors inside the blocks: what Muon is for."""
        return [weight for weight in self.blocks.parameters() if weight.dim() == 2]

    def tables(self) -> list[nn.Parameter]:
        """The weights of which a step touches a few rows only."""
        return [] if self.memory is None else list(self.memory.parameters())

    def require_fitting(self, tokens: Tensor, before: int) -> None:
        if tokens.dim() != 2 or tokens.shape[1] < 1:
            raise ShapeError(f"tokens must be (batch, n) with n at least 1: they are {tuple(tokens.shape)}.")
        if before + tokens.shape[1] > self.config.context:
            raise InputError(
                f"the model looks back over {self.config.context} tokens; {before + tokens.shape[1]} came. Cut the text."
            )


class PlainRMSNorm(nn.Module):
    """x over its root mean square: nothing to learn."""

    def forward(self, x: Tensor) -> Tensor:
        return rms_norm(x, x.shape[-1:])


def norm(config: GPTConfig) -> nn.Module:
    return PlainRMSNorm() if config.modern else nn.LayerNorm(config.width)


def turned(of_queries: tuple[Tensor, Tensor], of_keys: tuple[Tensor, Tensor], q: Tensor, k: Tensor) -> tuple[Tensor, Tensor]:
    """Queries and keys of length √d each, turned by their places: cosines and sines of each."""
    q, k = rms_norm(q, q.shape[-1:]), rms_norm(k, k.shape[-1:])
    return rotate(q, *of_queries), rotate(k, *of_keys)


def attend_dropping(rate: float, q: Tensor, k: Tensor, v: Tensor, mask: Mask) -> Tensor:
    """The output of `attend` with a share of its weights dropped, as the course trains."""
    return dropout(attend(q, k, v, mask).weights, rate) @ v


def initialise(model: GPT) -> None:
    """The course's start (normal, 0.02), or the modern one: what a block adds and what the head says start at zero."""
    for module in model.modules():
        if isinstance(module, nn.Linear) and not model.config.modern:
            nn.init.normal_(module.weight, std=0.02)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
    nn.init.normal_(model.embedding.weight, std=0.5 if model.config.modern else 0.02)
    if not model.config.modern:
        return
    nn.init.zeros_(model.head.weight)
    for block in model.blocks:
        assert isinstance(block, Block)
        nn.init.zeros_(block.attention.projection.weight)
        nn.init.zeros_(block.narrow.weight)


FAMILY = Family(GPTConfig, GPT)
