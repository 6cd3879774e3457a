"""What each verdict earns, and which wrong answers are too simple to build on."""

from dataclasses import dataclass

from clearhead.errors import ConfigError
from clearhead.exact.expressions import Cell
from clearhead.exact.matrices import Matrix
from clearhead.working.marking.judge import Judge
from clearhead.working.marking.verdicts import FOLLOWS, RIGHT, WRONG, JudgedCell, JudgedStep


@dataclass(frozen=True, kw_only=True, slots=True)
class Pricing:
    """Credit for a cell, from 0 to 1: right always earns 1, wrong 0."""

    follows: float = 1.0  # right given the person's own earlier values
    premature: float = 0.5  # right as far as it goes, rounded to fewer decimals than asked

    def __post_init__(self) -> None:
        for name in ("follows", "premature"):
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigError(f"the credit for {name} must be from 0 to 1, but is {getattr(self, name)}")


def credit_of(cell: JudgedCell, pricing: Pricing, spoiled: bool) -> float:
    """One cell's credit; what follows from a degenerate answer earns nothing."""
    if cell.verdict == RIGHT:
        return pricing.premature if cell.premature else 1.0
    return pricing.follows if cell.verdict == FOLLOWS and not spoiled else 0.0


def is_degenerate(judge: Judge, judged: JudgedStep) -> bool:
    """A wrong table that is all zero, all equal or copied from the given, where the right one is not."""
    if WRONG not in judged.verdicts:
        return False
    exact = judge.key.exact[judged.step.name]
    written = {place: cell.value for place, cell in judged.cells.items()}
    if len(written) > 1 and len(set(written.values())) == 1 and len({cell for row in exact.rows for cell in row}) > 1:
        return True
    if set(written.values()) == {0} and any(cell != 0 for row in exact.rows for cell in row):
        return True
    return any(copied(written, exact, given) for given in judge.key.plan.given.values())


def copied(written: dict[tuple[int, int], Cell], exact: Matrix, given: Matrix) -> bool:
    """Whether every written cell is the given's, and the right answer is another."""
    rows, columns = given.shape
    if given.shape != exact.shape or given.rows == exact.rows or len(written) < rows * columns:
        return False
    return all(i < rows and j < columns and given[i, j] == value for (i, j), value in written.items())
