"""Windows of a long text, and the text as a ring that many lanes go round."""

import numpy as np
from numpy.typing import NDArray

from clearhead.corpora.examples.example import Example, chance
from clearhead.errors import InputError


class TextWindows:
    """Windows of `block` tokens that start anywhere; an epoch draws as many as cover the text once."""

    def __init__(self, ids: NDArray[np.unsignedinteger], block: int) -> None:
        if len(ids) <= block:
            raise InputError(f"windows of {block} tokens need a longer text; this one has {len(ids)}.")
        self.ids, self.block = ids, block

    def __len__(self) -> int:
        return max(1, len(self.ids) // self.block)

    def draw(self, index: int, epoch: int, seed: int) -> Example:
        start = chance(seed, epoch, index).randrange(len(self.ids) - self.block)
        window: list[int] = self.ids[start : start + self.block + 1].tolist()
        return Example(window[:-1], window[1:])


class TextPieces(TextWindows):
    """A text cut into pieces of `block` tokens, one after the other: nothing in it is random, and what is left over is left."""

    def __len__(self) -> int:
        return (len(self.ids) - 1) // self.block

    def draw(self, index: int, epoch: int, seed: int) -> Example:
        piece: list[int] = self.ids[index * self.block : (index + 1) * self.block + 1].tolist()
        return Example(piece[:-1], piece[1:])


class TextLanes(TextWindows):
    """The same text, to be read on and on: whoever trains on it keeps a state that goes along, and draws no windows."""
