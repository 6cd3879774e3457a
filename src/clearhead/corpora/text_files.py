"""Text files of any length and kind of packing, read in chunks or lines: what stands in memory does not grow with the file."""

import codecs
import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path

from clearhead.corpora.store.store_folder import data_folder, places_meant
from clearhead.errors import InputError

CHUNK = 1 << 18  # bytes read at a time
LONGEST_LINE = 1 << 20  # characters: a file that is read by lines must have some


def find_file(name: str) -> Path:
    """The file that a name means: a path, or a path inside the data folder; of a folder, the one text file in it."""
    for path in places_meant(name):
        if path.is_file():
            return path
        inside = sorted(path.glob("*.txt")) if path.is_dir() else []
        if len(inside) == 1:
            return inside[0]
        if inside:
            raise InputError(f"{path} holds {len(inside)} text files; name one of them: {name}/{inside[0].name}")
    raise InputError(f"{name}: there is no such file, here or in {data_folder()}; try: clearhead data get {name.split('/')[0]}")


def files_like(name: str) -> list[str]:
    """The names of the files of the data folder that fit a pattern such as `passages/*.txt`; a plain name stands for itself.

    A pattern may fit nothing, where a plain name must be there: who writes one takes what there is.
    """
    if not any(sign in name for sign in "*?["):
        return [name]
    folder = data_folder()
    return sorted(path.relative_to(folder).as_posix() for path in folder.glob(name) if path.is_file())


def read_chunks(path: Path, size: int = CHUNK) -> Iterator[str]:
    """The characters of a UTF-8 file, packed as .gz or not, line ends as they are, some at a time."""
    decoder, line, empty = codecs.getincrementaldecoder("utf-8")(), 1, True
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            while True:
                piece = file.read(size)
                try:
                    chunk = decoder.decode(piece, final=not piece)
                except UnicodeDecodeError as error:
                    at = line + error.object[: error.start].count(b"\n")
                    wrong = error.object[error.start]
                    raise InputError(
                        f"{path}, line {at}: the text must be UTF-8; this line holds the byte 0x{wrong:02x}. Save it as UTF-8."
                    ) from error
                line += chunk.count("\n")
                if chunk:
                    empty = False
                    yield chunk
                if not piece:
                    break
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path}: cannot be read, {getattr(error, 'strerror', None) or error}.") from error
    if empty:
        raise InputError(f"{path}: the file is empty; a text was expected.")


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a UTF-8 file with their numbers from 1, line ends taken off."""
    rest, number = "", 0
    for chunk in read_chunks(path):
        *lines, rest = (rest + chunk).split("\n")
        if len(rest) > LONGEST_LINE:
            raise InputError(
                f"{path}, line {number + len(lines) + 1}: a line must not be longer than {LONGEST_LINE:,} characters."
            )
        for line in lines:
            number += 1
            yield number, line.removesuffix("\r")
    if rest:
        yield number + 1, rest
