"""Batches of shards: each process reads its own rows alone, and the position is one number whatever their count."""

import numpy as np
import torch
from numpy.typing import NDArray

from clearhead.corpora.shards.sharded_text import ShardLanes, ShardWindows
from clearhead.errors import ConfigError, InputError
from clearhead.training.machines.processes import rank, world
from clearhead.training.steps.batches import Batch


class ShardStream:
    """Row r of batch n is row n · rows + r of the endless sequence; process p of P reads the rows p, p + P, p + 2P, …"""

    def __init__(self, source: ShardWindows, tokens: int, seed: int, frozen: tuple[str, ...] = ()) -> None:
        self.source, self.seed, self.frozen = source, seed, frozen
        self.rows = max(1, tokens // source.block)
        self._done = 0

    @property
    def position(self) -> list[int]:
        return [self._done]

    def go_to(self, position: list[int]) -> None:
        (self._done,) = position

    def next(self) -> Batch:
        first = self._done * self.rows
        self._done += 1
        return self.batch([self.source.row_at(first + row, self.seed) for row in own_rows(self.rows)])

    def batch(self, rows: list[NDArray[np.int64]]) -> Batch:
        """The rows of this process, (block + 1,) each, as its share of a whole batch."""
        stacked = torch.from_numpy(np.stack(rows))  # (own, block + 1)
        whole = self.rows * self.source.block
        return Batch(stacked[:, :-1], stacked[:, 1:], whole, self.frozen, whole if world() > 1 else 0)


class ShardLaneStream(ShardStream):
    """Row r of a batch goes on where row r of the batch before it ended; after the last token comes the first."""

    source: ShardLanes

    def __init__(self, source: ShardLanes, tokens: int, frozen: tuple[str, ...] = ()) -> None:
        super().__init__(source, tokens, 0, frozen)
        if source.tokens <= self.rows:
            raise InputError(f"{self.rows} lanes need a longer text; these shards have {source.tokens:,} tokens to learn from.")

    def next(self) -> Batch:
        apart, along = self.source.tokens // self.rows, self._done * self.source.block
        self._done += 1
        return self.batch([self.source.stretch(row * apart + along) for row in own_rows(self.rows)])


def own_rows(rows: int) -> range:
    """Which rows of a batch this process reads; refused where there is none for everybody."""
    process, processes = rank(), world()
    if rows < processes:
        raise ConfigError(f"training.batch holds {rows} windows, fewer than the {processes} processes; take a larger one.")
    return range(process, rows, processes)
