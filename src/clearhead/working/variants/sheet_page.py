"""One page of a spreadsheet: tables below each other, each under its name, with labels, and where each one stands."""

from dataclasses import dataclass, field
from typing import Any

from clearhead.exact.decimals import as_float
from clearhead.exact.expressions import Cell
from clearhead.exact.matrices import Matrix
from clearhead.working.steps import Labels, Working

FIRST_ROW, FIRST_COLUMN, LAST_COLUMN = 3, 1, 80
HIDDEN = -1e300  # what stands for −∞
WIDEST_LABEL, WIDEST_CELL = 28, 24  # characters
STARTS_A_FORMULA = "=+-@"
WIDEST_UPRIGHT = 7  # columns on a page that stands upright
INFINITE = (("<", -1e299, '"−∞";"−∞"'), (">", 1e299, '"∞"'))
"""How ±∞ is shown. As sections of a number's own format they would cost every negative number its sign in LibreOffice."""


@dataclass(slots=True)
class SheetPage:
    """What is written so far: where each table stands, and which row is next. Rows and columns are counted from 0."""

    page: Any
    formats: dict[str, Any]
    decimals: int | None
    next_row: int = FIRST_ROW
    places: dict[str, tuple[int, int]] = field(default_factory=dict)  # first cell of each table

    def title(self, words: str, style: str = "name") -> None:
        self.text(self.next_row, 0, words, style)
        self.next_row += 1

    def text(self, row: int, column: int, words: str, style: str) -> None:
        """Text that stays text, also where it begins like a formula."""
        quoted = words[:1] in STARTS_A_FORMULA and f"{style} quoted" in self.formats
        self.page.write_string(row, column, words, self.formats[f"{style} quoted" if quoted else style])

    def header(self, columns: Labels) -> None:
        for j, label in enumerate(columns):
            self.text(self.next_row, FIRST_COLUMN + j, label, "column")
        self.next_row += bool(columns)

    def table(
        self,
        name: str,
        table: Matrix,
        formulas: "list[list[str]] | None",
        labels: tuple[Labels, Labels] = ((), ()),
        style: str = "cell",
    ) -> None:
        """The cells of a table, live where there are formulas; its labels at the left and above."""
        rows, columns = labels
        self.header(columns)
        self.places[name] = (self.next_row, FIRST_COLUMN)
        for i, row in enumerate(table.rows):
            if rows:
                self.text(self.next_row + i, 0, rows[i], "row")
            for j, cell in enumerate(row):
                at = self.next_row + i, FIRST_COLUMN + j
                if formulas is None:
                    self.page.write_number(*at, stored(cell), self.formats[style])
                else:
                    self.page.write_formula(*at, f"={formulas[i][j]}", self.formats[style], stored(cell))
        self.next_row += len(table.rows) + 1

    def formula(self, row: int, column: int, formula: str, value: "float | str", style: str = "cell") -> None:
        self.page.write_formula(row, column, f"={formula}", self.formats[style], value)

    def rounded(self, formula: str) -> str:
        return formula if self.decimals is None else f"ROUND({formula},{self.decimals})"


def stored(cell: Cell) -> float:
    number = as_float(cell)
    return HIDDEN if number == float("-inf") else 1e300 if number == float("inf") else number


def formats_of(book: Any, decimals: int | None) -> dict[str, Any]:
    """How each kind of cell looks."""
    line = {"border": 1, "border_color": "#BBBBBB"}
    worked = "General" if decimals is None else f"0.{'0' * decimals}" if decimals else "0"
    looks: dict[str, dict[str, Any]] = {
        "head": {"bold": True, "font_size": 14},
        "name": {"bold": True},
        "inside": {"italic": True, "font_color": "#555555"},
        "row": {"font_color": "#555555", "align": "right"},
        "column": {"font_color": "#555555", "align": "center"},
        "given": {**line, "bg_color": "#FFF6D5", "border_color": "#C9B458", "num_format": "General"},
        "given text": {**line, "bg_color": "#FFF6D5", "border_color": "#C9B458", "align": "center"},
        "cell": {**line, "num_format": worked},
        "answer": {**line, "bg_color": "#E3F1E3", "border_color": "#7FAF7F", "num_format": worked},
        "helper": {**line, "font_color": "#555555"},
    }
    quoted = {f"{name} quoted": {**look, "quote_prefix": True} for name, look in looks.items() if "num_format" not in look}
    return {name: book.add_format(look) for name, look in {**looks, **quoted}.items()}


def show_infinities(book: Any, sheet: SheetPage) -> None:
    """±∞ instead of the large numbers that stand for it."""
    for sign, bound, shown in INFINITE:
        look = book.add_format({"num_format": shown, "font_color": "#777777"})
        rule = {"type": "cell", "criteria": sign, "value": bound, "format": look}
        sheet.page.conditional_format(FIRST_ROW, FIRST_COLUMN, sheet.next_row, LAST_COLUMN, rule)


def set_widths(page: Any, working: Working) -> None:
    """Wide enough for the labels, and one page wide on paper."""
    plan = working.plan
    labels = [*plan.labels.values(), *((step.rows, step.columns) for step in plan.steps)]
    rows = [len(label) for left, _ in labels for label in left]
    columns = [len(label) for _, above in labels for label in above]
    page.set_column(0, 0, min(max([12, *rows]) + 2, WIDEST_LABEL))
    page.set_column(FIRST_COLUMN, LAST_COLUMN, min(max([10, *columns]) + 1, WIDEST_CELL))
    page.set_paper(9)
    if max(table.shape[1] for table in working.values.values()) > WIDEST_UPRIGHT:
        page.set_landscape()
    page.fit_to_pages(1, 0)
    page.hide_gridlines(2)
