"""The rows of a table as boxes of a picture."""

from dataclasses import replace

from clearhead.layers.analysis import Analysis
from clearhead.layers.repairs.repair import NetReading
from clearhead.layers.report.layer_lines import LayerLine, lines_of
from clearhead.layers.report.layer_table import count
from clearhead.layers.values.axis_sizes import BATCH, without_batch
from clearhead.pictures import Box, network

JOINS = ("+", "torch.cat", "torch.add", "torch.concat", "*")
FEW = 24  # boxes up to which every layer with weights has its own, and nothing is folded
LONGEST_REPEAT = 16  # boxes of a block


def picture(reading: NetReading) -> str:
    """The net as an SVG: one box for each change of shape, the layers that make it written under it."""
    analysis = reading.analysis
    every = list(enumerate(lines_of(reading)))
    lines = [(row, line) for row, line in every if line.output is not None and line.kind != "Parameter" and drawable(line)]
    first = Box(without_batch(analysis.input.tensor().shape), "input")
    groups: list[list[tuple[int, LayerLine]]] = []
    for row, line in lines:
        fresh = not groups or without_batch(groups[-1][-1][1].output or ()) != without_batch(line.output or ())
        if fresh or (line.weights and len(lines) <= FEW):
            groups.append([(row, line)])
        else:
            groups[-1].append((row, line))
    shown = [[line for _, line in group] for group in groups]
    every_box = [Box(without_batch(group[-1].output or ()), names(group), remark(group)) for group in shown]
    boxes, places = fold_repeats(every_box) if len(every_box) > FEW else (every_box, list(range(len(every_box))))
    broken = ""
    if reading.commas:
        broken = f"line {reading.commas[0].line}: a comma is missing"
    elif analysis.broken is not None:
        broken = f"line {analysis.broken.line}: {analysis.broken.why}"
    box_of = {row: places[number] + 1 for number, group in enumerate(groups) for row, _ in group}
    return network([first, *boxes], broken, skips_between(analysis, box_of))


def fold_repeats(boxes: list[Box]) -> tuple[list[Box], list[int]]:
    """Boxes that come again and again, alone or several together, drawn once (3 × [ … ]); and where each of the boxes is now.

    >>> folded, places = fold_repeats([Box((4,), "a"), *[Box((8,), "b"), Box((4,), "c")] * 3])
    >>> [box.remark for box in folded], places
    (['', '3 × [', ']'], [0, 1, 2, 1, 2, 1, 2])
    """
    found: list[Box] = []
    places: list[int] = []
    at = 0
    while at < len(boxes):
        span, times = longest_repeat(boxes, at)
        start = len(found)
        for n, box in enumerate(boxes[at : at + span]):
            opens, ends = n == 0 and times > 1, n == span - 1 and times > 1 < span
            parts = (f"{times} ×" + " [" * (span > 1) if opens else "", box.remark, "]" if ends else "")
            found.append(replace(box, remark=" ".join(part for part in parts if part)))
        places += [start + n % span for n in range(span * times)]
        at += span * times
    return found, places


def longest_repeat(boxes: list[Box], at: int) -> tuple[int, int]:
    """How many boxes from here on come again at once, and how often; one box once where nothing does."""
    best = (1, 1)
    for span in range(1, min(LONGEST_REPEAT, (len(boxes) - at) // 2) + 1):
        times = 1
        while boxes[at + times * span : at + (times + 1) * span] == boxes[at : at + span]:
            times += 1
        if span * (times - 1) > best[0] * (best[1] - 1):
            best = (span, times)
    return best


def skips_between(analysis: Analysis, box_of: dict[int, int]) -> list[tuple[int, int]]:
    """Which boxes are joined over others: a sum or a join of something that an earlier box gave."""
    made_by, found, box = dict[int, int](), list[tuple[int, int]](), 0
    for place, row in enumerate(analysis.rows):
        box = box_of.get(place, box)
        for given in row.inputs if row.kind in JOINS and len(row.inputs) > 1 else ():
            start = made_by.get(id(given))
            if start is not None and box - start > 1:
                found.append((start, box))
        source = made_by.get(id(row.inputs[0])) if row.kind == "[…]" and row.inputs else None  # a cut-out comes from its source
        for each in row.output if isinstance(row.output, tuple) else (row.output,):
            made_by[id(each)] = box if source is None else source
    return list(dict.fromkeys(found))


def drawable(line: LayerLine) -> bool:
    return all(0 < size < BATCH // 2 for size in without_batch(line.output or ()))


def names(group: list[LayerLine]) -> str:
    """The kinds of layers in a group, each once in a row."""
    found: list[tuple[str, int]] = []
    for line in group:
        if found and found[-1][0] == line.kind:
            found[-1] = (line.kind, found[-1][1] + 1)
        else:
            found.append((line.kind, 1))
    if len(found) > 3:
        return f"{found[0][0]} and {len(group) - 1} more"
    return ", ".join(kind if times == 1 else f"{times} {kind}" for kind, times in found)


def remark(group: list[LayerLine]) -> str:
    weights = [line.weights for line in group]
    if any(each is None for each in weights):
        return ""
    total = sum(each for each in weights if each is not None)
    return f"{count(total)} weights" if total else ""
