"""One file and its inputs -> all that was asked about it, as text."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from clearhead.errors import InputError
from clearhead.examples import find
from clearhead.layers.analysis import Analysis
from clearhead.layers.net_input import Input, read_inputs
from clearhead.layers.repairs.repair import NetReading, mend, read
from clearhead.layers.report.layer_table import as_text, repair_text
from clearhead.layers.source.file_text import decode
from clearhead.saving import save as write

if TYPE_CHECKING:
    from clearhead.layers.repairs.equal_convolution import Ending

SUFFIXES = (".py", ".txt", ".py.txt", ".ipynb")  # a bundled source that is broken on purpose is kept as .py.txt
Runner = Callable[[str, tuple[Input, ...], str | None, str], Analysis]


def no_proof(ending: "Ending") -> str:
    return ""


class Description(NamedTuple):
    """What `clearhead layers` prints, and whether the net breaks."""

    text: str
    breaks: bool


def describe(file: str, wanted: str | Sequence[str], **options: Any) -> str:
    """What `clearhead layers` prints; the options are those of `examine`."""
    return examine(file, wanted, **options).text


def examine(
    file: str,
    wanted: str | Sequence[str],
    *,
    net: str | None = None,
    repair: bool = False,
    as_convolution: bool = False,
    json: bool = False,
    picture: str | None = None,
    depth: int | None = None,
    memory: bool = False,
    prove: "Callable[[Ending], str]" = no_proof,
    run: Runner | None = None,
) -> Description:
    """What `clearhead layers` prints, and whether the net breaks.

    `prove` shows two layers equal on random input, and `run` runs the file; this room has no tensors to do either.
    """
    path = find(file, SUFFIXES)
    inputs = read_inputs([wanted] if isinstance(wanted, str) else wanted)
    title = path.name.removesuffix(".txt")
    text = text_of(path)
    reading = read(text, inputs, net, title) if run is None else NetReading(text, run(text, inputs, net, str(path)))
    if repair or json:
        again = None if run is None else (lambda edited: run(edited, inputs, net, str(path)))
        reading = mend(reading, net, again)
    if picture is not None:
        save(picture, reading)
    if json:
        from clearhead.layers.report.layer_json import as_json

        return Description(as_json(reading), reading.is_broken)
    parts = [as_text(reading, title, depth, run is not None)]
    if memory:
        from clearhead.layers.report.memory_table import memory_text

        parts.append(memory_text(reading, depth))
    if as_convolution:
        from clearhead.layers.repairs.equal_convolution import rewrite, rewriting_text

        if reading.commas:
            raise InputError("--as-convolution needs a source without faults; mend it first, see --repair.")
        rewriting = rewrite(reading.analysis, inputs, net)
        parts.append(rewriting_text(rewriting, prove(rewriting.ending)))
    if repair:
        parts.append(repair_text(reading, title, depth))
    elif reading.is_broken:
        parts.append("With --repair: the smallest edit that makes it run.")
    return Description("\n\n".join(parts), reading.is_broken)


def save(file: str, reading: NetReading) -> None:
    """Draw the net into an SVG file, or a PNG."""
    from clearhead.layers.report.net_picture import picture as draw
    from clearhead.pictures import picture_file, require_picture_name

    path = Path(file)
    require_picture_name(path)
    write(picture_file(draw(reading), path), path)


def text_of(path: Path) -> str:
    """The Python of a file; of a notebook, that of its code cells."""
    try:
        text = decode(path.read_bytes(), path.name)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    if path.suffix != ".ipynb":
        return text
    from clearhead.layers.source.notebook import code_of

    return code_of(text, path.name)
