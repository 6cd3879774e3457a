"""What an analysis says, as a table for a terminal of 80 columns and as JSON."""

import textwrap
from dataclasses import dataclass
from typing import Any

from clearhead.layers.analysis import Analysis
from clearhead.layers.interpreter.interpreter_state import Row
from clearhead.layers.repairs.repair import NetReading
from clearhead.layers.source.file_text import line_of
from clearhead.layers.values.axis_sizes import BATCH, is_readable, product, show_example, show_shape, show_size
from clearhead.layers.values.net_parts import Layer
from clearhead.layers.values.refusals import Unknown
from clearhead.layers.values.tensors import Tensor

WIDTH = 80
COLUMNS = (27, 15, 12, 14, 8)  # layer, output, weights, multiply-adds, field


@dataclass(frozen=True, slots=True)
class Line:
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


def lines_of(reading: NetReading) -> list[Line]:
    """The rows of the table, up to the break; a layer that is used again weighs nothing the second time."""
    analysis, seen, found = reading.analysis, set[Any](), list[Line]()
    last = first_comma_line(reading)
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
            found.append(Line(f"{path} Parameter", parameter.line, shape, weights, "", text, None, "", "Parameter", path))
    return found


def first_comma_line(reading: NetReading) -> int | None:
    return reading.commas[0].line if reading.commas else None


def line_of_row(analysis: Analysis, row: Row, seen: set[Any]) -> Line:
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
            weights, counted = row.layer.weights.count, row.layer.weights.arithmetic
        seen.add(id(row.layer))
    shape = None if output is None else output.shape
    adds = None if row.multiply_adds is None else per_example(row.multiply_adds)
    field = str(row.field) if output is not None else ""
    return Line(f"{path} {row.kind}".strip(), row.line, shape, weights, text, counted, adds, field, row.kind, path)


def unused(analysis: Analysis, layer: Layer) -> Line:
    path = analysis.paths.get(id(layer), "")
    weights = None if layer.weights is None else layer.weights.count
    why = "not reached" if analysis.unknown else "never used by forward"
    text = "" if layer.weights is None else layer.weights.arithmetic
    return Line(f"{path} {layer.kind}".strip(), layer.line, None, weights, why, text, None, "", layer.kind, path)


def first_tensor(output: Any) -> Tensor | None:
    first = output[0] if isinstance(output, tuple) and output else output
    return first if isinstance(first, Tensor) else None


def per_example(cost: int) -> int | None:
    """Multiply-adds for one example; None where they do not grow with the batch as a multiple."""
    share, rest = divmod(cost, BATCH)
    return share if rest == 0 and is_readable(share) and abs(share) < BATCH else None


def as_text(reading: NetReading, title: str) -> str:
    """The table, the break, and what is left open."""
    analysis = reading.analysis
    lines = lines_of(reading)
    shape = analysis.input.tensor().shape
    where = "; a batch axis N goes in front" if shape[0] == BATCH else ""
    parts = [f"{title}: {analysis.net.name}, line {analysis.net.line}; input {show_example(shape)}{where}"]
    parts += [wrap(f"note: {note}") for note in [*analysis.notes, *others(analysis)]]
    parts += ["", table(lines)]
    complete = analysis.broken is None and not reading.commas
    if complete:
        adds = [line.multiply_adds for line in lines if line.output is not None and line.kind != "Parameter"]
        known = analysis.unknown is None and all(each is not None for each in adds)
        total = sum(each for each in adds if each is not None) if known else None
        last = next((line.output for line in reversed(lines) if line.output and line.kind != "Parameter"), None)
        output = show_example(last) if last and analysis.unknown is None else "?"
        parts.append(cells("in all", output, count(analysis.weights), count(total), ""))
        parts += ["", "multiply-adds: of one example; products with weights and of matrices, no biases."]
        parts.append("field: input positions that one output sees along each axis, borders apart.")
    parts += ending(reading)
    return "\n".join(part.rstrip() for part in parts)


def others(analysis: Analysis) -> list[str]:
    if not analysis.others:
        return []
    names = ", ".join(f"{each.name} (line {each.line})" for each in analysis.others)
    return [f"the file holds other nets too: {names}; choose one with --net NAME"]


def ending(reading: NetReading) -> list[str]:
    """Where it breaks and why, or what is not known."""
    analysis = reading.analysis
    if reading.commas:
        comma = reading.commas[0]
        why = f"a comma is missing behind `{comma.before}`"
        return ["", wrap(f"BREAKS on line {comma.line}, column {comma.column + 1}: {why}, before `{comma.after}`.")]
    if analysis.broken is not None:
        broken = analysis.broken
        used = getattr(broken.at.call, "lineno", broken.line)
        place = f" (used on line {used})" if used != broken.line else ""
        shown = line_of(analysis.text, broken.line).strip()
        return ["", wrap(f"BREAKS on line {broken.line}{place}: {broken.why}."), f"    {shown}"]
    if analysis.unknown is not None:
        return ["", wrap(f"unknown from here on, because {analysis.unknown.why}.")]
    return []


def table(lines: list[Line]) -> str:
    """One row a layer, and under it the arithmetic of its sizes and of its weights."""
    found = [cells("layer", "output", "weights", "multiply-adds", "field"), "─" * (WIDTH - 1)]
    for line in lines:
        output = "?" if line.output is None else show_example(line.output)
        adds = "" if line.kind == "Parameter" else count(line.multiply_adds)
        found.append(cells(line.name, output, count(line.weights), adds, line.field))
        found += [wrap(text, "    ") for text in (line.shape_arithmetic, line.weight_arithmetic) if text]
    return "\n".join([*found, "─" * (WIDTH - 1)])


def cells(name: str, output: str, weights: str, adds: str, field: str) -> str:
    """One row; a cell that is too wide pushes the others, or is cut if it is a name."""
    layer, *rest = COLUMNS
    name = name if len(name) < layer else f"{name[: layer - 9]}…{name[-6:]}"
    return f"{name:<{layer}}{output:<{rest[0]}}{weights:>{rest[1]}}{adds:>{rest[2]}}  {field:<{rest[3]}}".rstrip()


def count(number: int | None) -> str:
    return "?" if number is None else f"{number:,}" if abs(number) < BATCH else show_size(number)


def wrap(text: str, indent: str = "") -> str:
    return textwrap.fill(text, WIDTH - 1, initial_indent=indent, subsequent_indent=indent + "  ", break_on_hyphens=False)


def repair_text(reading: NetReading) -> str:
    """The repairs as a diff, and what the net does afterwards."""
    after = reading.after
    if not reading.repairs or after is None:
        if reading.analysis.unknown is not None:
            return "No repair is offered, because not every shape is known."
        broken = reading.analysis.broken is not None
        return "No repair is known for this break." if broken else "Nothing to repair: the net runs."
    how_many = f"{len(reading.repairs)} edit{'s' if len(reading.repairs) > 1 else ''}"
    if after.broken is not None:
        rest = f"It still breaks on line {after.broken.line}: {after.broken.why}; for that no repair is known."
    elif after.unknown is not None:
        rest = f"What comes then is not known: {after.unknown.why}."
    else:
        output = first_tensor(after.rows[-1].output) if after.rows else None
        shape = show_example(output.shape) if output else "as the input"
        rest = f"Checked again: it runs, output {shape}, {count(after.weights)} weights."
    return f"{reading.diff}\n\n{how_many}. {rest}"
