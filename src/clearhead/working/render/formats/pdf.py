"""A working as PDF, set by Typst: no LaTeX needed, nothing loaded from elsewhere."""

from collections.abc import Iterator

from clearhead.working.render.maths.typst_maths import quoted, typst_maths
from clearhead.working.render.page.equations import Display, part_displays, table_displays
from clearhead.working.render.page.layout import PageTable, page_of
from clearhead.working.render.page.map_picture import has_picture, picture
from clearhead.working.steps import Labels, Working

UNBROKEN_ROWS = 24  # of tables: an equation with more may go over two pages
HEAD = """\
#set page(paper: "a4", margin: (x: 2cm, y: 1.8cm), numbering: "1")
#set block(spacing: 0.8em)
#set text(size: 10.5pt)
#set par(justify: false)
#set math.mat(delim: "[", align: right, row-gap: 0.45em, column-gap: 0.7em)
#show math.equation.where(block: true): set align(left)
#show math.equation: set block(breakable: true)
#show math.equation.where(block: true): set par(leading: 0.7em)
#show heading: set block(above: 1.2em, below: 0.6em, sticky: true)
#let named-table(rows, columns, width, ..cells) = {
  let line = 0.6pt
  let head = if columns.len() > 0 { 1 } else { 0 }
  let height = calc.quo(cells.pos().len(), width)
  let name(it) = text(size: 0.72em, fill: luma(80), it)
  let hook(place-at, x, y) = place(place-at, dx: x, dy: y, std.line(length: 0.3em, stroke: line))
  let body(i, j, it) = {
    if i == 0 and j == 0 { hook(top + left, -0.3em, -0.32em) }
    if i == height - 1 and j == 0 { hook(bottom + left, -0.3em, 0.32em) }
    if i == 0 and j == width - 1 { hook(top + right, 0.3em, -0.32em) }
    if i == height - 1 and j == width - 1 { hook(bottom + right, 0.3em, 0.32em) }
    it
  }
  box(baseline: 50% - 0.25em, grid(
    columns: width + 1, inset: (x: 0.3em, y: 0.32em),
    align: (x, y) => horizon + if x == 0 { left } else if y < head { center } else { right },
    ..if head == 1 { ([], ..columns.map(name)) },
    ..for i in range(height) {
      (if rows.len() > i { name(rows.at(i)) } else { [] },
        ..range(width).map(j => body(i, j, cells.pos().at(i * width + j))))
    },
    grid.vline(x: 1, start: head, stroke: line), grid.vline(x: width + 1, start: head, stroke: line),
  ))
}
"""


def render(working: Working) -> bytes:
    """A PDF, as bytes."""
    import typst

    return bytes(typst.compile(source(working).encode("utf-8", "replace"), format="pdf"))


def source(working: Working) -> str:
    """The whole document in Typst."""
    return "\n".join(lines(working)) + "\n"


def lines(working: Working) -> Iterator[str]:
    page = page_of(working)
    yield HEAD
    yield f"#set document(title: {quoted(page.title)}, date: none)"
    yield heading(1, page.title)
    yield f"#emph({quoted(page.policy)})\n"
    yield heading(2, "Given")
    yield from side_by_side(page.givens)
    for part in page.parts:
        yield heading(2, f"{part.number}. {part.heading}")
        yield f"#block(sticky: true, {quoted(part.step.why)})\n"
        for display in part_displays(working, part):
            yield from shown(display)
    yield heading(2, "Answer")
    yield from side_by_side(page.answers)
    if has_picture(working):
        yield heading(2, "Where each output looks")
        yield f'#image(bytes({quoted(picture(working))}), format: "svg", width: {min(100, 60 * len(working.plan.maps))}%)\n'
    if page.observations:
        yield heading(2, "Observations")
        yield from (f"- #{quoted(line)}" for line in page.observations)


def heading(level: int, title: str) -> str:
    return f"#heading(level: {level}, {quoted(title)})"


def words(sentence: str) -> str:
    """Words as a string of Typst: nothing in them is read as markup."""
    return f"#{quoted(sentence)}\n"


def side_by_side(tables: tuple[PageTable, ...]) -> Iterator[str]:
    """Tables that fit stand beside one another, as many as a line takes, with the names of their rows and columns."""
    beside: list[str] = []
    for table in tables:
        displays = list(table_displays(table))
        if len(displays) == 1 and len(displays[0].lines) == 1:
            left, right = displays[0].lines[0]
            beside.append(f"#box($display({typst_maths(left)} {labelled(right, table.rows, table.columns)})$)")
        else:
            yield from (line for display in displays for line in shown(display))
    if beside:
        yield f"#par(leading: 0.9em)[{'#h(1.5em) '.join(f'{each} ' for each in beside)}]\n"


def labelled(right: str, rows: Labels, columns: Labels) -> str:
    """A right-hand side whose last table has the names of its rows before it and those of its columns above it."""
    sign, begin, table = right.rpartition(r"\left[\begin")
    body, end, after = table.rpartition(r" \end{array}\right]")
    if not (rows or columns) or not begin or not end or after:
        return typst_maths(right)
    cells = [row.split(" & ") for row in body.partition("} ")[2].split(r" \\ ")]
    names = [", ".join(f"[#{quoted(name)}]" for name in labels) + "," * (len(labels) == 1) for labels in (rows, columns)]
    listed = ", ".join(f"[${typst_maths(cell)}$]" for row in cells for cell in row)
    return f"{typst_maths(sign)} #named-table(({names[0]}), ({names[1]}), {len(cells[0])}, {listed})"


def shown(display: Display) -> Iterator[str]:
    """Words above, then the lines, in one piece where they are not too tall for it."""
    if display.words:
        yield f"#block(sticky: true, {quoted(display.words)})\n" if display.lines else words(display.words)
    if display.lines:
        last = len(display.lines) - 1
        sides = [
            (typst_maths(left), labelled(right, display.rows, display.columns) if k == last else typst_maths(right))
            for k, (left, right) in enumerate(display.lines)
        ]
        rows = " \\\n".join(f"{left} &{right}" for left, right in sides)
        tall = sum(right.count(r"\\") for _, right in display.lines) > UNBROKEN_ROWS
        yield f"$ {rows} $\n" if tall else f"#block(breakable: false)[$ {rows} $]\n"
