"""A size that does not fit can be mended where it comes from: at the layer that made the tensor."""

from collections.abc import Iterator

from clearhead.layers.analysis import Analysis
from clearhead.layers.laws import LAWS, parameters
from clearhead.layers.repairs.outer_edits import outer_edits
from clearhead.layers.source.edits import Edit
from clearhead.layers.source.fixes import Refused, SetArgument
from clearhead.layers.values.net_parts import Layer

OUTPUTS = ("out_channels", "out_features", "hidden_size", "embedding_dim", "d_model")
MOST_PRODUCERS = 4


def producer_edits(analysis: Analysis, text: str) -> Iterator[Edit]:
    """Edits that make an earlier layer give out the size that is wanted, the nearest layer first."""
    for have, want in sizes_of(analysis):
        tried = 0
        for row in reversed(analysis.rows):
            name = output_name(row.layer, have) if row.layer is not None else None
            if row.layer is None or name is None:
                continue
            fix = SetArgument(name, str(want))
            at = Refused(
                row.layer.node, row.node, parameters(LAWS[row.layer.kind].signature)[0], row.layer.trail, row.layer.names
            )
            for edit in (*outer_edits(fix, at, text), fix.edit(at, text)):
                if edit is not None:
                    yield edit
            tried += 1
            if tried >= MOST_PRODUCERS:
                break


def sizes_of(analysis: Analysis) -> list[tuple[int, int]]:
    """What comes in and what is wanted: of a layer's argument, or of two sides that do not fit."""
    broken = analysis.broken
    if broken is None:
        return []
    found: list[tuple[int, int]] = []
    for fix in broken.fixes:
        if isinstance(fix, SetArgument) and fix.value.isdigit() and broken.layer is not None:
            wanted = broken.layer.arguments.get(fix.name)
            if isinstance(wanted, int) and not isinstance(wanted, bool):
                found.append((int(fix.value), wanted))
    if broken.sizes is not None:
        one, other = broken.sizes
        found += [(one, other), (other, one)]
    return found


def output_name(layer: Layer, size: int) -> str | None:
    """The argument by which a layer gives out so many channels or features."""
    if layer.kind not in LAWS or layer.unknown:
        return None
    return next((name for name in OUTPUTS if layer.arguments.get(name) == size), None)
