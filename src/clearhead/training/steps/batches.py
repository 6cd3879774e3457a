"""Examples to batches: sequences of like length together, so that next to no padding is computed."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from clearhead.corpora import IGNORE, Example, Source
from clearhead.errors import ConfigError, InputError


@dataclass(frozen=True, slots=True)
class Batch:
    """What one step learns from: inputs and targets (rows, n), padded at the end, and how many inputs are real.

    A stream gives every process the same whole batch, and each takes its rows of it; so a position means the same however
    many processes there are. A stream that reads only the rows of its own process (`machines/processes.py` says which that
    is) gives these, the tokens of the whole batch, and how many targets of the whole batch count.
    """

    inputs: Tensor
    targets: Tensor
    tokens: int  # of the whole batch
    frozen: tuple[str, ...] = ()  # parts of the model that this batch reads but does not change
    counted: int = 0  # targets of the whole batch that count, where the rows are those of one process; 0: they are all


class Batches:
    """An endless stream of batches that depends on the seed alone and can go on from any position.

    Examples are taken in pools; each pool is sorted by length, cut into batches of at most `tokens` tokens with their
    padding (and at most `examples` examples, unless that is 0), and the batches are shuffled.
    """

    def __init__(
        self,
        source: Source,
        tokens: int,
        seed: int,
        pool: int = 2048,
        pad: int = 0,
        frozen: tuple[str, ...] = (),
        examples: int = 0,
    ) -> None:
        if tokens < 1 or pool < 1:
            raise ConfigError(f"a batch needs at least one token and a pool one example; got {tokens} and {pool}.")
        if len(source) == 0:
            raise InputError("there is nothing to learn from: the source of examples is empty.")
        self.source, self.tokens, self.seed, self.pool_size, self.pad = source, tokens, seed, pool, pad
        self.frozen, self.most = frozen, examples or pool
        self._pool, self._done = 0, 0
        self._batches: list[list[Example]] | None = None
        self._order: tuple[int, list[int]] = (-1, [])

    @property
    def position(self) -> list[int]:
        """The pool, and how many of its batches are done."""
        return [self._pool, self._done]

    def go_to(self, position: list[int]) -> None:
        (self._pool, self._done), self._batches = position, None

    def next(self) -> Batch:
        if self._batches is None:
            self._batches = self.cut(self._pool)
        examples = self._batches[self._done]
        self._done += 1
        if self._done == len(self._batches):
            self._pool, self._done, self._batches = self._pool + 1, 0, None
        return padded(examples, self.pad, self.frozen)

    def cut(self, pool: int) -> list[list[Example]]:
        """The batches of one pool, shuffled."""
        first = pool * self.pool_size
        examples = sorted((self.drawn(number) for number in range(first, first + self.pool_size)), key=length)
        batches: list[list[Example]] = []
        for example in examples:  # from short to long, so the newest example is the longest of its batch
            size = len(batches[-1]) + 1 if batches else 0
            if 0 < size <= self.most and size * length(example) <= self.tokens:
                batches[-1].append(example)
            else:
                batches.append([example])
        random.Random(f"pool/{self.seed}/{pool}").shuffle(batches)
        return batches

    def drawn(self, number: int) -> Example:
        """Example `number` of the endless sequence: each epoch goes through the source once, in an order of its own."""
        epoch, place = divmod(number, len(self.source))
        if self._order[0] != epoch:
            order = list(range(len(self.source)))
            random.Random(f"epoch/{self.seed}/{epoch}").shuffle(order)
            self._order = (epoch, order)
        return self.source.draw(self._order[1][place], epoch, self.seed)


def length(example: Example) -> int:
    return len(example.inputs)


def padded(examples: Sequence[Example], pad: int = 0, frozen: tuple[str, ...] = ()) -> Batch:
    """Examples as one batch, each filled up at its end to the longest; no loss is taken on what is filled in.

    A classifier's examples have one target each, whatever their length.
    """
    longest = max(length(example) for example in examples)
    widest = max(len(example.targets) for example in examples)
    inputs = torch.tensor([example.inputs + [pad] * (longest - length(example)) for example in examples], device="cpu")
    targets = torch.tensor([example.targets + [IGNORE] * (widest - len(example.targets)) for example in examples], device="cpu")
    return Batch(inputs, targets, sum(length(example) for example in examples), frozen)


def epoch_tokens(source: Source, seed: int) -> int:
    """How many input tokens the first epoch of a source holds."""
    known = getattr(source, "tokens_in_epoch", None)  # where all examples are of one length
    return int(known) if known else sum(length(source.draw(index, 0, seed)) for index in range(len(source)))
