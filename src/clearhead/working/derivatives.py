"""Rules of forward passes, gradients and one step of descent; each explains any of its cells."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from clearhead.working.activations import Activation, finite
from clearhead.working.expressions import ONE, Cell, Exact, Expression
from clearhead.working.keeping import kept_whole, opened
from clearhead.working.matrices import Matrix, dot, number, product, transposed
from clearhead.working.notation import bracketed
from clearhead.working.rules import Show, Term, sum_of_products

LONG_FRACTION = 2_000  # bits
MOST_WRITTEN_OUT = 64  # products of one sum


def cell_by_cell(change: Callable[..., Exact], *inputs: Matrix) -> Matrix:
    """A rule applied to the cells of equal tables, place by place."""
    first = inputs[0]
    if any(other.shape != first.shape for other in inputs):
        raise ArithmeticError("tables of different sizes cannot be taken cell by cell")
    rows = tuple(
        tuple(change(*(finite(table[i, j]) for table in inputs)) for j in range(len(row))) for i, row in enumerate(first.rows)
    )
    return Matrix(rows, first.rank)


@dataclass(frozen=True, slots=True)
class Affine:
    """xW + b."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        x, w, b = inputs
        return cell_by_cell(lambda p, q: p + q, product(x, w), b)

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        products = [Term(((0, i, k), (1, k, j))) for k in range(inputs[0].shape[1])]
        return [*products, Term(((2, i, j),))]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        x, w, b = inputs
        return f"{sum_of_products(x.rows[i], w.column(j), show)} + {bracketed(show(b[i, j]))}"


@dataclass(frozen=True, slots=True)
class Dot:
    """Σ of products: the first half of all cells that come with the second half, in order."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        left, right = halves(inputs)
        return number(dot(left, right))

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        spots = [(n, row, column) for n, table in enumerate(inputs) for row, column in table.places()]
        half = len(spots) // 2
        return [Term(pair) for pair in zip(spots[:half], spots[half:], strict=True)]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        left, right = halves(inputs)
        if len(left) > MOST_WRITTEN_OUT:
            first, last = sum_of_products(left[:2], right[:2], show), sum_of_products(left[-1:], right[-1:], show)
            return f"{first} + … + {last}"
        return sum_of_products(left, right, show) if left else "nothing to add: 0"


def halves(inputs: tuple[Matrix, ...]) -> tuple[tuple[Exact, ...], tuple[Exact, ...]]:
    cells = tuple(finite(cell) for table in inputs for row in table.rows for cell in row)
    half, odd = divmod(len(cells), 2)
    if odd:
        raise ArithmeticError("two lists of different lengths have no dot product")
    return cells[:half], cells[half:]


@dataclass(frozen=True, slots=True)
class Activated:
    """g of every cell."""

    g: Activation
    whole: bool = False  # in a long chain each state is kept whole

    def __call__(self, *inputs: Matrix) -> Matrix:
        found = cell_by_cell(self.g.value, inputs[0])
        return found.map(short) if self.whole else found

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        z = show(inputs[0][i, j])
        if self.g.name == "sigmoid":
            return f"1 / (1 + e^(-{bracketed(z)}))"
        return f"max({z}, 0)" if self.g.name == "relu" else z if self.g.name == "identity" else f"tanh({z})"


def short(cell: Cell) -> Cell:
    """A cell as a long chain goes on with it: a short fraction as it is, all else kept whole."""
    if isinstance(cell, float):
        return cell
    long = isinstance(cell, Expression) or max(cell.numerator.bit_length(), cell.denominator.bit_length()) > LONG_FRACTION
    return kept_whole(cell) if long else cell


@dataclass(frozen=True, slots=True)
class ThroughActivation:
    """What arrives at h, times the slope of g: from d_h, h and z."""

    g: Activation
    whole: bool = False

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


@dataclass(frozen=True, slots=True)
class Difference:
    """a − b, cell by cell."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        return cell_by_cell(lambda a, b: a - b, *inputs)

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, i, j),)), Term(((1, i, j),), -ONE)]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"{show(inputs[0][i, j])} - {bracketed(show(inputs[1][i, j]))}"


@dataclass(frozen=True, slots=True)
class HalfSquare:
    """½(h − y)²."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        return cell_by_cell(lambda h, y: (h - y) * (h - y) / 2, *inputs)

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        h, y = (0, i, j), (1, i, j)
        return [Term((h, h), ONE / 2), Term((h, y), -ONE), Term((y, y), ONE / 2)]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"1/2·({show(inputs[0][i, j])} - {bracketed(show(inputs[1][i, j]))})^2"


@dataclass(frozen=True, slots=True)
class Times:
    """ab, cell by cell."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        return cell_by_cell(lambda a, b: a * b, *inputs)

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, i, j), (1, i, j)))]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"{bracketed(show(inputs[0][i, j]))}·{bracketed(show(inputs[1][i, j]))}"


@dataclass(frozen=True, slots=True)
class TransposedProduct:
    """AᵀB: for a row x and a row d, every xᵢ times every dⱼ."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        a, b = inputs
        return product(transposed(a), Matrix(b.rows))

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, k, i), (1, k, j))) for k in range(inputs[0].shape[0])]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        a, b = inputs
        return sum_of_products(a.column(i), b.column(j), show)


@dataclass(frozen=True, slots=True)
class Same:
    """The same numbers under another name."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        return inputs[0]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return show(inputs[0][i, j])


@dataclass(frozen=True, slots=True)
class Descent:
    """One step of stochastic gradient descent: w − ηd."""

    rate: Fraction

    def __call__(self, *inputs: Matrix) -> Matrix:
        return cell_by_cell(lambda w, d: w - d * self.rate, *inputs)

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, i, j),)), Term(((1, i, j),), -self.rate)]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"{show(inputs[0][i, j])} - {bracketed(show(self.rate))}·{bracketed(show(inputs[1][i, j]))}"
