"""The same cells in another arrangement: looked up, side by side, under another name."""

from dataclasses import dataclass

from clearhead.exact.matrices import Matrix
from clearhead.working.rules.rule import Show


@dataclass(frozen=True, slots=True)
class Lookup:
    """The rows of a table in a given order: one row of E for each token."""

    order: tuple[int, ...]

    def __call__(self, *inputs: Matrix) -> Matrix:
        return Matrix(tuple(inputs[0].rows[row] for row in self.order))

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"row {self.order[i] + 1}, column {j + 1} of E"


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Several tables joined, row by row: what the heads give, concatenated."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        return Matrix(
            tuple(tuple(cell for part in parts for cell in part) for parts in zip(*(m.rows for m in inputs), strict=True))
        )

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        for head, part in enumerate(inputs, start=1):
            width = part.shape[1]
            if j < width:
                return f"row {i + 1}, column {j + 1} of head {head}: {show(part[i, j])}"
            j -= width
        raise IndexError(j)


@dataclass(frozen=True, slots=True)
class Same:
    """The same numbers under another name."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        return inputs[0]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return show(inputs[0][i, j])
