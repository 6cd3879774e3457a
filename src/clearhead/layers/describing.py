"""One file and one input -> all that was asked about it, as text."""

from pathlib import Path

from clearhead.errors import InputError
from clearhead.examples import find
from clearhead.layers.analysis import read_input
from clearhead.layers.repair import mend, read
from clearhead.layers.report import as_json, as_text, repair_text
from clearhead.layers.source import decode

SUFFIXES = (".py", ".txt", ".py.txt")  # a bundled source that is broken on purpose is kept as .py.txt


def describe(
    file: str,
    wanted: str,
    *,
    net: str | None = None,
    repair: bool = False,
    as_convolution: bool = False,
    json: bool = False,
    picture: str | None = None,
) -> str:
    """What `clearhead layers` prints."""
    path = find(file, SUFFIXES)
    shape = read_input(wanted)
    title = path.name.removesuffix(".txt")
    reading = read(text_of(path), shape, net, title)
    if repair or json:
        reading = mend(reading, net)
    if json:
        return as_json(reading)
    parts = [as_text(reading, title)]
    broken = reading.analysis.broken is not None or bool(reading.commas)
    if repair:
        parts.append(repair_text(reading))
    elif broken:
        parts.append("With --repair: the smallest edit that makes it run.")
    return "\n\n".join(parts)


def text_of(path: Path) -> str:
    try:
        return decode(path.read_bytes(), path.name)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
