"""A working as an .xlsx whose cells are live formulas: change a given, and everything follows.

Tables stand one below the other, each under its name and formula; what a formula works out inside a function first has a
table of its own. Values are stored too, for viewers that do not calculate.
"""

import io
from dataclasses import dataclass, field
from typing import Any

from clearhead.exact.decimals import as_float
from clearhead.exact.expressions import Cell
from clearhead.exact.matrices import Matrix
from clearhead.working.formulas.cells.scalars import Leaf
from clearhead.working.formulas.evaluation import grid_of, leaves, value
from clearhead.working.formulas.formula_rule import FormulaRule
from clearhead.working.formulas.functions.operation import Grid
from clearhead.working.formulas.functions.shapes import Shape
from clearhead.working.formulas.text.tree import Node, text
from clearhead.working.steps import Step, Working
from clearhead.working.variants.as_formulas import as_formula
from clearhead.working.variants.live_cells import live

FIRST_ROW, FIRST_COLUMN = 3, 1
LONGEST_FORMULA = 8_000  # Excel takes 8,192
HIDDEN = -1e300  # what stands for −∞
SHEET = "Working"


@dataclass(slots=True)
class Sheet:
    """Where each table stands, and what the next one gets as its first row."""

    book: Any
    page: Any
    formats: dict[str, Any]
    decimals: int | None
    next_row: int = FIRST_ROW
    places: dict[str, tuple[int, int]] = field(default_factory=dict)  # first cell of each table

    def title(self, words: str, style: str = "name") -> None:
        self.page.write_string(self.next_row, 0, words, self.formats["quoted" if words[:1] in "=+-@" else style])
        self.next_row += 1

    def table(self, name: str, table: Matrix, formulas: "list[list[str]] | None") -> None:
        """The cells of a table, live where there are formulas."""
        self.places[name] = (self.next_row, FIRST_COLUMN)
        style = self.formats["given" if formulas is None and name in self.givens else "cell"]
        for i, row in enumerate(table.rows):
            for j, cell in enumerate(row):
                at = self.next_row + i, FIRST_COLUMN + j
                if formulas is None:
                    self.page.write_number(*at, stored(cell), style)
                else:
                    self.page.write_formula(*at, f"={formulas[i][j]}", style, stored(cell))
        self.next_row += len(table.rows) + 1

    givens: frozenset[str] = frozenset()


def stored(cell: Cell) -> float:
    number = as_float(cell)
    return HIDDEN if number == float("-inf") else 1e300 if number == float("inf") else number


def spreadsheet(working: Working) -> bytes:
    """The whole workbook, as bytes; the same working gives the same bytes."""
    from datetime import datetime

    import xlsxwriter
    from xlsxwriter.utility import xl_rowcol_to_cell

    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    book.set_properties({"title": working.plan.title, "created": datetime(2000, 1, 1)})  # a fixed date: the same bytes
    page = book.add_worksheet(SHEET)
    shown = '[<-1E+299]"−∞";General'
    formats = {
        "head": book.add_format({"bold": True, "font_size": 14, "quote_prefix": True}),
        "name": book.add_format({"bold": True}),
        "inside": book.add_format({"italic": True, "font_color": "#555555"}),
        "quoted": book.add_format({"bold": True, "quote_prefix": True}),
        "given": book.add_format({"bg_color": "#FFF6D5", "border": 1, "border_color": "#C9B458", "num_format": shown}),
        "cell": book.add_format({"border": 1, "border_color": "#BBBBBB", "num_format": shown}),
    }
    page.set_column(0, 0, 14)
    page.set_column(FIRST_COLUMN, 40, 11)
    page.write_string(0, 0, working.plan.title, formats["head"])
    page.write_string(1, 0, "Yellow cells are given: change them, and everything follows.", formats["inside"])
    sheet = Sheet(book, page, formats, working.policy.decimals, givens=frozenset(working.plan.given))
    for name, table in working.plan.given.items():
        sheet.title(name)
        sheet.table(name, table, None)
    for step in working.plan.steps:
        if step.rule is None:
            sheet.title(step.formula, "inside")
        else:
            add_step(sheet, working, step, xl_rowcol_to_cell)
    book.close()
    return buffer.getvalue()


def add_step(sheet: Sheet, working: Working, step: Step, named: Any) -> None:
    """A step as live cells; where its rule is no formula yet, its numbers alone."""
    rule = as_formula(step.rule, step.needs)
    table = working.values[step.name]
    formulas = None if rule is None else live_table(sheet, working, rule, table, named)
    note = "" if formulas is not None else "   (numbers only)"
    sheet.title(f"{step.name} = {step.formula}{note}")
    sheet.table(step.name, table, formulas)


def live_table(sheet: Sheet, working: Working, rule: FormulaRule, table: Matrix, named: Any) -> "list[list[str]] | None":
    """The formula of every cell; inner tables are written above it first."""
    values = {name: working.values[name] for name in rule.needs}
    inner_names: list[str] = []
    shapes = {name: Shape(found.shape[0], found.shape[1], found.rank) for name, found in values.items()}
    grids = {name: leaves(n, shapes[name]) for n, name in enumerate(rule.needs)}

    def place(leaf: Leaf) -> str:
        name = rule.needs[leaf.table] if leaf.table < len(rule.needs) else inner_names[leaf.table - len(rule.needs)]
        row, column = sheet.places[name]
        return str(named(row + leaf.i, column + leaf.j))

    def inner(part: Node) -> Grid:
        found = value(part, values)
        shape = Shape(found.shape[0], found.shape[1], found.rank)
        grid = grid_of(part, shapes, grids, inner)
        name = f"{text(part)} @{sheet.next_row}"
        sheet.title(f"inside: {text(part)}", "inside")
        sheet.table(name, found, cells(grid, shape))
        inner_names.append(name)
        number = len(rule.needs) + len(inner_names) - 1
        return Grid(shape, lambda i, j: Leaf(number, i, j))

    def cells(grid: Grid, shape: Shape) -> list[list[str]]:
        return [[live(grid.at(i, j), place) for j in range(shape.columns)] for i in range(shape.rows)]

    formulas = cells(grid_of(rule.tree, shapes, grids, inner), Shape(table.shape[0], table.shape[1], table.rank))
    if max(len(cell) for row in formulas for cell in row) > LONGEST_FORMULA:
        return None
    return [[rounded(cell, sheet.decimals) for cell in row] for row in formulas]


def rounded(formula: str, decimals: int | None) -> str:
    return formula if decimals is None else f"ROUND({formula},{decimals})"
