"""Whether a variant is as hard as the problem it was made from; each reason why not is one sentence.

A variant is refused where it has, more often than the original,

- rows of a step that are all 0, or all alike (nothing to see in them);
- a tie for the largest number where the largest decides (softmax and argmax of what comes before);
- rows of shares in which one takes more than 99 %;
- numbers beyond twice the largest of the original (and beyond 20), so exponents stay where they were;
- fractions with denominators beyond those of the original (and beyond 64): nobody divides by 117 for pleasure;
- infinite numbers; or other steps or shapes than the original, or all its results again.
"""

from collections.abc import Iterator
from fractions import Fraction

from clearhead.exact.decimals import as_float
from clearhead.exact.matrices import Matrix
from clearhead.working.steps import Working

SATURATED = 0.99
USUAL_SIZE, USUAL_DENOMINATOR = 20.0, 64


def why_not(original: Working, variant: Working) -> str:
    """Why a variant is not as hard as the original; nothing where it is."""
    names = [step.name for step in original.plan.steps]
    if names != [step.name for step in variant.plan.steps]:
        return "other steps"
    for name in names:
        if name in original.values and original.values[name].shape != variant.values[name].shape:
            return f"{name} has another shape"
    if all(original.values[name] == variant.values[name] for name in names if name in original.values):
        return "the same results"
    for sentence, count in COUNTS.items():
        if count(variant) > count(original):
            return sentence
    for sentence, size, usual in SIZES:
        if size(variant) > max(size(original) * 2, usual):
            return sentence
    return ""


def tables(working: Working) -> Iterator[Matrix]:
    return (working.values[step.name] for step in working.plan.steps if step.name in working.values)


def zero_rows(working: Working) -> int:
    return sum(all(cell == 0 for cell in row) for table in tables(working) for row in table.rows)


def equal_rows(working: Working) -> int:
    return sum(len(row) > 1 and all(cell == row[0] for cell in row) for table in tables(working) for row in table.rows)


def infinite_cells(working: Working) -> int:
    return sum(isinstance(cell, float) for table in tables(working) for row in table.rows for cell in row)


def share_tables(working: Working) -> Iterator[tuple[str, list[list[float]]]]:
    """Steps whose rows are positive and add up to 1."""
    for step in working.plan.steps:
        if step.name not in working.values:
            continue
        rows = [[as_float(cell) for cell in row] for row in working.values[step.name].rows]
        if len(rows[0]) > 1 and all(min(row) >= 0 and abs(sum(row) - 1) < 0.02 for row in rows):
            yield step.name, rows


def saturated_rows(working: Working) -> int:
    return sum(max(row) > SATURATED for _, rows in share_tables(working) for row in rows)


def tied_rows(working: Working) -> int:
    """Rows of shares in which the largest stands twice."""
    return sum(sum(cell == max(row) for cell in row) > 1 for _, rows in share_tables(working) for row in rows)


def largest_number(working: Working) -> float:
    cells = (
        abs(as_float(cell)) for table in tables(working) for row in table.rows for cell in row if not isinstance(cell, float)
    )
    return max(cells, default=0.0)


def largest_denominator(working: Working) -> float:
    cells = (cell for table in tables(working) for row in table.rows for cell in row)
    return max((cell.denominator for cell in cells if isinstance(cell, Fraction)), default=1)


COUNTS = {
    "a row of zeros": zero_rows,
    "a row of equal numbers": equal_rows,
    "an infinite number": infinite_cells,
    "one share takes more than 99 %": saturated_rows,
    "a tie for the largest share": tied_rows,
}
SIZES = (
    ("numbers too large", largest_number, USUAL_SIZE),
    ("fractions too long", largest_denominator, float(USUAL_DENOMINATOR)),
)
