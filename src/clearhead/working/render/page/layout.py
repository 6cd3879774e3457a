"""What a page says about a working, before any notation: tables with their cells written, steps with what was put in."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from clearhead.exact.expressions import Cell
from clearhead.exact.matrices import Matrix, transposed
from clearhead.exact.notation import named
from clearhead.working.render.page.numerals import Numerals, exact_text
from clearhead.working.render.page.substitution import Put, text_pieces
from clearhead.working.rules.shares import ShareOfSum, Softmax
from clearhead.working.steps import Labels, Step, Working

PUT_IN_ROWS, PUT_IN_COLUMNS = 12, 12  # a larger table is not written out again where it is put in
EXACT_LENGTH = 80  # characters of an exact form that a page still shows
LABEL_LENGTH = 24
MOST_LOOKED_AT = 64  # cells among which the one that shows most is looked for
FEW_CELLS = 4
T = TypeVar("T")
KEPT_FORMATS = {"\u200c", "\u200d"}  # joiners: emoji and some scripts need them


@dataclass(frozen=True, slots=True)
class PageTable:
    """A matrix, vector or number, and how its cells are written."""

    name: str
    symbol: str  # in LaTeX
    value: Matrix
    cells: tuple[tuple[str, ...], ...]  # decimals
    exactly: tuple[tuple[bool, ...], ...]  # whether the decimals are all there is
    rows: Labels = ()
    columns: Labels = ()

    @property
    def sign(self) -> str:
        return "=" if all(all(row) for row in self.exactly) else "≈"

    def sign_of(self, i: int, j: int) -> str:
        return "=" if self.exactly[i][j] else "≈"

    @property
    def is_small(self) -> bool:
        return len(self.cells) <= PUT_IN_ROWS and len(self.cells[0]) <= PUT_IN_COLUMNS

    def cut(self, rows: str, columns: str = ":") -> "PageTable":
        """Some rows and columns, as a formula names them: `1`, `1..2`, `:`; one number of a list is a cell of it."""
        if self.value.rank < 2 and columns == ":":
            rows, columns = ":", rows
        (top, bottom), (left, right) = (ends(part, size) for part, size in zip((rows, columns), self.value.shape, strict=True))

        def taken(table: Sequence[Sequence[T]]) -> tuple[tuple[T, ...], ...]:
            return tuple(tuple(row[left:right]) for row in table[top:bottom])

        alone = bottom - top == right - left == 1
        value = Matrix(taken(self.value.rows), 0 if alone else self.value.rank)
        labels = self.rows[top:bottom], self.columns[left:right]
        return PageTable(self.name, self.symbol, value, taken(self.cells), taken(self.exactly), *labels)

    def turned(self) -> "PageTable":
        """The transpose, for a formula that says so."""
        flip = tuple(zip(*self.cells, strict=True))
        exactly = tuple(zip(*self.exactly, strict=True))
        return PageTable(self.name, self.symbol, transposed(self.value), flip, exactly, self.columns, self.rows)


def ends(part: str, size: int) -> tuple[int, int]:
    """`1..2` as Python counts: from 0, the end not included."""
    first, _, last = part.partition("..")
    return (0, size) if part == ":" else (int(first) - 1, int(last or first))


@dataclass(frozen=True, slots=True)
class Part:
    """One step on a page."""

    number: int
    step: Step
    symbol: str  # the left-hand side in LaTeX
    put_in: dict[str, PageTable]  # by name, what the step needs
    table: PageTable | None  # None: a line of a derivation
    exact: tuple[tuple[str | None, ...], ...] | None  # exact forms in plain text, where decimals do not say all
    working: Working  # the whole that it is a step of

    @property
    def headline(self) -> str:
        """The formula with its name; a line of a derivation is a whole equation already."""
        return self.step.formula if self.table is None else f"{self.step.name} = {self.step.formula}"

    @property
    def heading(self) -> str:
        """The same where the formula follows as maths."""
        return "Derivation" if self.table is None else self.step.name

    @property
    def names_inputs(self) -> bool:
        """Whether the formula names what is put in."""
        return any(isinstance(piece, Put) for piece in text_pieces(self.step.formula, self.step.needs))

    def table_at(self, put: Put) -> PageTable:
        """What is put in at a place of the formula: the table, some of its rows and columns, perhaps turned."""
        table = self.put_in[put.name]
        table = table.cut(*put.cut) if put.cut else table
        return table.turned() if put.transposed else table

    @property
    def puts_in(self) -> bool:
        """Whether that is also small enough to write out again."""
        return self.names_inputs and all(table.is_small for table in self.put_in.values())

    @property
    def teaching(self) -> tuple[int, int]:
        """The cell whose making shows most; only some pages ask for it."""
        return (0, 0) if self.table is None else teaching_place(self.working, self.step, self.table.value)

    @property
    def instances(self) -> list[tuple[int, int]]:
        """Cells to write out: the one that shows most, or a few where the formula puts in nothing by itself."""
        if self.table is None:
            return []
        return [self.teaching] if self.names_inputs else list(self.table.value.places())[:FEW_CELLS]


@dataclass(frozen=True, slots=True)
class Page:
    """Everything that a page says, in its order."""

    title: str
    kind: str
    policy: str  # one sentence
    numerals: Numerals
    givens: tuple[PageTable, ...]
    parts: tuple[Part, ...]
    answers: tuple[PageTable, ...]
    observations: tuple[str, ...]


def page_of(working: Working) -> Page:
    """Everything that every renderer says, said once."""
    plan, numerals = working.plan, Numerals(working.policy, working.digits)
    tables = {name: given_table(working, name, numerals) for name in plan.given}
    parts = []
    for number, step in enumerate(plan.steps, start=1):
        table = None if step.rule is None else step_table(working, step, numerals)
        put_in = {name: tables[name] for name in step.needs if name in tables}
        part = Part(number, step, symbol_of(step), put_in, table, exact_forms(table, numerals), working)
        parts.append(part)
        if table is not None:
            tables[step.name] = table
    return Page(
        title=clean(plan.title),
        kind=plan.kind,
        policy=policy_sentence(numerals),
        numerals=numerals,
        givens=tuple(tables[name] for name in plan.given),
        parts=tuple(parts),
        answers=tuple(tables[name] for name in plan.answer if name in tables),
        observations=tuple(clean(line) for line in working.observations),
    )


def teaching_place(working: Working, step: Step, value: Matrix) -> tuple[int, int]:
    """The first of the cells that show most: not 0, 1 or hidden, and made of as many terms that are not 0 as any other."""
    inputs = working.inputs(step)

    def shows(place: tuple[int, int]) -> tuple[bool, int, bool]:
        cell = value[place]
        counted = isinstance(cell, float) or cell == 0
        terms = step.rule.terms(*place, *inputs) if step.rule and not counted else []
        at_work = sum(all(inputs[n][i, j] != 0 for n, i, j in term.cells) for term in terms)
        return not counted, at_work, cell != 1

    return max(islice(value.places(), MOST_LOOKED_AT), key=shows)


def policy_sentence(numerals: Numerals) -> str:
    n = numerals.decimals
    decimals = "1 decimal" if n == 1 else f"{n} decimals"
    if numerals.policy.decimals is None:
        return f"Worked exactly; where decimals do not end they are shown to {decimals}, after ≈."
    whole = "the nearest whole number" if n == 0 else decimals
    return f"Every step rounded to {whole}, halves away from zero; the next step goes on with the rounded numbers."


def given_table(working: Working, name: str, numerals: Numerals) -> PageTable:
    value = working.values[name]
    rows, columns = working.plan.labels.get(name, ((), ()))
    cells = tuple(tuple(numerals.given(cell) for cell in row) for row in value.rows)
    exactly = tuple(tuple(True for _ in row) for row in value.rows)
    return PageTable(name, named(name), value, cells, exactly, labels_of(rows), labels_of(columns))


def step_table(working: Working, step: Step, numerals: Numerals) -> PageTable:
    value = working.values[step.name]
    shares = step.name in working.plan.maps or isinstance(step.rule, Softmax | ShareOfSum)
    write = numerals.share if shares else numerals.value
    cells = tuple(tuple(write(cell) for cell in row) for row in value.rows)
    return PageTable(
        step.name,
        symbol_of(step),
        value,
        cells,
        exactness(working, step, numerals),
        labels_of(step.rows),
        labels_of(step.columns),
    )


def exactness(working: Working, step: Step, numerals: Numerals) -> tuple[tuple[bool, ...], ...]:
    """Cell by cell: whether what is shown is the step's own result, or a rounding of it."""
    value = working.values[step.name]
    if numerals.policy.decimals is None:
        return tuple(tuple(numerals.is_exact(cell) for cell in row) for row in value.rows)
    before = working.unrounded[step.name]
    return tuple(
        tuple(a == b for a, b in zip(row, kept, strict=True)) for row, kept in zip(before.rows, value.rows, strict=True)
    )


def exact_forms(table: PageTable | None, numerals: Numerals) -> tuple[tuple[str | None, ...], ...] | None:
    """The exact cells in text, None for one that is too long; no table at all where decimals say everything."""
    if table is None or table.sign == "=" or numerals.policy.decimals is not None:
        return None
    return tuple(tuple(exact_text(cell, EXACT_LENGTH) for cell in row) for row in table.value.rows)


def explained(working: Working, part: Part, i: int, j: int) -> str:
    """How a cell was made: `Q[1,1] = 1·0 + (-1)·1 = -1`."""
    assert part.table is not None
    table, numerals = part.table, Numerals(working.policy, working.digits)
    cut = False  # whether some number stands there with fewer decimals than it has

    def show(cell: Cell) -> str:
        nonlocal cut
        cut = cut or numerals.loses(cell)
        return numerals.within(cell)

    told = working.explain(part.step, i, j, show)
    value, place, sign = table.cells[i][j], place_of(table, i, j), table.sign_of(i, j)
    if not told or told == value:
        return f"{place} {sign} {value}"
    if is_arithmetic(told):
        return f"{place} {'≈' if cut else '='} {told} {sign} {value}"
    return f"{place} {sign} {value} ({told})"


def worth_telling(working: Working, part: Part, i: int, j: int) -> str:
    """How a cell was made; nothing where that would only repeat the cell."""
    assert part.table is not None
    told = explained(working, part, i, j)
    return "" if told == f"{place_of(part.table, i, j)} {part.table.sign_of(i, j)} {part.table.cells[i][j]}" else told


def is_arithmetic(told: str) -> bool:
    """Sums and quotients, not words: only those may stand between two equals signs."""
    return ": " not in told and ", " not in told


def place_of(table: PageTable, i: int, j: int) -> str:
    """`Q[1,2]` of a matrix, `z[2]` of a vector, the name of a number."""
    return (table.name, f"{table.name}[{j + 1}]", f"{table.name}[{i + 1},{j + 1}]")[table.value.rank]


def symbol_of(step: Step) -> str:
    return step.symbol or named(step.name)


def labels_of(labels: Labels) -> Labels:
    return tuple(shortened(clean(label)) for label in labels)


def shortened(words: str, most: int = LABEL_LENGTH) -> str:
    return words if len(words) <= most else words[: most - 1] + "…"


def clean(words: str) -> str:
    """Words on one line, without what would steer a terminal or turn the text around."""
    kept = (c if c in KEPT_FORMATS or unicodedata.category(c) not in {"Cc", "Cf", "Cs"} else " " for c in words)
    return " ".join("".join(kept).split())
