"""A blank worksheet: the givens, and for every step its formula and an empty grid to fill in; Markdown and PDF."""

from collections.abc import Iterator

from clearhead.working.render.formats.markdown import escaped
from clearhead.working.render.formats.pdf import HEAD, heading, side_by_side, words
from clearhead.working.render.maths.typst_maths import quoted, typst_maths
from clearhead.working.render.page.equations import table_displays
from clearhead.working.render.page.layout import Page, PageTable, page_of
from clearhead.working.steps import Labels, Working

WIDEST = 9  # columns that still stand in boxes of their full width
SPACE = "&nbsp;" * 6
NAME = "Name: ______________________________   Date: ______________"


def asked(page: Page) -> str:
    """What is to be done, in one sentence."""
    decimals = page.numerals.policy.decimals
    how = "Work exactly" if decimals is None else f"Round every step to {decimals} decimals and go on with the rounded numbers"
    return f"{how}; write each number into its box, and how you got there beside or below it."


def markdown(working: Working) -> str:
    """A worksheet as Markdown: empty tables."""
    return "\n".join(markdown_lines(page_of(working))) + "\n"


def markdown_lines(page: Page) -> Iterator[str]:
    yield from (f"# {escaped(page.title)}", "", NAME, "", asked(page), "", "## Given", "")
    for table in page.givens:
        for display in table_displays(table):
            yield from ("```math", " ".join(side for side in display.lines[0] if side), "```", "")
    yield from ("## Steps", "")
    for part in page.parts:
        yield from (f"### {part.number}. {escaped(part.headline)}", "")
        if part.table is not None:
            rows, columns = (
                labels or counted for labels, counted in zip(labels_of(page, part.table), counts(part.table), strict=True)
            )
            yield f"| | {' | '.join(f'{SPACE}{escaped(label)}{SPACE}' for label in columns)} |"
            yield f"| --- | {' | '.join('---' for _ in columns)} |"
            yield from (f"| **{escaped(label)}** | {' | '.join(SPACE for _ in columns)} |" for label in rows)
            yield from ("", "&nbsp;", "")


def pdf(working: Working) -> bytes:
    """The same on paper, with room to write."""
    import typst

    source = "\n".join(typst_lines(page_of(working))) + "\n"
    return bytes(typst.compile(source.encode("utf-8", "replace"), format="pdf"))


def typst_lines(page: Page) -> Iterator[str]:
    yield HEAD
    yield f"#set document(title: {quoted(page.title)}, date: none)"
    yield heading(1, page.title)
    yield "#grid(columns: (1fr, 8cm), [Name: #box(width: 6cm, repeat[.])], [Date: #box(width: 4cm, repeat[.])])\n"
    yield words(asked(page))
    yield heading(2, "Given")
    yield from side_by_side(page.givens)
    for part in page.parts:
        yield "#block(breakable: false)["
        yield heading(2, f"{part.number}. {part.heading}")
        yield f"$ {typst_maths(part.symbol)} = {typst_maths(part.step.latex)} $\n"
        if part.table is not None:
            yield boxes(*part.table.value.shape, *labels_of(page, part.table))
            yield "#v(1.6cm)"
        yield "]"


def labels_of(page: Page, table: PageTable) -> tuple[Labels, Labels]:
    """The names of rows and columns that the givens have too: others, such as merged pairs, are part of the answer."""
    known = {label for given in page.givens for label in (*given.rows, *given.columns)}
    rows, columns = (labels if known.issuperset(labels) else () for labels in (table.rows, table.columns))
    return rows, columns


def counts(table: PageTable) -> tuple[Labels, Labels]:
    """Rows and columns by their numbers."""
    rows, columns = (tuple(str(n) for n in range(1, size + 1)) for size in table.value.shape)
    return rows, columns


def boxes(rows: int, columns: int, row_labels: Labels = (), column_labels: Labels = ()) -> str:
    """An empty grid, its cells large enough for a pencil; names stand before its rows and above its columns."""
    width = "1.9cm" if columns <= WIDEST else "1fr"
    before, above = int(bool(row_labels)), int(bool(column_labels))
    cells = ["[]"] * above * before + [f"[#{quoted(label)}]" for label in column_labels]
    for label in row_labels or [""] * rows:
        cells += [f"[#{quoted(label)}]"] * before + ["[]"] * columns
    stroke = f"(x, y) => if x >= {before} and y >= {above} {{ 0.4pt + gray }}"
    tracks = f"columns: ({'auto, ' * before}{(width + ', ') * columns}), rows: ({'auto, ' * above}{'0.95cm, ' * rows})"
    return f"#table({tracks}, align: center + horizon, stroke: {stroke}, {', '.join(cells)})"
