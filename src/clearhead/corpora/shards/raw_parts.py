"""Files of text, JSON lines or Parquet in parts of like size, and the documents of a part, one after the other."""

import codecs
import gzip
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clearhead.errors import InputError, MissingExtraError

PART = 32 << 20  # bytes of a file that one shard is made of, about
PIECE = 1 << 16  # characters of running text that are taken together
LONGEST = 1 << 20  # bytes of a line that are read at once
TEXTS, LINES, TABLES = (".txt", ".txt.gz", ".md"), (".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz"), (".parquet",)


@dataclass(frozen=True, slots=True)
class RawPart:
    """Bytes `start` to `end` of a file, or row groups of a Parquet file; `end` 0: all of a packed file."""

    path: str
    start: int
    end: int
    column: str

    @property
    def running(self) -> bool:
        """Whether it is running text, which has no documents."""
        return self.path.lower().endswith(TEXTS)


def files_under(places: Sequence[Path]) -> list[Path]:
    """The files that are named, and those of a known kind in folders that are named, in order."""
    found: list[Path] = []
    for place in places:
        if place.is_dir():
            inside = sorted(each for each in place.rglob("*") if each.is_file() and known(each))
            if not inside:
                raise InputError(f"{place}: no file to read lies here; known: {', '.join((*TEXTS, *LINES, *TABLES))}.")
            found += inside
        elif not place.is_file():
            raise InputError(f"{place}: there is no such file.")
        elif not known(place):
            raise InputError(f"{place}: of which kind is this file? Known: {', '.join((*TEXTS, *LINES, *TABLES))}.")
        else:
            found.append(place)
    if not found:
        raise InputError("at least one file is needed: text, JSON lines or Parquet.")
    return found


def known(path: Path) -> bool:
    return path.name.lower().endswith((*TEXTS, *LINES, *TABLES))


def parts_of(paths: Sequence[Path], column: str, size: int = PART) -> list[RawPart]:
    """Every file in parts: by bytes, or by row groups; a packed file is one part."""
    parts = []
    for path in paths:
        if path.name.lower().endswith(TABLES):
            parts += table_parts(path, column, size)
        elif path.suffix == ".gz":
            parts.append(RawPart(str(path.resolve()), 0, 0, column))
        else:
            whole = path.stat().st_size
            starts = range(0, max(whole, 1), size)
            parts += [RawPart(str(path.resolve()), start, min(start + size, whole), column) for start in starts]
    return parts


def documents_of(part: RawPart) -> Iterator[str]:
    """Documents of a part; of running text pieces that end with a line."""
    lower = part.path.lower()
    try:
        if lower.endswith(TABLES):
            yield from table_documents(part)
        elif part.running:
            yield from pieces(lines_of(part))
        else:
            yield from (document_in(line, at, part) for at, line in counted(lines_of(part)) if line.strip())
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{part.path}: cannot be read, {getattr(error, 'strerror', None) or error}.") from error


def lines_of(part: RawPart) -> Iterator[str]:
    """The lines that begin in a part, with their ends; a very long one in pieces."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    with gzip.open(part.path) if part.path.endswith(".gz") else open(part.path, "rb") as file:
        if part.start:
            file.seek(part.start - 1)
            while (skipped := file.readline(LONGEST)) and not skipped.endswith(b"\n"):
                pass  # this line began in the part before
        ended = True
        while not part.end or not ended or file.tell() < part.end:
            piece = file.readline(LONGEST)
            if not piece:
                break
            ended = piece.endswith(b"\n")
            try:
                yield decoder.decode(piece)
            except UnicodeDecodeError as error:
                at = file.tell() - len(piece) + error.start
                raise InputError(f"{part.path}, byte {at:,}: the text must be UTF-8. Save it as UTF-8.") from error


def pieces(lines: Iterator[str]) -> Iterator[str]:
    """Lines put together to some size, so that few are encoded at a time, and not one by one."""
    gathered: list[str] = []
    size = 0
    for line in lines:
        gathered.append(line)
        size += len(line)
        if size >= PIECE:
            yield "".join(gathered)
            gathered, size = [], 0
    if gathered:
        yield "".join(gathered)


def counted(lines: Iterator[str]) -> Iterator[tuple[int, str]]:
    """Whole lines with their numbers from the start of the part: pieces of a long one put together."""
    waiting, number = "", 1
    for piece in lines:
        waiting += piece
        if waiting.endswith("\n"):
            yield number, waiting
            waiting, number = "", number + 1
    if waiting:
        yield number, waiting


def document_in(line: str, number: int, part: RawPart) -> str:
    """The text of a JSON line."""
    where = f"{part.path}, line {number}" + (f" from byte {part.start:,} on" if part.start else "")
    try:
        tree: Any = json.loads(line)
    except ValueError as error:
        raise InputError(f"{where}: a JSON object was expected; {error}.") from error
    text = tree if isinstance(tree, str) else tree.get(part.column) if isinstance(tree, dict) else None
    if not isinstance(text, str):
        names = ", ".join(list(tree)[:8]) if isinstance(tree, dict) else type(tree).__name__
        raise InputError(
            f"{where}: a text under {part.column!r} was expected; there is: {names}. Name the column.", "(--column)"
        )
    return text


def parquet() -> Any:
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtraError("Parquet files need pyarrow; install it: pip install 'clearhead[data]'.") from error
    return pyarrow.parquet


def opened_table(path: str) -> Any:
    try:
        return parquet().ParquetFile(path, pre_buffer=False)
    except MissingExtraError:
        raise
    except Exception as error:  # the library has many kinds of its own
        raise InputError(f"{path}: a Parquet file was expected; {' '.join(str(error).split())[:200]}.") from error


def table_parts(path: Path, column: str, size: int) -> list[RawPart]:
    """Row groups, as many together as come to the size of a part."""
    table = opened_table(str(path))
    if column not in table.schema_arrow.names:
        names = ", ".join(table.schema_arrow.names[:8])
        raise InputError(f"{path}: a column {column!r} was expected; there are: {names}. Name the column.", "(--column)")
    parts, first, held = [], 0, 0
    for group in range(table.num_row_groups):
        held += table.metadata.row_group(group).total_byte_size
        if held >= size or group == table.num_row_groups - 1:
            parts.append(RawPart(str(path.resolve()), first, group + 1, column))
            first, held = group + 1, 0
    return parts


def table_documents(part: RawPart) -> Iterator[str]:
    """The texts of some row groups; what is missing is left out."""
    table = opened_table(part.path)
    for batch in table.iter_batches(batch_size=256, row_groups=list(range(part.start, part.end)), columns=[part.column]):
        for text in batch.column(0).to_pylist():
            if text is not None and not isinstance(text, str):
                raise InputError(
                    f"{part.path}: column {part.column!r} holds no texts, but {type(text).__name__}. Name another."
                )
            if text:
                yield text
