"""Batches of shards: each process reads its own rows alone, and the position is one number whatever their count."""

import numpy as np
import torch

from clearhead.corpora.shards.sharded_text import ShardWindows
from clearhead.errors import ConfigError
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
        process, processes = rank(), world()
        if self.rows < processes:
            raise ConfigError(
                f"training.batch holds {self.rows} windows, fewer than the {processes} processes; take a larger one."
            )
        first = self._done * self.rows
        own = range(first + process, first + self.rows, processes)
        rows = torch.from_numpy(np.stack([self.source.row_at(number, self.seed) for number in own]))  # (own, block + 1)
        self._done += 1
        whole = self.rows * self.source.block
        return Batch(rows[:, :-1], rows[:, 1:], whole, self.frozen, whole if processes > 1 else 0)
