"""Which steps are products, and which row, column or cell of what was put in a number comes from."""

from dataclasses import dataclass

from clearhead.working.render.page import Part
from clearhead.working.render.substitution import Put, text_pieces


@dataclass(frozen=True, slots=True)
class Factors:
    """Two tables side by side in a formula: a product."""

    first: int  # place among the pieces
    second: int
    left: Put
    right: Put


def factors_of(part: Part) -> Factors | None:
    """The first two names that stand next to each other and fit: rows of one meet columns of the other."""
    assert part.table is not None
    pieces = text_pieces(part.step.formula, part.step.needs)
    for k, (left, between, right) in enumerate(zip(pieces, pieces[1:], pieces[2:], strict=False)):
        if isinstance(left, Put) and isinstance(right, Put) and between == " ":
            a, b = shape_of(part, left), shape_of(part, right)
            if a[1] == b[0] and (a[0], b[1]) == part.table.value.shape:
                return Factors(k, k + 2, left, right)
    return None


def shape_of(part: Part, put: Put) -> tuple[int, int]:
    rows, columns = part.put_in[put.name].value.shape
    return (columns, rows) if put.transposed else (rows, columns)


def product_of(part: Part) -> tuple[str, str, bool, bool] | None:
    """Names and turns of the factors where the step is a product and nothing else."""
    factors = factors_of(part)
    if factors is None or len(text_pieces(part.step.formula, part.step.needs)) != 3:
        return None
    return factors.left.name, factors.right.name, factors.right.transposed, factors.left.transposed


def roles_of(part: Part) -> dict[int, str]:
    """For each table put in: whether a cell comes from its row, its column or its own place."""
    assert part.table is not None
    factors = factors_of(part)
    roles = {factors.first: "row", factors.second: "column"} if factors else {}
    shape = part.table.value.shape
    for k, piece in enumerate(pieces_of(part)):
        if isinstance(piece, Put) and k not in roles:
            same = shape_of(part, piece) == shape
            by_row = "softmax" in part.step.formula or "each row" in part.step.formula
            roles[k] = ("row" if by_row else "cell") if same else ""
    return roles


def pieces_of(part: Part) -> list[str | Put]:
    return text_pieces(part.step.formula, part.step.needs) if part.puts_in else []
