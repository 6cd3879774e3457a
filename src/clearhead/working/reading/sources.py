"""Where a working comes from: a file, a folder of CSVs, bytes or text; and which reader it needs."""

from collections.abc import Mapping
from pathlib import Path

from clearhead.errors import InputError
from clearhead.working.matrices import Matrix
from clearhead.working.reading.gathering import Gathering
from clearhead.working.reading.labels import Signature, names_for
from clearhead.working.reading.markup import plain_notation
from clearhead.working.reading.tables import take_tables
from clearhead.working.reading.walking import Walker
from clearhead.working.steps import Plan
from clearhead.working.written import Reading

LARGEST_FILE = 1_000_000  # bytes


def read_working(source: "str | bytes | Path", plan: Plan, *, worked: Mapping[str, Matrix] | None = None) -> Reading:
    """What somebody wrote: a file or a folder (a Path), or the text itself. `worked` gives the steps' shapes and values."""
    names = names_for(Signature(plan))
    gathering = Gathering(names.steps, worked or {})
    text = text_of(source, gathering)
    plain, tables = take_tables(plain_notation(text))
    Walker(names, gathering, tables).walk(plain)
    return gathering.settle()


def text_of(source: "str | bytes | Path", gathering: Gathering) -> str:
    if isinstance(source, str):
        require_size(len(source), "the text")
        return source
    data = source if isinstance(source, bytes) else bytes_of(source)
    require_size(len(data), "the text" if isinstance(source, bytes) else str(source))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        gathering.note(
            "", data.count(b"\n", 0, error.start) + 1, "not UTF-8 throughout; what could not be decoded was passed over"
        )
        return data.decode("utf-8-sig", errors="replace")


def bytes_of(path: Path) -> bytes:
    try:
        require_size(path.stat().st_size, str(path))
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None


def require_size(size: int, what: str) -> None:
    if size > LARGEST_FILE:
        raise InputError(f"{what}: {size:,} bytes; a working has at most {LARGEST_FILE:,}")
