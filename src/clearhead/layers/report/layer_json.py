"""What an analysis says, as JSON for a program: every column of the table, the break, what is not known, the repairs."""

import json
from typing import Any

from clearhead.layers.analysis import Analysis
from clearhead.layers.repairs.repair import NetReading
from clearhead.layers.report.layer_lines import LayerLine, lines_of, total_adds
from clearhead.layers.report.memory import layer_memory, memory_of
from clearhead.layers.values.axis_sizes import BATCH, show_size, without_batch
from clearhead.layers.values.tensors import Tensor


def as_json(reading: NetReading) -> str:
    """The contract of `--json`; a size that hangs on the batch is a text such as "2N"."""
    analysis = reading.analysis
    lines = lines_of(reading)
    whole = analysis.weights if not reading.commas and analysis.net.broken is None else None
    found = {
        "net": analysis.net.name,
        "line": analysis.net.line,
        "call": analysis.net.call,
        "input": [
            {"name": each.name, "shape": shape_of(each.shape), "kind": "int" if each.whole else "float"}
            for each in analysis.inputs
        ],
        "output": output_of(analysis),
        "layers": [layer_of(line) for line in lines],
        "weights": whole,
        "at_least": analysis.at_least if analysis.net.module is not None else sum(line.weights or 0 for line in lines),
        "multiply_adds": total_adds(analysis, lines),
        "memory": memory_of(analysis),
        "notes": analysis.notes,
        "unknown": unknowns_of(analysis),
        "break": break_of(reading),
        "repairs": [{"line": each.line, "before": each.before, "after": each.after} for each in reading.repairs],
        "repaired": reading.runs_now,
    }
    return json.dumps(found, ensure_ascii=False, indent=2)


def layer_of(line: LayerLine) -> dict[str, Any]:
    return {
        "name": line.name,
        "path": line.path,
        "kind": line.kind,
        "line": line.line,
        "output": None if line.output is None else [plain(size) for size in without_batch(line.output)],
        "shape": None if line.output is None else shape_of(line.output),
        "weights": line.weights,
        "multiply_adds": line.multiply_adds,
        "field": line.field,
        "activations": line.activations,
        "memory": layer_memory(line.weights, line.activations, line.running),
        "arithmetic": "; ".join(text for text in (line.shape_arithmetic, line.weight_arithmetic) if text),
    }


def break_of(reading: NetReading) -> dict[str, Any] | None:
    analysis = reading.analysis
    if reading.commas:
        comma = reading.commas[0]
        return {"line": comma.line, "column": comma.column + 1, "why": f"a comma is missing behind {comma.before}", "made": []}
    broken = analysis.broken
    if broken is None:
        return None
    used = getattr(broken.at.call, "lineno", broken.line)
    return {"line": broken.line, "column": broken.column, "used": used, "why": broken.why, "made": broken.made_at}


def unknowns_of(analysis: Analysis) -> list[dict[str, Any]]:
    """Each thing that is not known once, in the order it was met."""
    found = [*([analysis.unknown] if analysis.unknown is not None else []), *analysis.unknowns]
    return [{"line": each.line, "why": each.why} for each in dict.fromkeys(found)]


def output_of(analysis: Analysis) -> Any:
    """The shape that the whole net gives; several for a tuple."""
    if analysis.broken is not None or analysis.unknown is not None:
        return None
    return shapes_in(analysis.output)


def shapes_in(value: Any) -> Any:
    if isinstance(value, Tensor):
        return shape_of(value.shape)
    if isinstance(value, (list, tuple)):
        return {"several": [shapes_in(each) for each in value]}
    return None


def shape_of(shape: tuple[int, ...]) -> list[int | str]:
    return [plain(size) for size in shape]


def plain(size: int) -> int | str:
    return size if abs(size) < BATCH // 2 else show_size(size)
