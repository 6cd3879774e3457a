"""What was taken for what: claims of units on the cells of steps, right ones first."""

from dataclasses import dataclass, field

from clearhead.working.reading.hypotheses.possible_steps import Fit
from clearhead.working.reading.numbers.amounts import Amount, read_sum
from clearhead.working.reading.page.unit import Unit
from clearhead.working.written import Place, WrittenSum


@dataclass(slots=True)
class CellClaim:
    """A unit taken for a step: its cells by place, and how far the reading can be trusted."""

    unit: Unit
    step: str
    cells: dict[Place, Amount]
    full: bool  # every cell agrees with the right values
    near: float  # how near the step is named
    sure: bool
    why: str = ""
    rival: str = ""
    sums: dict[Place, WrittenSum] = field(default_factory=dict)  # what was written out before a cell
    turned: bool = False  # written with its sign turned


@dataclass(slots=True)
class Assignment:
    """Claims, and which place each step's cells were taken from."""

    claims: list[CellClaim] = field(default_factory=list)
    taken: dict[tuple[str, Place], CellClaim] = field(default_factory=dict)
    units: set[int] = field(default_factory=set)  # those that have been explained
    givens: set[int] = field(default_factory=set)
    intermediate: set[int] = field(default_factory=set)  # written on the way, no step
    contradicted: list[CellClaim] = field(default_factory=list)
    all_units: list[Unit] = field(default_factory=list)
    misshapen: set[str] = field(default_factory=set)  # steps under whose name a table of another size stands

    def add(self, claim: CellClaim) -> None:
        """Right values come first; what contradicts one is only noted."""
        self.units.add(claim.unit.order)
        clash = [key for key in claim.cells if (claim.step, key) in self.taken]
        if claim.full:
            for key in clash:
                old = self.taken[claim.step, key]
                if old.full and old.near <= claim.near and digits(old, key) < digits(claim, key):
                    self.taken[claim.step, key] = claim
        if not claim.full and clash and any(self.taken[claim.step, key].full for key in clash):
            self.contradicted.append(claim)
            fresh = {key: cell for key, cell in claim.cells.items() if (claim.step, key) not in self.taken}
            if not fresh:
                return
            claim.cells = fresh
        self.claims.append(claim)
        for key in claim.cells:
            held = self.taken.get((claim.step, key))
            if held is None or (not held.full and not held.sure and claim.sure and claim.near >= held.near):
                self.taken[claim.step, key] = claim


def digits(claim: CellClaim, place: Place) -> int:
    """How much a number says: its decimals; an exact one says all, and arithmetic that nobody worked out nothing."""
    cell = claim.cells.get(place)
    if cell is None or claim.unit.final.worked:
        return -1
    return 99 if cell.decimals is None else cell.decimals


def sums_of(unit: Unit, fit: Fit) -> dict[Place, WrittenSum]:
    """The arithmetic that stands before each cell of a chain's value, the last that was written out."""
    found: dict[Place, WrittenSum] = {}
    for side in unit.sides:
        if not side.worked or side is fit.side or len(side.cells) != len(fit.side.cells):
            continue
        flat = [cell for row in side.cells for cell in row]
        for place, cell in zip(fit.target.places, flat, strict=False):
            total = read_sum(cell.text) if place is not None and isinstance(cell, Amount) else None
            if place is not None and total is not None:
                found[place] = total
    return found
