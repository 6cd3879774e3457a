"""The softmax of each row, whole or in its parts: exponentials and shares."""

from collections.abc import Callable, Iterator
from fractions import Fraction

from clearhead.exact.expressions import ONE, ZERO, Cell, Exact, finite, inverse, total_of
from clearhead.exact.matrices import Matrix, transposed
from clearhead.exact.notation import bracketed
from clearhead.exact.order import largest
from clearhead.exact.policies import rounded
from clearhead.exact.powers import exp
from clearhead.working.rules.rule import Reach, Rule, Show, Slip, table_cost

SOFTMAX_CELL = 400  # tenths of a microsecond


class Softmax(Rule):
    """Each row e^(x/T) over its sum; at T = 0 the largest cells share the row equally; −∞ gets 0."""

    temperature: Fraction = ONE

    called = "softmax"
    reach = (Reach.ROW,)

    def __call__(self, *inputs: Matrix) -> Matrix:
        return Matrix(tuple(softmax_row(row, self.temperature) for row in inputs[0].rows), inputs[0].rank)

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        row = inputs[0].rows[i]
        if self.temperature == 0:
            best = largest(row)
            if j not in best:
                return f"not the largest of row {i + 1}: 0"
            return f"the largest of row {i + 1}" + (f", shared by {len(best)}: 1/{len(best)}" if len(best) > 1 else ": 1")
        below = "" if self.temperature == 1 else f"/{bracketed(show(self.temperature))}"
        powers = [f"e^({show(cell)}{below})" for cell in row if not isinstance(cell, float)]
        if isinstance(row[j], float):
            return "e^(-∞) = 0"
        return f"e^({show(row[j])}{below}) / ({' + '.join(powers)})"

    def cost(self, *inputs: Matrix) -> int:
        return table_cost(SOFTMAX_CELL, *inputs)

    def slips(self, *needs: str) -> Iterator[Slip]:
        hint = "the softmax was taken down the columns; each row must sum to 1"
        yield Slip("columns", lambda x: transposed(self(transposed(x))), hint)
        without = "each score was divided by the sum of its row; e to its power was forgotten"
        yield Slip("function-left-out", over_row_sums, without)

    def rounded_inside(self, decimals: int) -> Iterator[Callable[..., Matrix]]:
        """Over powers of e as people write them, with so many decimals."""
        if self.temperature:
            yield lambda x: Matrix(tuple(rounded_shares(row, self.temperature, decimals) for row in x.rows), x.rank)


def over_row_sums(x: Matrix) -> Matrix:
    """Each cell over the sum of its row, as if the exponential were not there; a row that sums to 0 stays."""
    totals = [total_of(finite(cell) for cell in row) for row in x.rows]
    rows = zip(x.rows, totals, strict=True)
    shares = (tuple(finite(cell) * inverse(total) if total != 0 else cell for cell in row) for row, total in rows)
    return Matrix(tuple(shares), x.rank)


def softmax_row(row: tuple[Cell, ...], temperature: Fraction) -> tuple[Cell, ...]:
    """The softmax of one row at a temperature, 0 and −∞ included.

    >>> softmax_row((Fraction(5), float("-inf"), Fraction(5)), ZERO)
    (Fraction(1, 2), Fraction(0, 1), Fraction(1, 2))
    """
    if temperature == 0:
        best = largest(row)
        return tuple(Fraction(1, len(best)) if j in best else ZERO for j in range(len(row)))
    cooled = row if temperature == 1 else tuple(c if isinstance(c, float) else c / temperature for c in row)
    powers: list[Exact] = [exp(cell) for cell in cooled]
    turned = inverse(total_of(powers))
    return tuple(power * turned for power in powers)


def rounded_shares(row: tuple[Cell, ...], temperature: Fraction, decimals: int) -> tuple[Cell, ...]:
    """The softmax of one row with every power of e rounded first."""
    powers = [ZERO if isinstance(cell, float) else finite(rounded(exp(cell / temperature), decimals)) for cell in row]
    turned = inverse(total_of(powers))
    return tuple(power * turned for power in powers)


class Exponential(Rule):
    """e to the power of each cell."""

    reach = (Reach.CELL,)

    def __call__(self, *inputs: Matrix) -> Matrix:
        return inputs[0].map(exp)

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"e^{bracketed(show(inputs[0][i, j]))}"


class ShareOfSum(Rule):
    """Each cell over the sum."""

    reach = (Reach.CELL,)

    def __call__(self, *inputs: Matrix) -> Matrix:
        cells, whole = inputs[0], inputs[1].cell
        if isinstance(whole, float) or whole == 0:
            raise ArithmeticError(
                "sum is 0 as rounded, and nothing can be divided by it; round to more decimals, or add the same number to "
                "all of z (the softmax stays the same)"
            )
        turned = inverse(whole)
        return cells.map(lambda cell: cell if isinstance(cell, float) else cell * turned)

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"{bracketed(show(inputs[0][i, j]))} / {bracketed(show(inputs[1].cell))}"
