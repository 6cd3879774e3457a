"""A tree checked: what each node's shape is, which products are of tables and which only scale, and what does not fit."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from clearhead.working.formulas.functions.shapes import MOST_CELLS, NUMBER, Misfit, Shape, is_column_under
from clearhead.working.formulas.functions.table_of_operations import OPERATIONS
from clearhead.working.formulas.text.formula_tokens import FormulaError
from clearhead.working.formulas.text.tree import Call, Name, Node, Number, Slice, text

SIDE_BY_SIDE = ("add", "subtract", "times", "divide")


def settled(tree: Node, shapes: Mapping[str, Shape], formula: str) -> tuple[Node, Shape]:
    """The tree with `*` and products of numbers made plain, and its shape; what does not fit is told with its place."""
    if isinstance(tree, Slice):
        inside, whole = settled(tree.of, shapes, formula)
        node: Node = replace(tree, of=inside)
        return node, fitting(node, formula, lambda: cut_shape(tree, whole))
    if not isinstance(tree, Call):
        return tree, shape_of(tree, shapes)
    pairs = [settled(arg, shapes, formula) for arg in tree.args]
    found = tuple(shape for _, shape in pairs)
    changed = any(arg is not before for (arg, _), before in zip(pairs, tree.args, strict=True))
    call = replace(tree, args=tuple(arg for arg, _ in pairs)) if changed else tree
    if call.op in ("star", "dot", "product") and any(shape.rank == 0 for shape in found):
        call = replace(call, op="times")
    elif call.op == "dot":
        call = dotted(call, found)
        return settled(call, shapes, formula)
    elif call.op == "star":
        require_cell_by_cell(call, found, formula)
        call = replace(call, op="times")
    made = fitting(call, formula, lambda: made_shape(call, found))
    if call.op == "power" and call.fixed[0] == -1 and found[0].rows == found[0].columns > 1:
        name = text(call.args[0])
        told = f"{name} is {found[0]}, and its inverse as a table is not worked; one over each cell is 1/{name}"
        raise FormulaError(place(call, formula, told))
    if call.op in SIDE_BY_SIDE and is_column_under(*found):
        names = [text(arg) for arg in call.args]
        told = (
            f"{names[0]} is {found[0]} and {names[1]} is {found[1]}: a row goes under every row, but a column is not repeated"
        )
        raise FormulaError(place(call, formula, f"{told} by itself; write {column_hint(names, found)}"))
    if made.cells > MOST_CELLS:
        raise FormulaError(place(call, formula, f"has {made.cells:,} cells; at most {MOST_CELLS:,} can be worked"))
    return call, made


def dotted(call: Call, found: tuple[Shape, ...]) -> Call:
    """A raised dot between tables is their product, between two vectors of one length their dot product."""
    if all(shape.rank == 1 for shape in found) and found[0].size == found[1].size:
        return replace(call, op="sum", args=(replace(call, op="times"),))
    return replace(call, op="product")


def require_cell_by_cell(call: Call, found: tuple[Shape, ...], formula: str) -> None:
    """`*` is for equal shapes, or a row under a table; people who write it between tables may mean their product."""
    if found[0].size != found[1].size and not any(shape.rows == 1 for shape in found):
        left, right = (text(arg) for arg in call.args)
        told = f"{left} is {found[0]} and {right} is {found[1]}: * goes cell by cell"
        named = replace(call, op="times")
        if found[0].columns == found[1].rows:
            raise FormulaError(place(named, formula, f"{told}; a product of tables is written {left} {right} or with @"))
        if found[0].rows == found[1].rows and 1 in (found[0].columns, found[1].columns):
            hint = f"a column is not repeated by itself; write {column_hint([left, right], found)} instead of it"
            raise FormulaError(place(named, formula, f"{told}, and {hint}"))
        raise FormulaError(place(named, formula, f"{told}, so both must be equally large"))


def fitting(node: Node, formula: str, shape: Callable[[], Shape]) -> Shape:
    try:
        return shape()
    except Misfit as error:
        raise FormulaError(place(node, formula, str(error))) from None


def column_hint(names: list[str], found: tuple[Shape, ...]) -> str:
    column = 0 if found[0].columns == 1 else 1
    return f"{names[column]} ones(1, {found[1 - column].columns})"


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
    return made_shape(node, tuple(shape_of(arg, shapes) for arg in node.args))


def made_shape(node: Call, inside: tuple[Shape, ...]) -> Shape:
    """What an operation makes of tables of these shapes."""
    try:
        return OPERATIONS[node.op].shape(inside, node.fixed)
    except Misfit as error:
        raise Misfit(str(error).format(*(text(arg) for arg in node.args))) from None


def cut_shape(node: Slice, whole: Shape) -> Shape:
    rows, columns = ranges(node, whole)
    for what, (first, last), most in (("row", rows, whole.rows), ("column", columns, whole.columns)):
        if not 1 <= first <= last <= most:
            missing = first if first < 1 or first > most else last
            counted = f"; {what}s are counted from 1" if missing == 0 else ""
            raise Misfit(f"{text(node.of)} is {whole} and has no {what} {missing}{counted}")
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
