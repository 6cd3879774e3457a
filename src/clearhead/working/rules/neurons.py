"""One layer of neurons, forwards and back: xW + b, g of every cell, and the slope of g."""

from clearhead.exact.activations import Activation
from clearhead.exact.expressions import ONE, Cell, Expression, finite
from clearhead.exact.kept_numbers import kept_whole, opened
from clearhead.exact.matrices import Matrix, cell_by_cell
from clearhead.exact.notation import bracketed
from clearhead.working.rules.rule import Reach, Rule, Show, Term

LONG_FRACTION = 2_000  # bits


class Activated(Rule):
    """g of every cell."""

    g: Activation
    whole: bool = False  # in a long chain each state is kept whole

    reach = (Reach.CELL,)

    def __call__(self, *inputs: Matrix) -> Matrix:
        found = cell_by_cell(self.g.value, inputs[0])
        return found.map(short) if self.whole else found

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        z = show(inputs[0][i, j])
        if self.g.name == "sigmoid":
            return f"1 / (1 + e^(-{bracketed(z)}))"
        return f"max({z}, 0)" if self.g.name == "relu" else z if self.g.name == "identity" else f"tanh({z})"


class ThroughActivation(Rule):
    """What arrives at h, times the slope of g: from d_h, h and z."""

    g: Activation
    whole: bool = False

    reach = (Reach.CELL,) * 3

    def __call__(self, *inputs: Matrix) -> Matrix:
        found = cell_by_cell(lambda d, h, z: d * self.g.slope(opened(h), z), *inputs)
        return found.map(short) if self.whole else found

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        d, h = (0, i, j), (1, i, j)
        if self.g.name == "tanh":
            return [Term((d,)), Term((d, h, h), -ONE)]
        if self.g.name == "sigmoid":
            return [Term((d, h)), Term((d, h, h), -ONE)]
        return [Term((d,), self.g.slope(finite(inputs[1][i, j]), finite(inputs[2][i, j])))]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        d, h, z = (show(table[i, j]) for table in inputs)
        slopes = {
            "sigmoid": f"{bracketed(h)}·(1 - {bracketed(h)})",
            "tanh": f"(1 - {bracketed(h)}^2)",
            "relu": f"{'1' if self.g.slope(finite(inputs[1][i, j]), finite(inputs[2][i, j])) else '0'} (z = {z})",
        }
        return f"{bracketed(d)}·{slopes.get(self.g.name, '1')}"


def short(cell: Cell) -> Cell:
    """A cell as a long chain goes on with it: a short fraction as it is, all else kept whole."""
    if isinstance(cell, float):
        return cell
    long = isinstance(cell, Expression) or max(cell.numerator.bit_length(), cell.denominator.bit_length()) > LONG_FRACTION
    return kept_whole(cell) if long else cell
