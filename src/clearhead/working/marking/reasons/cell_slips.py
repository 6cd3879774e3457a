"""Slips inside single cells: rows or columns that changed places, turned signs, one product that is wrong."""

import math
from collections.abc import Iterator
from itertools import combinations

from clearhead.errors import ClearheadError
from clearhead.exact.expressions import ONE, Cell, Exact
from clearhead.exact.matrices import Matrix
from clearhead.exact.order import compared
from clearhead.working.marking.agreement import Asked, is_right
from clearhead.working.marking.judge import Judge
from clearhead.working.marking.own_values import PATHS, Own
from clearhead.working.marking.verdicts import WRONG, JudgedCell, JudgedStep
from clearhead.working.rules.rule import Term
from clearhead.working.written import Place

MOST_TERMS = 100  # of a sum: in longer ones nobody looks for the one that is wrong


def find_cell_slip(judge: Judge, judged: JudgedStep, asked: Asked) -> str | None:
    """The slip that explains every wrong cell of a step, from the person's own values along either path."""
    wrong = {place: cell for place, cell in judged.cells.items() if cell.verdict == WRONG and not cell.sum_is_off}
    for path in judge.paths_to(judged.step):
        target = judge.target(judged.step, path)
        if target is None or not wrong:
            continue
        if swapped(judged, target.rows, wrong, asked, row=True):
            return "swapped-rows"
        if swapped(judged, tuple(target.column(j) for j in range(target.shape[1])), wrong, asked, row=False):
            return "swapped-columns"
        if all(has_turned_sign(judge, judged, place, cell, target[place], path, asked) for place, cell in wrong.items()):
            return "sign"
        if len(wrong) == 1 and any(wrong_product(judge, judged, *item, path, asked) for item in wrong.items()):
            return "product"
    return "product" if sum_shows_a_wrong_product(judge, judged) else None


def fits(cell: JudgedCell, candidate: Cell, asked: Asked) -> bool:
    return is_right(cell.value, cell.written, candidate, asked)


def swapped(
    judged: JudgedStep, lines: tuple[tuple[Cell, ...], ...], wrong: dict[Place, JudgedCell], asked: Asked, *, row: bool
) -> bool:
    """Whether two whole rows (or columns) stand in each other's place, and all else is as it should be."""
    touched = {place[0] if row else place[1] for place in wrong}
    if len(touched) > 2:
        return False
    for first, second in combinations(range(len(lines)), 2):
        if not touched <= {first, second}:
            continue
        other = {first: lines[second], second: lines[first]}
        if all(
            fits(cell, other[line][along], asked)
            for (i, j), cell in judged.cells.items()
            for line, along in [(i, j) if row else (j, i)]
            if line in other
        ):
            return True
    return False


def has_turned_sign(
    judge: Judge, judged: JudgedStep, place: Place, cell: JudgedCell, target: Cell, path: Own, asked: Asked
) -> bool:
    """The whole cell negated, or one term of its sum."""
    if isinstance(target, float):
        return False
    if fits(cell, -target, asked):
        return True
    terms, inputs = terms_of(judge, judged, place, path)
    return any(fits(cell, target - 2 * value, asked) for value in (value_of(term, inputs) for term in terms) if value)


def wrong_product(judge: Judge, judged: JudgedStep, place: Place, cell: JudgedCell, path: Own, asked: Asked) -> bool:
    """One term dropped, doubled, or taken from the neighbouring row or column."""
    target = judge.target(judged.step, path)
    total = None if target is None else target[place]
    if total is None or isinstance(total, float):
        return False
    terms, inputs = terms_of(judge, judged, place, path)
    return any(fits(cell, total + change, asked) for term in terms for change in changes_of(term, inputs))


def terms_of(judge: Judge, judged: JudgedStep, place: Place, path: Own) -> tuple[list[Term], list[Matrix]]:
    """The terms that a cell is the sum of, and the person's own values that they are made from; none where it is no sum."""
    rule = judged.step.rule
    inputs = [value for name in judged.step.needs if (value := judge.own(name, path)) is not None]
    if rule is None or len(inputs) < len(judged.step.needs):
        return [], []
    try:
        terms = rule.terms(*place, *inputs)
    except (ArithmeticError, ValueError, IndexError, ClearheadError):  # a person's own values may not fit the rule
        return [], []
    return (terms, inputs) if len(terms) <= MOST_TERMS else ([], [])


def value_of(term: Term, inputs: list[Matrix]) -> Exact | None:
    """What a term comes to; None where a cell is infinite or missing."""
    made = term.times
    for n, i, j in term.cells:
        rows, columns = inputs[n].shape
        cell = inputs[n][i, j] if 0 <= i < rows and 0 <= j < columns else math.inf
        if isinstance(cell, float):
            return None
        made = made * cell
    return made


def changes_of(term: Term, inputs: list[Matrix]) -> Iterator[Exact]:
    """What a sum changes by if a term is dropped, doubled, or one of its factors is read from the place beside it."""
    value = value_of(term, inputs)
    if value is None:
        return
    yield -value
    yield value
    for at, (n, i, j) in enumerate(term.cells):
        for beside in ((n, i - 1, j), (n, i + 1, j), (n, i, j - 1), (n, i, j + 1)):
            other = value_of(Term((*term.cells[:at], beside, *term.cells[at + 1 :]), term.times), inputs)
            if other is not None:
                yield other - value


def sum_shows_a_wrong_product(judge: Judge, judged: JudgedStep) -> bool:
    """Exactly one cell is wrong, and exactly one term of the sum written for it is not what it should be."""
    wrong = [(place, cell) for place, cell in judged.cells.items() if cell.verdict == WRONG]
    if len(wrong) != 1 or wrong[0][1].written.sum is None:
        return False
    place, cell = wrong[0]
    written = cell.written.sum.terms if cell.written.sum else ()
    for path in PATHS:
        terms, inputs = terms_of(judge, judged, place, path)
        if len(terms) == len(written):
            values = [value_of(term, inputs) for term in terms]
            off = [v is None or not same_product(factors, v) for factors, v in zip(written, values, strict=True)]
            if sum(off) == 1:
                return True
    return False


def same_product(factors: tuple[Cell, ...], term: Exact) -> bool:
    made: Exact = ONE
    for factor in factors:
        if isinstance(factor, float):
            return False
        made = made * factor
    return compared(made, term) == 0
