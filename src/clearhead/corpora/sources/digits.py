"""Grey 32×32 pictures of digits: whatever file they come from, and split by the picture itself."""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from clearhead.corpora.corpus_kinds import SMALL_DIGITS
from clearhead.corpora.sources.digit_files import CLASSES, FILE_KINDS, Pictures, built_in_digits, files_of_digits, read_digits
from clearhead.corpora.sources.picture_files import picture_files
from clearhead.corpora.store.store_folder import data_folder
from clearhead.errors import InputError

SIDE = 32
SHADES = " ░▒▓█"


@dataclass(frozen=True)
class Digits:
    """A corpus of digits by name; two equal pictures always fall on the same side of the split."""

    name: str
    share: float = 0.2  # of the pictures that are held out

    def files(self) -> list[Path]:
        return [] if self.name == SMALL_DIGITS else files_of_digits(find_digits(self.name))

    def documents(self) -> tuple[str, ...]:
        """Pictures are no text."""
        return ()

    def training_text(self) -> tuple[str, ...]:
        return ()

    def class_names(self) -> tuple[str, ...]:
        return tuple(str(digit) for digit in range(CLASSES))

    @cached_property
    def everything(self) -> Pictures:
        found = built_in_digits() if self.name == SMALL_DIGITS else read_digits(find_digits(self.name))
        return Pictures(fitted(found.pixels, self.name), found.labels)

    @cached_property
    def held_out(self) -> NDArray[np.bool_]:
        digests = (hashlib.sha256(picture.tobytes()).digest()[:8] for picture in self.everything.pixels)
        return np.array([int.from_bytes(digest, "big") < self.share * 2**64 for digest in digests], bool)

    def training(self) -> Pictures:
        return self.everything.where(~self.held_out)

    def validation(self) -> Pictures:
        return self.everything.where(self.held_out)


def find_digits(name: str) -> Path:
    """The file that a name means, here or in the data folder; of a folder, the one file of digits in it."""
    for path in (Path(name), data_folder() / name):
        if path.is_file():
            return path
        if path.is_dir() and picture_files(path):
            return path
        if path.is_dir():
            inside = sorted(each for each in path.iterdir() if each.name.endswith(FILE_KINDS))
            chosen = [each for each in inside if each.name.startswith("train")] or inside
            if len(chosen) == 1:
                return chosen[0]
            found = f"{len(chosen)} files; name one of them: {chosen[0]}" if chosen else "no file of digits."
            raise InputError(f"{path} holds {found}")
    raise InputError(f"{name}: there are no digits of this name, here or in {data_folder()}; try: {SMALL_DIGITS}")


def fitted(pixels: NDArray[np.uint8], name: str) -> NDArray[np.uint8]:
    """Pictures brought to 32×32: 28×28 with an edge of 2, 8×8 with each pixel four times as large.

    >>> fitted(np.ones((1, 28, 28), np.uint8), "mine").shape, fitted(np.ones((1, 8, 8), np.uint8), "mine").sum()
    ((1, 32, 32), np.uint64(1024))
    """
    side = pixels.shape[1]
    if side == 28:
        return np.pad(pixels, ((0, 0), (2, 2), (2, 2)))
    if side == 8:
        return pixels.repeat(4, axis=1).repeat(4, axis=2)
    if side != SIDE or pixels.shape[2] != SIDE:
        raise InputError(f"{name}: pictures must be 32×32, 28×28 or 8×8; these are {side}×{pixels.shape[2]}.")
    return pixels


def drawn(picture: NDArray[np.uint8]) -> list[str]:
    """A picture (32, 32) in shades, two rows of pixels a line: letters are about twice as high as wide."""
    levels = picture.reshape(SIDE // 2, 2, SIDE).mean(1) * len(SHADES) / 256
    return ["".join(SHADES[int(level)] for level in row).rstrip() for row in levels]
