"""One thing that is written on a page: a chain of equal values and every word that may say what it is."""

import math
from dataclasses import dataclass, field

from clearhead.exact.decimals import as_float
from clearhead.working.reading.numbers.amounts import Amount, ReadCell
from clearhead.working.reading.page.sides import Side


@dataclass(slots=True)
class Unit:
    """One chain `label = … = value`: the values that it gives the same thing, and every word that may say what it is."""

    line: int
    order: int
    sides: list[Side] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)  # in the statement itself
    prefix: str = ""  # before the statement's colon
    above: list[str] = field(default_factory=list)  # lines of words just above, nearest first
    headings: list[str] = field(default_factory=list)  # nearest first
    tail: str = ""
    signs: str = ""  # the chain's signs in order: =, →, ←, :
    rows: tuple[str, ...] = ()  # names of a table's rows
    column: str = ""  # what heads its column, for a cell of a page's table
    worked: list[str] = field(default_factory=list)  # sides that are arithmetic, as written
    factors: list[list[list[ReadCell]]] = field(default_factory=list)  # the tables that its value is a product of
    table: int = -1  # for a cell of a table that is a unit as a whole: that unit's order
    listed: int = 0  # the statement that holds it beside others of its kind; 0: none
    waits: bool = False  # its last sign has nothing behind it yet

    @property
    def cells(self) -> list[list[ReadCell]]:
        """What the chain comes to: its last plain value, else what it was worked out from."""
        return self.final.cells

    @property
    def final(self) -> Side:
        plain = [side for side in self.sides if not side.worked]
        if len(plain) > 1 and plain[-1].text.rstrip().endswith("%") and plain[-2].layout == plain[-1].layout:
            return plain[-2]  # 0.1412 ≈ 14.1 %
        if len(plain) > 1 and plain[-2].layout == "size" and plain[-1].layout == "number" and is_count(plain[-2], plain[-1]):
            return plain[-2]  # 6 × 6 × 12 = 432 values
        return plain[-1] if plain else self.sides[-1]

    @property
    def own(self) -> str:
        return " ".join([self.prefix, *self.labels])


def is_count(size: Side, number: Side) -> bool:
    """Whether a number is how many cells a size has."""
    cells = [cell.value for cell in size.cells[0] if isinstance(cell, Amount)]
    whole = number.cells[0][0]
    return isinstance(whole, Amount) and math.prod(int(as_float(value)) for value in cells) == whole.value
