"""Batches without end: of one objective, of several in shares, or of a long text that many lanes go round."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from clearhead.errors import ConfigError, InputError
from clearhead.training.steps.batches import Batch


class Stream(Protocol):
    """Batches without end, and a position in them that can be saved as JSON."""

    def next(self) -> Batch:
        """The next batch; the position moves on."""
        ...

    @property
    def position(self) -> list[int]:
        """Where the stream stands."""
        ...

    def go_to(self, position: list[int]) -> None:
        """Go on from a position."""
        ...


class Interleaved:
    """Several streams in fixed shares of the tokens: next comes the one that is furthest behind its share."""

    def __init__(self, streams: Sequence[Stream], shares: Sequence[float]) -> None:
        if len(streams) != len(shares) or not streams or min(shares) <= 0:
            raise ConfigError(f"each stream needs a share above 0: {len(streams)} streams, shares {list(shares)}.")
        self.streams, self.shares = tuple(streams), tuple(shares)
        self._done = [0] * len(streams)

    @property
    def position(self) -> list[int]:
        """For each stream its tokens so far, then its own position."""
        return [number for done, stream in zip(self._done, self.streams, strict=True) for number in (done, *stream.position)]

    def go_to(self, position: list[int]) -> None:
        size = len(position) // len(self.streams)
        for which, stream in enumerate(self.streams):
            self._done[which], *inside = position[which * size : (which + 1) * size]
            stream.go_to(inside)

    def next(self) -> Batch:
        which = min(range(len(self.streams)), key=lambda number: self._done[number] / self.shares[number])
        batch = self.streams[which].next()
        self._done[which] += batch.tokens
        return batch


class Lanes:
    """Row r of a batch goes on where row r of the batch before it ended; after the end of the text comes its beginning.

    So a state that is carried along never has to be forgotten, and the position is one number.
    """

    def __init__(self, ids: NDArray[np.unsignedinteger], lanes: int, block: int) -> None:
        if len(ids) <= max(lanes, block):
            raise InputError(f"{lanes} lanes of {block} tokens need a longer text; this one has {len(ids)} tokens.")
        self.ids, self.block = ids, block
        self.starts = np.arange(lanes)[:, None] * (len(ids) // lanes)
        self._done = 0

    @property
    def position(self) -> list[int]:
        return [self._done]

    def go_to(self, position: list[int]) -> None:
        (self._done,) = position

    def next(self) -> Batch:
        places = (self.starts + self._done * self.block + np.arange(self.block + 1)) % len(self.ids)
        rows = torch.from_numpy(self.ids[places].astype(np.int64))  # (lanes, block + 1)
        self._done += 1
        return Batch(rows[:, :-1], rows[:, 1:], rows[:, 1:].numel())
