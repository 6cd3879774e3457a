"""Numbers that people write on the way and that are no step: exponentials, their sums, logarithms, slopes."""

import math
from collections.abc import Iterator, Mapping

from clearhead.working.reading.hypotheses.possible_steps import Atlas, Rows
from clearhead.working.steps import Step

SHARES = ("weights", "probabilities", "y_hat", "p")
LARGEST = 700.0  # e to a larger power is no float
MOST_CELLS = 400


def intermediates(steps: Mapping[str, Step], atlas: Atlas) -> Atlas:
    """What is often written between the steps of a plan, by a name of its own."""
    found = dict(between(steps, atlas.of))
    aside = Atlas({}, [], [])
    aside.of = {name: rows for name, rows in found.items() if rows and rows[0] and len(rows) * len(rows[0]) <= MOST_CELLS}
    aside.known = list(aside.of)
    return aside


def between(steps: Mapping[str, Step], of: Mapping[str, Rows]) -> Iterator[tuple[str, Rows]]:
    for name, step in steps.items():
        if name.rstrip("0123456789") in SHARES and step.needs and step.needs[0] in of:
            for label, rows in powers(of[step.needs[0]]):
                yield f"{label} for {name}", rows
                yield f"their sums for {name}", [[sum(row)] for row in rows]
        if name.startswith(("mean_log", "loss", "perplexity")):
            for need in step.needs:
                if need in of and all(0 < cell <= 1 for row in of[need] for cell in row):
                    yield from logarithms(need, of[need])
    for name, rows in of.items():
        if name.startswith(("h", "p", "y_hat", "s")) and all(0 < cell < 1 for row in rows for cell in row):
            yield f"slopes of {name}", [[cell * (1 - cell) for cell in row] for row in rows]
            yield f"1 - {name}", [[1 - cell for cell in row] for row in rows]


def powers(rows: Rows) -> Iterator[tuple[str, Rows]]:
    """e to each number, as it is and with the largest of its row taken off."""
    if all(cell < LARGEST for row in rows for cell in row):
        yield "powers of e", [[math.exp(cell) for cell in row] for row in rows]
    yield "powers of e, the largest taken off", [[math.exp(cell - max(row)) for cell in row] for row in rows]


def logarithms(name: str, rows: Rows) -> Iterator[tuple[str, Rows]]:
    """The logarithms of probabilities in the usual bases, with either sign, their sums, and the product."""
    cells = [cell for row in rows for cell in row]
    for base, log in (("ln", math.log), ("log2", math.log2), ("log10", math.log10)):
        for sign in (1, -1):
            logs = [sign * log(cell) for cell in cells]
            yield f"{sign}·{base} of {name}", [logs]
            yield f"sum of {sign}·{base} of {name}", [[sum(logs)]]
    yield f"product of {name}", [[math.prod(cells)]]
