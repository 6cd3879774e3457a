"""The torch-free rooms and the pure Python they need, as one archive that a browser unpacks."""

import io
import zipfile
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable

ROOMS = ("examples", "exact", "pictures", "working", "layers", "desk")
FILES = ("__init__.py", "errors.py", "version.py", "saving.py", "progress.py")
ROOM_PACKAGES = ("jinja2", "markupsafe", "xlsxwriter")
PDF_PACKAGES = ("pypdf",)
LEFT_OUT = ("__pycache__", "py.typed")
SOURCES = (".py", ".toml", ".md", ".txt", ".html", ".css", ".js")
DATE = (2020, 1, 1, 0, 0, 0)


def rooms_archive() -> bytes:
    """Clearhead without torch, and what it needs of others."""
    house = resources.files("clearhead")
    files = {f"clearhead/{name}": (house / name).read_bytes() for name in FILES}
    for room in ROOMS:
        files |= dict(sources_in(house / room, f"clearhead/{room}"))
    for package in ROOM_PACKAGES:
        files |= dict(sources_in(resources.files(package), package))
    return packed(files)


def pdf_archive() -> bytes:
    """What reads a PDF; fetched by the page only when somebody brings one."""
    return packed({path: data for package in PDF_PACKAGES for path, data in sources_in(resources.files(package), package)})


def sources_in(folder: Traversable, under: str) -> Iterator[tuple[str, bytes]]:
    """Every source of a package: Python, and the texts that it reads; nothing compiled."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name in LEFT_OUT:
            continue
        if entry.is_dir():
            yield from sources_in(entry, f"{under}/{entry.name}")
        elif entry.name.endswith(SOURCES):
            yield f"{under}/{entry.name}", entry.read_bytes()


def packed(files: dict[str, bytes]) -> bytes:
    """A zip without dates: the same sources give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(files):
            archive.writestr(zipfile.ZipInfo(path, DATE), files[path], zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
