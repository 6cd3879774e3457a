"""Parts of a model taken away or sharpened while it reads: a head, a block, its attention, its feed-forward net, the memory."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from clearhead.attention import Attended, Attending, Mask, attend, require_temperature
from clearhead.errors import InputError
from clearhead.heads import Watching
from clearhead.lens.capture.recording import attentions_of, watched
from clearhead.models import GPT
from clearhead.models.gpt import Block
from clearhead.models.parts.window_attention import whole_mask

HEAD = re.compile(r"(\d+)\.(\d+)")
BLOCK = re.compile(r"(\d+)(?:\.(attention|feed-forward))?")
HALVES = ("attention", "feed-forward")


@dataclass(frozen=True, slots=True)
class Change:
    """What is other than in the trained model: parts that are left out, and a temperature for heads."""

    without: tuple[str, ...] = ()
    temperature: float | None = None  # None: as trained
    heads: tuple[str, ...] = ()  # which the temperature is for; none: all

    def __bool__(self) -> bool:
        return bool(self.without) or self.temperature is not None

    def __str__(self) -> str:
        parts = [f"without {part}" for part in self.without]
        if self.temperature is not None:
            parts.append(f"{' and '.join(self.heads) or 'every head'} at temperature {self.temperature:g}")
        return ", ".join(parts) or "as trained"


@dataclass(frozen=True, slots=True)
class Parts:
    """A change, part by part, counted from 0."""

    heads: frozenset[tuple[int, int]]
    halves: frozenset[tuple[int, str]]
    memory: bool


def parts_of(model: GPT, names: Sequence[str]) -> Parts:
    """What the names stand for in a model; refused, saying what there is, where one stands for nothing."""
    heads, halves, memory = set(), set(), False
    for name in names:
        head, block = HEAD.fullmatch(name), BLOCK.fullmatch(name)
        if head and require_block(model, int(head[1]), name) and 1 <= int(head[2]) <= model.config.heads:
            heads.add((int(head[1]) - 1, int(head[2]) - 1))
        elif block and not head and require_block(model, int(block[1]), name):
            halves |= {(int(block[1]) - 1, half) for half in ([block[2]] if block[2] else HALVES)}
        elif name == "memory" and model.memory is not None:
            memory = True
        else:
            raise InputError(f"there is no {name!r} in this model; {what_there_is(model)}.")
    return Parts(frozenset(heads), frozenset(halves), memory)


def require_block(model: GPT, number: int, name: str) -> bool:
    if not 1 <= number <= len(model.blocks):
        raise InputError(f"there is no {name!r} in this model; {what_there_is(model)}.")
    return True


def what_there_is(model: GPT) -> str:
    """What can be left out, in a line."""
    blocks, heads = len(model.blocks), model.config.heads
    memory = "; memory" if model.memory is not None else "; it has no phrase memory"
    return f"heads 1.1 to {blocks}.{heads}; blocks 1 to {blocks}, or half of one as 1.attention and 1.feed-forward{memory}"


@contextmanager
def changed(model: GPT, change: Change) -> Iterator[None]:
    """While this is open, the model reads with the change; afterwards as before."""
    if not change:
        yield
        return
    off = parts_of(model, change.without)
    sharp = frozenset[tuple[int, int]]()
    if change.temperature is not None:
        require_temperature(change.temperature)
        every = frozenset((layer, head) for layer in range(len(model.blocks)) for head in range(model.config.heads))
        parts = parts_of(model, change.heads)
        if parts.halves or parts.memory:
            raise InputError(f"a temperature is for heads; {' and '.join(change.heads)} are not all heads, such as 1.1.")
        sharp = parts.heads or every
    watchers: list[Watching] = [
        ChangedHeads(
            frozenset(head for at, head in off.heads if at == layer),
            frozenset(head for at, head in sharp if at == layer),
            1.0 if change.temperature is None else change.temperature,
        )
        for layer in range(len(attentions_of(model)))
    ]
    with watched(model, watchers), ExitStack() as hooks:
        for layer, half in off.halves:
            block = model.blocks[layer]
            assert isinstance(block, Block)
            hooks.enter_context(hooked(block.attention if half == "attention" else block.narrow, nothing))
        if off.memory and model.memory is not None:
            hooks.enter_context(hooked(model.memory, nothing))
        yield


class ChangedHeads:
    """Between a block's heads and what they attend with: some are silent, some sharper; the others are not touched."""

    def __init__(self, silent: frozenset[int], sharp: frozenset[int], temperature: float) -> None:
        self.silent, self.sharp, self.temperature = sorted(silent), sorted(sharp), temperature

    def __call__(self, attending: Attending, q: Tensor, k: Tensor, v: Tensor, mask: Mask) -> Attended | Tensor:
        result = attending(q, k, v, mask)
        if (not self.silent and not self.sharp) or q.shape[-2] == 0:
            return result
        seen = whole_mask(attending, mask, q.shape[-2])
        working = attend(q, k, v, seen)
        weights, output = working.weights.clone(), (result.output if isinstance(result, Attended) else result).clone()
        if self.sharp:
            colder = attend(q, k, v, seen, self.temperature)
            weights[:, self.sharp], output[:, self.sharp] = colder.weights[:, self.sharp], colder.output[:, self.sharp]
        output[:, self.silent] = 0
        return Attended(working.scaled, weights, output)


@contextmanager
def hooked(module: nn.Module, hook: Callable[[Tensor], Tensor]) -> Iterator[None]:
    """While this is open, what a module says passes a function first; of a module that says several things, the first."""
    handle = module.register_forward_hook(partial(passing, hook))
    try:
        yield
    finally:
        handle.remove()


def passing(hook: Callable[[Tensor], Tensor], module: nn.Module, given: Any, said: Any) -> Any:
    return (hook(said[0]), *said[1:]) if isinstance(said, tuple) else hook(said)


def nothing(x: Tensor) -> Tensor:
    """The same size, and empty."""
    return torch.zeros_like(x)
