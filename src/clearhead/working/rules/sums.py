"""Sums, differences and averages of tables, cell by cell or of all cells."""

from clearhead.exact.expressions import ONE
from clearhead.exact.lengths import row
from clearhead.exact.matrices import Matrix, cell_by_cell, number, sum_of
from clearhead.exact.notation import bracketed
from clearhead.working.rules.rule import Reach, Rule, Show, Term


class Plus(Rule):
    """a + b, cell by cell."""

    reach = (Reach.CELL,) * 2

    def __call__(self, *inputs: Matrix) -> Matrix:
        first, second = inputs
        if first.shape != second.shape:
            raise ArithmeticError("vectors of different lengths cannot be added")
        rows = tuple(tuple(a + b for a, b in zip(row(first, i), row(second, i), strict=True)) for i in range(first.shape[0]))
        return Matrix(rows, first.rank)

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, i, j),)), Term(((1, i, j),))]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"{show(inputs[0][i, j])} + {bracketed(show(inputs[1][i, j]))}"


class Difference(Rule):
    """a − b, cell by cell."""

    reach = (Reach.CELL,) * 2

    def __call__(self, *inputs: Matrix) -> Matrix:
        return cell_by_cell(lambda a, b: a - b, *inputs)

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, i, j),)), Term(((1, i, j),), -ONE)]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"{show(inputs[0][i, j])} - {bracketed(show(inputs[1][i, j]))}"


class Average(Rule):
    """The mean of two tables, cell by cell; the second may be one row, which then goes with every row of the first."""

    reach = (Reach.CELL,) * 2

    def __call__(self, *inputs: Matrix) -> Matrix:
        first, second = inputs
        half = ONE / 2
        rows = [
            [(a + b) * half for a, b in zip(row(first, i), row(second, min(i, second.shape[0] - 1)), strict=True)]
            for i in range(first.shape[0])
        ]
        return Matrix(tuple(tuple(cells) for cells in rows), first.rank)

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, i, j),), ONE / 2), Term(((1, min(i, inputs[1].shape[0] - 1), j),), ONE / 2)]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        first, second = inputs
        return f"({show(first[i, j])} + {bracketed(show(second[min(i, second.shape[0] - 1), j]))}) / 2"


class Total(Rule):
    """The sum of all cells."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        return number(sum_of(cell for row in inputs[0].rows for cell in row))

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, row, column),)) for row, column in inputs[0].places()]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return " + ".join(show(cell) for row in inputs[0].rows for cell in row)
