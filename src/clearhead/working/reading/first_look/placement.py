"""Values brought to the steps that labels name: whole tables, rows and cells, each in the form that its label asks for."""

from collections.abc import Sequence

from clearhead.working.reading.files.tables import RawTable, Tables
from clearhead.working.reading.first_look.chains import LONE_TABLE, TABLES, looks_numeric, trimmed_value
from clearhead.working.reading.first_look.findings import Gathering, Indexed
from clearhead.working.reading.first_look.grids import Cells, all_blank, read_cells, read_row
from clearhead.working.reading.names.labels import EDGES, Label, Names
from clearhead.working.reading.numbers.amounts import BLANK, Amount, ReadCell, Unread, read_amount, read_sum


class Placing:
    """What is being written: the label that waits for its numbers, and the rows of a grid so far."""

    def __init__(self, names: Names, gathering: Gathering, tables: Tables) -> None:
        self.names, self.gathering, self.tables = names, gathering, tables
        self.sizes = gathering.sizes
        self.waiting: tuple[Label, ...] = ()  # labels whose numbers have not come yet
        self.latest: tuple[Label, ...] = ()  # labels of the last statement: a line that begins with = goes on with them
        self.grid: list[str] = []
        self.grid_lines: list[int] = []
        self.beside = False  # the grid's first row stands beside its label: Q = [1 3]
        self.seen: dict[tuple[str, str], int] = {}  # rows already filled by their label, where several share it

    def end_grid(self) -> None:
        if not self.grid:
            return
        rows, lines = self.grid, self.grid_lines
        self.grid, self.grid_lines = [], []
        for label in self.waiting:
            name = self.sizes.chosen(label, len(rows))
            width = self.sizes.width(label)
            cells = [row for text in rows if (row := read_row(text, width)) is not None]
            if len(cells) == 1 and self.beside and not label.turned and not self.sizes.is_one_row(name, len(cells[0])):
                self.gathering.complain(name, lines[0], "one row of numbers, without saying which row it is")
            elif not all_blank(cells):
                self.gathering.add_table(name, self.upright(name, cells), lines, label.turned)
        self.waiting, self.beside = (), False

    def upright(self, name: str, cells: Cells) -> Cells:
        """A step of one column that was written on one line, as a column."""
        return [[cell] for cell in cells[0]] if len(cells) == 1 and self.sizes.is_column(name) else cells

    def row_named(self, text: str, signed: bool = True) -> Label | None:
        name = self.current()
        if not name:
            return None
        rows = self.gathering.steps[name].rows
        word = text.strip() if text.strip() in rows else text.strip(EDGES + "[]{}()")
        counted = signed and bool(self.waiting) and word.isdigit() and word.isascii() and len(word) < 4
        return Label((), (word,), "row", here=True) if word in rows or counted else None

    def current(self) -> str:
        """The step that is being written."""
        for label in self.waiting or self.latest:
            if label.names:
                return self.sizes.chosen(label)
        return ""

    def place(self, labels: tuple[Label, ...], value: str, before: list[str], line: int) -> None:
        """A value for each label, in the form that the label asks for."""
        self.latest = tuple(label for label in labels if not label.here) or self.latest
        done = True
        for label in labels:
            if label.which:
                if TABLES.search(value) or looks_numeric(value):
                    base = label.names[0].rstrip("0123456789")
                    self.gathering.complain("", line, f"{base} was written without saying which head it belongs to")
            elif label.index:
                if self.wants_row(label, value):
                    self.place_row(label, value, line)
                else:
                    self.place_cell(label, value, before, line)
            else:
                done = self.place_whole(label, value, line) and done
        if not done:
            self.waiting = tuple(label for label in labels if not label.index)
        elif not any(label.index for label in labels):
            self.waiting = () if not self.grid else labels

    def place_whole(self, label: Label, value: str, line: int) -> bool:
        """A whole table; False where none came, so that the label waits for the next lines."""
        signs = TABLES.findall(value)
        if signs:
            return self.place_table(label, value, signs, line)
        name = self.sizes.chosen(label)
        shape = self.sizes.of.get(name)
        text = trimmed_value(value)
        if not text:
            return False
        if shape is None or shape == (1, 1):
            cell = first_read(value)
            if isinstance(cell, Amount):
                self.gathering.add_table(name, [[cell]], [line])
            elif looks_numeric(value):
                self.gathering.suspect(name, line, f"{value.strip()[:60]!r} cannot be read")
            return cell is not BLANK
        for candidate in (value, text):
            row = read_row(candidate, self.sizes.width(label))
            if row is None or any(isinstance(cell, Unread) for cell in row):
                continue
            if len(row) > 1 or self.sizes.width(label) <= 1 or candidate.lstrip()[:1] in ("[", "|"):
                self.waiting, self.beside = (label,), True
                self.grid.append(candidate)
                self.grid_lines.append(line)
                return True
        if looks_numeric(value):
            self.gathering.suspect(name, line, f"{value.strip()[:60]!r} cannot be read")
        return False

    def place_cells(self, label: Label, cells: list[ReadCell], line: int) -> None:
        """Cells already read: a row, a cell, or all of a step that has one row."""
        name = self.sizes.chosen(label, 0, len(cells))
        index = label.index
        if len(index) == 1 and len(index[0]) > 1 and len(cells) == 1:
            index = self.sizes.split_index(label) or index
        if len(index) == 1:
            self.add_row(name, label, cells, line)
        elif index and len(cells) == 1:
            self.gathering.add(name, Indexed(index[0], index[1], label.style, cells, line))
        elif self.sizes.is_one_row(name, len(cells)):
            self.gathering.add_table(name, self.upright(name, [cells]), [line])
        else:
            self.gathering.complain(name, line, "one row of numbers, without saying which row it is")

    def place_table(self, label: Label, value: str, signs: list[str], line: int) -> bool:
        tables = [self.tables[sign] for sign in signs]
        if len(tables) == 2 and is_remark(tables[1]):
            value = value[: value.index(signs[1])]
            tables = tables[:1]
        match = LONE_TABLE.fullmatch(" ".join(value.split()))
        if len(tables) > 1 or match is None:
            if len(tables) == 1 and looks_numeric(value[: value.index(signs[0])]):
                self.gathering.suspect(label.names[0], line, "a number times a table cannot be read as a table")
            return False
        table = tables[0]
        turned = label.turned != bool(match[2])
        name = self.sizes.chosen(label, *((table.width, len(table.rows)) if turned else (len(table.rows), table.width)))
        return self.fill(name, table, turned)

    def fill(self, name: str, table: RawTable, turned: bool, header: bool = False) -> bool:
        shape = self.sizes.of.get(name)
        shape = (shape[1], shape[0]) if shape and turned else shape
        cells, lines = read_cells(table, shape, self.gathering.steps[name].rows, header)
        if not cells or not any(cells) or all_blank(cells):
            return False
        self.gathering.add_table(name, cells, lines, turned)
        return True

    def wants_row(self, label: Label, value: str) -> bool:
        """Whether an index names a row here: one index, and something like a row behind it."""
        if len(label.index) == 2:
            return False
        if label.here:
            return True
        index = label.index[0]
        if not index.isdigit():
            return True
        if TABLES.search(value):
            return True
        name = self.sizes.chosen(label)
        shape = self.sizes.of.get(name)
        if shape is not None and len(index) == 1 and (min(shape) > 1 or name in self.sizes.flat):
            return True
        if isinstance(first_read(value), Amount) and "," not in value:
            return shape is not None and (shape[1] == 1 or shape[0] == 1) and len(index) == 1
        return True

    def is_whole_row(self, label: Label, value: str) -> bool:
        """Whether a row behind a colon is surely one: numbers throughout, as many as the step has columns."""
        if TABLES.search(value):
            return True
        names = (self.current(),) if label.here else label.names
        shapes = [self.sizes.of[name] for name in names if name in self.sizes.of]
        cells = [read_row(value, shape[1]) for shape in shapes] or [read_row(value, 0)]
        sizes = [shape[1] for shape in shapes] or [0]
        return any(
            row is not None and size in (0, len(row)) and not any(isinstance(cell, Unread) for cell in row)
            for row, size in zip(cells, sizes, strict=True)
        )

    def place_row(self, label: Label, value: str, line: int) -> bool:
        name = self.current() if label.here else ""
        if label.here and not name:
            return False
        signs = TABLES.findall(value)
        if signs and len(signs) == 1 and LONE_TABLE.fullmatch(" ".join(value.split())):
            return self.place_row_table(label, name, self.tables[signs[0]], line)
        if not name:
            name = self.sizes.chosen(label, 0, len(read_row(value, 0) or ()))
        if name in self.sizes.flat and isinstance(cell := first_read(value), Amount):
            self.add_row(name, label, [cell], line)
            return True
        shape = self.sizes.of.get(name)
        width = shape[1] if shape else 0
        for candidate in (value, trimmed_value(value)):
            cells = read_row(candidate, width)
            if cells is None or (len(cells) == 1 < width and "[" not in candidate):
                continue
            if candidate is value and any(isinstance(cell, Unread) for cell in cells) and len(cells) != width:
                continue  # words behind the numbers
            self.add_row(name, label, cells, line)
            return True
        if looks_numeric(value) and not signs:
            self.gathering.complain(name, line, f"{value.strip()[:60]!r} cannot be read as a row")
        return False

    def place_row_table(self, label: Label, name: str, table: RawTable, line: int) -> bool:
        """A row written as a matrix of one row or one column."""
        read, _ = read_cells(table, None)
        if not read or all_blank(read):
            return False
        if len(read) > 1 and len(read[0]) > 1:
            named = name or label.names[0]
            self.gathering.complain(named, line, f"row {label.index[0]} is written as a table of {len(read)} rows")
            return False
        cells = read[0] if len(read) == 1 else [row[0] for row in read]
        self.add_row(name or self.sizes.chosen(label, 0, len(cells)), label, cells, line)
        return True

    def add_row(self, name: str, label: Label, cells: Sequence[ReadCell], line: int) -> None:
        index = label.index[0]
        rows = self.gathering.steps[name].rows
        if index in rows:
            count = self.seen[name, index] = self.seen.get((name, index), 0) + 1
            places = [i for i, row in enumerate(rows) if row == index]
            self.gathering.add(name, Indexed(str(places[min(count, len(places)) - 1]), None, "exact", cells, line))
            return
        self.gathering.add(name, Indexed(index, None, label.style, cells, line))

    def place_cell(self, label: Label, value: str, before: list[str], line: int) -> None:
        index = label.index if len(label.index) == 2 else self.sizes.split_index(label)
        if index is None:
            self.gathering.complain(label.names[0], line, f"which cell is {label.index[0]}? write the index as 1,2")
            return
        name = self.sizes.chosen_cell(label, index[1])
        cell = first_read(value)
        if isinstance(cell, Unread):
            if looks_numeric(value):
                self.gathering.complain(name, line, f"{value.strip()[:60]!r} cannot be read as a number")
            return
        sums = (found for side in before if (found := read_sum(side)) is not None)
        self.gathering.add(name, Indexed(index[0], index[1], label.style, [cell], line, next(sums, None)))


def first_read(value: str) -> ReadCell:
    """A cell as it stands, else without the words behind it."""
    cell = read_amount(value)
    return read_amount(trimmed_value(value)) if isinstance(cell, Unread) else cell


def is_remark(table: RawTable) -> bool:
    """A table beside another that only names its rows: # cat."""
    return all(not cell or cell.lstrip("{ ").startswith("#") for row in table.rows for cell in row)
