"""When a page must be looked at again, what stays unsure, and what looks like the working of another problem."""

import itertools
import re
from fractions import Fraction

from clearhead.exact.expressions import ZERO, Cell
from clearhead.exact.matrices import Matrix
from clearhead.exact.policies import rounded
from clearhead.working.marking.agreement import is_right
from clearhead.working.marking.credit import is_degenerate
from clearhead.working.marking.judge import Judge
from clearhead.working.marking.own_values import Own
from clearhead.working.marking.reasons.cell_slips import find_cell_slip
from clearhead.working.marking.reasons.plan_slips import WrongRules, rule_slip
from clearhead.working.marking.verdicts import FOLLOWS, MISSING, RIGHT, UNREADABLE, UNSURE, WRONG, JudgedStep
from clearhead.working.reading.hypotheses.other_values import COMPARED
from clearhead.working.reading.page.signs import several
from clearhead.working.reading.second_look import ONLY_NAME, RIVAL
from clearhead.working.written import LAST_COUNTS, Place, Reading, Written

DECIMAL = re.compile(r"(\d{1,12})[.,](\d{2,12})(?!\d)")
COUNT = re.compile(r"(?<![\d.,])(?:\d{1,3}(?:,\d{3})+|\d+)(?!\d|[.,]\d)")  # a whole number
NOT_DIGIT = re.compile(r"\D")
DIGITS = 3  # of a number that is told from others by its value alone
FEWEST = 4  # cells of first steps before anything is said about the problem; numbers of a table that tell it from others
LABEL_REACH = 4  # lines that a label may stand above a number
SEVERAL = 2  # cells that follow from a wrong one, where others beside them do not
SWAPS = ("swapped-rows", "swapped-columns")


def is_open(judge: Judge, reading: Reading) -> bool:
    """Whether a first reading leaves anything open: something unread, not found, or wrong without more to speak for it."""
    if reading.unreadable:
        return True
    whole = is_whole(judge) and not any(note.text.endswith(LAST_COUNTS) for note in reading.notes)
    return any(
        step.verdict not in (RIGHT, FOLLOWS)
        and not is_plain(judge, step)
        and not (whole and is_carried(judge, step) and not shares_a_line(step, reading))
        for step in judge.steps.values()
    )


def shares_a_line(judged: JudgedStep, reading: Reading) -> bool:
    """Whether a wrong number stands on a line with several statements: it may belong to another of them."""
    lines = reading.page.split("\n")
    numbers = {cell.written.line for cell in judged.cells.values() if cell.verdict == WRONG}
    return any(len(several(lines[number - 1])) > 1 for number in numbers if 0 < number <= len(lines))


def is_whole(judge: Judge) -> bool:
    """Whether every step was found, each a table of the right size with no cell left out."""
    return all(
        not judged.wrong_shape and len(judged.cells) == rows * columns
        for judged in judge.steps.values()
        for rows, columns in [judge.key.exact[judged.step.name].shape]
    )


def is_carried(judge: Judge, judged: JudgedStep) -> bool:
    """Whether what was made from a wrong step agrees with it as it stands; so it was read as it is meant."""
    later = [one for one in judge.steps.values() if judged.step.name in one.step.needs]
    return not later or any(FOLLOWS in one.verdicts or agrees_with_own(judge, one) for one in later)


def agrees_with_own(judge: Judge, judged: JudgedStep) -> bool:
    """Whether every cell of a step is what its rule makes of the numbers as they stand on the page."""
    target = judge.target(judged.step, Own.AS_WRITTEN)
    asked = judge.key.asked
    return target is not None and all(is_right(c.value, c.written, target[place], asked) for place, c in judged.cells.items())


def is_plain(judge: Judge, judged: JudgedStep) -> bool:
    """Whether a wrong step was surely read as it is meant: a whole table of the right size, most of whose cells are right."""
    exact = judge.key.exact[judged.step.name]
    if judged.verdict != WRONG or judged.wrong_shape or len(judged.cells) != exact.shape[0] * exact.shape[1]:
        return False
    wrong = sum(cell.verdict == WRONG for cell in judged.cells.values())
    return len(judged.cells) > 3 and 3 * wrong <= len(judged.cells)


def unconfirmed(judge: Judge, reading: Reading, slips: list[WrongRules]) -> frozenset[tuple[str, Place]]:
    """Wrong cells of a doubtful reading that nothing later was worked out from, and that no known slip gives."""
    found: set[tuple[str, Place]] = set()
    for name, judged in judge.steps.items():
        wrong = {place for place, cell in judged.cells.items() if cell.verdict == WRONG or judged.wrong_shape}
        doubtful = {(name, place) for place in wrong if (name, place) in reading.doubts}
        if doubtful and not is_known_slip(judge, judged, reading, slips) and not is_all_else_fine(judge, judged, reading):
            fine = is_mostly_fine(judged)
            loose = {
                place
                for at, place in doubtful
                if not (fine and stands_beside(judged, place)) or RIVAL in reading.doubts[at, place]
            }
            for row in {place[0] for place in loose}:
                together = {place for place in loose if place[0] == row}
                if judged.wrong_shape or not is_gone_on_with(judge, name, together):
                    found |= {(name, place) for place in together}
        found |= {(name, place) for place in wrong if not judged.wrong_shape and is_made_from_unread(judge, judged, place[0])}
        found |= {
            (name, place) for place in wrong if place in judged.cells and is_compared(reading, judged.cells[place].written)
        }
        if wrong and is_step_after(judge, judged):
            found |= {(name, place) for place in wrong}
        if wrong and not judged.wrong_shape and not is_mostly_fine(judged) and not is_known_slip(judge, judged, reading, slips):
            exact = judge.key.exact[name]
            if is_restated_given(judge, judged) or is_mostly_premature(judged):
                found |= {(name, place) for place in wrong}
            elif len(exact.rows) == len(exact.rows[0]) == 1 or not is_whole(judge):
                found |= {(name, place) for place in wrong if stands_on(reading.page, exact[place], judged.cells[place].value)}
    return frozenset(found)


def is_compared(reading: Reading, written: Written) -> bool:
    """Whether the words before a number, or the label above it, say that it is only compared: "without the mask"."""
    lines = reading.page.split("\n", written.line)[: written.line]
    if not 0 < written.line <= len(lines):
        return False
    above = itertools.takewhile(str.strip, reversed(lines[-1 - LABEL_REACH : -1]))
    label = next((line for line in above if line.rstrip(" *_").endswith(":")), "")
    return any(COMPARED.search(text) for text in (lines[-1].partition(written.text)[0], label))


def is_restated_given(judge: Judge, judged: JudgedStep) -> bool:
    """Whether all that was found for a step are cells of one given, each in its own place: old values beside the new ones."""
    cells = {place: cell.value for place, cell in judged.cells.items()}
    tables = [table for table in judge.key.plan.given.values() if table.shape == judge.key.exact[judged.step.name].shape]
    return len(cells) > 1 and any(all(table[place] == value for place, value in cells.items()) for table in tables)


def is_step_after(judge: Judge, judged: JudgedStep) -> bool:
    """Whether all that was found for a step is right for one made from it that was not found: only the name is the other's."""
    shape, cells = judge.key.exact[judged.step.name].shape, judged.cells.items()
    after = [one.step for one in judge.steps.values() if one.verdict == MISSING and judged.step.name in one.step.needs]
    return not judged.wrong_shape and any(
        judge.key.exact[step.name].shape == shape
        and all(judge.key.accepts(step.name, place, cell.value, cell.written) for place, cell in cells)
        for step in after
    )


def is_mostly_premature(judged: JudgedStep) -> bool:
    """Whether most of what was found agrees to next to no digits: whole numbers that may be anything."""
    return 2 * sum(cell.premature for cell in judged.cells.values()) > len(judged.cells)


def is_made_from_unread(judge: Judge, judged: JudgedStep, row: int) -> bool:
    """Whether a row is made from a step that is wrong further up by way of cells that were not read."""
    spoiled: set[str] = set()  # wrong steps, and those made from them
    for name, one in judge.steps.items():
        if one is judged:
            return any(need in spoiled and has_holes(judge, judge.steps[need], row) for need in one.step.needs)
        if WRONG in one.verdicts or not spoiled.isdisjoint(one.step.needs):
            spoiled.add(name)
    return False


def has_holes(judge: Judge, judged: JudgedStep, row: int) -> bool:
    """Whether some cells of a row of a step were found and others not."""
    _, columns = judge.key.exact[judged.step.name].shape
    return 0 < sum(place[0] == row for place in judged.cells) < columns


def stands_on(page: str, cell: Cell, instead: Cell = ZERO) -> bool:
    """Whether the right value is written on the page after all, to three digits or more: the other number is something else.

    The number that stands in its place does not count, though it may have the right digits and the wrong sign.

    >>> stands_on("-8.085 / 5 = -1.617", Fraction(-16168, 10_000)), stands_on("about 1.6", Fraction(16168, 10_000))
    (True, False)
    >>> stands_on("0.000 1.000", Fraction(1))  # which stands on any page
    False
    """
    if isinstance(cell, float):
        return False
    if isinstance(cell, Fraction) and cell.denominator == 1 and abs(cell) >= 10 ** (DIGITS - 1):
        counts = [found[0].replace(",", "") for found in COUNT.finditer(page)]
        return counts.count(str(abs(cell))) > (instead in (cell, -cell))
    itself = abs(instead) if isinstance(instead, Fraction) else None
    for match in DECIMAL.finditer(page):
        whole, decimals = match[1], match[2]
        if len((whole + decimals).strip("0")) >= DIGITS:
            written = Fraction(int(whole + decimals), 10 ** len(decimals))
            if rounded(cell, len(decimals)) in (written, -written):
                if itself != written:
                    return True
                itself = None
    return False


def is_gone_on_with(judge: Judge, name: str, places: set[Place]) -> bool:
    """Whether a later step follows from wrong cells as they were read, and would not from the right ones."""
    passed_on = {name}  # the step and the unwritten ones made from it, in the plan's order
    value = judge.own(name, Own.AS_WRITTEN)
    if value is None:
        return False
    exact = judge.key.exact[name]
    rows = tuple(
        tuple(exact[i, j] if (i, j) in places else cell for j, cell in enumerate(row)) for i, row in enumerate(value.rows)
    )
    mended = Matrix(rows, value.rank)
    for one in judge.steps.values():
        if not passed_on.isdisjoint(one.step.needs):
            wrong = one.count(WRONG)
            if FOLLOWS in one.verdicts and hanging(judge, one, name, mended) >= (max(wrong, SEVERAL) if wrong else 1):
                return True
            if one.verdict == MISSING:
                passed_on.add(one.step.name)
    return False


def hanging(judge: Judge, judged: JudgedStep, name: str, mended: Matrix) -> int:
    """How many cells that follow would no longer do so with another value of a step before it."""
    target = judge.with_value(judged.step, Own.AS_WRITTEN, name, mended)
    follows = [(place, cell) for place, cell in judged.cells.items() if cell.verdict == FOLLOWS]
    return sum(
        target is None or not is_right(cell.value, cell.written, target[place], judge.key.asked) for place, cell in follows
    )


def is_mostly_fine(judged: JudgedStep) -> bool:
    """Whether the other cells under the step's name are right or follow, twice as many as are wrong."""
    fine = [cell.value for cell in judged.cells.values() if cell.verdict in (RIGHT, FOLLOWS) and not cell.premature]
    return not judged.wrong_shape and len(fine) >= 2 * (len(judged.cells) - len(fine)) and len(set(fine) - {0, 1}) > 1


def stands_beside(judged: JudgedStep, place: Place) -> bool:
    """Whether a cell that is fine stands on the same line of the page as one in doubt, or on the next."""
    line = judged.cells[place].written.line
    return any(
        other != place and cell.verdict in (RIGHT, FOLLOWS) and abs(cell.written.line - line) <= 1
        for other, cell in judged.cells.items()
    )


def is_all_else_fine(judge: Judge, judged: JudgedStep, reading: Reading) -> bool:
    """Whether this step has its own name and no rival, and the page goes through the steps: most were found and are fine."""
    name = judged.step.name
    if judged.wrong_shape or any(reading.doubts.get((name, place), ONLY_NAME) != ONLY_NAME for place in judged.cells):
        return False
    others = [one for one in judge.steps.values() if one is not judged]
    fine = sum(one.verdict in (RIGHT, FOLLOWS) for one in others)
    if fine == len(others) and is_whole(judge):
        return True
    found = sum(one.verdict != MISSING for one in others)
    exact = judge.key.exact[name]
    return (
        2 * fine >= len(others)
        and 3 * fine >= 2 * found
        and not any(stands_on(reading.page, exact[place], cell.value) for place, cell in judged.cells.items())
    )


def is_known_slip(judge: Judge, judged: JudgedStep, reading: Reading, slips: list[WrongRules]) -> bool:
    """Whether a slip of the rules gives every number that stands under the step's own name; one of few digits tells nothing."""
    name = judged.step.name
    telling = {cell.value for cell in judged.cells.values() if cell.value not in (0, 1)}
    alone = len(telling) == 1 == len(judged.cells) and all(
        len(NOT_DIGIT.sub("", cell.written.text).lstrip("0")) >= DIGITS for cell in judged.cells.values()
    )
    rivals = any("right values" in reading.doubts.get((name, place), "") for place in judged.cells)
    if rivals or is_unfound_step(judge, judged) or not (len(telling) > 1 or alone):
        return False
    return rule_slip(judge, judged, slips) is not None or is_swap(judge, judged)


def is_unfound_step(judge: Judge, judged: JudgedStep) -> bool:
    """Whether all that stands under a step's name is right for another step of its size, of which nothing was found."""
    shape = judge.key.exact[judged.step.name].shape
    others = [name for name, one in judge.steps.items() if one.verdict == MISSING and judge.key.exact[name].shape == shape]
    return not judged.wrong_shape and any(
        all(judge.key.accepts(name, place, cell.value, cell.written) for place, cell in judged.cells.items()) for name in others
    )


def is_swap(judge: Judge, judged: JudgedStep) -> bool:
    """Whether one table holds all of a step, but for two rows or columns that changed places; its numbers tell."""
    rows, columns = judge.key.exact[judged.step.name].shape
    cells = judged.cells.values()
    lines = [cell.written.line for cell in cells]
    if len(cells) != rows * columns or max(lines) - min(lines) >= rows:
        return False
    telling = {cell.value: len(NOT_DIGIT.sub("", cell.written.text).strip("0")) for cell in cells if cell.value not in (0, 1)}
    tells = len(telling) >= FEWEST or (len(telling) == FEWEST - 1 and min(telling.values()) >= DIGITS)
    return tells and find_cell_slip(judge, judged, judge.key.asked) in SWAPS


def is_another_problem(judge: Judge) -> bool:
    """Whether most of what is made from the givens alone differs: somebody worked with other givens."""
    if not any(WRONG in one.verdicts for one in judge.steps.values()):
        return False
    given = judge.key.plan.given
    first = {n: one for n, one in judge.steps.items() if one.step.needs and all(need in given for need in one.step.needs)}
    carried = any(FOLLOWS in one.verdicts for name, one in judge.steps.items() if name not in first)
    usable = [one for one in first.values() if not one.wrong_shape]
    cells = [cell.verdict for one in usable for cell in one.cells.values() if cell.verdict != UNSURE]
    return carried and len(cells) >= FEWEST and 2 * cells.count(WRONG) > len(cells)


def degenerate_descendants(judge: Judge) -> set[str]:
    """Steps that build on a wrong answer so simple that it makes them free."""
    spoiled: set[str] = set()
    sources = {name for name, judged in judge.steps.items() if is_degenerate(judge, judged)}
    if not sources:
        return spoiled
    for name, judged in judge.steps.items():
        if any(need in sources or need in spoiled for need in judged.step.needs):
            spoiled.add(name)
    return spoiled


def carried_on(judge: Judge) -> set[str]:
    """The steps on which a later one depends that is right or follows, written steps in between or not."""
    found: set[str] = set()
    for name, judged in reversed(judge.steps.items()):
        if judged.verdict in (RIGHT, FOLLOWS) or (judged.verdict in (MISSING, UNREADABLE) and name in found):
            found.update(judged.step.needs)
    return found
