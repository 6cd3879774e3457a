"""Products of tables: AB, ABᵀ, AᵀB, of two lists, and cell by cell."""

from collections.abc import Iterator

from clearhead.errors import InputError
from clearhead.exact.expressions import Cell, Exact, finite
from clearhead.exact.matrices import Matrix, all_fractions, cell_by_cell, dot, number, product, size, transposed
from clearhead.exact.notation import bracketed
from clearhead.working.rules.rule import (
    MOST_WRITTEN_OUT,
    PLAIN_CELL,
    Reach,
    Rule,
    Show,
    Slip,
    Term,
    Turns,
    table_cost,
    terms_in,
)

WHOLE, MIXED, SYMBOLIC = 1, 20, 100  # one multiplication: of whole numbers, of an expression by one, of two expressions


class Product(Rule):
    """AB."""

    reach = (Reach.ROW, Reach.COLUMN)
    product = Turns()

    def __call__(self, *inputs: Matrix) -> Matrix:
        a, b = inputs
        return product(a, b)

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, i, k), (1, k, j))) for k in range(inputs[0].shape[1])]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        a, b = inputs
        return sum_of_products(a.rows[i], b.column(j), show)

    def cost(self, *inputs: Matrix) -> int:
        return product_cost(inputs[0], inputs[1], inputs[1].shape)

    def slips(self, *needs: str) -> Iterator[Slip]:
        hint = f"{needs[1]} was taken transposed: rows of {needs[0]} meet its rows instead of its columns"
        yield Slip("order", turned_product, hint)


class Projection(Product):
    """ZW_O: a product that people also take from the other side."""

    def slips(self, *needs: str) -> Iterator[Slip]:
        yield Slip("w_o-side", lambda z, w_o: product(w_o, z), f"{needs[1]} was multiplied from the wrong side")


class ProductTransposed(Rule):
    """ABᵀ: each cell is a row of A times a row of B."""

    reach = (Reach.ROW, Reach.ROW_J)
    product = Turns(right=True)

    def __call__(self, *inputs: Matrix) -> Matrix:
        a, b = inputs
        return product(a, transposed(b))

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, i, k), (1, j, k))) for k in range(inputs[0].shape[1])]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        a, b = inputs
        return sum_of_products(a.rows[i], b.rows[j], show)

    def cost(self, *inputs: Matrix) -> int:
        return product_cost(inputs[0], inputs[1], inputs[1].shape[::-1])

    def slips(self, *needs: str) -> Iterator[Slip]:
        left, right = needs
        hint = f"{right} was not transposed: rows of {left} meet columns of {right} instead of rows"
        yield Slip("no-transpose", fitting_product, hint)


class TransposedProduct(Rule):
    """AᵀB: for a row x and a row d, every xᵢ times every dⱼ."""

    reach = (Reach.COLUMN_I, Reach.COLUMN)
    product = Turns(left=True)

    def __call__(self, *inputs: Matrix) -> Matrix:
        a, b = inputs
        return product(transposed(a), Matrix(b.rows))

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, k, i), (1, k, j))) for k in range(inputs[0].shape[0])]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        a, b = inputs
        return sum_of_products(a.column(i), b.column(j), show)

    def cost(self, *inputs: Matrix) -> int:
        return product_cost(inputs[0], inputs[1], inputs[1].shape)

    def slips(self, *needs: str) -> Iterator[Slip]:
        hint = f"{needs[0]} was not transposed: its rows were taken instead of its columns"
        yield Slip("no-transpose", fitting_product, hint)


class Affine(Rule):
    """xW + b, the bias added to every row."""

    reach = (Reach.ROW, Reach.COLUMN, Reach.COLUMN)

    def __call__(self, *inputs: Matrix) -> Matrix:
        x, w, b = inputs
        found = product(x, w)
        if b.shape[1] != found.shape[1] or b.shape[0] not in (1, found.shape[0]):
            raise ArithmeticError("a bias must be as long as the rows that it is added to")
        rows = tuple(
            tuple(finite(cell) + finite(b[bias_row(b, i), j]) for j, cell in enumerate(row)) for i, row in enumerate(found.rows)
        )
        return Matrix(rows, found.rank)

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        products = [Term(((0, i, k), (1, k, j))) for k in range(inputs[0].shape[1])]
        return [*products, Term(((2, bias_row(inputs[2], i), j),))]

    def slips(self, *needs: str) -> Iterator[Slip]:
        yield Slip("term", lambda x, w, b: product(x, w), f"the bias {needs[2]} was left out")

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        x, w, b = inputs
        return f"{sum_of_products(x.rows[i], w.column(j), show)} + {bracketed(show(b[bias_row(b, i), j]))}"

    def cost(self, *inputs: Matrix) -> int:
        return product_cost(inputs[0], inputs[1], inputs[1].shape) + table_cost(PLAIN_CELL, inputs[2])


def bias_row(bias: Matrix, i: int) -> int:
    """The row of a bias that goes with row i: its only one, or its own."""
    return i if bias.shape[0] > 1 else 0


class Dot(Rule):
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


class Times(Rule):
    """ab, cell by cell."""

    reach = (Reach.CELL,) * 2

    def __call__(self, *inputs: Matrix) -> Matrix:
        return cell_by_cell(lambda a, b: a * b, *inputs)

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, i, j), (1, i, j)))]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"{bracketed(show(inputs[0][i, j]))}·{bracketed(show(inputs[1][i, j]))}"


def product_cost(a: Matrix, b: Matrix, shape: tuple[int, int]) -> int:
    """What a product costs, b turned to this shape: by the terms that meet, and by how each multiplication is done."""
    rows, columns = shape
    if not all_fractions(b):
        return terms_in(a) * terms_in(b) // rows * SYMBOLIC
    return terms_in(a) * columns * (WHOLE if all_fractions(a) else MIXED)


def fitting_product(a: Matrix, b: Matrix) -> Matrix:
    """AB as the tables stand."""
    if a.shape[1] != b.shape[0]:
        raise ArithmeticError("tables that do not fit cannot be multiplied")
    return product(a, b)


def turned_product(a: Matrix, b: Matrix) -> Matrix:
    """ABᵀ where B is square, so that nobody notices by the sizes."""
    if b.shape[0] != b.shape[1]:
        raise ArithmeticError("only a square table fits both ways")
    return product(a, transposed(b))


def sum_of_products(row: tuple[Cell, ...], column: tuple[Cell, ...], show: Show) -> str:
    """A row times a column, written out.

    >>> sum_of_products((1, 2), (3, -4), str)
    '1·3 + 2·(-4)'
    """

    def factor(cell: Cell) -> str:
        written = show(cell)
        plain = not written.startswith(("-", "−")) and " " not in written
        return written if plain else f"({written})"

    return " + ".join(f"{factor(a)}·{factor(b)}" for a, b in zip(row, column, strict=True))


def require_product(left: str, a: Matrix, right: str, b: Matrix) -> None:
    """Two givens that are to be multiplied must fit, and the error names both."""
    if a.shape[1] != b.shape[0]:
        turn = f" {right} looks transposed." if a.shape[1] == b.shape[1] else ""
        raise InputError(
            f"{left} is {size(a)} and {right} is {size(b)}: "
            f"{left}·{right} needs as many columns in {left} as rows in {right}.{turn}"
        )
