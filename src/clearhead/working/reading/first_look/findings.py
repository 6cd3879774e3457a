"""Everything found in a working, brought together: which cell each number fills; the last one written counts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from clearhead.exact.decimals import as_float
from clearhead.exact.matrices import Matrix
from clearhead.working.reading.first_look.grids import Cells
from clearhead.working.reading.first_look.sizes import Sizes
from clearhead.working.reading.names.aliases import canonical
from clearhead.working.reading.numbers.amounts import Amount, ReadCell, Unread
from clearhead.working.steps import Step
from clearhead.working.written import LAST_COUNTS, Note, Place, Reading, Written, WrittenStep, WrittenSum

MOST_NOTES = 200
WRITTEN: Callable[[tuple[Any, ...]], Written] = partial(
    tuple.__new__, Written
)  # made without a call in Python: a class writes many
STYLES = {"twice": 0, "bracket": 1, "list": 1, "subscript": 1, "row": 1}
"""How indices are written (Q[0][1], Q[1,2], a file of cells, Q_{12}, Row 2), and what each counts from where nothing tells."""


@dataclass(frozen=True, slots=True)
class Table:
    """A whole table of a step."""

    cells: Cells
    lines: list[int]


@dataclass(frozen=True, slots=True)
class Indexed:
    """A row (j is None) or a cell, by the index as written."""

    i: str
    j: str | None
    style: str
    cells: Sequence[ReadCell]
    line: int
    sum: WrittenSum | None = None


class Gathering:
    """Collects finds step by step, then settles them."""

    def __init__(self, steps: Mapping[str, Step], worked: Mapping[str, Matrix]) -> None:
        self.steps = steps
        self.worked = worked
        self.sizes = Sizes({name: worked[name] for name in steps if name in worked})
        self.finds: dict[str, list[Table | Indexed]] = {}
        self.transposes: dict[str, Table] = {}
        self.suspects: dict[str, Note] = {}  # sides that could not be read, forgiven if the step's table comes later
        self.notes: list[Note] = []
        self.unreadable: list[Note] = []
        self.zeros: set[str] = set()  # styles of index that a label counts from 0 in, whatever was read behind it

    def add(self, name: str, find: "Table | Indexed") -> None:
        self.finds.setdefault(name, []).append(find)

    def add_table(self, name: str, cells: Cells, lines: list[int], turned: bool = False) -> None:
        if turned:
            width = max(map(len, cells))
            flipped = [[row[j] for row in cells if j < len(row)] for j in range(width)]
            self.transposes[name] = Table(flipped, [lines[0]] * width)
        else:
            self.add(name, Table(cells, lines))

    def complain(self, step: str, line: int, text: str) -> None:
        if len(self.unreadable) < MOST_NOTES:
            self.unreadable.append(Note(step, line, text))

    def suspect(self, step: str, line: int, text: str) -> None:
        self.suspects.setdefault(step, Note(step, line, text))

    def note(self, step: str, line: int, text: str) -> None:
        if len(self.notes) < MOST_NOTES:
            self.notes.append(Note(step, line, text))

    def settle(self) -> Reading:
        for name, table in self.transposes.items():
            if name not in self.finds:
                self.add(name, table)
                self.note(name, table.lines[0], "read from its transpose")
        for name, note in self.suspects.items():
            if not any(isinstance(find, Table) and find.lines[0] >= note.line for find in self.finds.get(name, ())):
                self.complain(name, note.line, note.text)
        bases = self.bases()
        written = {name: self.settled(name, bases) for name in self.steps if name in self.finds}
        return Reading({n: s for n, s in written.items() if s.cells or s.unreadable}, tuple(self.notes), tuple(self.unreadable))

    def settled(self, name: str, bases: Mapping[str, int]) -> WrittenStep:
        """One step: its finds in the order they were written."""
        step = Filling(name, self)
        for find in self.finds[name]:
            if isinstance(find, Table):
                step.fill_table(find)
            else:
                step.fill_indexed(find, 0 if find.style == "exact" else bases[find.style])
        self.say_bases(name, bases)
        for place in step.cells.keys() & step.unread.keys():
            del step.unread[place]
        return WrittenStep(name, step.cells, step.shape, step.line, step.unread)

    def say_bases(self, name: str, bases: Mapping[str, int]) -> None:
        styles = {
            find.style: find.line
            for find in reversed(self.finds[name])
            if isinstance(find, Indexed) and find.i.isdigit() and find.style != "exact"
        }
        for style, line in styles.items():
            if bases[style] == 0 or style in ("twice", "bracket", "list"):
                self.note(name, line, f"indices were counted from {bases[style]}")

    def bases(self) -> dict[str, int]:
        """From which number each style of index counts: an index 0 or one as large as the step tells, else the values do."""
        found: dict[str, int] = {}
        for style in STYLES:
            finds = [(n, f) for n, fs in self.finds.items() for f in fs if isinstance(f, Indexed) and f.style == style]
            if not finds:
                continue
            zero = sum("0" in (f.i, f.j) for _, f in finds) or int(style in self.zeros)
            last = sum(self.at_end(n, f) for n, f in finds)
            if bool(zero) != bool(last):
                found[style] = 0 if zero else 1
                continue
            right = [sum(self.agrees(n, f, base) for n, f in finds) for base in (0, 1)]
            if right[0] != right[1]:
                found[style] = 0 if right[0] > right[1] else 1
            elif zero != last:
                found[style] = 0 if zero > last else 1
        told = set(found.values())
        return {style: found.get(style, min(told) if len(told) == 1 else custom) for style, custom in STYLES.items()}

    def at_end(self, name: str, find: Indexed) -> bool:
        """Whether an index is the step's size, so that it must count from 1."""
        shape = self.sizes.of.get(name)
        if shape is None:
            return False
        rows = shape[1] if find.j is None and shape[0] == 1 else shape[0]
        return find.i == str(rows) or find.j == str(shape[1])

    def agrees(self, name: str, find: Indexed, base: int) -> bool:
        """Whether a find has the values of the exact working, counted from `base`."""
        value = self.worked.get(name)
        if value is None or not find.i.isdigit():
            return False
        if find.j is None and value.shape[0] == 1 and len(find.cells) == 1 < value.shape[1]:
            find = Indexed(str(base), find.i, find.style, find.cells, find.line)  # z_2 of a vector
        i = int(find.i) - base
        j = int(find.j) - base if find.j is not None and find.j.isdigit() else 0
        if not (0 <= i < value.shape[0] and 0 <= j < value.shape[1]):
            return False
        expected = value.rows[i][j : j + 1] if find.j is not None else value.rows[i]
        return len(expected) == len(find.cells) and all(
            isinstance(cell, Amount) and near(cell, as_float(right)) for cell, right in zip(find.cells, expected, strict=True)
        )


def near(amount: Amount, right: float) -> bool:
    digits = 9 if amount.decimals is None else amount.decimals
    return abs(as_float(amount.value) - right) <= 0.6 * 10.0**-digits


class Filling:
    """The cells of one step while they are being filled."""

    def __init__(self, name: str, gathering: Gathering) -> None:
        self.name, self.gathering = name, gathering
        self.step = gathering.steps[name]
        self.size = gathering.sizes.of.get(name)
        self.flat = name in gathering.sizes.flat
        self.cells: dict[Place, Written] = {}
        self.unread: dict[Place, str] = {}
        self.shape: Place | None = None
        self.line = 0
        self.said = False

    def fill_table(self, table: Table) -> None:
        cells, lines = table.cells, table.lines
        if self.flat and self.size and len(cells) > 1 and all(len(row) == 1 for row in cells):
            cells, lines = [[row[0] for row in cells]], lines  # a vector written as a column
        width = max(map(len, cells))
        if any(len(row) != width for row in cells):
            sizes = ", ".join(str(len(row)) for row in cells)
            self.gathering.note(self.name, lines[0], f"the rows have {sizes} cells")
        if self.shape not in (None, (len(cells), width)) and self.shape is not None:
            text = f"written as {self.shape[0]}×{self.shape[1]} before and as {len(cells)}×{width} here"
            self.gathering.note(self.name, lines[0], text + LAST_COUNTS)
        self.shape = (len(cells), width)
        self.line = self.line or lines[0]
        for place in [p for p in self.cells if p[0] >= len(cells) or p[1] >= width]:
            del self.cells[place]
        fresh, filled, last = not self.cells, self.cells, len(lines) - 1
        for i, row in enumerate(cells):
            line = lines[i if i < last else last]
            for j, cell in enumerate(row):
                if fresh and type(cell) is Amount:
                    filled[i, j] = WRITTEN((cell.text, cell.value, cell.decimals, cell.otherwise, line, None))
                else:
                    self.put((i, j), cell, line)

    def fill_indexed(self, find: Indexed, base: int) -> None:
        self.line = self.line or find.line
        rows = self.position(find.i, base, self.step.rows)
        if rows is None or (self.size and find.j is None and self.flat_index(find) and rows >= self.size[1]):
            self.out_of_reach(find)
            return
        if find.j is not None:
            column = self.position(find.j, base, self.step.columns)
            if column is None or not self.inside((rows, column)):
                self.out_of_reach(find)
            else:
                self.put((rows, column), find.cells[0], find.line, find.sum)
        elif self.flat_index(find):
            self.put((0, rows), find.cells[0], find.line, find.sum)
        elif not self.inside((rows, 0)):
            self.out_of_reach(find)
        else:
            if self.size and len(find.cells) != self.size[1]:
                text = f"row {rows + 1} has {len(find.cells)} cells, not {self.size[1]}"
                self.gathering.note(self.name, find.line, text)
            for j, cell in enumerate(find.cells):
                self.put((rows, j), cell, find.line, find.sum if len(find.cells) == 1 else None)

    def flat_index(self, find: Indexed) -> bool:
        """A single index into a vector: z_2 = 3."""
        return self.flat and len(find.cells) == 1 and self.size is not None and self.size[1] > 1

    def position(self, index: str, base: int, labels: Sequence[str]) -> int | None:
        if index.isdigit():
            return int(index) - base if int(index) >= base else None
        return next((i for i, label in enumerate(labels) if canonical(label) == index), None)

    def inside(self, place: Place) -> bool:
        return self.size is None or (place[0] < self.size[0] and place[1] < self.size[1])

    def out_of_reach(self, find: Indexed) -> None:
        index = find.i if find.j is None else f"{find.i}, {find.j}"
        size = f"; it is {self.size[0]}×{self.size[1]}" if self.size else ""
        self.gathering.complain(self.name, find.line, f"there is no cell or row {index}{size}")

    def put(self, place: Place, cell: ReadCell, line: int, total: WrittenSum | None = None) -> None:
        if isinstance(cell, Unread):
            self.unread[place] = cell.text
            text = f"row {place[0] + 1}, column {place[1] + 1}: {cell.text[:60]!r} cannot be read as a number"
            self.gathering.complain(self.name, line, text)
        elif isinstance(cell, Amount):
            before = self.cells.get(place)
            if before is not None and not same(before, cell):
                self.say_twice(place, before, cell, line)
            elif before is not None and total is None:
                total = before.sum
            if total is not None and not total.line:
                total = WrittenSum(total.text, total.terms, total.value, line, total.otherwise)
            self.cells[place] = Written(cell.text, cell.value, cell.decimals, cell.otherwise, line, total)

    def say_twice(self, place: Place, before: Written, cell: Amount, line: int) -> None:
        if not self.said:
            self.said = True
            where = f"row {place[0] + 1}, column {place[1] + 1}"
            both = f"as {before.text} on line {before.line} and as {cell.text} here"
            text = f"{where} was written {both}{LAST_COUNTS}"
            self.gathering.note(self.name, line, text)


def same(before: Written, cell: Amount) -> bool:
    return before.value == cell.value and before.otherwise == cell.otherwise
