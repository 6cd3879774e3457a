"""What an analysis says, as JSON for a program."""

import json
from typing import Any

from clearhead.layers.repairs.repair import NetReading
from clearhead.layers.report.layer_table import lines_of
from clearhead.layers.values.axis_sizes import BATCH, show_size, without_batch


def as_json(reading: NetReading) -> str:
    """The same for a program: shapes without the batch; a size that is no plain number is a text such as "2N"."""
    analysis = reading.analysis
    layers = [
        {
            "name": line.name,
            "line": line.line,
            "output": None if line.output is None else [plain(size) for size in without_batch(line.output)],
            "weights": line.weights,
            "arithmetic": "; ".join(text for text in (line.shape_arithmetic, line.weight_arithmetic) if text),
        }
        for line in lines_of(reading)
    ]
    known = [line["weights"] for line in layers]
    partial = sum(each for each in known if isinstance(each, int))
    broken: dict[str, Any] | None = None
    if reading.commas:
        comma = reading.commas[0]
        broken = {"line": comma.line, "why": f"a comma is missing behind {comma.before}"}
    elif analysis.broken is not None:
        broken = {"line": analysis.broken.line, "why": analysis.broken.why}
    repairs = [{"line": each.line, "before": each.before, "after": each.after} for each in reading.repairs]
    weights = partial if reading.commas or (analysis.broken and analysis.net.broken) else analysis.weights
    return json.dumps({"layers": layers, "weights": weights, "break": broken, "repairs": repairs}, ensure_ascii=False, indent=2)


def plain(size: int) -> int | str:
    return size if abs(size) < BATCH // 2 else show_size(size)
