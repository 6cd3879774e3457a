"""Rounded on the way: a row that is not right as it stands, and is what comes of rounding something that was not written."""

from collections.abc import Callable, Iterator

from clearhead.errors import ClearheadError
from clearhead.exact.expressions import Cell, finite
from clearhead.exact.matrices import Matrix
from clearhead.exact.nearest import rough_float
from clearhead.exact.policies import rounded
from clearhead.working.marking.agreement import is_right
from clearhead.working.marking.own_values import PATHS, Own, OwnValues
from clearhead.working.marking.verdicts import FOLLOWS, WRONG, JudgedStep
from clearhead.working.steps import Step

DECIMALS = (2, 3, 4, 1)  # that people keep, the usual first
NEAR, UNITS = 0.06, 5.0  # relatively, and in units of the last digit: what is further off was not rounded
FEWEST_DIGITS = 3  # of a row of one number, before agreement says anything
FEWEST_EVENED = 2  # decimals of shares that were made to add up to 1
MOST_UNWRITTEN = 12  # steps one after the other
Made = Callable[..., Matrix]


def follow_roundings(own: OwnValues, judged: JudgedStep) -> None:
    """Take back `wrong` from whole rows that some rounding on the way gives to every digit written."""
    for row in sorted({place[0] for place, cell in judged.cells.items() if cell.verdict == WRONG and not cell.sum_is_off}):
        if is_evened(own, judged, row) or (
            is_near_right(own, judged, row) and any(agrees(own, judged, row, target) for target in targets(own, judged.step))
        ):
            for place, cell in judged.cells.items():
                if place[0] == row and cell.verdict == WRONG:
                    cell.verdict = FOLLOWS


def is_evened(own: OwnValues, judged: JudgedStep, row: int) -> bool:
    """Whether a row of shares was rounded so that it adds up to 1: 0.248, 0.248, 0.504 for 0.2483, 0.2483, 0.5035."""
    cells = {place: cell for place, cell in judged.cells.items() if place[0] == row}
    columns, digits = own.key.exact[judged.step.name].shape[1], {cell.written.decimals for cell in cells.values()}
    decimals = max((each for each in digits if each is not None), default=0)
    if len(cells) < max(columns, 2) or len(digits) > 1 or decimals < FEWEST_EVENED:
        return False
    if any(isinstance(cell.value, float) for cell in cells.values()) or sum(finite(cell.value) for cell in cells.values()) != 1:
        return False
    for target in (own.key.exact[judged.step.name], *(own.target(judged.step, path) for path in PATHS)):
        shares = {} if target is None else {place: rough_float(target[place]) for place in cells}
        unit = 10.0**-decimals
        evened = (
            abs(sum(shares.values()) - 1) < unit / 1000
            and abs(sum(round(one, decimals) for one in shares.values()) - 1) > unit / 2
        )
        if evened and all(abs(rough_float(cells[place].value) - one) < unit for place, one in shares.items()):
            return True
    return False


def is_near_right(own: OwnValues, judged: JudgedStep, row: int) -> bool:
    """Whether every wrong number of a row is nearly a right one, and has decimals and digits enough to tell."""
    wrong = [(place, cell) for place, cell in judged.cells.items() if place[0] == row and cell.verdict == WRONG]
    written, columns = sum(place[0] == row for place in judged.cells), own.key.exact[judged.step.name].shape[1]
    for place, cell in wrong:
        decimals = cell.written.decimals
        if not decimals or isinstance(cell.value, float) or written < columns:
            return False
        if columns == 1 and len("".join(filter(str.isdigit, cell.written.text)).lstrip("0")) < FEWEST_DIGITS:
            return False
        paths = [own.key.exact[judged.step.name], *(own.target(judged.step, path) for path in PATHS)]
        if not any(target is not None and is_near(cell.value, target[place], decimals) for target in paths):
            return False
    return True


def is_near(value: Cell, target: Cell, decimals: int) -> bool:
    if isinstance(target, float):
        return False
    right = rough_float(target)
    return abs(rough_float(value) - right) <= NEAR * abs(right) + UNITS * 10.0**-decimals


def agrees(own: OwnValues, judged: JudgedStep, row: int, target: Matrix) -> bool:
    """Whether a row as written is the row of a target, every digit of it."""
    cells = ((place, cell) for place, cell in judged.cells.items() if place[0] == row)
    return all(is_right(cell.value, cell.written, target[place], own.key.asked) for place, cell in cells)


def targets(own: OwnValues, step: Step) -> Iterator[Matrix]:
    """What a step comes to with something rounded: inside its rule, or in what was not written; or mended before it."""
    unwritten = any(need in own.steps and has_unwritten(own, own.steps[need]) for need in step.needs)
    wrong = any(WRONG in judged.verdicts for judged in own.steps.values())
    for path in own.paths_to(step):
        for mended in (False, True) if wrong else (False,):
            before = Before(own, path, None, mended)
            plain = [before.value_of(need) for need in step.needs]
            if mended:
                yield from made(own, step, step.rule, plain)
            for decimals in DECIMALS:
                before = Before(own, path, decimals, mended)
                inputs = [before.value_of(need) for need in step.needs] if unwritten else None
                if inputs is not None:
                    yield from made(own, step, step.rule, inputs)
                for rule in step.rule.rounded_inside(decimals) if step.rule is not None else ():
                    yield from made(own, step, rule, plain)
                    if inputs is not None:
                        yield from made(own, step, rule, inputs)


def made(own: OwnValues, step: Step, rule: Made | None, inputs: list[Matrix | None]) -> Iterator[Matrix]:
    """What a rule makes of inputs; nothing where it cannot take them."""
    if rule is None or any(value is None for value in inputs):
        return
    try:
        value = rule(*inputs)
    except (ArithmeticError, ValueError, IndexError, ClearheadError):
        return
    if value.shape == own.key.exact[step.name].shape:
        yield value


class Before:
    """The person's values before a step: what was not written rounded to so many decimals, what is wrong perhaps mended."""

    def __init__(self, own: OwnValues, path: Own, decimals: int | None, mended: bool) -> None:
        self.own, self.path, self.decimals, self.mended = own, path, decimals, mended
        self.known: dict[str, Matrix | None] = {}

    def value_of(self, name: str, deep: int = MOST_UNWRITTEN) -> Matrix | None:
        """One of them; a chain of more unwritten steps than anybody keeps in the head is not rounded."""
        if name not in self.known:
            self.known[name] = self.find(name, deep)
        return self.known[name]

    def find(self, name: str, deep: int) -> Matrix | None:
        judged = self.own.steps.get(name)
        value = mended_value(self.own, name, self.path) if self.mended else self.own.own(name, self.path)
        if judged is None or value is None or deep == 0 or not has_unwritten(self.own, judged):
            return value
        inputs = [self.value_of(need, deep - 1) for need in judged.step.needs]
        base = next(made(self.own, judged.step, judged.step.rule, inputs), None)
        decimals = self.decimals
        if base is None:
            return None
        try:
            kept = base if decimals is None else base.map(lambda cell: rounded(cell, decimals))
        except ArithmeticError:
            return None
        rows = enumerate(kept.rows)
        cells = ((value[i, j] if (i, j) in judged.cells else cell for j, cell in enumerate(row)) for i, row in rows)
        return Matrix(tuple(map(tuple, cells)), base.rank)


def has_unwritten(own: OwnValues, judged: JudgedStep) -> bool:
    """Whether any cell of a step was not written, or not surely read."""
    rows, columns = own.key.exact[judged.step.name].shape
    return not judged.wrong_shape and len(judged.cells) < rows * columns


def mended_value(own: OwnValues, name: str, path: Own) -> Matrix | None:
    """The person's value with the right numbers, rounded as theirs are, where theirs are wrong: a slip of the pen only."""
    value, judged = own.own(name, path), own.steps.get(name)
    if value is None or judged is None or WRONG not in judged.verdicts or judged.wrong_shape:
        return value
    exact = own.key.exact[name]
    cells = {place: cell.written.decimals for place, cell in judged.cells.items() if cell.verdict == WRONG}

    def right(i: int, j: int) -> Cell:
        decimals = cells[i, j]
        return exact[i, j] if decimals is None or isinstance(exact[i, j], float) else rounded(exact[i, j], decimals)

    rows = ((right(i, j) if (i, j) in cells else cell for j, cell in enumerate(row)) for i, row in enumerate(value.rows))
    return Matrix(tuple(map(tuple, rows)), value.rank)
