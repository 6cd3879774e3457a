"""SVG → PNG."""

import re

from clearhead.errors import InputError
from clearhead.pictures.scripts import with_fonts

PROBE = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><text y="16" font-family="sans-serif">{}</text></svg>'
LARGEST = 12_000  # px on a side
ZOOM = 2.0  # sharp on a dense screen and on paper


def png(svg: str) -> bytes:
    """The picture as PNG bytes, at twice its size (less where that would be enormous).

    resvg draws letters with the fonts of the machine. Where there are none it would leave them out without a word, so
    typst, which brings fonts of its own, draws the picture instead.
    """
    import resvg_py

    zoom = min(ZOOM, LARGEST / max(size_of(svg)))
    if has_fonts():
        return bytes(resvg_py.svg_to_bytes(svg_string=with_fonts(svg), zoom=zoom, sans_serif_family="DejaVu Sans"))
    return with_bundled_fonts(svg, zoom)


def has_fonts() -> bool:
    """Whether a letter leaves a mark."""
    import resvg_py

    return bool(resvg_py.svg_to_bytes(svg_string=PROBE.format("H")) != resvg_py.svg_to_bytes(svg_string=PROBE.format("")))


def with_bundled_fonts(svg: str, zoom: float) -> bytes:
    import typst

    width, height = size_of(svg)
    source = (
        f"#set page(width: {width}pt, height: {height}pt, margin: 0pt)\n"
        f'#image(bytes({quoted(svg)}), format: "svg", width: 100%)'
    )
    return bytes(typst.compile(source.encode(), format="png", ppi=72 * zoom))


def size_of(svg: str) -> tuple[float, float]:
    """The width and height that the first tag names."""
    found = re.match(r'<svg [^>]*width="([\d.]+)" height="([\d.]+)"', svg)
    if found is None:
        raise InputError("the picture must begin with <svg …> and name its width and height")
    return float(found[1]), float(found[2])


def quoted(words: str) -> str:
    return '"' + words.replace("\\", "\\\\").replace('"', '\\"') + '"'
