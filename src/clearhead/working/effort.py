"""How much work a step is, before it is done: what would take minutes or the whole memory is refused at once."""

from clearhead.errors import InputError
from clearhead.exact.expressions import Expression
from clearhead.exact.matrices import Matrix, all_fractions
from clearhead.working.rules.products import Product, ProductTransposed
from clearhead.working.rules.rule import Rule
from clearhead.working.rules.softmax import Softmax

MOST_EFFORT = 10_000_000  # a second or so; 64 tokens, 32 wide, exactly, are half of it
WHOLE, MIXED, SYMBOLIC = 1, 20, 100  # one multiplication: of whole numbers, of an expression by one, of two expressions
PLAIN_CELL, SOFTMAX_CELL, TERM = 50, 400, 20


def effort(rule: Rule, inputs: list[Matrix]) -> int:
    """About how long a rule takes on these values, in tenths of a microsecond."""
    if all(value.rank == 0 for value in inputs):
        return 0  # a chain of numbers is only as long as its file
    terms = sum(terms_of(value) for value in inputs)
    if not isinstance(rule, Product | ProductTransposed):
        cells = sum(rows * columns for rows, columns in (value.shape for value in inputs))
        return cells * (SOFTMAX_CELL if isinstance(rule, Softmax) else PLAIN_CELL) + (terms - cells) * TERM
    a, b = inputs
    rows, columns = b.shape if isinstance(rule, Product) else b.shape[::-1]
    if not all_fractions(b):
        return terms_of(a) * terms_of(b) // rows * SYMBOLIC
    return terms_of(a) * columns * (WHOLE if all_fractions(a) else MIXED)


def terms_of(value: Matrix) -> int:
    return sum(len(cell.terms) if isinstance(cell, Expression) else 1 for row in value.rows for cell in row)


def require_effort(spent: int, step: str) -> None:
    if spent > MOST_EFFORT:
        raise InputError(
            f"{step} would take {spent / MOST_EFFORT:,.1f} times the work that one problem may take; "
            "give fewer tokens, columns or heads, or round the steps (round = 2)"
        )
