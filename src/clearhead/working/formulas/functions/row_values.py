"""What functions of a whole row make of it: means, spreads, shares, ranks; as values and written out."""

from fractions import Fraction

from clearhead.exact.expressions import ONE, ZERO, Cell, Exact, Expression, finite, inverse, total_of
from clearhead.exact.kept_numbers import kept_whole
from clearhead.exact.lengths import root
from clearhead.exact.order import compared, largest
from clearhead.working.formulas.cells.scalars import (
    Above,
    Fn,
    Largest,
    Num,
    Once,
    Over,
    Pow,
    Said,
    Scalar,
    Sum,
    Where,
    add,
    num,
    subtract,
    times,
)
from clearhead.working.formulas.functions.operation import Fixed

Row = tuple[Scalar, ...]
Cells = tuple[Cell, ...]
MOST_TERMS = 8  # a longer sum is kept whole, so that what follows stays as short as its steps


LONG_FRACTION = 4_000  # bits


TWO = Fraction(2)


def short(cell: Cell) -> Cell:
    """A cell as later steps go on with it."""
    return kept_whole(cell) if not isinstance(cell, float) and is_long(cell) else cell


def is_long(cell: Cell) -> bool:
    """Whether a cell has grown beyond what anybody would multiply out: many terms, or a fraction of hundreds of digits."""
    if isinstance(cell, Expression):
        return len(cell.terms) > MOST_TERMS
    return type(cell) is Fraction and cell.numerator.bit_length() + cell.denominator.bit_length() > LONG_FRACTION


def grown_long(rows: tuple[Cells, ...]) -> bool:
    """Whether any cell of a table is long; of thousands of short ones none is asked by a call of its own."""
    for row in rows:
        for cell in row:
            if type(cell) is Fraction:
                if cell.numerator.bit_length() + cell.denominator.bit_length() > LONG_FRACTION:
                    return True
            elif is_long(cell):
                return True
    return False


def mean_of(row: Row) -> Scalar:
    return Over(add(*row), num(len(row)))


def mean(cells: Cells) -> Exact:
    return total_of(finite(cell) for cell in cells) / len(cells)


def variance_of(row: Row, fixed: Fixed) -> Scalar:
    centre = Once(mean_of(row))
    spread = Over(add(*(Pow(subtract(cell, centre), TWO) for cell in row)), num(len(row)))
    return add(spread, Num(fixed[0])) if fixed and fixed[0] else spread


def variance(cells: Cells, fixed: Fixed) -> Exact:
    kept = tuple(finite(short(cell)) for cell in cells)
    centre = mean(kept)
    off = [cell - centre for cell in kept]
    return total_of(x * x for x in off) / len(cells) + (fixed[0] if fixed else ZERO)


def deviation(cells: Cells, fixed: Fixed) -> Exact:
    spread = variance(cells, fixed)
    if spread == 0:
        raise ArithmeticError("all numbers of a line are equal, so there is no spread to divide by; give an eps above 0")
    return root(finite(short(spread)))


def mean_square(cells: Cells, fixed: Fixed) -> Exact:
    kept = tuple(finite(short(cell)) for cell in cells)
    found = total_of(x * x for x in kept) / len(cells) + (fixed[0] if fixed else ZERO)
    if found == 0:
        raise ArithmeticError("all numbers of a line are 0, so there is no size to divide by; give an eps above 0")
    return found


def mean_square_of(row: Row, fixed: Fixed) -> Scalar:
    found = Over(add(*(Pow(cell, TWO) for cell in row)), num(len(row)))
    return add(found, Num(fixed[0])) if fixed and fixed[0] else found


def softmax_cell(row: Row, j: int, fixed: Fixed) -> Scalar:
    return Over(Fn("exp", row[j]), add(*(Fn("exp", cell) for cell in row)))


def layernorm_value(cells: Cells, fixed: Fixed) -> Cells:
    kept = tuple(finite(short(cell)) for cell in cells)
    centre, turned = mean(kept), inverse(deviation(kept, fixed))
    return tuple((cell - centre) * turned for cell in kept)


def rmsnorm_value(cells: Cells, fixed: Fixed) -> Cells:
    turned = inverse(root(finite(short(mean_square(cells, fixed)))))
    return tuple(finite(short(cell)) * turned for cell in cells)


def rank_of(row: Row, j: int) -> Scalar:
    """How many stand before cell j, the largest first and the earlier first among equals."""
    before = [Above(cell, row[j], strictly=k >= j) for k, cell in enumerate(row) if k != j]
    return add(*before) if before else num(0)


def order_of(cells: Cells) -> list[int]:
    """The places of the cells, the largest first, the earlier first among equals."""
    left, found = list(range(len(cells))), []
    while left:
        best = left[largest(tuple(cells[k] for k in left))[0]]
        found.append(best)
        left.remove(best)
    return found


def kept_count(fixed: Fixed) -> int:
    return max(int(fixed[0]), 1)


def topk_mask_cell(row: Row, j: int, fixed: Fixed) -> Scalar:
    inside = Above(num(kept_count(fixed)), rank_of(row, j))
    return Said(inside, f"1 if {{0}} is among the {kept_count(fixed)} largest of {{1}}: else 0", (row[j], listed(row)))


def topk_cell(row: Row, j: int, fixed: Fixed) -> Scalar:
    inside = Where(Above(num(kept_count(fixed)), rank_of(row, j)), row[j], Num(float("-inf")))
    return Said(inside, f"{{0}} if it is among the {kept_count(fixed)} largest of {{1}}: else −∞", (row[j], listed(row)))


def listed(row: Row) -> Scalar:
    return Said(num(0), ", ".join("{" + str(n) + "}" for n in range(len(row))), row)


def topk_mask_value(cells: Cells, fixed: Fixed) -> Cells:
    best = order_of(cells)[: kept_count(fixed)]
    return tuple(ONE if j in best else ZERO for j in range(len(cells)))


def topk_value(cells: Cells, fixed: Fixed) -> Cells:
    best = order_of(cells)[: kept_count(fixed)]
    return tuple(cell if j in best else float("-inf") for j, cell in enumerate(cells))


def topp_cell(row: Row, j: int, fixed: Fixed) -> Scalar:
    """Kept while those before it do not yet add up to p."""
    before = [times(cell, Above(cell, row[j], strictly=k >= j)) for k, cell in enumerate(row) if k != j]
    inside = Above(Num(fixed[0]), add(*before) if before else num(0))
    return Said(inside, f"1 if the larger ones of {{0}} add up to less than {fixed[0]}: else 0", (listed(row),))


def topp_value(cells: Cells, fixed: Fixed) -> Cells:
    total: Exact = ZERO
    kept = set()
    for j in order_of(cells):
        if compared(total, fixed[0]) < 0:
            kept.add(j)
        total = total + finite(cells[j])
    return tuple(ONE if j in kept else ZERO for j in range(len(cells)))


def argmax_cell(row: Row, j: int, fixed: Fixed) -> Scalar:
    inside: Scalar = num(len(row))
    for k in reversed(range(len(row) - 1)):
        inside = Where(Above(row[k], Largest(row), strictly=False), num(k + 1), inside)
    return Said(inside, "the place of the largest of {0}: counted from 1", (listed(row),))


def hardmax_cell(row: Row, j: int, fixed: Fixed) -> Scalar:
    """1 over how many are as large, for each of the largest."""
    best = [Above(cell, Largest(row), strictly=False) for cell in row]
    return Said(Over(best[j], add(*best)), "1 shared by the largest of {0}: 0 for the others", (listed(row),))


def smallest(cells: Cells) -> Cell:
    turned = tuple(-finite(cell) for cell in cells)
    return -finite(turned[largest(turned)[0]])


def smallest_cell(row: Row, j: int, fixed: Fixed) -> Scalar:
    turned = Largest(tuple(Sum((cell,), frozenset({0})) for cell in row))
    return Said(Sum((turned,), frozenset({0})), "the smallest of {0}", (listed(row),))
