"""The names of classes as a vocabulary: what a classifier of pictures can say."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from clearhead.errors import InputError
from clearhead.saving import write_whole


class LabelVocabulary:
    """One id a class.

    >>> LabelVocabulary(["cat", "dog"]).encode("dog")
    [1]
    """

    pad = mask = beginning = 0  # pictures are all of one size: nothing is ever filled up
    never_predicted = ()
    joint = " "

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        if len(set(self.names)) != len(self.names) or len(self.names) < 2:
            raise InputError(f"classes need two or more distinct names; got {list(names)[:10]}.")

    @property
    def size(self) -> int:
        return len(self.names)

    def encode(self, text: str) -> list[int]:
        """The id of a class by its name."""
        if text not in self.names:
            raise InputError(
                f"{text[:40]!r} is none of the classes {', '.join(self.names)}: this model knows classes, not text."
            )
        return [self.names.index(text)]

    def decode(self, ids: Iterable[int]) -> str:
        return " ".join(self.names[index] for index in ids)

    def save(self, path: Path) -> None:
        write_whole(path, json.dumps({"kind": "labels", "names": self.names}, ensure_ascii=False))
