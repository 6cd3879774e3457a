"""The same cells in another arrangement: looked up, side by side, under another name."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import permutations

from clearhead.exact.expressions import total_of
from clearhead.exact.matrices import Matrix, cell_by_cell
from clearhead.working.rules.rule import Reach, Rule, Show, Slip, Term

MOST_ORDERED = 5  # tables: more orders than 5! = 120 are not tried


class Lookup(Rule):
    """The rows of a table in a given order: one row of E for each token."""

    order: tuple[int, ...]

    def __call__(self, *inputs: Matrix) -> Matrix:
        return Matrix(tuple(inputs[0].rows[row] for row in self.order))

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, self.order[i], j),))]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"row {self.order[i] + 1}, column {j + 1} of E"


class Columns(Rule):
    """Some columns of a table, from one on and before another, counted from 0."""

    start: int
    end: int

    def __call__(self, *inputs: Matrix) -> Matrix:
        return Matrix(tuple(row[self.start : self.end] for row in inputs[0].rows))

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, i, self.start + j),))]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return show(inputs[0][i, self.start + j])


class SideBySide(Rule):
    """Several tables joined, row by row: what the heads give, concatenated."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        return Matrix(
            tuple(tuple(cell for part in parts for cell in part) for parts in zip(*(m.rows for m in inputs), strict=True))
        )

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        head, column = self.home(j, *inputs)
        return [Term(((head, i, column),))]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        head, column = self.home(j, *inputs)
        return f"row {i + 1}, column {column + 1} of head {head + 1}: {show(inputs[head][i, column])}"

    def home(self, j: int, *inputs: Matrix) -> tuple[int, int]:
        """Which of the tables a column comes from, and which of its columns it is."""
        for head, part in enumerate(inputs):
            if j < part.shape[1]:
                return head, j
            j -= part.shape[1]
        raise IndexError(j)

    def slips(self, *needs: str) -> Iterator[Slip]:
        yield Slip("heads-averaged", averaged, "the heads were averaged; they are put side by side")
        own = tuple(range(len(needs)))
        for order in permutations(own) if len(own) <= MOST_ORDERED else ():
            if order != own:
                yield Slip("heads-order", partial(self.in_order, order), "the heads were put together in the wrong order")

    def in_order(self, order: tuple[int, ...], *inputs: Matrix) -> Matrix:
        return self(*(inputs[k] for k in order))


def averaged(*tables: Matrix) -> Matrix:
    """The mean of several tables, cell by cell."""
    share = Fraction(1, len(tables))
    return cell_by_cell(lambda *cells: total_of(cells) * share, *tables)


class Same(Rule):
    """The same numbers under another name."""

    reach = (Reach.CELL,)

    def __call__(self, *inputs: Matrix) -> Matrix:
        return inputs[0]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return show(inputs[0][i, j])
