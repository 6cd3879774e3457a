"""A working as plain text of at most 80 columns; in a terminal the same lines, in colour."""

import textwrap
from collections.abc import Iterator

from clearhead.working.render.page.boxes import Box, beside, blocks, box_width, bracketed, flowed, width_of
from clearhead.working.render.page.layout import Page, PageTable, Part, page_of, worth_telling
from clearhead.working.render.page.substitution import Put, text_pieces
from clearhead.working.steps import Working

WIDTH = 80
INDENT = "   "
ROOM = WIDTH - len(INDENT)
CELLS_ONE_A_LINE = 16  # so many exact forms are listed where they do not fit into a table

Line = tuple[str, str]
"""A role (title, heading, why, number, note) and what stands there."""


def render(working: Working) -> str:
    """The lines, without their roles."""
    return "\n".join(words.rstrip() for _, words in lines(working)) + "\n"


def lines(working: Working) -> Iterator[Line]:
    """Every line with its role."""
    page = page_of(working)
    yield from (("title", line) for line in wrapped(page.title, WIDTH))
    yield from (("note", line) for line in wrapped(page.policy, WIDTH))
    yield "", ""
    yield "heading", "Given"
    for box in flowed(given_boxes(page), ROOM, gap=len(INDENT)):
        yield from indented(box)
        yield "", ""
    for part in page.parts:
        yield from part_lines(working, part)
    if page.answers:
        yield "heading", "Answer"
        for table in page.answers:
            yield from equation(f"{table.name} {table.sign} ", table, named=True)
            yield "", ""
    if page.observations:
        yield "heading", "Observations"
        for sentence in page.observations:
            first, *rest = wrapped(sentence, WIDTH - 2)
            yield "", f"- {first}"
            yield from (("", f"  {line}") for line in rest)


def given_boxes(page: Page) -> Iterator[Box]:
    for table in page.givens:
        for heading, box in blocks(table.cells, table.rows, table.columns, ROOM - width_of(table.name) - 3):
            if heading:
                yield [f"{table.name}, {heading}:", *box]
            else:
                yield beside([[f"{table.name} = "], number_or(table, box)])


def number_or(table: PageTable, box: Box) -> Box:
    """A number stands without brackets."""
    return [table.cells[0][0]] if table.value.rank == 0 else box


def part_lines(working: Working, part: Part) -> Iterator[Line]:
    step = part.step
    first, *rest = wrapped(f"{part.number}. {part.headline}", WIDTH)
    yield "heading", first
    yield from (("heading", INDENT + line) for line in rest)
    yield from (("why", INDENT + line) for line in wrapped(step.why, ROOM))
    yield "", ""
    if part.table is None:
        return
    yield from substituted(part, part.table)
    yield "", ""
    if part.exact is not None:
        yield from exact_lines(part, part.table, part.exact)
    for told in filter(None, (worth_telling(working, part, i, j) for i, j in part.instances)):
        first, *rest = wrapped(told, ROOM - 2)
        yield "note", INDENT + first
        yield from (("note", f"{INDENT}  {line}") for line in rest)
    yield "", ""


def substituted(part: Part, table: PageTable) -> Iterator[Line]:
    """The tables put in, and what comes out: on one row where they fit."""
    boxes: list[Box] = []
    if part.puts_in:
        boxes = [put_in_box(part, piece) for piece in text_pieces(part.step.formula, part.step.needs)]
    if any(box_width(box) > ROOM for box in boxes):
        boxes = []  # too wide to be put in; the cells below are written out all the same
    result = blocks(table.cells, table.rows, table.columns, ROOM - 4)
    if boxes and len(result) == 1:
        whole = [*boxes, [f" {table.sign} "], number_or(table, result[0][1])]
        if sum(box_width(box) for box in whole) <= ROOM:
            yield from indented(beside(whole))
            return
    for box in flowed(boxes, ROOM):
        yield from indented(box)
        yield "", ""
    left = "" if boxes else f"{table.name} "
    yield from equation(f"{left}{table.sign} ", table, named=True)


def put_in_box(part: Part, piece: str | Put) -> Box:
    if isinstance(piece, str):
        return [piece]
    table = part.table_at(piece)
    if table.value.rank == 0:
        return [f"({table.cells[0][0]})" if table.cells[0][0].startswith(("-", "−")) else table.cells[0][0]]
    return bracketed(table.cells)


def equation(left: str, table: PageTable, *, named: bool) -> Iterator[Line]:
    """`left` and a table, in blocks of columns where it is too wide; a number that is too long is folded."""
    if table.value.rank == 0:
        yield from (("number", INDENT + line) for line in wrapped(left + table.cells[0][0], ROOM))
        return
    if max(width_of(cell) for row in table.cells for cell in row) > ROOM - 24:
        for i, j in table.value.places():
            yield from (("number", INDENT + line) for line in wrapped(f"[{i + 1},{j + 1}] = {table.cells[i][j]}", ROOM))
        return
    rows, columns = (table.rows, table.columns) if named else ((), ())
    for heading, box in blocks(table.cells, rows, columns, ROOM - width_of(left)):
        if heading:
            yield "note", f"{INDENT}{table.name}, {heading} {table.sign}"
        yield from indented(box if heading else beside([[left], box]))


def exact_lines(part: Part, table: PageTable, forms: tuple[tuple[str | None, ...], ...]) -> Iterator[Line]:
    """The exact forms: as a table, else one a line, else a word about where they are."""
    listed = [(i, j, form) for i, row in enumerate(forms) for j, form in enumerate(row)]
    if all(form is not None for _, _, form in listed):
        box = bracketed([[form or "" for form in row] for row in forms])
        if table.value.rank and box_width(box) + 10 <= ROOM:
            yield from indented(beside([["exactly "], box]))
            yield "", ""
            return
    short = [(i, j, form) for i, j, form in listed if form is not None and not table.exactly[i][j]]
    if short and len(listed) <= CELLS_ONE_A_LINE:
        yield "note", INDENT + "exactly:"
        for i, j, form in short:
            place = (part.step.name, f"[{j + 1}]", f"[{i + 1},{j + 1}]")[table.value.rank]
            yield from (("number", f"{INDENT}  {line}") for line in wrapped(f"{place} = {form}", ROOM - 2))
    else:
        yield "note", INDENT + "The exact forms are too long for a line."
    yield "", ""


def indented(box: Box) -> Iterator[Line]:
    return (("number", INDENT + line) for line in box)


def wrapped(words: str, width: int) -> list[str]:
    """Words in lines; a formula breaks at its spaces, and only what has none is cut."""
    if width_of(words) == len(words):
        return textwrap.wrap(words, width, break_on_hyphens=False) or [""]
    return folded(words, width)


def folded(words: str, width: int) -> list[str]:
    """The same for words with wide signs, counted by the columns they take."""
    found = [""]
    for word in words.split():
        pieces = [word] if width_of(word) <= width else [word[k : k + width // 2] for k in range(0, len(word), width // 2)]
        for piece in pieces:
            joined = f"{found[-1]} {piece}".strip()
            found = [*found[:-1], joined] if width_of(joined) <= width else [*found, piece]
    return found
