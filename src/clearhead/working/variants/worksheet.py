"""A blank worksheet: the givens, and for every step its formula and an empty grid to fill in; Markdown and PDF."""

from collections.abc import Iterator

from clearhead.working.render.formats.markdown import escaped
from clearhead.working.render.formats.pdf import HEAD, heading, side_by_side, words
from clearhead.working.render.maths.typst_maths import quoted, typst_maths
from clearhead.working.render.page.equations import table_displays
from clearhead.working.render.page.layout import Page, Part, page_of
from clearhead.working.steps import Working

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
            rows, columns = part.table.value.shape
            yield f"| | {' | '.join(f'{SPACE}{j}{SPACE}' for j in range(1, columns + 1))} |"
            yield f"| --- | {' | '.join('---' for _ in range(columns))} |"
            yield from (f"| **{i}** | {' | '.join(SPACE for _ in range(columns))} |" for i in range(1, rows + 1))
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
        yield from formula_lines(part)
        if part.table is not None:
            yield boxes(*part.table.value.shape)
            yield "#v(1.6cm)"
        yield "]"


def formula_lines(part: Part) -> Iterator[str]:
    if part.table is None:
        yield words(part.step.formula)
        return
    yield f"$ {typst_maths(part.symbol)} = {typst_maths(part.step.latex)} $\n"


def boxes(rows: int, columns: int) -> str:
    """An empty grid, its cells large enough for a pencil."""
    width = "1.9cm" if columns <= WIDEST else "1fr"
    cells = "[], " * (rows * columns)
    return f"#table(columns: ({(width + ', ') * columns}), rows: {rows} * (0.95cm,), stroke: 0.4pt + gray, {cells})"
