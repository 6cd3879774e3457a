"""A tree checked: what each node's shape is, which products are of tables and which only scale, and what does not fit."""

from collections.abc import Mapping
from dataclasses import replace

from clearhead.working.formulas.grammar import FormulaError
from clearhead.working.formulas.operations import OPERATIONS
from clearhead.working.formulas.shapes import MOST_CELLS, NUMBER, Misfit, Shape, is_column_under
from clearhead.working.formulas.tree import Call, Name, Node, Number, Slice, rebuilt, text

SIDE_BY_SIDE = ("add", "subtract", "times", "divide")


def settled(tree: Node, shapes: Mapping[str, Shape], formula: str) -> Node:
    """The tree with `*` and products of numbers made plain; shapes that do not fit are told with their place."""
    node = rebuilt(tree, lambda part: settled(part, shapes, formula))
    if not isinstance(node, Call):
        shape_here(node, shapes, formula)
        return node
    found = [shape_of(arg, shapes) for arg in node.args]
    if node.op in ("star", "product") and any(shape.rank == 0 for shape in found):
        node = replace(node, op="times")
    elif node.op == "star":
        if found[0].size != found[1].size and not any(shape.rows == 1 for shape in found):
            raise FormulaError(
                place(
                    node,
                    formula,
                    f"{text(node.args[0])} is {found[0]} and {text(node.args[1])} is {found[1]}: * goes cell by cell; "
                    f"a product of tables is written {text(node.args[0])} {text(node.args[1])} or with @",
                )
            )
        node = replace(node, op="times")
    if node.op in SIDE_BY_SIDE and is_column_under(*found):
        shape_here(node, shapes, formula)  # what does not fit at all is told first
        names = [text(arg) for arg in node.args]
        raise FormulaError(
            place(
                node,
                formula,
                f"{names[0]} is {found[0]} and {names[1]} is {found[1]}: a row goes under every row, but a column is "
                f"not repeated by itself; write {column_hint(names, found)}",
            )
        )
    made = shape_here(node, shapes, formula)
    if made.cells > MOST_CELLS:
        raise FormulaError(place(node, formula, f"has {made.cells:,} cells; at most {MOST_CELLS:,} can be worked"))
    return node


def column_hint(names: list[str], found: list[Shape]) -> str:
    column = 0 if found[0].columns == 1 else 1
    return f"{names[column]} ones(1, {found[1 - column].columns})"


def shape_here(node: Node, shapes: Mapping[str, Shape], formula: str) -> Shape:
    try:
        return shape_of(node, shapes)
    except Misfit as error:
        raise FormulaError(place(node, formula, str(error))) from None


def place(node: Node, formula: str, sentence: str) -> str:
    """A sentence with the piece of the formula that it is about."""
    return f"{sentence} (in {text(node)!r}, from character {node.at + 1})" if formula else sentence


def shape_of(node: Node, shapes: Mapping[str, Shape]) -> Shape:
    """The shape of a tree, from those of the names in it."""
    if isinstance(node, Name):
        return shapes[node.name]
    if isinstance(node, Number):
        return NUMBER
    if isinstance(node, Slice):
        return cut_shape(node, shape_of(node.of, shapes))
    inside = tuple(shape_of(arg, shapes) for arg in node.args)
    try:
        return OPERATIONS[node.op].shape(inside, node.fixed)
    except Misfit as error:
        raise Misfit(str(error).format(*(text(arg) for arg in node.args))) from None


def cut_shape(node: Slice, whole: Shape) -> Shape:
    rows, columns = ranges(node, whole)
    for what, (first, last), most in (("row", rows, whole.rows), ("column", columns, whole.columns)):
        if not 1 <= first <= last <= most:
            raise Misfit(f"{text(node.of)} is {whole} and has no {what} {first if first < 1 or first > most else last}")
    size = (rows[1] - rows[0] + 1, columns[1] - columns[0] + 1)
    alone = node.rows is not None and rows[0] == rows[1] and columns[0] == columns[1]
    if alone and (node.columns is not None or whole.rank == 1):
        return NUMBER
    return Shape(*size, 1 if size[0] == 1 and node.rows is not None and node.columns is None else 2 if whole.rank == 2 else 1)


def ranges(node: Slice, whole: Shape) -> tuple[tuple[int, int], tuple[int, int]]:
    """The rows and columns that are meant; x[2] of a vector is its second number, of a table its second row."""
    if whole.rank < 2 and node.columns is None and node.rows is not None:
        return (1, 1), node.rows
    return node.rows or (1, whole.rows), node.columns or (1, whole.columns)
