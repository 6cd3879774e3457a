"""Tables of a page: a matrix with names around it, a vector or a size a row, a column a step, one number under its heading."""

import re
from dataclasses import replace

from clearhead.exact.decimals import as_float
from clearhead.working.reading.files.tables import RawTable, Tables, named_rows
from clearhead.working.reading.first_look.grids import SUMS
from clearhead.working.reading.numbers.amounts import Amount, Blank, ReadCell
from clearhead.working.reading.page.sides import DRESS, Side, cell_of
from clearhead.working.reading.page.signs import split_signs
from clearhead.working.reading.page.unit import Unit
from clearhead.working.reading.page.values import scanned

AXIS = re.compile(r"[↓→↘\\/|]|quer|\bkeys?\b|\bfrom\b|\bto\b|\btokens?\b", re.IGNORECASE)  # a corner that names the axes: Q \ K
TWO = re.compile(r"([^\s→(]+(?: ?/ ?\S+)?)\s*(?:→\s*(\S+)|\(\s*([^()\s]+)\s*\))")


def units_in(table: RawTable, base: Unit, tables: Tables) -> list[Unit]:
    """The units that a table holds: as a whole, else row by row, column by column and cell by cell."""
    rows = named_rows([[cell.strip(DRESS) for cell in row] for row in table.rows if any(cell.strip() for cell in row)])
    if not rows:
        return []
    if (beside := at_blank_column(rows)) is not None:
        return [unit for part in beside for unit in units_in(replace(table, rows=part), base, tables)]
    numbers = [[cell_of(cell) for cell in row] for row in rows]
    headed = not any(isinstance(cell, Amount) for cell in numbers[0]) or is_counted(rows[0])
    header = rows[0] if headed else [""] * len(rows[0])
    body, names = rows[headed:], [row[0] for row in rows[headed:]]
    found = matrix_in(numbers[headed:], header, names, base, table) if body else None
    if found is None and (twice := two_matrices(body, header, names, base, table)):
        return twice
    single = [unit for i, row in enumerate(body) for unit in row_units(row, header, table, i + headed, base, tables)]
    lines = [*row_vectors(body, numbers[headed:], table, base), *column_vectors(body, header, table, base, tables)]
    if found is None:
        return [*lines, *single]
    return [found, *(replace(unit, table=0) for unit in [*lines, *single] if headed)]


def at_blank_column(rows: list[list[str]]) -> tuple[list[list[str]], list[list[str]]] | None:
    """Two tables drawn as one, an empty column between them and the names of the rows before the first only."""
    width = len(rows[0])
    if any(len(row) != width for row in rows):
        return None
    for j in range(2, width - 1):
        alike = j - 1 == width - j - 1 and rows[0][1:j] == rows[0][j + 1 :]
        if alike and not any(row[j] for row in rows):
            return [row[:j] for row in rows], [[row[0], *row[j + 1 :]] for row in rows]
    return None


def is_counted(row: list[str]) -> bool:
    """A heading of column numbers behind an empty corner."""
    return (
        len(row) > 1
        and not row[0]
        and row[1:] in ([str(i) for i in range(len(row) - 1)], [str(i + 1) for i in range(len(row) - 1)])
    )


def matrix_in(cells: list[list[ReadCell]], header: list[str], names: list[str], base: Unit, table: RawTable) -> Unit | None:
    """A matrix with row names before it and perhaps a sum behind; None where some cell is no number."""
    named = not all(isinstance(row[0], Amount | Blank) for row in cells)
    inner = [row[1:] if named else row for row in cells]
    if inner and len(header) == len(cells[0]) and (SUMS.match(header[-1]) or ends_in_sums(inner)):
        inner = [row[:-1] for row in inner]
    width = len(inner[0])
    if not width or any(len(row) != width or not all(isinstance(cell, Amount | Blank) for cell in row) for row in inner):
        return None
    if not any(isinstance(cell, Amount) for row in inner for cell in row) or (width == 1 and len(inner) == 1):
        return None
    side = Side([list(row) for row in inner], "table" if len(inner) > 1 else "vector", lines=list(table.lines))
    side.line = table.line
    corner = [header[0]] if named and AXIS.search(header[0]) is None else []
    kept = replace(base, sides=[side], labels=[*base.labels, *corner], rows=tuple(names) if named else (), line=table.line)
    if width == 1:
        kept.labels = [*kept.labels, header[-1]]
    return kept


def ends_in_sums(rows: list[list[ReadCell]]) -> bool:
    """Whether every row of shares ends in their sum, 1 or nearly."""
    for row in rows:
        cells = [as_float(cell.value) for cell in row if isinstance(cell, Amount)]
        if len(cells) != len(row) or len(cells) < 3 or abs(cells[-1] - 1) > 0.02 or abs(sum(cells[:-1]) - cells[-1]) > 0.02:
            return False
    return len(rows) > 1


def two_matrices(body: list[list[str]], header: list[str], names: list[str], base: Unit, table: RawTable) -> list[Unit]:
    """A table with two numbers in every cell, the second made from the first: 2 → 1.41, 2 (1.41)."""
    both = [[TWO.fullmatch(cell) for cell in row[1:]] for row in body]
    if len(both) < 1 or any(not row or any(pair is None for pair in row) for row in both):
        return []
    made = []
    for second in (False, True):
        cells = [[cell_of(pair[2] or pair[3] if second else pair[1]) for pair in row if pair is not None] for row in both]
        named: list[list[ReadCell]] = [[Blank(), *row] for row in cells]
        unit = matrix_in([[cell_of(name) if name else Blank(), *row[1:]] for name, row in zip(names, named, strict=True)],
                         header, names, base, table)  # fmt: skip
        if unit is None:
            return []
        made.append(unit)
    return made


def number_in(text: str, tables: Tables) -> Amount | None:
    """The number that a cell comes to: 1·1 + 2·0 = 1."""
    items = scanned(split_signs(text)[-1][1], tables)
    if not items or not isinstance(items[0], Side) or items[0].layout != "number" or items[0].mixed is not None:
        return None
    cell = items[0].cells[0][0]
    return cell if isinstance(cell, Amount) else None


def row_vectors(body: list[list[str]], numbers: list[list[ReadCell]], table: RawTable, base: Unit) -> list[Unit]:
    """Each row behind its name as a vector: a table may hold the rows of several steps."""
    made = []
    for row, cells in zip(body, numbers, strict=True):
        if len(cells) > 2 and isinstance(cells[0], Amount) is False and all(isinstance(cell, Amount) for cell in cells[1:]):
            side = Side([list(cells[1:])], "vector")
            side.line = table.line
            made.append(replace(base, line=table.line, sides=[side], labels=[], prefix=row[0]))
    return made


def column_vectors(body: list[list[str]], header: list[str], table: RawTable, base: Unit, tables: Tables) -> list[Unit]:
    """Each column of numbers as a vector under its heading; a sum below it does not belong to it."""
    made: list[Unit] = []
    kept = [row for row in body if not SUMS.match(row[0])]
    if len(kept) < 2 or any(len(row) != len(header) for row in kept):
        return made
    for j in range(1, len(header)):
        cells = [number_in(row[j], tables) for row in kept]
        if header[j] and all(cell is not None for cell in cells):
            side = Side([[cell for cell in cells if cell is not None]], "vector")
            side.line = table.line
            made.append(replace(base, line=table.line, sides=[side], labels=[header[j]], column=header[j]))
    return made


def row_units(row: list[str], header: list[str], table: RawTable, at: int, base: Unit, tables: Tables) -> list[Unit]:
    """The values of one row, each labelled by the row's name and the column's heading."""
    made = []
    line = table.lines[min(at, len(table.lines) - 1)] if table.lines else base.line
    for j, cell in enumerate(row):
        if j == 0 and len(row) > 1:
            continue
        items = [item for _, part in split_signs(cell) for item in scanned(part, tables)]
        sides = [item for item in items if isinstance(item, Side) and item.mixed is None]
        if not sides:
            continue
        for side in sides:
            side.line = line
        column = header[j] if j < len(header) else ""
        made.append(replace(base, line=line, sides=sides, labels=[column], prefix=row[0], column=column, above=base.above))
    return made
