"""Slips inside single cells: rows or columns that changed places, turned signs, one product that is wrong."""

from collections.abc import Iterator
from itertools import combinations

from clearhead.working.expressions import ONE, Cell, Exact
from clearhead.working.marking.agreement import Asked, is_right
from clearhead.working.marking.judging import WRONG, Judge, JudgedCell, JudgedStep, Own
from clearhead.working.matrices import Matrix
from clearhead.working.rules import Product, ProductTransposed, compared
from clearhead.working.written import Place


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
    return any(fits(cell, target - 2 * term, asked) for term in terms_of(judge, judged, place, path))


def wrong_product(judge: Judge, judged: JudgedStep, place: Place, cell: JudgedCell, path: Own, asked: Asked) -> bool:
    """One term dropped, doubled, or taken from the neighbouring row or column."""
    target = judge.target(judged.step, path)
    factors = factors_of(judge, judged, path)
    total = None if target is None else target[place]
    if factors is None or total is None or isinstance(total, float):
        return False
    terms = terms_of(judge, judged, place, path)
    changes: Iterator[Exact] = (
        change for k, term in enumerate(terms) for change in (-term, term, *moved(*factors, place, k, term))
    )
    return any(fits(cell, total + change, asked) for change in changes)


def terms_of(judge: Judge, judged: JudgedStep, place: Place, path: Own) -> list[Exact]:
    """The products that a cell of a matrix product is the sum of, from the person's own values."""
    factors = factors_of(judge, judged, path)
    if factors is None:
        return []
    a, b = factors
    pairs = zip(a.rows[place[0]], b.rows[place[1]], strict=True)
    return [x * y for x, y in pairs if not isinstance(x, float) and not isinstance(y, float)]


def factors_of(judge: Judge, judged: JudgedStep, path: Own) -> tuple[Matrix, Matrix] | None:
    """A and B of A·Bᵀ: the row i of A and the row j of B make cell (i, j)."""
    if not isinstance(judged.step.rule, Product | ProductTransposed):
        return None
    a, b = (judge.own(name, path) for name in judged.step.needs)
    if a is None or b is None:
        return None
    if isinstance(judged.step.rule, Product):
        b = Matrix(tuple(b.column(j) for j in range(b.shape[1])))
    return (a, b) if a.shape[1] == b.shape[1] else None


def moved(a: Matrix, b: Matrix, place: Place, k: int, term: Exact) -> Iterator[Exact]:
    """What changes if one factor of term k of A·Bᵀ comes from the place beside it."""
    i, j = place
    for step in (-1, 1):
        for row, along in ((i + step, k), (i, k + step)):
            if 0 <= row < a.shape[0] and 0 <= along < a.shape[1]:
                yield from difference(a[row, along], b[j, k], term)
        for row, along in ((j + step, k), (j, k + step)):
            if 0 <= row < b.shape[0] and 0 <= along < b.shape[1]:
                yield from difference(a[i, k], b[row, along], term)


def difference(x: Cell, y: Cell, term: Exact) -> Iterator[Exact]:
    if not isinstance(x, float) and not isinstance(y, float):
        yield x * y - term


def sum_shows_a_wrong_product(judge: Judge, judged: JudgedStep) -> bool:
    """Exactly one cell is wrong, and exactly one term of the sum written for it is not what it should be."""
    wrong = [(place, cell) for place, cell in judged.cells.items() if cell.verdict == WRONG]
    if len(wrong) != 1 or wrong[0][1].written.sum is None:
        return False
    place, cell = wrong[0]
    written = cell.written.sum.terms if cell.written.sum else ()
    for path in Own:
        terms = terms_of(judge, judged, place, path)
        if len(terms) == len(written):
            off = [not same_product(factors, term) for factors, term in zip(written, terms, strict=True)]
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
