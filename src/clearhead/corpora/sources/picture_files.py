"""Picture files as grey numbers, light strokes on a dark ground, as the nets here were trained on."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from clearhead.errors import InputError, MissingExtraError

SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp", ".gif")
SIDES = (8, 28, 32)  # sizes that are taken as they are; others are brought to 28×28


def read_picture(path: Path) -> NDArray[np.uint8]:
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
        raise InputError(f"{path}: a picture was expected ({', '.join(SUFFIXES)}); {error}.") from error
    edge = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    return 255 - pixels if edge.mean() > 127 else pixels


def picture_files(folder: Path) -> list[tuple[Path, int]]:
    """The pictures of a folder with a folder for each digit, 0 to 9, and the digit of each; none: it is no such folder."""
    inside = [each for each in folder.iterdir() if each.is_dir() and len(each.name) == 1 and each.name in "0123456789"]
    return [
        (path, int(each.name)) for each in sorted(inside) for path in sorted(each.iterdir()) if path.suffix.lower() in SUFFIXES
    ]
