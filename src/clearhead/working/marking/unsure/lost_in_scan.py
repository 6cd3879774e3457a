"""What a scan may have lost: a sign, a point, a digit that the OCR is not sure of. None of it is an accusation."""

import re

from clearhead.exact.decimals import as_float
from clearhead.working.marking.judge import Judge
from clearhead.working.marking.own_values import PATHS
from clearhead.working.marking.verdicts import WRONG, JudgedCell
from clearhead.working.written import Place, Reading

FAINT = "the scan is not sure of this number"
LOST = "the scan may have lost a sign or a point here"
NOT_DIGIT = re.compile(r"\D")
ALIKE = ["06", "08", "09", "17", "14", "27", "38", "35", "49", "56", "68", "79", "89"]  # digits that are read for one another


def lost_in_scan(judge: Judge, reading: Reading) -> dict[tuple[str, Place], str]:
    """The wrong cells of a picture that may only have been read wrong, and why."""
    found: dict[tuple[str, Place], str] = {}
    for name, judged in judge.steps.items():
        targets = [judge.key.exact[name], *(judge.target(judged.step, path) for path in PATHS)]
        for place, cell in judged.cells.items():
            if cell.verdict != WRONG and not judged.wrong_shape:
                continue
            if judged.wrong_shape or (cell.written.line, cell.written.text) in reading.faint:
                found[name, place] = FAINT
            elif any(target is not None and same_digits(cell, as_float(target[place])) for target in targets):
                found[name, place] = LOST
    return found


def same_digits(cell: JudgedCell, right: float) -> bool:
    """Whether a number has the digits of the right one: only its sign, its point or a digit like it differ."""
    digits = NOT_DIGIT.sub("", cell.written.text).lstrip("0")
    if not digits or right in (float("inf"), float("-inf")):
        return False
    return any(looks_like(NOT_DIGIT.sub("", f"{abs(right):.{decimals}f}").lstrip("0"), digits) for decimals in range(9))


def looks_like(right: str, read: str) -> bool:
    """Whether two numbers have the same digits but for one that is easily read for another.

    >>> looks_like("2595", "2596"), looks_like("2595", "2895"), looks_like("2595", "259")
    (True, False, False)
    """
    if len(right) != len(read):
        return False
    differ = ["".join(sorted(pair)) for pair in zip(right, read, strict=True) if pair[0] != pair[1]]
    return not differ or (len(differ) == 1 and differ[0] in ALIKE)
