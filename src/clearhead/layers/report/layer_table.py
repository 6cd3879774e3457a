"""What an analysis says, as a table for a terminal."""

import textwrap
from collections.abc import Iterator

from clearhead.layers.analysis import Analysis, shown_inputs
from clearhead.layers.repairs.repair import NetReading
from clearhead.layers.report.collapsed_parts import folded
from clearhead.layers.report.layer_lines import LayerLine, first_tensor, lines_of, total_adds
from clearhead.layers.report.memory import memory_of, show_bytes
from clearhead.layers.source.file_text import line_of
from clearhead.layers.values.axis_sizes import BATCH, show_example, show_size

WIDTH = 80
COLUMNS = (27, 15, 12, 14, 8)  # layer, output, weights, multiply-adds, field; wider where a number needs it
GO_ON = (
    "With --run it would go on: the file is then run (only do that with a file you trust; torch and what it imports "
    "must be installed), in a process of its own, on tensors without numbers."
)


def as_text(reading: NetReading, title: str, depth: int | None = None, run: bool = False) -> str:
    """The table, the break, and what is left open."""
    analysis = reading.analysis
    lines = lines_of(reading)
    shape = analysis.input.shape
    where = "; a batch axis N goes in front" if shape[:1] == (BATCH,) else ""
    shown = show_example(shape) if len(analysis.inputs) == 1 and not analysis.input.name else shown_inputs(analysis)
    made = f" = {analysis.net.call}" if analysis.net.call not in ("", analysis.net.name, f"{analysis.net.name}()") else ""
    parts = [wrap(f"{title}: {analysis.net.name}{made}, line {analysis.net.line}; input {shown}{where}")]
    parts += [wrap(f"note: {note}") for note in [*dict.fromkeys(analysis.notes), *others(analysis)]]
    parts += ["", table(folded(lines, depth), totals(reading, lines))]
    if analysis.broken is None and not reading.commas:
        parts += ["", "multiply-adds: of one example; products with weights and of matrices, no biases."]
        parts.append("field: input positions that one output sees along each axis, borders apart.")
        parts += memory_lines(analysis)
    parts += ending(reading, run)
    return "\n".join(part.rstrip() for part in parts)


def totals(reading: NetReading, lines: list[LayerLine]) -> tuple[str, ...] | None:
    """The last row of the table; none for a net that breaks."""
    analysis = reading.analysis
    if analysis.broken is not None or reading.commas:
        return None
    last = first_tensor(analysis.output)
    output = show_example(last.shape) if last is not None and analysis.unknown is None else "?"
    if last is None and analysis.unknown is None and lines:
        final = next((line.output for line in reversed(lines) if line.output and line.kind != "Parameter"), None)
        output = show_example(final) if final else "?"
    weights = count(analysis.weights) if analysis.weights is not None else f"≥ {count(analysis.at_least)}"
    return "in all", output, weights, count(total_adds(analysis, lines)), ""


def memory_lines(analysis: Analysis) -> list[str]:
    memory = memory_of(analysis)
    if memory is None:
        return []
    text = (
        "memory: weights {weights}, outputs of all layers {activations} an example; {inference} to use it, {training} to train "
        "it with Adam (float32, one example); layer by layer with --memory."
    )
    return [wrap(text.format(**{name: show_bytes(size) for name, size in memory.items()}))]


def others(analysis: Analysis) -> list[str]:
    if not analysis.others:
        return []
    named = dict.fromkeys(f"{each.call or each.name} (line {each.line})" for each in analysis.others)
    shown = [*list(named)[:8], *(["…"] if len(named) > 8 else [])]
    return [f"the file holds other nets too: {', '.join(shown)}; choose one with --net NAME"]


def ending(reading: NetReading, run: bool) -> list[str]:
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
        found = ["", wrap(f"BREAKS on line {broken.line}{place}: {broken.why}."), *([f"    {shown}"] if shown else [])]
        return found + [wrap(f"in {each['what']}, line {each['line']}: {each['code']}", "    ") for each in broken.made_at]
    if analysis.unknown is not None:
        why = wrap(f"unknown from here on, because {analysis.unknown.why}.")
        return ["", why, *([] if run else [wrap(GO_ON)])]
    return []


def table(lines: list[LayerLine], last: tuple[str, ...] | None) -> str:
    """One row a layer, and under it the arithmetic of its sizes and of its weights."""
    rows: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    for line in lines:
        output = "?" if line.output is None else show_example(line.output)
        adds = "" if line.kind == "Parameter" else count(line.multiply_adds)
        texts = tuple(text for text in (line.shape_arithmetic, line.weight_arithmetic) if text)
        rows.append(((line.name, output, count(line.weights), adds, line.field), texts))
    head = ("layer", "output", "weights", "multiply-adds", "field")
    every = [head, *(row for row, _ in rows), *([last] if last else [])]
    widths = widths_for(every)
    rule = "─" * max(WIDTH - 1, sum(widths) + 2)
    found = [cells(head, widths), rule]
    for row, texts in rows:
        found.append(cells(row, widths))
        found += [wrap(text, "    ") for text in texts]
    return "\n".join([*found, rule, *([cells(last, widths)] if last else [])])


def widths_for(rows: list[tuple[str, ...]]) -> tuple[int, ...]:
    """The width of each column: as usual, and wider where something in it would touch its neighbour."""
    return (COLUMNS[0], *(max(COLUMNS[n], 1 + max(len(row[n]) for row in rows)) for n in range(1, len(COLUMNS))))


def cells(row: tuple[str, ...], widths: tuple[int, ...]) -> str:
    """One row; a name that is too long is cut in the middle."""
    name, output, weights, adds, field = row
    layer, *rest = widths
    name = name if len(name) < layer else f"{name[: layer - 9]}…{name[-6:]}"
    return f"{name:<{layer}}{output:<{rest[0]}}{weights:>{rest[1]}}{adds:>{rest[2]}}  {field:<{rest[3]}}".rstrip()


def count(number: int | None) -> str:
    """A number with commas; a question mark where it is not known."""
    return "?" if number is None else f"{number:,}" if abs(number) < BATCH else show_size(number)


def wrap(text: str, indent: str = "") -> str:
    """A sentence in lines of the table's width."""
    return textwrap.fill(text, WIDTH - 1, initial_indent=indent, subsequent_indent=indent + "  ", break_on_hyphens=False)


def repair_text(reading: NetReading, title: str = "", depth: int | None = None) -> str:
    """The repairs as a diff, what the net does afterwards, and the table of the mended net."""
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
        output = first_tensor(after.output)
        shape = show_example(output.shape) if output else "as the input"
        rest = f"Checked again: it runs, output {shape}, {count(after.weights)} weights."
    return "\n\n".join([reading.diff, *mended_table(reading, title, depth), f"{how_many}. {rest}"])


def mended_table(reading: NetReading, title: str, depth: int | None) -> Iterator[str]:
    """The table of the mended net, where it runs."""
    after = reading.after
    if after is not None and after.broken is None and title:
        yield as_text(NetReading(reading.mended, after), f"{title}, mended", depth)
