"""Grey 32×32 pictures of digits, or of classes of one's own: whatever file they come from, split by the picture itself."""

import glob
import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from clearhead.corpora.corpus_kinds import SMALL_DIGITS
from clearhead.corpora.sources.digit_files import DIGITS, FILE_KINDS, Pictures, built_in_digits, files_of_digits, read_digits
from clearhead.corpora.sources.picture_files import SIDE, class_folders_of_pictures, fitted
from clearhead.corpora.store.store_folder import data_folder, places_meant
from clearhead.errors import InputError

SHADES = " ░▒▓█"


@dataclass(frozen=True)
class Digits:
    """A corpus of digits by name; two equal pictures always fall on the same side of the split."""

    name: str
    share: float = 0.2  # of the pictures that are held out
    classes: tuple[str, ...] = ()  # the names that folders of pictures must have; none: as the folders say

    def files(self) -> list[Path]:
        return [] if self.name == SMALL_DIGITS else files_of_digits(find_digits(self.name))

    def documents(self) -> tuple[str, ...]:
        """Pictures are no text."""
        return ()

    def training_text(self) -> tuple[str, ...]:
        return ()

    def class_names(self) -> tuple[str, ...]:
        found = DIGITS if self.name == SMALL_DIGITS else classes_in(find_digits(self.name))
        return self.classes or found

    def with_classes(self, names: tuple[str, ...]) -> "Digits":
        """The same pictures, which must be of these classes."""
        return replace(self, classes=names)

    def whole(self) -> "Digits":
        """The same pictures, all of them held out: a test set."""
        return replace(self, share=1.0)

    @cached_property
    def everything(self) -> Pictures:
        found = built_in_digits() if self.name == SMALL_DIGITS else read_digits(find_digits(self.name))
        named = DIGITS if self.name == SMALL_DIGITS else classes_in(find_digits(self.name))
        return Pictures(fitted(found.pixels, self.name), renumbered(found.labels, named, self.class_names(), self.name))

    @cached_property
    def held_out(self) -> NDArray[np.bool_]:
        digests = (hashlib.sha256(picture.tobytes()).digest()[:8] for picture in self.everything.pixels)
        return np.array([int.from_bytes(digest, "big") < self.share * 2**64 for digest in digests], bool)

    def training(self) -> Pictures:
        return self.everything.where(~self.held_out)

    def validation(self) -> Pictures:
        return self.everything.where(self.held_out)


def find_digits(name: str) -> Path:
    """The file that a name means, here or in the data folder; of a folder, the one file of digits in it.

    A name that is none is looked for as the beginning of a file in the data folder: `mnist` finds digits/mnist_5k.csv.gz.
    """
    for path in places_meant(name):
        if path.is_file():
            return path
        if path.is_dir() and class_folders_of_pictures(path):
            return path
        if path.is_dir():
            inside = sorted(each for each in path.iterdir() if each.name.endswith(FILE_KINDS))
            chosen = [each for each in inside if each.name.startswith("train")] or inside
            if len(chosen) == 1:
                return chosen[0]
            found = f"{len(chosen)} files; name one of them: {chosen[0]}" if chosen else "no file of digits."
            raise InputError(f"{path} holds {found}")
    begun = data_folder().glob(f"*/{glob.escape(name)}*") if name and Path(name).name == name else ()
    found_by_name = sorted(path for path in begun if path.name.endswith(FILE_KINDS))
    if len(found_by_name) == 1:
        return found_by_name[0]
    raise InputError(f"{name}: there are no digits of this name, here or in {data_folder()}; try: {SMALL_DIGITS}")


def classes_in(path: Path) -> tuple[str, ...]:
    """The names of the classes of a file or folder of pictures."""
    folders = class_folders_of_pictures(path) if path.is_dir() else []
    names = tuple(each.name for each in folders)
    return names if names and not set(names) <= set(DIGITS) else DIGITS


def renumbered(labels: NDArray[np.int64], found: tuple[str, ...], wanted: tuple[str, ...], name: str) -> NDArray[np.int64]:
    """Labels by the numbers of the classes that are wanted."""
    if found == wanted:
        return labels
    strange = [found[label] for label in sorted(set(labels.tolist())) if found[label] not in wanted]
    if strange:
        raise InputError(f"{name}: pictures of {', '.join(wanted)} were expected; these are of {strange[0]!r}.")
    return np.array([wanted.index(found[label]) for label in labels.tolist()], np.int64)


def drawn(picture: NDArray[np.uint8]) -> list[str]:
    """A picture (32, 32) in shades, two rows of pixels a line: letters are about twice as high as wide."""
    levels = picture.reshape(SIDE // 2, 2, SIDE).mean(1) * len(SHADES) / 256
    return ["".join(SHADES[int(level)] for level in row).rstrip() for row in levels]
