"""Tables of a page: a matrix with names around it, a vector or a size a row, one number a row under its heading."""

import re
from dataclasses import replace

from clearhead.working.reading.files.tables import RawTable, Tables
from clearhead.working.reading.numbers.amounts import Amount, Blank, ReadCell
from clearhead.working.reading.page.unit import Unit
from clearhead.working.reading.page.values import DRESS, Side, cell_of, scanned

SUMS = re.compile(r"^\W*(?:sum|total|Σ|row sum|somme|suma|summe|合计|сумма)\W*$", re.IGNORECASE)


def units_in(table: RawTable, base: Unit, tables: Tables) -> list[Unit]:
    """The units that a table holds."""
    rows = [[cell.strip(DRESS) for cell in row] for row in table.rows if any(cell.strip() for cell in row)]
    if not rows:
        return []
    numbers = [[cell_of(cell) for cell in row] for row in rows]
    headed = not any(isinstance(cell, Amount) for cell in numbers[0]) or is_counted(rows[0])
    header = rows[0] if headed else [""] * len(rows[0])
    body, names = rows[headed:], [row[0] for row in rows[headed:]]
    found = matrix_in(numbers[headed:], header, names, base, table) if body else None
    single = [unit for i, row in enumerate(body) for unit in row_units(row, header, table, i + headed, base, tables)]
    if found is None:
        return single
    return [found, *(replace(unit, table=0) for unit in single if headed)]


def is_counted(row: list[str]) -> bool:
    """A heading of column numbers behind an empty corner."""
    return (
        len(row) > 2
        and not row[0]
        and row[1:] in ([str(i) for i in range(len(row) - 1)], [str(i + 1) for i in range(len(row) - 1)])
    )


def matrix_in(cells: list[list[ReadCell]], header: list[str], names: list[str], base: Unit, table: RawTable) -> Unit | None:
    """A matrix with row names before it and perhaps a sum behind; None where some cell is no number."""
    named = not all(isinstance(row[0], Amount | Blank) for row in cells)
    inner = [row[1:] if named else row for row in cells]
    if inner and len(header) == len(cells[0]) and SUMS.match(header[-1]):
        inner = [row[:-1] for row in inner]
    width = len(inner[0])
    if not width or any(len(row) != width or not all(isinstance(cell, Amount | Blank) for cell in row) for row in inner):
        return None
    if not any(isinstance(cell, Amount) for row in inner for cell in row) or (width == 1 and len(inner) == 1):
        return None
    side = Side([list(row) for row in inner], "table" if len(inner) > 1 else "vector", lines=list(table.lines))
    side.line = table.line
    corner = [header[0]] if named else []
    kept = replace(base, sides=[side], labels=[*base.labels, *corner], rows=tuple(names) if named else (), line=table.line)
    if width == 1:
        kept.labels = [*kept.labels, header[-1]]
    return kept


def row_units(row: list[str], header: list[str], table: RawTable, at: int, base: Unit, tables: Tables) -> list[Unit]:
    """The values of one row, each labelled by the row's name and the column's heading."""
    made = []
    line = table.lines[min(at, len(table.lines) - 1)] if table.lines else base.line
    for j, cell in enumerate(row):
        if j == 0 and len(row) > 1:
            continue
        items = scanned(cell, tables)
        sides = [item for item in items if isinstance(item, Side) and item.mixed is None]
        if not sides:
            continue
        for side in sides:
            side.line = line
        column = header[j] if j < len(header) else ""
        made.append(replace(base, line=line, sides=sides[-1:], labels=[column], prefix=row[0], column=column, above=base.above))
    return made
