"""Tables of numbers as HTML, written cell by cell in one go: a page that is edited makes all of them again with every key."""

import re
from collections.abc import Mapping, Sequence
from html import escape

from clearhead.working.render.page.layout import PageTable
from clearhead.working.render.page.numerals import Numerals

FIGURE_SPACE, POINT_SPACE = "\u2007", "\u2008"  # as wide as a digit and as a point
SHAPES = ("number", "vector matrix", "matrix")
MARKUP = re.compile("[&<>\"']")
HYPHEN = re.compile(r"(?<![A-Za-z])-")


def still_table(table: PageTable, numerals: Numerals, role: str = "", turned: bool = False) -> str:
    """A table that is only looked at."""
    return framed(table, body(table, numerals), (' data-turned="1"' * turned) + (f' data-role="{role}"' if role else ""))


def live_table(
    table: PageTable,
    numerals: Numerals,
    told: Mapping[tuple[int, int], str],
    exact: Sequence[Sequence[str | None]] | None,
) -> str:
    """A table whose numbers can be chosen: each cell tells how it was made, and its exact form."""
    return framed(table, body(table, numerals, told, exact or (), live=True), role=' role="grid"')


def framed(table: PageTable, rows: str, attributes: str = "", role: str = "") -> str:
    """The rows in their table, with the names of the columns above."""
    height, width = table.value.shape
    name = safe(table.name)
    label = name if table.value.rank == 0 else f"{name}, {height} by {width}"
    corner = '<td class="corner"></td>' if table.rows else ""
    head = "".join(f'<th scope="col">{safe(word)}</th>' for word in table.columns)
    shape = SHAPES[table.value.rank]
    return (
        f'<div class="scroll"><table{role} class="{shape}" data-name="{name}"{attributes} aria-label="{label}">'
        f"{f'<thead><tr>{corner}{head}</tr></thead>' if head else ''}<tbody>{rows}</tbody></table></div>"
    )


def body(
    table: PageTable,
    numerals: Numerals,
    told: Mapping[tuple[int, int], str] | None = None,
    exact: Sequence[Sequence[str | None]] = (),
    live: bool = False,
) -> str:
    """Every row: what a cell shows, and in its attributes what it is inside a sum, how exact it is and what it tells."""
    pads = [padding(column) for column in zip(*table.cells, strict=True)]
    written = []
    for i, (row, values, exactly) in enumerate(zip(table.cells, table.value.rows, table.exactly, strict=True)):
        written.append(f'<tr><th scope="row">{safe(table.rows[i])}</th>' if table.rows else "<tr>")
        for j, (shown, value) in enumerate(zip(row, values, strict=True)):
            plain, loses = numerals.inside(value)
            near = not exactly[j]
            marks = ["near"] * near + ["cut"] * loses + ["hidden"] * isinstance(value, float)
            open_tag = ("<td" if not live else '<td tabindex="-1"' if i or j else '<td tabindex="0"') + (
                f' class="{" ".join(marks)}"' if marks else ""
            )
            if plain != shown:
                open_tag += f' data-n="{safe(minus(plain))}"'
            if told and (tale := told.get((i, j))):
                open_tag += f' data-told="{safe(tale)}"'
            if near and exact and (form := exact[i][j]):
                open_tag += f' data-exact="{safe(minus(form))}"'
            written.append(f"{open_tag}>{safe(minus(shown))}{pads[j][i]}</td>")
        written.append("</tr>\n")
    return "".join(written)


def padding(column: Sequence[str]) -> list[str]:
    """Blanks as wide as the decimals that a cell lacks, so that the points stand in one line."""
    tails = [len(cell.partition(".")[2]) for cell in column]
    most = max(tails)
    if most == min(tails):
        return [""] * len(tails)
    return [FIGURE_SPACE * (most - tail) + ("" if tail else POINT_SPACE) for tail in tails]


def minus(words: str) -> str:
    """
    >>> minus("-1 - x-axis")
    '−1 − x-axis'
    """
    return HYPHEN.sub("−", words) if "-" in words else words


def safe(words: str) -> str:
    """Anybody's words as text inside markup; most have nothing to escape.

    >>> safe("a < b"), safe("0.25")
    ('a &lt; b', '0.25')
    """
    return words if MARKUP.search(words) is None else escape(words)
