"""Word vectors in GloVe's text format: a word and its numbers on each line."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from clearhead.corpora.text_files import read_lines
from clearhead.errors import InputError


@dataclass(frozen=True, slots=True)
class WordVectors:
    """A vector for each word of a vocabulary, and which words the file has none for."""

    vectors: NDArray[np.float32]  # (words, width)
    missing: tuple[str, ...]

    def told(self, name: str) -> str:
        """One line on what was found."""
        found, some = len(self.vectors) - len(self.missing), " ".join(self.missing[:8])
        rest = f"; {len(self.missing):,} missing ones start at random: {some} …" if self.missing else ""
        return f"{name}: vectors for {found:,} of {len(self.vectors):,} words{rest}"


def read_vectors(path: Path, words: Sequence[str], width: int, seed: int = 0) -> WordVectors:
    """The vectors of some words; a missing word gets random numbers with the mean and spread of the others.

    The file is read line by line, and only what was asked for is kept.
    """
    wanted = {word: index for index, word in enumerate(words)}
    vectors = np.zeros((len(words), width), np.float32)
    found = np.zeros(len(words), bool)
    for number, line in read_lines(path):
        word, *written = line.split(" ") if "\t" not in line else line.split()
        if number == 1 and len(written) == 1 and written[0].isdigit():
            continue  # word2vec's text files start with two counts
        if len(written) != width:
            raise InputError(
                f"{path}, line {number}: a word and {width} numbers were expected; got {len(written)} after {word!r}."
            )
        if word not in wanted:
            continue
        try:
            vector = np.array(written, np.float32)
        except ValueError as error:
            raise InputError(f"{path}, line {number}: {width} numbers were expected after {word!r}; {error}.") from error
        if not np.isfinite(vector).all():
            raise InputError(f"{path}, line {number}: the numbers after {word!r} must be finite.")
        vectors[wanted[word]], found[wanted[word]] = vector, True
    if not found.any():
        raise InputError(f"{path}: none of the {len(words):,} words of the vocabulary has a vector here; is it the right file?")
    chance = np.random.default_rng(seed)
    spread = vectors[found].std(0)
    vectors[~found] = vectors[found].mean(0) + spread * chance.standard_normal((int((~found).sum()), width))
    return WordVectors(vectors, tuple(word for word, there in zip(words, found, strict=True) if not there))
