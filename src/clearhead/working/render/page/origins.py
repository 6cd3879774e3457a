"""Which part of what was put in a number comes from, as a page lights it up."""

from clearhead.working.render.page.layout import Part
from clearhead.working.render.page.substitution import Put, text_pieces
from clearhead.working.rules.rule import Reach

FEEDS = {
    Reach.WHOLE: "all",
    Reach.CELL: "cell",
    Reach.ROW: "row",
    Reach.COLUMN: "column",
    Reach.ROW_J: "row-j",
    Reach.COLUMN_I: "column-i",
}


def product_of(part: Part) -> tuple[str, str, bool, bool] | None:
    """Names of the factors, and whether the right and the left are turned, where the step is a product and nothing else."""
    turns = part.step.rule.product if part.step.rule else None
    if turns is None:
        return None
    left, right = part.step.needs
    return left, right, turns.right, turns.left


def roles_of(part: Part) -> dict[int, str]:
    """For each table put in, by its place in the formula: whether a cell comes from its row, its column or its own place."""
    assert part.table is not None
    assert part.step.rule is not None
    reach = dict(zip(part.step.needs, part.step.rule.reach, strict=False))
    rows, columns = part.table.value.shape
    roles = {}
    for k, piece in enumerate(pieces_of(part)):
        if isinstance(piece, Put):
            found = Reach.WHOLE if piece.cut else reach.get(piece.name, Reach.WHOLE)
            height, width = shape_of(part, piece)
            fits = {
                Reach.ROW: ("row", height == rows),
                Reach.COLUMN: ("column", width == columns),
                Reach.CELL: ("cell", (height, width) == (rows, columns)),
            }
            role, lies_inside = fits.get(found.turned if piece.transposed else found, ("", False))
            roles[k] = role if lies_inside else ""
    return roles


def feeds_of(part: Part) -> list[tuple[str, str]]:
    """Each table that a step is made from, and which part of it one cell needs: `row column cell row-j column-i all`."""
    reach = part.step.rule.reach if part.step.rule else ()
    padded = [*reach, *[Reach.WHOLE] * len(part.step.needs)]
    return [(name, FEEDS[found]) for name, found in zip(part.step.needs, padded, strict=False)]


def shape_of(part: Part, put: Put) -> tuple[int, int]:
    rows, columns = part.table_at(put).value.shape
    return rows, columns


def pieces_of(part: Part) -> list[str | Put]:
    """The formula in words and tables, where the page puts them in."""
    return text_pieces(part.step.formula, part.step.needs) if part.puts_in else []
