"""CSV: one file a step, or one long file of step, row, column, value."""

import csv
import io
from pathlib import PurePath

from clearhead.working.reading.files.markup import plain_notation
from clearhead.working.reading.files.tables import RawTable
from clearhead.working.reading.first_look.findings import Indexed
from clearhead.working.reading.first_look.placement import Placing
from clearhead.working.reading.numbers.amounts import Amount, read_amount

COLUMNS = {
    "name": ("step", "name", "matrix", "quantity", "what"),
    "row": ("row", "i", "r", "token"),
    "column": ("column", "col", "j", "c"),
    "value": ("value", "number", "val", "entry", "cell"),
}
"""The headings of a long file, each in the words that people use."""


def records_of(text: str) -> list[list[str]]:
    """The rows of a CSV, whichever of , ; and tab it uses; empty rows stay, so that lines can be counted."""
    first = text.lstrip().partition("\n")[0]
    delimiter = max((";", "\t", ","), key=first.count)
    try:
        return [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(text), delimiter=delimiter)]
    except csv.Error:  # a field longer than anybody writes
        return [[cell.strip() for cell in line.split(delimiter)] for line in text.splitlines()]


def long_columns(heading: list[str]) -> dict[str, int] | None:
    """Where a long file keeps step, row, column and value; None if it is no long file."""
    names = [cell.strip("# \"'").lower() for cell in heading]
    found = {key: next((names.index(word) for word in words if word in names), -1) for key, words in COLUMNS.items()}
    return found if found["name"] >= 0 and found["value"] >= 0 else None


def is_long(text: str) -> bool:
    first = text.lstrip().partition("\n")[0]
    return len(first) < 200 and any(
        long_columns(first.split(delimiter)) and len(first.split(delimiter)) > 2 for delimiter in (",", ";", "\t")
    )


def read_long(text: str, placing: Placing) -> None:
    """One cell a line; a step that the plan does not have is passed over, an unknown name is said once."""
    lead = len(text) - len(text.lstrip())
    start = text.count("\n", 0, lead) + 1
    heading, *rows = records_of(text[lead:])
    columns = long_columns(heading) or {}
    unknown: set[str] = set()
    for line, row in enumerate(rows, start=start + 1):
        cells = {key: row[at] if 0 <= at < len(row) else "" for key, at in columns.items()}
        if any(row):
            read_record(cells, line, placing, unknown)


def read_record(cells: dict[str, str], line: int, placing: Placing, unknown: set[str]) -> None:
    label = placing.names.resolve(plain_notation(cells["name"]))
    if label is None or label.index or label.turned:
        if label is None and cells["name"] not in unknown and len(unknown) < 20:
            unknown.add(cells["name"])
            placing.gathering.complain("", line, f"{cells['name'][:40]!r} is no step of this problem")
        return
    if not label.names:
        return
    name = label.names[0]
    amount = read_amount(plain_notation(cells["value"]))
    row, column = cells["row"], cells["column"]
    if not row and not column:
        if isinstance(amount, Amount):
            placing.gathering.add_table(name, [[amount]], [line])
        return
    placing.gathering.add(name, Indexed(row or column, column if row and column else None, "list", [amount], line))


def read_sheet(text: str, stem: str, placing: Placing) -> bool:
    """A file that holds one step, named after it; False where the name is no step's."""
    label = placing.names.resolve(plain_notation(stem))
    if label is None or label.index:
        return False
    if not label.names:
        return True
    records = records_of(text)
    lines = [line for line, row in enumerate(records, start=1) if any(row)]
    rows = [[plain_notation(cell) for cell in row] for row in records if any(row)]
    if rows:
        placing.fill(label.names[0], RawTable(rows, lines), label.turned)
    return True


def stem_of(path: PurePath) -> str:
    """A file's name without its ending and without what people put in front: 02_Q.csv is Q."""
    return path.stem.lstrip("0123456789").lstrip("_- .") or path.stem
