"""Picture files as grey numbers, light strokes on a dark ground, as the nets here were trained on."""

from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from clearhead.errors import InputError, MissingExtraError

SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp", ".gif")
SIDE = 32
SIDES = (8, 28, SIDE)  # sizes that are taken as they are; others are brought to 28×28


def read_picture(path: Path | BinaryIO, name: str = "") -> NDArray[np.uint8]:
    """A picture file, (side, side) from 0 to 255; dark strokes on a light ground are turned round."""
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError as error:
        raise MissingExtraError("picture files need Pillow; install it: pip install 'clearhead[train]'.") from error
    try:
        with Image.open(path) as image:
            grey = image.convert("L")
            if grey.width != grey.height or grey.width not in SIDES:
                grey = grey.resize((28, 28))
            pixels = np.asarray(grey, dtype=np.uint8)
    except (OSError, UnidentifiedImageError, ValueError) as error:
        raise InputError(f"{name or path}: a picture was expected ({', '.join(SUFFIXES)}); {error}.") from error
    edge = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    return 255 - pixels if edge.mean() > 127 else pixels


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


def class_folders_of_pictures(folder: Path) -> list[Path]:
    """The folders of pictures in a folder, or in its `train` or `training`: one for each class; none: it is no such folder."""
    for place in (folder, folder / "train", folder / "training"):
        inside = sorted(place.iterdir()) if place.is_dir() else []
        classes = [each for each in inside if each.is_dir() and not each.name.startswith(".") and pictures_in(each)]
        digits = [each for each in classes if len(each.name) == 1 and each.name in "0123456789"]
        if digits or len(classes) > 1:
            return classes
    return []


def pictures_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES)


def picture_files(folder: Path) -> list[tuple[Path, int]]:
    """The pictures of a folder with a folder for each class, and the number of the class; digits are their own number."""
    found = []
    folders = class_folders_of_pictures(folder)
    digits = all(len(each.name) == 1 and each.name.isdigit() for each in folders)
    for number, each in enumerate(folders):
        found += [(path, int(each.name) if digits else number) for path in pictures_in(each)]
    return found
