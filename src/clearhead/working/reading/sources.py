"""Where a working comes from: a file, a folder of CSVs, bytes or text; and which reader it needs."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from stat import S_ISREG

from clearhead.errors import InputError
from clearhead.exact.matrices import Matrix
from clearhead.working.reading.files.box_matrices import take_drawn
from clearhead.working.reading.files.console_tables import without_drawing
from clearhead.working.reading.files.documents import LARGEST_DOCUMENT, LARGEST_FILE, document_text, notebook_text
from clearhead.working.reading.files.markup import plain_notation
from clearhead.working.reading.files.scans import PICTURES, scanned
from clearhead.working.reading.files.sheets import is_long, read_long, read_sheet, stem_of
from clearhead.working.reading.files.stacked_brackets import take_stacked
from clearhead.working.reading.files.tables import Tables, take_tables, unmarked
from clearhead.working.reading.files.trees import TreeReader, parse_tree
from clearhead.working.reading.first_look.findings import Gathering
from clearhead.working.reading.first_look.placement import Placing
from clearhead.working.reading.first_look.walker import Walker
from clearhead.working.reading.names.labels import Names, Signature, names_for
from clearhead.working.reading.numbers.decimal_commas import as_on_page, with_points
from clearhead.working.steps import Plan
from clearhead.working.written import Reading

SHEETS = (".csv", ".tsv")


def read_working(source: "str | bytes | Path", plan: Plan, *, worked: Mapping[str, Matrix] | None = None) -> Reading:
    """What somebody wrote: a file or a folder (a Path), or the text itself. `worked` gives the steps' shapes and values."""
    names = names_for(Signature(plan))
    gathering = Gathering(names.steps, worked or {})
    page = ""
    if isinstance(source, Path) and source.is_dir():
        read_folder(source, names, gathering)
    elif isinstance(source, Path) and source.suffix.lower() in PICTURES:
        text, faint = scanned(bytes_of(source), str(source))
        page = read_one(text, None, names, gathering)
        return as_on_page(replace(gathering.settle(), page=page, scanned=True, faint=faint))
    else:
        page = read_one(text_of(source, gathering), source if isinstance(source, Path) else None, names, gathering)
    return as_on_page(replace(gathering.settle(), page=page))


def read_folder(folder: Path, names: Names, gathering: Gathering) -> None:
    """A folder of CSVs, each named after its step."""
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() in SHEETS and path.is_file())
    if not files:
        raise InputError(f"{folder}: no CSV files in it; a folder holds one for each step, such as Q.csv")
    placing = Placing(names, gathering, Tables())
    for path in files:
        text = text_of(path, gathering)
        if is_long(text):
            read_long(text, placing)
        elif not read_sheet(text, stem_of(path), placing):
            gathering.complain("", 0, f"{path.name}: {stem_of(path)!r} is no step of this problem")


def read_one(text: str, path: Path | None, names: Names, gathering: Gathering) -> str:
    """One text, by what it looks like: JSON, a long CSV, a CSV named after its step, or a page; the text of a page."""
    placing = Placing(names, gathering, Tables())
    tree = parse_tree(text)
    if tree is not None and (notebook := notebook_text(tree)) is None:
        TreeReader(text, placing).read(tree)
        return ""
    if tree is not None and notebook is not None:
        text = notebook
    if is_long(text):
        read_long(text, placing)
        return ""
    if path is not None and path.suffix.lower() in SHEETS and read_sheet(text, stem_of(path), placing):
        return ""
    tables = Tables()
    plain = take_stacked(without_drawing(unmarked(with_points(text))))
    if not plain.isascii():
        plain = take_drawn(plain, tables)
    Walker(names, gathering, tables).walk(take_tables(plain_notation(plain), tables))
    return text


def text_of(source: "str | bytes | Path", gathering: Gathering) -> str:
    if isinstance(source, str):
        if len(source) > LARGEST_FILE:
            raise InputError(f"the text: {len(source):,} characters; a working has at most {LARGEST_FILE:,}")
        return source
    data = source if isinstance(source, bytes) else bytes_of(source)
    text, broken = document_text(data, source if isinstance(source, Path) else None)
    if broken:
        gathering.note("", broken, "not UTF-8 throughout; what could not be decoded was passed over")
    return text


def bytes_of(path: Path) -> bytes:
    """The bytes of a regular file; a pipe or a device is not opened."""
    try:
        found = path.stat()
        if not S_ISREG(found.st_mode):
            raise InputError(f"{path}: not a file that can be read")
        if found.st_size > LARGEST_DOCUMENT:
            raise InputError(f"{path}: {found.st_size:,} bytes; a working has at most {LARGEST_DOCUMENT:,}")
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
