"""The rows of an analysis as lines that a person reads, one a layer or operation, up to the break."""

from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from clearhead.layers.analysis import Analysis
from clearhead.layers.interpreter.interpreter_state import Row
from clearhead.layers.repairs.repair import NetReading
from clearhead.layers.report.memory import held, numbers_in, numbers_out
from clearhead.layers.values.axis_sizes import BATCH, is_readable, product, show_shape
from clearhead.layers.values.net_parts import Layer
from clearhead.layers.values.refusals import Unknown
from clearhead.layers.values.tensors import Tensor


@dataclass(frozen=True, slots=True)
class LayerLine:
    """One layer as a person reads it."""

    name: str
    line: int
    output: tuple[int, ...] | None
    weights: int | None
    shape_arithmetic: str = ""
    weight_arithmetic: str = ""
    multiply_adds: int | None = 0
    field: str = ""
    kind: str = ""
    path: str = ""
    activations: int | None = 0  # numbers that come out, for one example
    running: int | None = 0  # numbers that are there while it runs: what goes in and what comes out


def lines_of(reading: NetReading) -> list[LayerLine]:
    """The rows of the table, up to the break; a layer that is used again weighs nothing the second time."""
    analysis, seen, found = reading.analysis, set[Any](), list[LayerLine]()
    last = reading.commas[0].line if reading.commas else None
    for row in analysis.rows:
        if last is not None and row.line > last:
            break
        found.append(line_of_row(analysis, row, seen))
    if last is None and analysis.broken is None:
        found += [unused(analysis, layer) for layer in analysis.unused]
        for path, parameter in analysis.parameters:
            shape = parameter.tensor.shape
            weights = product(shape)
            text = f"{show_shape(shape).replace('×', '·')} = {weights}"
            found.append(LayerLine(f"{path} Parameter", parameter.line, shape, weights, "", text, None, "", "Parameter", path))
    return with_running(numbers_in(analysis), found)


def with_running(came: int, lines: list[LayerLine]) -> list[LayerLine]:
    """The lines with what is in memory while each runs; not known after one whose output is not."""
    known = list(takewhile(lambda line: line.activations is not None, lines))
    there: list[int | None] = [*held(came, [line.activations or 0 for line in known])]
    there += [None] * (len(lines) - len(known))
    return [replace(line, running=numbers) for line, numbers in zip(lines, there, strict=True)]


def line_of_row(analysis: Analysis, row: Row, seen: set[Any]) -> LayerLine:
    """One row; `seen` holds the layers and the reasons that were shown above."""
    output = first_tensor(row.output)
    text = row.arithmetic
    if isinstance(row.output, Unknown):
        text = "unknown, as above" if row.output in seen else f"unknown from here on, because {row.output.why}"
        seen.add(row.output)
    if isinstance(row.output, tuple) and output is not None:
        text = f"{text}; gives {len(row.output)} results, this is the first".removeprefix("; ")
    path, weights, counted = "", 0 if row.layer is None else None, ""
    if row.layer is not None:
        path = analysis.paths.get(id(row.layer), "")
        if id(row.layer) in seen:
            weights, counted = 0, "the same layer again: its weights are counted above"
        elif row.layer.weights is not None:
            weights, counted = weights_of(analysis, row.layer)
        seen.add(id(row.layer))
    shape = None if output is None else output.shape
    adds = None if row.multiply_adds is None else per_example(row.multiply_adds)
    field = str(row.field) if output is not None else ""
    numbers = None if output is None else numbers_out(row)
    return LayerLine(
        f"{path} {row.kind}".strip(), row.line, shape, weights, text, counted, adds, field, row.kind, path, numbers
    )


def weights_of(analysis: Analysis, layer: Layer) -> tuple[int, str]:
    """What a layer weighs, and the arithmetic; weights that it shares with a layer above are counted there."""
    assert layer.weights is not None
    count = analysis.counted.get(id(layer), layer.weights.count)
    if count == layer.weights.count:
        return count, layer.weights.arithmetic
    return count, f"{layer.weights.arithmetic}; of these {layer.weights.count - count} are shared or left out"


def unused(analysis: Analysis, layer: Layer) -> LayerLine:
    path = analysis.paths.get(id(layer), "")
    weights, text = (None, "") if layer.weights is None else weights_of(analysis, layer)
    why = "not reached" if analysis.unknown else "never used by forward"
    return LayerLine(f"{path} {layer.kind}".strip(), layer.line, None, weights, why, text, None, "", layer.kind, path)


def first_tensor(output: Any) -> Tensor | None:
    first = output[0] if isinstance(output, tuple) and output else output
    return first if isinstance(first, Tensor) else None


def per_example(cost: int) -> int | None:
    """Multiply-adds for one example, or for all there is where no batch axis is; None where they are no multiple of N."""
    share, rest = divmod(cost, BATCH)
    if rest == 0 and is_readable(share) and abs(share) < BATCH:
        return share
    return cost if abs(cost) < BATCH // 2 else None


def total_adds(analysis: Analysis, lines: list[LayerLine]) -> int | None:
    """The multiply-adds of all rows, or None where one is not known."""
    adds = [line.multiply_adds for line in lines if line.output is not None and line.kind != "Parameter"]
    known = analysis.unknown is None and analysis.broken is None and all(each is not None for each in adds)
    return sum(each for each in adds if each is not None) if known else None
