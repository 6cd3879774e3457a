"""Single characters as the course counts them."""

import json
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from clearhead.corpora.vocabularies.vocabulary import MASK, MASK_CHARACTER, PAD, PAD_CHARACTER
from clearhead.errors import ConfigError
from clearhead.saving import write_whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class CharacterVocabulary:
    """One id a character: 0 the pad, 1 the mask, then the sorted characters of the corpus.

    A character outside the vocabulary becomes the pad, one id for one character: it keeps its place, and no loss is
    taken on it. That holds for a written □ or ⁇ too.

    >>> vocabulary = CharacterVocabulary.of("cab")
    >>> vocabulary.encode("abcd"), vocabulary.decode([4, 3, 2, 1, 0])
    ([2, 3, 4, 0], 'cba⁇□')
    >>> vocabulary.encode_in_bulk("abcd")
    array([2, 3, 4, 0])
    """

    pad, mask = PAD, MASK
    never_predicted = (PAD, MASK)
    joint = ""

    def __init__(self, characters: str) -> None:
        self.characters = characters
        self.itos = (PAD_CHARACTER, MASK_CHARACTER, *characters)
        self._ids = {character: index + 2 for index, character in enumerate(characters)}
        if len(self._ids) != len(characters) or PAD_CHARACTER in self._ids or MASK_CHARACTER in self._ids:
            raise ConfigError(f"a character vocabulary needs distinct characters without □ and ⁇; got {characters[:40]!r}.")

    @classmethod
    def of(cls, text: str) -> "CharacterVocabulary":
        """The vocabulary of a corpus, which is its whole text with its line ends, as the course takes it."""
        return cls("".join(sorted(set(text) - {PAD_CHARACTER, MASK_CHARACTER})))

    @property
    def size(self) -> int:
        return len(self.itos)

    @property
    def beginning(self) -> int:
        return self._ids.get("\n", MASK)

    def encode(self, text: str) -> list[int]:
        ids = self._ids
        return [ids.get(character, PAD) for character in text]

    def encode_in_bulk(self, text: str) -> "NDArray[np.int64]":
        """What `encode` gives, as an array, and many times as fast for a long text."""
        import numpy as np  # listing corpora needs none

        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        known, ids = self._by_code
        places = np.searchsorted(known, codes).clip(max=len(known) - 1)
        return np.where(known[places] == codes, ids[places], PAD)

    @cached_property
    def _by_code(self) -> "tuple[NDArray[np.uint32], NDArray[np.int64]]":
        """The characters in the order of their codes, and their ids."""
        import numpy as np

        pairs = sorted((ord(character), index) for character, index in self._ids.items()) or [(ord(PAD_CHARACTER), PAD)]
        codes, ids = zip(*pairs, strict=True)
        return np.array(codes, np.uint32), np.array(ids, np.int64)

    def decode(self, ids: Iterable[int]) -> str:
        return "".join(self.itos[index] for index in ids)

    def save(self, path: Path) -> None:
        write_whole(path, json.dumps({"kind": "characters", "characters": self.characters}, ensure_ascii=False))
