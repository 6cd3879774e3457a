"""A working as an .xlsx whose cells are live formulas: change a given, and everything follows.

Tables stand one below the other, each under its name and formula; what a formula works out inside a function first has a
table of its own. Values are stored too, for viewers that do not calculate. What a sheet cannot follow is said in it.
"""

import io
from collections.abc import Callable

from clearhead.exact.expressions import Cell
from clearhead.exact.matrices import Matrix
from clearhead.working.formulas.cells.scalars import Leaf
from clearhead.working.formulas.evaluation import grid_of, leaves, value
from clearhead.working.formulas.functions.operation import Grid
from clearhead.working.formulas.functions.shapes import Shape
from clearhead.working.formulas.text.tree import Node, text
from clearhead.working.steps import Step, Working
from clearhead.working.variants.as_formulas import as_formula
from clearhead.working.variants.beam_sheet import add_beams
from clearhead.working.variants.live_cells import live
from clearhead.working.variants.merge_sheet import add_merges
from clearhead.working.variants.sheet_page import SheetPage, formats_of, set_widths, show_infinities
from clearhead.working.variants.written_cells import CELLS, NotWritten, by_terms

LONGEST_FORMULA = 8_000  # Excel takes 8,192
SHEET = "Working"
YELLOW = "Yellow cells are given: change them, and everything follows. Green cells are the answer."
OF_THEIR_OWN: dict[str, Callable[[SheetPage, Working], None]] = {"beam": add_beams, "bpe": add_merges}
"""Kinds whose choices are made by the numbers: their sheets choose, too."""


def spreadsheet(working: Working) -> bytes:
    """The whole workbook, as bytes; the same working gives the same bytes."""
    from datetime import datetime

    import xlsxwriter

    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    book.set_properties({"title": working.plan.title, "created": datetime(2000, 1, 1)})  # a fixed date: the same bytes
    page = book.add_worksheet(SHEET)
    set_widths(page, working)
    sheet = SheetPage(page, formats_of(book, working.policy.decimals), working.policy.decimals)
    sheet.text(0, 0, working.plan.title, "head")
    sheet.text(1, 0, YELLOW, "inside")
    OF_THEIR_OWN.get(working.plan.kind, add_plan)(sheet, working)
    show_infinities(book, sheet)
    book.close()
    return buffer.getvalue()


def add_plan(sheet: SheetPage, working: Working) -> None:
    """The givens, then every step."""
    for name, table in working.plan.given.items():
        sheet.title(name)
        sheet.table(name, table, None, working.plan.labels.get(name, ((), ())), "given")
    for step in working.plan.steps:
        if step.rule is None:
            sheet.title(step.formula, "inside")
        else:
            add_step(sheet, working, step)


def add_step(sheet: SheetPage, working: Working, step: Step) -> None:
    """A step as live cells; its numbers alone where no formula can be written, and why not."""
    table = working.values[step.name]
    found = live_table(sheet, working, step, table)
    formulas, note = (None, f"   (numbers only: {found})") if isinstance(found, str) else (found, "")
    sheet.title(f"{step.name} = {step.formula}{note}")
    style = "answer" if step.name in working.plan.answer else "cell"
    sheet.table(step.name, table, formulas, (step.rows, step.columns), style)


def live_table(sheet: SheetPage, working: Working, step: Step, table: Matrix) -> list[list[str]] | str:
    """The formula of every cell, or why there is none; inner tables are written above it first."""
    from xlsxwriter.utility import xl_rowcol_to_cell

    tables = list(dict.fromkeys(step.needs))
    values = {name: working.values[name] for name in tables}
    shapes = {name: shape_of(found) for name, found in values.items()}
    grids = {name: leaves(n, shapes[name]) for n, name in enumerate(tables)}
    inner_tables: dict[str, Matrix] = {}

    def name_of(leaf: Leaf) -> str:
        return tables[leaf.table] if leaf.table < len(tables) else list(inner_tables)[leaf.table - len(tables)]

    def place(leaf: Leaf) -> str:
        row, column = sheet.places[name_of(leaf)]
        return str(xl_rowcol_to_cell(row + leaf.i, column + leaf.j))

    def read(leaf: Leaf) -> Cell:
        name = name_of(leaf)
        return (inner_tables[name] if name in inner_tables else values[name])[leaf.i, leaf.j]

    def inner(part: Node) -> Grid:
        found = value(part, values)
        grid = grid_of(part, shapes, grids, inner)
        name = f"{text(part)} @{sheet.next_row}"
        sheet.title(f"inside: {text(part)}", "inside")
        sheet.table(name, found, cells(grid, shape_of(found)))
        inner_tables[name] = found
        number = len(tables) + len(inner_tables) - 1
        return Grid(shape_of(found), lambda i, j: Leaf(number, i, j))

    def cells(grid: Grid, shape: Shape) -> list[list[str]]:
        return [[live(grid.at(i, j), place, read) for j in range(shape.columns)] for i in range(shape.rows)]

    tree = as_formula(step.rule, step.needs)
    if tree is None:
        needed = tuple(grids[name] for name in step.needs)
        assert step.rule is not None
        write = CELLS.get(type(step.rule)) or by_terms(working.inputs(step))
        grid = Grid(shape_of(table), lambda i, j: write(step.rule, needed, i, j))
    else:
        grid = grid_of(tree, shapes, grids, inner)
    try:
        formulas = cells(grid, shape_of(table))
    except NotWritten:
        return "this rule has not been written as a formula"
    if max(len(cell) for row in formulas for cell in row) > LONGEST_FORMULA:
        return "as a formula a cell would be too long for a spreadsheet"
    return [[sheet.rounded(cell) for cell in row] for row in formulas]


def shape_of(table: Matrix) -> Shape:
    return Shape(table.shape[0], table.shape[1], table.rank)
