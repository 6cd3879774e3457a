"""The sizes of a plan's steps decide between readings: which step a label means, how wide a row is, where an index ends."""

from collections.abc import Mapping

from clearhead.exact.matrices import Matrix
from clearhead.working.reading.names.labels import Label
from clearhead.working.written import Place


class Sizes:
    """Rows and columns of each step, as far as they are known."""

    def __init__(self, worked: Mapping[str, Matrix]) -> None:
        self.of: dict[str, Place] = {name: value.shape for name, value in worked.items()}
        self.flat = {name for name, value in worked.items() if value.rank < 2}  # vectors and numbers: one index names a cell

    def width(self, *labels: Label) -> int:
        """How many columns the first known step has; 0 if none is known."""
        sizes = (self.of[name][0 if label.turned else 1] for label in labels for name in label.names if name in self.of)
        return next(sizes, 0)

    def height(self, *labels: Label) -> int:
        sizes = (self.of[name][1 if label.turned else 0] for label in labels for name in label.names if name in self.of)
        return next(sizes, 0)

    def chosen(self, label: Label, rows: int = 0, columns: int = 0) -> str:
        """Among the steps that a label may mean, the one whose size fits what was written; else the first."""
        if len(label.names) > 1:
            for name in label.names:
                size = self.of.get(name)
                if size and (not rows or size[0] == rows) and (not columns or size[1] == columns):
                    return name
        return label.names[0]

    def chosen_cell(self, label: Label, column: str) -> str:
        """The same for one cell: the first step that has such a column."""
        for name in label.names:
            size = self.of.get(name)
            if size and column.isdigit() and int(column) <= size[1]:
                return name
        return label.names[0]

    def is_one_row(self, name: str, cells: int) -> bool:
        """Whether so many numbers on one line are all of a step: it has one row, or one column."""
        size = self.of.get(name)
        return size is None or size[0] == 1 or (size[1] == 1 and cells == size[0])

    def is_column(self, name: str) -> bool:
        size = self.of.get(name)
        return size is not None and size[1] == 1 < size[0]

    def split_index(self, label: Label) -> tuple[str, str] | None:
        """Digits run together: 12 is row 1, column 2; longer ones only where one split fits the step."""
        digits = label.index[0]
        if len(digits) == 2 and digits.isdigit():
            return digits[0], digits[1]
        size = self.of.get(label.names[0])
        if size is None or not digits.isdigit():
            return None
        splits = [(digits[:k], digits[k:]) for k in range(1, len(digits))]
        fits = [(i, j) for i, j in splits if int(i) <= size[0] and int(j) <= size[1]]
        return fits[0] if len(fits) == 1 else None
