"""A text of any length, read in chunks: what stands in memory at a time does not grow with the file."""

import codecs
import gzip
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from clearhead.corpora.finding import WORLD, find_corpus, is_world
from clearhead.corpora.store import data_folder
from clearhead.corpora.vocabulary import Vocabulary
from clearhead.errors import ConfigError, InputError

CHUNK = 1 << 18  # bytes read at a time
LARGEST_SMALL_ID = 1 << 16
LONGEST_LINE = 1 << 20  # characters: a file that is read by lines must have some


def find_file(name: str) -> Path:
    """The file that a name means: a path, or a path inside the data folder; of a folder, the one text file in it."""
    for path in (Path(name), data_folder() / name):
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


@dataclass(frozen=True, slots=True)
class Text:
    """A text split in two: what is learned from, without the passages that are left out, and the end that is held out."""

    name: str
    characters: int
    boundary: int  # characters before the held-out end
    left_out: tuple[str, ...] = ()

    def chunks(self) -> Iterator[str]:
        """The whole text."""
        if is_world(self.name):
            yield from (f"{biography}\n" for biography in find_corpus(self.name).biographies)
        else:
            yield from read_chunks(find_file(self.name))

    def training(self) -> Iterator[str]:
        """The text before the boundary, without what is left out."""
        chunks = between(self.chunks(), 0, self.boundary)
        for passage in self.left_out:
            chunks = without(chunks, passage)
        return chunks

    def validation(self) -> Iterator[str]:
        """The held-out end, whole."""
        return between(self.chunks(), self.boundary, self.characters)


def find_text(name: str = WORLD, validation: float = 0.1, left_out: Iterable[str] = ()) -> Text:
    """The text that a name means, its last part held out; `left_out` names files whose text is cut out of the rest."""
    if not 0 <= validation < 1:
        raise ConfigError(f"validation is a share from 0 to below 1; got {validation}.")
    passages = tuple("".join(read_chunks(find_file(each))) for each in left_out)
    characters = sum(map(len, Text(name, 0, 0).chunks()))
    return Text(name, characters, characters - round(characters * validation), passages)


def between(chunks: Iterable[str], start: int, end: int) -> Iterator[str]:
    """Characters `start` up to `end` of chunks.

    >>> "".join(between(["abc", "def"], 2, 5))
    'cde'
    """
    seen = 0
    for chunk in chunks:
        part = chunk[max(start - seen, 0) : max(end - seen, 0)]
        seen += len(chunk)
        if part:
            yield part
        if seen >= end:
            return


def without(chunks: Iterable[str], passage: str) -> Iterator[str]:
    """Chunks with every occurrence of a passage cut out, also where it goes from one chunk into the next.

    >>> "".join(without(["to be or n", "ot to be"], " or not"))
    'to be to be'
    """
    waiting = ""
    for chunk in chunks:
        waiting = (waiting + chunk).replace(passage, "")
        keep = len(passage) - 1  # so many characters may be the start of one that goes on
        if len(waiting) > keep:
            yield waiting[: len(waiting) - keep]
            waiting = waiting[len(waiting) - keep :]
    if waiting:
        yield waiting


def encoded(chunks: Iterable[str], vocabulary: Vocabulary) -> NDArray[np.unsignedinteger]:
    """The ids of a text, in a file without a name that is mapped into memory."""
    kind = np.uint16 if vocabulary.size <= LARGEST_SMALL_ID else np.uint32
    with tempfile.TemporaryFile() as file:
        for chunk in chunks:
            np.asarray(vocabulary.encode(chunk), dtype=kind).tofile(file)
        file.flush()
        if file.tell() == 0:
            raise InputError("there is nothing to learn from: the text is empty.")
        return np.memmap(file, dtype=kind, mode="r+")
