"""A working as one HTML file that loads nothing: choose any number of a product and see the sum that made it."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from importlib import resources
from typing import Any

from clearhead.exact.notation import latex
from clearhead.working.render.maths.mathml import mathml
from clearhead.working.render.page.equations import exact_array
from clearhead.working.render.page.grown_brackets import around_tables
from clearhead.working.render.page.layout import Page, PageTable, Part, explained, page_of
from clearhead.working.render.page.map_picture import has_picture, picture
from clearhead.working.render.page.numerals import Numerals
from clearhead.working.render.page.origins import feeds_of, pieces_of, product_of, roles_of
from clearhead.working.render.page.substitution import Put
from clearhead.working.steps import Working

HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
"""
FOOT = "</body>\n</html>\n"
BODY_STYLE = (
    "<style>body { margin: 0; background: #fff; } @media (prefers-color-scheme: dark) { body { background: #12161c; } }</style>"
)
MOST_TOLD = 400_000  # characters of explanations a step: beyond it only products, whose sums the page makes itself
MOST_EXACT_CELLS = 36
POWER = re.compile(r"\^(\d+(?:\.\d+)?|(?=\()\([−\d./]+\))")
FIGURE_SPACE, POINT_SPACE = "\u2007", "\u2008"  # as wide as a digit and as a point


def render(working: Working) -> str:
    """A whole document."""
    from markupsafe import escape

    title = f"<title>{escape(page_of(working).title)}</title>\n"
    return f"{HEAD}{title}{BODY_STYLE}\n</head>\n<body>\n{fragment(working)}{FOOT}"


def fragment(working: Working) -> str:
    """The same as one element, for a notebook or another page."""
    return element(working, part_of_page("page.css"), part_of_page("page.js"))


def contents(working: Working) -> str:
    """The same for a page that has the style and the script already."""
    return element(working)


def element(working: Working, css: str = "", js: str = "") -> str:
    from markupsafe import Markup

    page = page_of(working)
    symbols = (
        {"d_k": "d_k"}
        | {table.name: table.symbol for table in page.givens}
        | {part.step.name: part.symbol for part in page.parts}
    )
    drawn = inline(picture(working)) if has_picture(working) else ""
    return str(
        template().render(
            page=page,
            css=Markup(css),
            js=Markup(js),
            givens=[cells_of(table, page.numerals) | {"symbol": Markup(mathml(table.symbol))} for table in page.givens],
            steps=[step_of(working, page, part, symbols) for part in page.parts],
            answers=[
                cells_of(table, page.numerals) | {"symbol": Markup(mathml(table.symbol)), "sign": table.sign}
                for table in page.answers
            ],
            picture=Markup(drawn),
        )
    )


@lru_cache(maxsize=1)
def template() -> Any:
    from jinja2 import Environment

    return Environment(autoescape=True, trim_blocks=True).from_string(part_of_page("page.html"))


def part_of_page(name: str) -> str:
    return resources.files("clearhead.working.render.formats").joinpath("html_parts", name).read_text(encoding="utf-8")


def inline(svg: str) -> str:
    """An SVG inside HTML needs no namespace."""
    return re.sub(r' xmlns="[^"]*"', "", svg, count=1)


def typeset(words: str, symbols: Mapping[str, str]) -> Any:
    """Words with the names of steps and givens in them set as maths: W_Q, d_W2, y_hat; and a minus that is one."""
    from markupsafe import Markup, escape

    names = sorted((name for name in symbols if not name.isalpha()), key=len, reverse=True)
    if not names:
        return minus(words)
    found = re.split(rf"(?<![\w])({'|'.join(map(re.escape, names))})(?![\w])", words)
    return Markup("").join(Markup(mathml(symbols[piece])) if k % 2 else escape(minus(piece)) for k, piece in enumerate(found))


def step_of(working: Working, page: Page, part: Part, symbols: Mapping[str, str]) -> dict[str, Any]:
    from markupsafe import Markup

    shown: dict[str, Any] = {
        "number": part.number,
        "name": part.step.name,
        "heading": Markup(mathml(part.symbol)) if part.table else part.heading,
        "formula": Markup(mathml(f"{part.symbol} = {part.step.latex}", block=True)),
        "why": typeset(part.step.why, symbols),
        "product": None,
        "table": None,
        "feeds": " ".join(f"{name}:{role}" for name, role in feeds_of(part)),
    }
    if part.table is None:
        return shown
    roles = roles_of(part)
    product = product_of(part)
    told = {} if product else explanations(working, part, part.table)
    return shown | {
        "product": product,
        "pieces": grown([piece_of(part, piece, roles.get(k, ""), page.numerals) for k, piece in enumerate(pieces_of(part))]),
        "sign": part.table.sign,
        "table": cells_of(part.table, page.numerals, told, part.exact),
        "exact": exact_maths(part, part.table),
        "exact_open": len(part.table.cells) * len(part.table.cells[0]) <= 12,
    }


def grown(pieces: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Round brackets around tables as pieces of their own, which grow with them; powers raised."""
    found: list[dict[str, Any]] = []
    for piece, parts in zip(pieces, around_tables([piece.get("words") for piece in pieces]), strict=True):
        if "words" not in piece:
            found.append(piece)
        plain = ""
        for part, grows in parts:
            if not grows:
                plain += part
                continue
            found += [{"words": raised(plain)}] * bool(plain) + [{"bracket": "left" if part == "(" else "right"}]
            plain = ""
        found += [{"words": raised(plain)}] * bool(plain)
    return found


def raised(words: str) -> Any:
    """Words with their powers above the line: ^2 and ^(1/2)."""
    from markupsafe import Markup, escape

    found = POWER.split(words)
    return Markup("").join(Markup("<sup>{}</sup>").format(piece) if k % 2 else escape(piece) for k, piece in enumerate(found))


def piece_of(part: Part, piece: str | Put, role: str, numerals: Numerals) -> dict[str, Any]:
    if isinstance(piece, str):
        return {"words": minus(piece)}
    table = replace(part.table_at(piece), rows=(), columns=())  # the names stand at the result
    return cells_of(table, numerals) | {"role": role, "turned": piece.transposed}


def explanations(working: Working, part: Part, table: PageTable) -> dict[tuple[int, int], str]:
    """How each cell was made, for a step that is no plain product; none at all where they would swell the page."""
    found, size = {}, 0
    for i, j in table.value.places():
        found[i, j] = minus(explained(working, part, i, j))
        size += len(found[i, j])
        if size > MOST_TOLD:
            return {}
    return found


def cells_of(
    table: PageTable,
    numerals: Numerals,
    told: dict[tuple[int, int], str] | None = None,
    exact: tuple[tuple[str | None, ...], ...] | None = None,
) -> dict[str, Any]:
    """A table for the template: each cell with what it shows and what it tells."""
    pads = [padding(column) for column in zip(*table.cells, strict=True)]
    rows = []
    for i, row in enumerate(table.cells):
        cells = []
        for j, written in enumerate(row):
            cell = table.value[i, j]
            plain, loses = numerals.inside(cell)
            near = not table.exactly[i][j]
            form = exact[i][j] if exact and near else None
            cells.append(
                {
                    "shown": minus(written) + pads[j][i],
                    "plain": minus(plain) if plain != written else "",
                    "kind": " ".join(["near"] * near + ["cut"] * loses + ["hidden"] * isinstance(cell, float)),
                    "told": (told or {}).get((i, j), ""),
                    "exact": minus(form) if form else "",
                }
            )
        rows.append(cells)
    height, width = table.value.shape
    shape = ("number", "vector matrix", "matrix")[table.value.rank]
    label = table.name if table.value.rank == 0 else f"{table.name}, {height} by {width}"
    return {"name": table.name, "label": label, "shape": shape, "rows": table.rows, "columns": table.columns, "cells": rows}


def padding(column: tuple[str, ...]) -> list[str]:
    """Blanks as wide as the decimals that a cell lacks, so that the points stand in one line."""
    tails = [len(cell.partition(".")[2]) for cell in column]
    return [FIGURE_SPACE * (max(tails) - tail) + (POINT_SPACE if max(tails) and not tail else "") for tail in tails]


def minus(words: str) -> str:
    """
    >>> minus("-1 - x-axis")
    '−1 − x-axis'
    """
    return re.sub(r"(?<![A-Za-z])-", "−", words)


def exact_maths(part: Part, table: PageTable) -> Any:
    """The exact forms as maths, where all are short and there are not too many."""
    from markupsafe import Markup

    if part.exact is None or len(part.exact) * len(part.exact[0]) > MOST_EXACT_CELLS or any(None in row for row in part.exact):
        return ""
    forms = [[latex(cell) for cell in row] for row in table.value.rows]
    inside = forms[0][0] if table.value.rank == 0 else exact_array(forms)
    return Markup(mathml(f"{part.symbol} = {inside}", block=True))
