"""A picture as the content of a file: SVG text or PNG bytes, as its name asks."""

from pathlib import Path

from clearhead.errors import InputError
from clearhead.pictures.raster import png

SUFFIXES = (".svg", ".png")


def require_picture_name(path: Path) -> None:
    """Refuse a name that is no picture's, before anything is computed for it."""
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(f"{path}: a picture is an .svg or .png file; name it so.")


def picture_file(svg: str, path: Path) -> str | bytes:
    """What to write into a picture file: SVG text or PNG bytes, by its suffix.

    >>> picture_file("<svg/>", Path("map.svg"))
    '<svg/>'
    """
    require_picture_name(path)
    return svg if path.suffix.lower() == ".svg" else png(svg)
