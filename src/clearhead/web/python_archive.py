"""The torch-free rooms and the pure Python they need, as one archive that a browser unpacks."""

import io
import zipfile
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable

ROOMS = ("examples", "exact", "pictures", "working", "layers", "desk")
FILES = ("__init__.py", "errors.py", "version.py", "saving.py", "progress.py")
LATE_PACKAGES = {"pdf": "pypdf", "xlsx": "xlsxwriter"}
"""What few questions need, each as an archive of its own: the page fetches it when the first such question comes."""
LEFT_OUT = ("__pycache__", "py.typed")
SOURCES = (".py", ".toml", ".md", ".txt", ".html", ".css", ".js")
DATE = (2020, 1, 1, 0, 0, 0)


def rooms_archive() -> bytes:
    """Clearhead without torch; what every page asks of it needs nobody else's package."""
    house = resources.files("clearhead")
    files = {f"clearhead/{name}": (house / name).read_bytes() for name in FILES}
    for room in ROOMS:
        files |= dict(sources_in(house / room, f"clearhead/{room}"))
    return packed(files)


def late_archives() -> dict[str, bytes]:
    """Each of the late packages by its name: what reads a PDF, what writes a spreadsheet."""
    return {name: packed(dict(sources_in(resources.files(package), package))) for name, package in LATE_PACKAGES.items()}


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
