"""The verdicts, and a step with the verdict on each of its written cells."""

from dataclasses import dataclass, field

from clearhead.exact.expressions import Cell
from clearhead.working.marking.agreement import Asked
from clearhead.working.steps import Step
from clearhead.working.written import Place, Written, WrittenStep

AS_GOOD_AS_EXACT = 12  # decimals
RIGHT, FOLLOWS, WRONG, MISSING, UNREADABLE = "right", "follows", "wrong", "missing", "unreadable"
UNSURE = "unsure"  # would be wrong only under a reading that has a rival


@dataclass(slots=True)
class JudgedCell:
    """One written cell with its verdict; `value` is the reading that was taken."""

    written: Written
    value: Cell
    verdict: str
    premature: bool = False
    sum_is_off: bool = False
    second_reading: bool = False
    other_convention: bool = False
    other_order: bool = False

    @property
    def remarkable(self) -> bool:
        return self.premature or self.sum_is_off or self.second_reading or self.other_convention or self.other_order


@dataclass(slots=True)
class JudgedStep:
    """One step with the verdict on each written cell."""

    step: Step
    written: WrittenStep | None
    cells: dict[Place, JudgedCell] = field(default_factory=dict)
    wrong_shape: bool = False
    left_out: str = ""  # rows or columns that a table of the wrong shape seems to lack: "row 3"
    verdicts: frozenset[str] = frozenset()  # of all its cells
    verdict: str = MISSING  # of the whole
    remarked: bool = False  # whether there is more to say about one of its cells than the verdict

    def readings(self, asked: Asked) -> list[Asked]:
        """How many decimals its numbers may be meant to have: 0 among 0.123 most likely means 0.000.

        First every cell is taken to as many as the person used anywhere in this step (whole numbers alone as exact), then
        each to its own; once where that is the same."""
        own = {
            max(cell.written.decimals, asked.decimals or 0) for cell in self.cells.values() if cell.written.decimals is not None
        }
        strict = max(own, default=0) or AS_GOOD_AS_EXACT
        return [Asked(strict)] if own <= {strict} else [Asked(strict), asked]

    def sum_up(self) -> None:
        """The verdict on the whole, once every cell has its own."""
        self.verdicts = frozenset([cell.verdict for cell in self.cells.values()])
        if not self.cells:
            self.verdict = UNREADABLE if self.written is not None and self.written.unreadable else MISSING
        elif self.verdicts == {UNSURE}:
            self.verdict = UNSURE
        elif WRONG in self.verdicts or self.wrong_shape:
            self.verdict = WRONG
        else:
            self.verdict = FOLLOWS if FOLLOWS in self.verdicts else RIGHT

    def count(self, verdict: str) -> int:
        """How many of its cells have a verdict."""
        return sum([cell.verdict == verdict for cell in self.cells.values()]) if verdict in self.verdicts else 0

    @property
    def usable(self) -> dict[Place, JudgedCell]:
        """The cells that a person can have gone on with: those whose reading is sure, in a table of the right size."""
        if self.wrong_shape:
            return {}
        return self.cells if UNSURE not in self.verdicts else {p: c for p, c in self.cells.items() if c.verdict != UNSURE}
