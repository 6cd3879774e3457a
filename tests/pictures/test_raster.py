"""PNG: of the right size, with letters in it even on a machine without fonts, the same bytes each time."""

import struct
import zlib

import pytest

from clearhead.errors import InputError
from clearhead.pictures import Panel, connections, png
from clearhead.pictures.raster import with_bundled_fonts

LETTER = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="40" height="40" font-family="sans-serif">'
    '<rect width="40" height="40" fill="#ffffff"/><text x="5" y="30" font-size="30">{}</text></svg>'
)


def size(data: bytes) -> tuple[int, int]:
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def pixels(data: bytes) -> bytes:
    """What the image chunks hold, decompressed: enough to tell a blank picture from one with marks."""
    found, place = b"", 8
    while place < len(data):
        (length,) = struct.unpack(">I", data[place : place + 4])
        if data[place + 4 : place + 8] == b"IDAT":
            found += data[place + 8 : place + 8 + length]
        place += length + 12
    return zlib.decompress(found)


def test_a_png_is_twice_the_size_of_its_svg() -> None:
    assert size(png(LETTER.format("H"))) == (80, 80)


def test_letters_leave_marks_here_and_with_the_bundled_fonts() -> None:
    for draw in (png, lambda svg: with_bundled_fonts(svg, 1.0)):
        assert pixels(draw(LETTER.format("H"))) != pixels(draw(LETTER.format("")))


def test_an_enormous_picture_is_drawn_smaller() -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="20000" height="100"><rect width="9" height="9"/></svg>'
    assert max(size(png(svg))) <= 12_000


def test_bytes_are_the_same_every_time() -> None:
    svg = connections([Panel([[0.5, 0.5], [0.1, 0.9]], ["a", "b"], ["a", "b"])])
    assert png(svg) == png(svg)


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(InputError, match="width and height"):
        png("<svg/>")
