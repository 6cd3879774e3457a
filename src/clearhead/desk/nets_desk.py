"""A net's source as a page hands it in: the table, the picture, where it breaks, and the source mended. It is never run."""

import json
from collections.abc import Mapping
from typing import Any

from clearhead.errors import InputError
from clearhead.layers.net_input import read_inputs
from clearhead.layers.repairs.repair import mend, read
from clearhead.layers.report.layer_json import as_json
from clearhead.layers.report.net_picture import picture
from clearhead.layers.source.notebook import code_of

LONGEST_SOURCE = 200_000
NAME = "your source"


def layers(asked: Mapping[str, Any]) -> dict[str, Any]:
    """What `clearhead layers --json` says, the picture, and the source once mended."""
    source, wanted, net = asked.get("source"), asked.get("input"), asked.get("net")
    if not isinstance(source, str) or not source.strip():
        raise InputError("a source is needed: paste the Python of a net")
    if len(source) > LONGEST_SOURCE:
        raise InputError(f"the source has {len(source):,} characters; at most {LONGEST_SOURCE:,} are read")
    if not isinstance(wanted, str) or not wanted.strip():
        raise InputError("the input is needed: the sizes of one example, such as 1x32x32")
    if source.lstrip().startswith("{"):
        source = code_of(source, NAME)
    inputs = read_inputs(wanted.replace(",", " ").split())
    reading = mend(read(source, inputs, net if isinstance(net, str) and net else None, NAME))
    return {
        **json.loads(as_json(reading)),
        "source": source,
        "broken": reading.is_broken,
        "mended": reading.mended if reading.repairs else "",
        "diff": reading.diff if reading.repairs else "",
        "picture": picture(reading),
    }
