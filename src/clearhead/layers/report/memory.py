"""What a net takes in memory, layer by layer and in all: weights and what each layer gives out, for inference and for training.

Numbers are 4 bytes (float32; token ids are 8). Inference keeps the weights and, at the worst moment, what goes into a layer and
what comes out of it. Training keeps every layer's output for the way back, the weights, their gradients and the two
moments of Adam. Buffers inside a kernel, and what a skip connection keeps meanwhile, are not counted.
"""

from collections.abc import Sequence
from typing import Any

from clearhead.layers.analysis import Analysis
from clearhead.layers.interpreter.interpreter_state import Row
from clearhead.layers.values.axis_sizes import BATCH, is_readable, product
from clearhead.layers.values.tensors import Tensor
from clearhead.layers.values.word_lists import words

NUMBER = 4  # bytes
MOMENTS = 4  # a weight, its gradient and the two moments of Adam
QUIET = words("[…] .view .reshape .transpose .permute .unsqueeze .squeeze .flatten torch.flatten .expand Flatten")


def numbers_out(row: Row) -> int | None:
    """How many numbers a row gives out for one example; views of what is already there count nothing."""
    if row.kind in QUIET:
        return 0
    several = row.output if isinstance(row.output, tuple) else (row.output,)
    total = 0
    for each in several:
        if isinstance(each, Tensor):
            total += product(each.shape)
    share, rest = divmod(total, BATCH)
    found = share if rest == 0 else total
    return found if is_readable(found) and found < BATCH else None


def memory_of(analysis: Analysis) -> dict[str, Any] | None:
    """Bytes for one example; None where something is not known."""
    if analysis.broken is not None or analysis.unknown is not None or analysis.weights is None:
        return None
    outputs = [numbers_out(row) for row in analysis.rows]
    if any(each is None for each in outputs):
        return None
    known = [each for each in outputs if each is not None]
    weights = analysis.weights * NUMBER
    activations = sum(known) * NUMBER
    return {
        "weights": weights,
        "activations": activations,
        "inference": weights + max(held(numbers_in(analysis), known), default=0) * NUMBER,
        "training": MOMENTS * weights + activations,
    }


def numbers_in(analysis: Analysis) -> int:
    """How many numbers one example has as it comes in."""
    sizes = (product(each.shape) for each in analysis.inputs)
    return sum(size // BATCH if size % BATCH == 0 else size for size in sizes)


def held(came: int, outputs: Sequence[int]) -> list[int]:
    """How many numbers are there while each layer runs: what goes in and what comes out; a view goes on with what it shows.

    >>> held(3, [6, 0, 4])
    [9, 6, 10]
    """
    found, before = [], came
    for output in outputs:
        found.append(before + output)
        before = output or before
    return found


def layer_memory(weights: int | None, output: int | None, running: int | None) -> dict[str, int] | None:
    """Bytes of one layer: its weights, what it gives out, what is there while it runs, and what training keeps for it."""
    if weights is None or output is None or running is None:
        return None
    return {
        "weights": NUMBER * weights,
        "activations": NUMBER * output,
        "inference": NUMBER * (weights + running),
        "training": NUMBER * (MOMENTS * weights + output),
    }


def show_bytes(count: int) -> str:
    """Bytes as a person reads them.

    >>> show_bytes(512), show_bytes(102_400), show_bytes(3 * 2**30)
    ('512 B', '100.0 KiB', '3.0 GiB')
    """
    size = float(count)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024 or unit == "GiB":
            return f"{count} B" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{count} B"
