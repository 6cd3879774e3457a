"""What the pictures of attention draw: one map of weights with its names; several heads are several panels."""

from collections.abc import Sequence
from dataclasses import dataclass

from clearhead.errors import InputError


@dataclass(frozen=True, slots=True)
class Panel:
    """Weights as they are shown: one row an output token, one column an input token."""

    weights: Sequence[Sequence[float]]
    outputs: Sequence[str] = ()  # names of the rows; counted from 1 where there are none
    inputs: Sequence[str] = ()  # names of the columns
    title: str = ""
    across: str = "inputs"  # what the columns are, where the map is not of attention
    down: str = "outputs"
    verb: str = "looks at"  # what a row does to a column

    def __post_init__(self) -> None:
        widths = {len(row) for row in self.weights}
        if len(widths) != 1 or 0 in widths:
            raise InputError("weights must be rows of one length, with at least one number")
        for names, count, what in ((self.outputs, len(self.weights), "row"), (self.inputs, widths.pop(), "column")):
            if names and len(names) != count:
                raise InputError(f"each {what} needs one name: {count} {what}s, {len(names)} names")
        if not all(0 <= weight <= 1 for row in self.weights for weight in row):
            raise InputError("weights must lie between 0 and 1")

    @property
    def rows(self) -> Sequence[str]:
        return self.outputs or [str(i + 1) for i in range(len(self.weights))]

    @property
    def columns(self) -> Sequence[str]:
        return self.inputs or [str(j + 1) for j in range(len(self.weights[0]))]
