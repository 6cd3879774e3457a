"""What each layer takes in memory, as a table for a terminal."""

from clearhead.layers.repairs.repair import NetReading
from clearhead.layers.report.collapsed_parts import folded
from clearhead.layers.report.layer_lines import LayerLine, lines_of
from clearhead.layers.report.layer_table import WIDTH, wrap
from clearhead.layers.report.memory import layer_memory, memory_of, show_bytes

NAME = 31
HEAD = ("weights", "output", "to use", "to train")
EXPLAINED = (
    "Bytes of one example in float32. To use: a layer's weights, what goes in and what comes out; in all: all weights and the "
    "fullest of these moments. To train: its weights four times (gradient, two moments of Adam) and its output, kept for the "
    "way back; a view keeps nothing. Further examples multiply all but the weights."
)


def memory_text(reading: NetReading, depth: int | None = None) -> str:
    """One line a layer and the sum; a question mark where a size is not known."""
    lines = [line for line in folded(lines_of(reading), depth) if line.output is not None]
    rule = "─" * (WIDTH - 1)
    found = [row("memory", HEAD), rule, *(row(line.name, sizes_of(line)) for line in lines), rule]
    whole = memory_of(reading.analysis)
    total = ("?",) * 4 if whole is None else tuple(show_bytes(size) for size in whole.values())
    return "\n".join([*found, row("in all", total), "", wrap(EXPLAINED)])


def sizes_of(line: LayerLine) -> tuple[str, ...]:
    sizes = layer_memory(line.weights, line.activations, line.running)
    return ("?",) * 4 if sizes is None else tuple(show_bytes(size) for size in sizes.values())


def row(name: str, sizes: tuple[str, ...]) -> str:
    name = name if len(name) < NAME else f"{name[: NAME - 9]}…{name[-6:]}"
    return f"{name:<{NAME}}" + "".join(f"{size:>12}" for size in sizes)
