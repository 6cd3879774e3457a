"""A working as PDF, set by Typst: no LaTeX needed, nothing loaded from elsewhere."""

from collections.abc import Iterator

from clearhead.working.render.maths.typst_maths import quoted, typst_maths
from clearhead.working.render.page.attention_picture import has_picture, picture
from clearhead.working.render.page.equations import Display, part_displays, table_displays
from clearhead.working.render.page.layout import page_of
from clearhead.working.steps import Working

HEAD = """\
#set page(paper: "a4", margin: (x: 2cm, y: 2.2cm), numbering: "1")
#set text(size: 10.5pt)
#set par(justify: false)
#set math.mat(delim: "[", align: right, row-gap: 0.45em, column-gap: 0.7em)
#show math.equation: set block(breakable: true)
#show math.equation.where(block: true): set par(leading: 0.9em)
#show heading: set block(above: 1.5em, below: 0.8em)
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
    for table in page.givens:
        for display in table_displays(table):
            yield from shown(display)
    for part in page.parts:
        yield heading(2, f"{part.number}. {part.heading}")
        yield words(part.step.why)
        for display in part_displays(working, part):
            yield from shown(display)
    yield heading(2, "Answer")
    for table in page.answers:
        for display in table_displays(table):
            yield from shown(display)
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


def shown(display: Display) -> Iterator[str]:
    if display.words:
        yield words(display.words)
    if display.lines:
        rows = " \\\n".join(f"{typst_maths(left)} &{typst_maths(right)}" for left, right in display.lines)
        yield f"$ {rows} $\n"
