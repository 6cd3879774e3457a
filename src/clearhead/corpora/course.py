"""The course's own dataset classes under their published names: notebooks and tests written for them run unchanged."""

import random
from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import Tensor
from torch.utils.data import Dataset

from clearhead.corpora.examples.span_corruption import EditionName, edition_named, split
from clearhead.corpora.vocabularies.characters import CharacterVocabulary
from clearhead.corpora.vocabularies.vocabulary import MASK_CHARACTER, PAD_CHARACTER
from clearhead.errors import InputError


class CharCorruptionDataset(Dataset[tuple[Tensor, Tensor]]):
    """Span corruption over the lines of a text, split anew at each indexing; x and y are block_size − 1 long.

    It draws from Python's global random state, as the course does: `random.seed` repeats it, and each worker of a data
    loader has its own. A line shorter than 4 stays whole; an empty one gives marks and pads.

    >>> CharCorruptionDataset("spam\\neggs", block_size=16)[0][0].shape
    torch.Size([15])
    """

    MASK_CHAR = MASK_CHARACTER
    PAD_CHAR = PAD_CHARACTER

    def __init__(self, data: str, block_size: int, edition: EditionName = "xcs224n") -> None:
        self._vocabulary = CharacterVocabulary.of(data)
        self.itos = dict(enumerate(self._vocabulary.itos))
        self.stoi = {character: index for index, character in self.itos.items()}
        self.vocab_size = len(self.itos)
        self.block_size = block_size
        self.data = data.split("\n")
        self._edition = edition_named(edition, block_size)

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, idx: int) -> tuple[Tensor, Tensor]:
        ids = self._vocabulary.encode(self.data[idx])
        parts = split(ids, self._edition.longest(self.block_size), random.Random(random.getrandbits(64)))
        whole = padded(parts.arranged(self._edition.marks), self.stoi[self.PAD_CHAR], self.block_size)
        return torch.tensor(whole[:-1]), torch.tensor(whole[1:])  # (block_size − 1,) each


class NameDataset(Dataset[tuple[Tensor, Tensor]]):
    """`question ⁇ answer ⁇ pads` for each `question TAB answer` line; its two arguments come in either order.

    The published class drops every letter outside ASCII; this one keeps them. Blank lines are passed over, and a
    character that the pretraining text has not becomes the pad. Before the first ⁇, y is all pads.
    """

    MASK_CHAR = MASK_CHARACTER
    PAD_CHAR = PAD_CHARACTER

    def __init__(self, pretraining_dataset: Any, data: Any) -> None:
        if isinstance(pretraining_dataset, str):
            pretraining_dataset, data = data, pretraining_dataset
        if not isinstance(data, str) or not hasattr(pretraining_dataset, "stoi"):
            raise InputError("NameDataset takes a pretraining dataset and the text of its questions, in either order.")
        self.itos: Mapping[int, str] = pretraining_dataset.itos
        self.stoi: Mapping[str, int] = pretraining_dataset.stoi
        self.vocab_size = len(self.stoi)
        self.block_size: int = pretraining_dataset.block_size
        self.data = [line for line in data.replace("\r\n", "\n").split("\n") if line.strip()]

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, idx: int) -> tuple[Tensor, Tensor]:
        question, answer = self._parts(idx)
        pad, mask = self.stoi[self.PAD_CHAR], self.stoi[self.MASK_CHAR]
        before = [*self._encode(question), mask]
        whole = [*before, *self._encode(answer), mask]
        if len(whole) > self.block_size:
            raise InputError(f"question {idx} and its answer need block_size >= {len(whole)}; it is {self.block_size}.")
        whole = padded(whole, pad, self.block_size)
        silent = max(len(before) - 2, 0)  # the last character of the question already predicts the first ⁇
        return torch.tensor(whole[:-1]), torch.tensor([pad] * silent + whole[silent + 1 :])  # (block_size − 1,) each

    def _parts(self, idx: int) -> tuple[str, str]:
        parts = self.data[idx].split("\t")
        if len(parts) != 2:
            raise InputError(f"question {idx} must be a question, one tab and its answer; got {self.data[idx][:60]!r}.")
        return parts[0], parts[1]

    def _encode(self, text: Iterable[str]) -> list[int]:
        pad = self.stoi[self.PAD_CHAR]
        marks = (self.PAD_CHAR, self.MASK_CHAR)  # written in a text they are no marks
        return [pad if character in marks else self.stoi.get(character, pad) for character in text]


def padded(ids: list[int], pad: int, block_size: int) -> list[int]:
    """The ids with pads after them, block_size in all."""
    return ids + [pad] * (block_size - len(ids))
