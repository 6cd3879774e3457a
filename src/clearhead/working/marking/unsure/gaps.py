"""What cannot be called wrong: what is made from something that was not surely read, or is plainly something else."""

import math
from collections.abc import Collection, Iterator
from fractions import Fraction

from clearhead.exact.matrices import Matrix
from clearhead.exact.nearest import rough_float
from clearhead.working.marking.judge import Judge
from clearhead.working.marking.own_values import Own, shifted
from clearhead.working.marking.verdicts import MISSING, RIGHT, UNREADABLE, UNSURE, WRONG, JudgedCell, JudgedStep
from clearhead.working.rules.rule import Reach
from clearhead.working.steps import Step
from clearhead.working.written import Place

Cells = set[tuple[str, Place]]
DIGITS = 3  # that tell a number from one that is right by chance
MOST_MOVED = 8  # half units of the last digit: what is further off was not rounded on the way


def made_from_gaps(
    judge: Judge, firm: set[str], unread: Collection[str] = (), twice: Collection[tuple[str, Place]] = ()
) -> frozenset[tuple[str, Place]]:
    """The cells that were called wrong and may follow from what was not read; those of `firm` steps are known slips.

    `unread` steps are not known, and yet something stands under their names; what was written `twice`, right and otherwise, may
    have been gone on with either way."""
    if not any(WRONG in judged.verdicts or judged.wrong_shape for judged in judge.steps.values()):
        return frozenset()
    loose: Cells = set()  # cells that stand on the page, perhaps with another number than the one that is gone on with
    found: Cells = set()
    vouched = vouched_for(judge)
    for name, judged in judge.steps.items():
        if judged.verdict in (MISSING, UNREADABLE):
            places = judge.key.exact[name].places()
            loose |= {(name, place) for place in places if name in unread or is_loose(judge, judged.step, place, loose)}
            continue
        for place, cell in judged.cells.items():
            if cell.verdict == WRONG and name not in firm and may_be_fine(judge, judged, place, cell, loose - vouched):
                found.add((name, place))
        if judged.wrong_shape and RIGHT not in judged.verdicts and name not in firm:
            found |= {(name, place) for place in judged.cells}
        places = judge.key.exact[name].places()
        loose |= {(name, place) for place in places if (name, place) in twice or is_hole(judged, place, found)}
    return frozenset(found)


def vouched_for(judge: Judge) -> Cells:
    """The cells that a right number with digits enough to tell was made from: what was gone on with there is right."""
    found: Cells = set()
    for judged in judge.steps.values():
        for place, cell in judged.cells.items() if RIGHT in judged.verdicts and not judged.wrong_shape else ():
            if cell.verdict == RIGHT and is_telling(cell):
                found.update(made_from(judge, judged.step, place))
    return found


def is_telling(cell: JudgedCell) -> bool:
    """Whether a number is hardly right by chance: three digits or more."""
    return cell.value not in (0, 1) and digits_of(cell) >= DIGITS and not cell.premature


def digits_of(cell: JudgedCell) -> int:
    """How many digits a number has that tell it from others."""
    return len("".join(filter(str.isdigit, cell.written.text)).strip("0"))


def excuse(judge: Judge, cells: Collection[tuple[str, Place]]) -> None:
    """Take back the verdict on cells; what was read there stays what the person went on with."""
    for name, place in cells:
        judge.steps[name].cells[place].verdict = UNSURE
    for name in {name for name, _ in cells}:
        judge.steps[name].sum_up()


def may_be_fine(judge: Judge, judged: JudgedStep, place: Place, cell: JudgedCell, loose: Cells) -> bool:
    """Whether a wrong cell may follow from what was not read, or is a masked score or an old value under the new one's name."""
    if judged.wrong_shape or is_loose(judge, judged.step, place, loose):
        return is_loose(judge, judged.step, place, loose)
    if is_rounded_on_the_way(judge, judged.step, place, cell):
        return True
    if is_anothers(judge, judged, place, cell):
        return True
    if cell.value == -math.inf:
        return any(inside(value, place) and value[place] == -math.inf for value in judge.key.exact.values())
    old = judge.key.plan.given.get(judged.step.name.removeprefix("new_"))
    return old is not None and inside(old, place) and old[place] == cell.value


def is_anothers(judge: Judge, judged: JudgedStep, place: Place, cell: JudgedCell) -> bool:
    """Whether a number that stands alone is right in another cell of its step, where nothing right was read."""
    if judged.written is None or judged.written.shape is not None or not is_telling(cell):
        return False
    name = judged.step.name
    return any(
        judge.key.accepts(name, other, cell.value, cell.written)
        for other in judge.key.exact[name].places()
        if other != place and (other not in judged.cells or judged.cells[other].verdict != RIGHT)
    )


def is_rounded_on_the_way(judge: Judge, step: Step, place: Place, cell: JudgedCell) -> bool:
    """Whether a cell follows from a step that was not read, had that been rounded to as many decimals as the cell itself."""
    decimals = cell.written.decimals
    if not decimals or isinstance(cell.value, float):
        return False
    half = Fraction(1, 2 * 10**decimals)
    for path in judge.paths_to(step):
        target = judge.target(step, path)
        if target is None or isinstance(target[place], float):
            continue
        right = rough_float(target[place])
        gap = abs(rough_float(cell.value) - right) - half
        if gap <= MOST_MOVED * half and gap <= moved_by_rounding(judge, step, place, path, half, right):
            return True
    return False


def moved_by_rounding(judge: Judge, step: Step, place: Place, path: Own, half: Fraction, right: float) -> float:
    """How far a cell moves when what was not read before it is rounded the most unluckily."""
    moved = 0.0
    for need, each in made_from(judge, step, place):
        value = judge.own(need, path) if judge.steps[need].verdict == MISSING else None
        if value is not None and not isinstance(value[each], float):
            other = judge.with_value(step, path, need, shifted(value, each, half))
            moved += 0.0 if other is None else abs(rough_float(other[place]) - right)
    return moved


def is_hole(judged: JudgedStep, place: Place, found: Cells) -> bool:
    """Whether a cell of a written step was not read, or not surely."""
    cell = judged.cells.get(place)
    return judged.wrong_shape or cell is None or cell.verdict == UNSURE or (judged.step.name, place) in found


def is_loose(judge: Judge, step: Step, place: Place, loose: Cells) -> bool:
    """Whether a cell is made from any cell that is loose."""
    return any((need, each) in loose for need, each in made_from(judge, step, place))


def made_from(judge: Judge, step: Step, place: Place) -> Iterator[tuple[str, Place]]:
    """The cells of earlier steps that one cell is made from: its terms, where it is a sum, else what its rule reads."""
    if step.rule is not None and inside(judge.key.exact[step.name], place):
        terms = step.rule.terms(*place, *(judge.key.value(need) for need in step.needs))
        sources = {(step.needs[which], (i, j)) for term in terms for which, i, j in term.cells}
        if sources:
            yield from (source for source in sorted(sources) if source[0] in judge.steps)
            return
    reaches = step.rule.reach if step.rule is not None else ()
    for number, need in enumerate(step.needs):
        if need in judge.steps:
            reach = reaches[number] if number < len(reaches) else Reach.WHOLE
            yield from ((need, each) for each in part_of(judge.key.exact[need], reach, place))


def part_of(value: Matrix, reach: Reach, place: Place) -> list[Place]:
    """The cells of an input that a cell of the result is made from."""
    i, j = place
    rows = {Reach.CELL: i, Reach.ROW: i, Reach.ROW_J: j}
    columns = {Reach.CELL: j, Reach.COLUMN: j, Reach.COLUMN_I: i}
    return [each for each in value.places() if rows.get(reach, each[0]) == each[0] and columns.get(reach, each[1]) == each[1]]


def inside(value: Matrix, place: Place) -> bool:
    return place[0] < value.shape[0] and place[1] < value.shape[1]
