"""A folder of shards as a corpus: windows of it in a mixed order, its end held out; and the windows of one process alone."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from clearhead.corpora.corpus import HeldOut
from clearhead.corpora.examples.example import Example
from clearhead.corpora.shards.mixed_order import mixed
from clearhead.corpora.shards.shard_folder import MANIFEST, TOKENIZER, ShardFolder, is_shard_folder, open_shards
from clearhead.corpora.store.store_folder import places_meant
from clearhead.corpora.vocabularies.saved_vocabulary import load_vocabulary
from clearhead.corpora.vocabularies.vocabulary import Vocabulary
from clearhead.errors import InputError

DECODED = 4096  # tokens turned into text at a time
TOGETHER = 1 << 16  # tokens that are read at a time


@dataclass(frozen=True)
class ShardedText:
    """Tokens that were made once; the vocabulary is the folder's own."""

    name: str
    folder: Path
    share: float  # of the tokens, at the end, that is held out

    @cached_property
    def shards(self) -> ShardFolder:
        return open_shards(self.folder)

    @property
    def boundary(self) -> int:
        """Tokens before the held-out end."""
        return self.shards.tokens - round(self.shards.tokens * self.share)

    def files(self) -> list[Path]:
        """The list of shards alone: it has the SHA-256 of each, and reading them all would take as long as a pass."""
        return [self.folder / MANIFEST, self.folder / TOKENIZER]

    def vocabulary(self) -> Vocabulary:
        """What the tokens are numbers of."""
        return load_vocabulary(self.folder / TOKENIZER)

    def documents(self) -> Iterator[str]:
        """Nothing is learned from it any more: the vocabulary is there."""
        return iter(())

    def training_text(self) -> Iterator[str]:
        return self.decoded(0, self.boundary)

    def held_out(self) -> Iterator[NDArray[np.int64]]:
        """The tokens of the held-out end, some at a time."""
        for place in range(self.boundary, self.shards.tokens, TOGETHER):
            yield self.shards.read(place, min(TOGETHER, self.shards.tokens - place)).astype(np.int64)

    def class_names(self) -> tuple[str, ...]:
        return ()

    def decoded(self, start: int, end: int) -> Iterator[str]:
        """Tokens as text, some at a time."""
        vocabulary = self.vocabulary()
        for place in range(start, end, DECODED):
            yield vocabulary.decode(self.shards.read(place, min(DECODED, end - place)).tolist())


def find_shards(name: str, held_out: HeldOut) -> ShardedText | None:
    """The folder of shards that a name means; None: it means something else."""
    place = next((path for path in places_meant(name) if path.is_dir() and is_shard_folder(path)), None) if name else None
    if place is not None and held_out.left_out:
        raise InputError(f"{name}: nothing can be cut out of tokens that are made; leave it out of the files before.")
    return ShardedText(name, place, held_out.share) if place is not None else None


class ShardWindows:
    """Windows of `block` tokens, each once an epoch, in an order and from a start that differ from epoch to epoch."""

    def __init__(self, text: ShardedText, block: int, start: int = 0, end: int = 0) -> None:
        self.shards, self.block, self.start = text.shards, block, start
        self.tokens = (end or text.boundary) - start
        if self.tokens <= block:
            raise InputError(f"windows of {block} tokens need a longer text; this one has {self.tokens:,}.")

    def __len__(self) -> int:
        """Windows that fit from any start within the first block."""
        return max(1, (self.tokens - 1) // self.block - 1)

    @property
    def tokens_in_epoch(self) -> int:
        return len(self) * self.block

    def draw(self, index: int, epoch: int, seed: int) -> Example:
        """Window `index`, as it lies; the order is `number_at`'s affair."""
        row = self.row(index, epoch, seed).tolist()
        return Example(row[:-1], row[1:])

    def row(self, index: int, epoch: int, seed: int) -> NDArray[np.int64]:
        """The tokens of a window and the one after it: (block + 1,)."""
        room = self.tokens - 1 - len(self) * self.block
        moved = mixed(0, room + 1, seed, epoch) if room > 0 else 0
        return self.shards.read(self.start + moved + index * self.block, self.block + 1).astype(np.int64)

    def row_at(self, number: int, seed: int) -> NDArray[np.int64]:
        """Row `number` of the endless sequence: every epoch goes through all windows once, each time in another order."""
        epoch, place = divmod(number, len(self))
        return self.row(mixed(place, len(self), seed, epoch), epoch, seed)


class ShardLanes(ShardWindows):
    """The same tokens as a ring, to be read on and on: whoever trains on it keeps a state that goes along."""

    def stretch(self, start: int) -> NDArray[np.int64]:
        """The tokens from a place of the ring on, and the one after them: (block + 1,)."""
        place, count = self.start + start % self.tokens, self.block + 1
        here = min(count, self.start + self.tokens - place)
        parts = [self.shards.read(place, here), *([self.shards.read(self.start, count - here)] if here < count else [])]
        return np.concatenate(parts).astype(np.int64)


class ShardPieces(ShardWindows):
    """The held-out end, piece after piece: nothing in it is random."""

    def __len__(self) -> int:
        return (self.tokens - 1) // self.block

    def draw(self, index: int, epoch: int, seed: int) -> Example:
        row = self.shards.read(self.start + index * self.block, self.block + 1).tolist()
        return Example(row[:-1], row[1:])
