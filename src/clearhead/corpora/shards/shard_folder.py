"""A folder of shards: `shards.json`, `tokenizer.json` and numbered .npy files of token ids, each with its SHA-256."""

import hashlib
import json
import os
from bisect import bisect_right
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clearhead.errors import InputError
from clearhead.progress import Bar, unseen
from clearhead.saving import write_whole

MANIFEST, TOKENIZER = "shards.json", "tokenizer.json"

Ids = NDArray[np.unsignedinteger]


@dataclass(frozen=True, slots=True)
class Shard:
    """One file of token ids."""

    file: str
    tokens: int
    documents: int
    sha256: str
    start: int  # of its ids in the file, in bytes


@dataclass(frozen=True)
class ShardFolder:
    """Every token of a corpus, read where it lies: nothing of it stays in memory."""

    folder: Path
    kind: str  # of the numbers: uint16 or uint32
    shards: tuple[Shard, ...]
    sources: tuple[str, ...] = ()  # the names of the files that it was made of

    @property
    def tokens(self) -> int:
        return sum(shard.tokens for shard in self.shards)

    @property
    def documents(self) -> int:
        return sum(shard.documents for shard in self.shards)

    @cached_property
    def ends(self) -> list[int]:
        """Where each shard ends in the row of all tokens."""
        return list(accumulate(shard.tokens for shard in self.shards))

    @cached_property
    def opened(self) -> dict[int, int]:
        """Files that are open, by the number of the shard."""
        return {}

    def read(self, start: int, count: int) -> Ids:
        """Tokens from one place on, across shards where need be."""
        parts, size = [], np.dtype(self.kind).itemsize
        number = bisect_right(self.ends, start)
        while count > 0:
            shard, inside = self.shards[number], start - (self.ends[number] - self.shards[number].tokens)
            here = min(count, shard.tokens - inside)
            data = read_at(self.handle(number), here * size, shard.start + inside * size)
            if len(data) != here * size:
                raise InputError(f"{self.folder / shard.file}: the file is cut short; make the shards again.")
            parts.append(np.frombuffer(data, self.kind))
            start, count, number = start + here, count - here, number + 1
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def handle(self, number: int) -> int:
        """An open file; of very many the oldest is closed."""
        if number not in self.opened:
            if len(self.opened) >= 256:
                os.close(self.opened.pop(next(iter(self.opened))))
            self.opened[number] = os.open(self.folder / self.shards[number].file, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        return self.opened[number]

    def save(self) -> None:
        tree = {
            "tokens": self.tokens,
            "documents": self.documents,
            "kind": self.kind,
            "sources": self.sources,
            "shards": [asdict(shard) for shard in self.shards],
        }
        write_whole(self.folder / MANIFEST, json.dumps(tree, indent=1, ensure_ascii=False) + "\n")

    def verify(self, bar: Bar = unseen) -> None:
        """Refuse a folder of which any byte is other than it was."""
        with bar("verifying", "tokens") as shown:
            done = 0
            for shard in self.shards:
                if digest_of(self.folder / shard.file) != shard.sha256:
                    raise InputError(
                        f"{self.folder / shard.file}: its bytes are not those that were written; make the shards again."
                    )
                done += shard.tokens
                shown(done, self.tokens)


def read_at(handle: int, count: int, place: int) -> bytes:
    """Bytes of an open file from a place on; Windows knows no call for both."""
    if hasattr(os, "pread"):
        return os.pread(handle, count, place)
    os.lseek(handle, place, os.SEEK_SET)
    return os.read(handle, count)


def is_shard_folder(folder: Path) -> bool:
    return (folder / MANIFEST).is_file()


def open_shards(folder: Path) -> ShardFolder:
    """A finished folder; every file must be there with its length."""
    try:
        tree: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        shards = tuple(Shard(**each) for each in tree["shards"])
        found = ShardFolder(folder, str(tree["kind"]), shards, tuple(tree["sources"]))
        size = np.dtype(found.kind).itemsize
        for shard in shards:
            wanted = shard.start + size * shard.tokens
            if (folder / shard.file).stat().st_size != wanted:
                raise InputError(f"{folder / shard.file}: {wanted:,} bytes were expected; make the shards again.")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{folder}: a folder of shards was expected; {error}.") from error
    return found


def digest_of(path: Path) -> str:
    """SHA-256 of a file, some of it at a time."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{path}: cannot be read, {error.strerror}.") from error
