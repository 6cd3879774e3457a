"""`--depth N`: layers that lie deeper than N names are taken together under the part that holds them."""

from dataclasses import replace
from itertools import groupby

from clearhead.layers.report.layer_lines import LayerLine


def folded(lines: list[LayerLine], depth: int | None) -> list[LayerLine]:
    """Rows of one part in a row become one: the last output, all weights and multiply-adds together."""
    if depth is None:
        return lines
    found: list[LayerLine] = []
    for key, group in groupby(lines, lambda line: head_of(line, depth)):
        rows = list(group)
        if key is None or (len(rows) == 1 and rows[0].path == key):
            found += rows
            continue
        last = next((row for row in reversed(rows) if row.output is not None), rows[-1])
        found.append(
            replace(
                last,
                name=f"{key} ({len(rows)} rows)",
                path=key,
                weights=together([row.weights for row in rows]),
                multiply_adds=together([row.multiply_adds for row in rows]),
                activations=together([row.activations for row in rows]),
                running=most([row.running for row in rows]),
                shape_arithmetic="",
                weight_arithmetic="",
            )
        )
    return found


def head_of(line: LayerLine, depth: int) -> str | None:
    """The part that a row belongs to, cut to so many names; None for operations of the net's own forward."""
    if not line.path:
        return None
    return ".".join(line.path.split(".")[:depth])


def together(numbers: list[int | None]) -> int | None:
    return None if any(each is None for each in numbers) else sum(each for each in numbers if each is not None)


def most(numbers: list[int | None]) -> int | None:
    known = [number for number in numbers if number is not None]
    return max(known, default=0) if len(known) == len(numbers) else None
