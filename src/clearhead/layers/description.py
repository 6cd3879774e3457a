"""One file and one input -> all that was asked about it, as text."""

from collections.abc import Callable
from pathlib import Path

from clearhead.errors import InputError
from clearhead.examples import find
from clearhead.layers.net_input import read_input
from clearhead.layers.repairs.equal_convolution import Ending, rewrite, rewriting_text
from clearhead.layers.repairs.repair import NetReading, mend, read
from clearhead.layers.report.layer_json import as_json
from clearhead.layers.report.layer_table import as_text, repair_text
from clearhead.layers.report.net_picture import picture as draw
from clearhead.layers.source.file_text import decode
from clearhead.pictures import picture_file, require_picture_name
from clearhead.saving import save as write

SUFFIXES = (".py", ".txt", ".py.txt")  # a bundled source that is broken on purpose is kept as .py.txt


def no_proof(ending: Ending) -> str:
    return ""


def describe(
    file: str,
    wanted: str,
    *,
    net: str | None = None,
    repair: bool = False,
    as_convolution: bool = False,
    json: bool = False,
    picture: str | None = None,
    prove: Callable[[Ending], str] = no_proof,
) -> str:
    """What `clearhead layers` prints. `prove` shows two layers equal on random input; this room has no tensors to do it."""
    path = find(file, SUFFIXES)
    shape = read_input(wanted)
    title = path.name.removesuffix(".txt")
    reading = read(text_of(path), shape, net, title)
    if repair or json:
        reading = mend(reading, net)
    if picture is not None:
        save(picture, reading)
    if json:
        return as_json(reading)
    parts = [as_text(reading, title)]
    broken = reading.analysis.broken is not None or bool(reading.commas)
    if as_convolution:
        if reading.commas:
            raise InputError("--as-convolution needs a source without faults; mend it first, see --repair.")
        rewriting = rewrite(reading.analysis, shape, net)
        parts.append(rewriting_text(rewriting, prove(rewriting.ending)))
    if repair:
        parts.append(repair_text(reading))
    elif broken:
        parts.append("With --repair: the smallest edit that makes it run.")
    return "\n\n".join(parts)


def save(file: str, reading: NetReading) -> None:
    """Draw the net into an SVG file, or a PNG."""
    path = Path(file)
    require_picture_name(path)
    write(picture_file(draw(reading), path), path)


def text_of(path: Path) -> str:
    try:
        return decode(path.read_bytes(), path.name)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
