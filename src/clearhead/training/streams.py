"""A long text as a ring that many lanes go round, each where it stands: batches whose rows go on from one to the next."""

import numpy as np
import torch
from numpy.typing import NDArray

from clearhead.errors import InputError
from clearhead.training.batches import Batch


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
