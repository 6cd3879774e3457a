"""Files of digits: MNIST's idx and its tables, SVHN's .mat, and the 8×8 digits that come with scikit-learn."""

import gzip
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from clearhead.corpora.sources.picture_files import fitted, picture_files, read_picture
from clearhead.corpora.text_files import read_lines
from clearhead.errors import InputError, MissingExtraError

IMAGES, LABELS = "images-idx3-ubyte", "labels-idx1-ubyte"
FILE_KINDS = (".csv", ".csv.gz", ".mat", IMAGES, f"{IMAGES}.gz")
GREY = np.array([0.299, 0.587, 0.114])  # how bright red, green and blue look
CLASSES = 10
DIGITS = tuple(str(digit) for digit in range(CLASSES))


@dataclass(frozen=True, slots=True)
class Pictures:
    """Grey pictures (n, side, side) from 0 to 255, and the digit of each."""

    pixels: NDArray[np.uint8]
    labels: NDArray[np.int64]

    def where(self, chosen: NDArray[np.bool_]) -> "Pictures":
        return Pictures(self.pixels[chosen], self.labels[chosen])


def read_digits(path: Path) -> Pictures:
    """The pictures of a file, by its name; or of a folder with a folder of picture files for each digit."""
    if path.is_dir():
        return read_folders(path)
    if path.name.endswith((IMAGES, f"{IMAGES}.gz")):
        return read_idx(path)
    return read_mat(path) if path.suffix == ".mat" else read_table(path)


def read_folders(path: Path) -> Pictures:
    """Pictures that lie in a folder for each class; all are brought to one size."""
    found = picture_files(path)
    pictures = [fitted(read_picture(file)[None], str(file))[0] for file, _ in found]
    return Pictures(np.stack(pictures), np.array([label for _, label in found], np.int64))


def files_of_digits(path: Path) -> list[Path]:
    """The file itself, and the one of the labels where they stand apart; of a folder, every picture."""
    if path.is_dir():
        return [file for file, _ in picture_files(path)]
    beside = path.with_name(path.name.replace(IMAGES, LABELS))
    return [path] if beside == path else [path, beside]


def read_idx(images: Path) -> Pictures:
    """MNIST's own format; the labels stand in the file beside it."""
    pixels = idx_array(images, 3)
    beside = images.with_name(images.name.replace(IMAGES, LABELS))
    labels = idx_array(beside, 1)
    if len(labels) != len(pixels):
        raise InputError(f"{beside}: {len(pixels):,} labels were expected, one for each picture; got {len(labels):,}.")
    return Pictures(pixels, checked(beside, labels))


def idx_array(path: Path, dimensions: int) -> NDArray[np.uint8]:
    """The numbers of an idx file: two zeros, 8 for bytes, how many dimensions, their sizes, the bytes."""
    try:
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path}: cannot be read; {error}.") from error
    start = 4 + 4 * dimensions
    if data[:4] != bytes([0, 0, 8, dimensions]) or len(data) < start:
        raise InputError(f"{path}: an idx file of {dimensions} dimensions starts with 0 0 8 {dimensions}; got {[*data[:4]]}.")
    shape = [int(size) for size in np.frombuffer(data[4:start], ">u4")]
    if len(data) - start != np.prod(shape):
        raise InputError(f"{path}: {shape} bytes were announced; {len(data) - start:,} came. Get the file again.")
    return np.frombuffer(data, np.uint8, offset=start).reshape(shape)


def read_mat(path: Path) -> Pictures:
    """SVHN's cropped digits: X (32, 32, 3, n) in colour, y (n, 1) with 10 for the digit 0."""
    try:
        from scipy.io import loadmat
    except ImportError as error:
        raise MissingExtraError("a .mat file needs scipy; install it: pip install 'clearhead[train]'.") from error
    try:
        tree = loadmat(path)
        colours, labels = tree["X"], tree["y"].reshape(-1).astype(np.int64)
    except Exception as error:  # the library raises whatever it trips over
        raise InputError(f"{path}: a .mat file of SVHN with X and y was expected; {type(error).__name__}: {error}.") from error
    if colours.ndim != 4 or colours.shape[:3] != (32, 32, 3) or colours.shape[3] != len(labels) or not len(labels):
        raise InputError(f"{path}: X must be (32, 32, 3, n) with n labels in y; got {colours.shape} and {len(labels)}.")
    grey = np.empty((len(labels), 32, 32), np.uint8)
    for number in range(len(labels)):  # one at a time: all at once would need eight times the file
        grey[number] = np.rint(colours[:, :, :, number] @ GREY)
    return Pictures(grey, checked(path, np.where(labels == CLASSES, 0, labels)))


def read_table(path: Path) -> Pictures:
    """A digit a line: its pixels and, first or last, its label; a first line of names may say which."""
    rows: list[NDArray[np.int64]] = []
    names: list[str] = []
    first = 1
    for number, line in read_lines(path):
        cells = line.split(",")
        if number == 1 and not cells[-1].strip().isdigit():
            names, first = [cell.strip().strip('"').lower() for cell in cells], 2
            continue
        if not line.strip():
            continue
        try:
            row = np.array(cells, np.int64)
        except (ValueError, OverflowError) as error:
            strange = next((cell.strip() for cell in cells if not cell.strip().lstrip("-").isdigit()), line.strip())
            raise InputError(
                f"{path}, line {number}: whole numbers were expected, pixels and a label; got {strange[:40]!r}."
            ) from error
        if rows and len(row) != len(rows[0]):
            raise InputError(f"{path}, line {number}: {len(rows[0])} numbers were expected, as before; got {len(row)}.")
        if row.min() < 0 or row.max() > 255:
            raise InputError(f"{path}, line {number}: a pixel lies from 0 to 255; got {row.min()} to {row.max()}.")
        rows.append(row)
    if not rows:
        raise InputError(f"{path}: no digit stands here; a line of pixels and a label each was expected.")
    table = np.array(rows)
    at = names.index("label") if "label" in names else label_column(table)
    pixels = np.delete(table, at, axis=1).astype(np.uint8)
    side = round(pixels.shape[1] ** 0.5)
    if side * side != pixels.shape[1]:
        raise InputError(f"{path}, line {first}: a square of pixels and a label were expected; got {table.shape[1]} numbers.")
    return Pictures(pixels.reshape(-1, side, side), checked(path, table[:, at], first))


def label_column(table: NDArray[np.int64]) -> int:
    """The last column, unless only the first can be labels: corners of pictures are black, labels differ."""
    last, start = table[:, -1], table[:, 0]
    return 0 if (last.max() >= CLASSES or last.min() == last.max()) and start.min() < start.max() < CLASSES else -1


def checked(path: Path, labels: NDArray[np.generic], first: int = 0) -> NDArray[np.int64]:
    """Labels that are digits; `first` is the line of the first one, 0 where there are no lines."""
    whole = labels.astype(np.int64)
    wrong = np.flatnonzero((whole < 0) | (whole >= CLASSES))
    if len(wrong):
        where = f"line {first + wrong[0]}" if first else f"label {wrong[0] + 1}"
        raise InputError(f"{path}, {where}: a label must be a digit from 0 to 9; got {whole[wrong[0]]}.")
    return whole


def built_in_digits() -> Pictures:
    """The 1,797 digits of 8×8 that scikit-learn ships."""
    try:
        from sklearn.datasets import load_digits
    except ImportError as error:
        raise MissingExtraError("the built-in digits need scikit-learn; install it: pip install 'clearhead[train]'.") from error
    found = load_digits()
    return Pictures(np.rint(found.images * (255 / 16)).astype(np.uint8), found.target.astype(np.int64))
