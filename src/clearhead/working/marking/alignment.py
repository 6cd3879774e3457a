"""A table with a row or a column left out: where the gap must be, so that the rest can still be judged in its place."""

from collections.abc import Callable
from itertools import combinations

from clearhead.exact.expressions import Cell
from clearhead.working.written import Place, Written, WrittenStep

MOST_GAPS = 2
MOST_LINES = 64  # rows or columns: beyond that nobody looks for the gap


def gaps_in(written: WrittenStep, wanted: Place, accepts: Callable[[str, Place, Cell, Written], bool]) -> dict[Place, Place]:
    """Where each written cell belongs: as it stands, unless rows (or columns) left out elsewhere make more cells right."""
    cells, shape = written.cells, written.shape or wanted
    stays = {place: place for place in cells}
    for axis in (0, 1):
        missing = wanted[axis] - shape[axis]
        if any(place[axis] >= shape[axis] for place in cells):
            continue  # more was written below or beside the table
        if shape[1 - axis] != wanted[1 - axis] or not 0 < missing <= MOST_GAPS or wanted[axis] > MOST_LINES:
            continue
        moves = [moved(cells, axis, gaps, wanted[axis]) for gaps in combinations(range(wanted[axis]), missing)]
        return max([stays, *moves], key=lambda move: sum(accepts(written.name, move[p], c.value, c) for p, c in cells.items()))
    return stays


def moved(cells: dict[Place, Written], axis: int, gaps: tuple[int, ...], lines: int) -> dict[Place, Place]:
    """Every cell's place with some rows (or columns) left free."""
    kept = [line for line in range(lines) if line not in gaps]
    return {(i, j): (kept[i], j) if axis == 0 else (i, kept[j]) for i, j in cells}


def left_out(move: dict[Place, Place], wanted: Place) -> str:
    """In words, the rows or columns that nothing was moved to."""
    for axis, name in enumerate(("row", "column")):
        free = [line + 1 for line in range(wanted[axis]) if line not in {place[axis] for place in move.values()}]
        if free and move and any(place != there for place, there in move.items()):
            return f"{name}{'s' if len(free) > 1 else ''} {' and '.join(map(str, free))}"
    return ""
