"""A working as one HTML file that loads nothing: choose any number of a product and see the sum that made it."""

import re
from importlib import resources

from clearhead.working.render.formats.step_markup import step_section
from clearhead.working.render.formats.table_markup import safe, still_table
from clearhead.working.render.maths.mathml import mathml
from clearhead.working.render.page.layout import Page, PageTable, clean, page_of
from clearhead.working.render.page.map_picture import has_picture, picture
from clearhead.working.render.page.numerals import Numerals
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
HINT = "Choose a number of a step, with the pointer or with Tab and the arrow keys, to see how it was made."


def render(working: Working) -> str:
    """A whole document."""
    title = f"<title>{safe(clean(working.plan.title))}</title>\n"
    return f"{HEAD}{title}{BODY_STYLE}\n</head>\n<body>\n{fragment(working)}{FOOT}"


def fragment(working: Working) -> str:
    """The same as one element, for a notebook or another page."""
    return element(working, part_of_page("page.css"), part_of_page("page.js"))


def contents(working: Working) -> str:
    """The same for a page that has the style and the script already."""
    return element(working)


def element(working: Working, css: str = "", js: str = "") -> str:
    """Everything in its order: what is given, the steps, the answer, and what can be seen in it."""
    page = page_of(working)
    symbols = (
        {"d_k": "d_k"}
        | {table.name: table.symbol for table in page.givens}
        | {part.step.name: part.symbol for part in page.parts}
    )
    drawn = inline(picture(working)) if has_picture(working) else ""
    lines = [
        '<div class="clearhead">',
        f"<style>{css}</style>" if css else "",
        f'<header><h1>{safe(page.title)}</h1><p class="policy">{safe(page.policy)}</p>',
        f'<p class="hint">{HINT}</p></header>',
        given_section(page),
        *(step_section(working, page, part, symbols) for part in page.parts),
        f'<section class="answer"><h2>Answer</h2><div class="line wide">{figures(page.answers, page.numerals)}</div></section>',
        observed(drawn, page),
        f"<script>{js}</script>" if js else "",
        "</div>",
    ]
    return "\n".join(filter(None, lines))


def given_section(page: Page) -> str:
    """What is given, table by table."""
    return f'<section class="given"><h2>Given</h2><div class="line wide">{figures(page.givens, page.numerals)}</div></section>'


def figures(tables: tuple[PageTable, ...], numerals: Numerals) -> str:
    """Tables by themselves, each with its name before it."""
    return "".join(
        f'<figure>{mathml(table.symbol)}<span class="op">{table.sign}</span>{still_table(table, numerals)}</figure>'
        for table in tables
    )


def observed(drawn: str, page: Page) -> str:
    """The picture, and what there is to see."""
    if not drawn and not page.observations:
        return ""
    title = "Where each output looks" if drawn else "Observations"
    shown = f'<div class="picture scroll">{drawn}</div>\n' if drawn else ""
    lines = "".join(f"<li>{safe(line)}</li>" for line in page.observations)
    return f"<section><h2>{title}</h2>\n{shown}{f'<ul>{lines}</ul>' if lines else ''}</section>"


def part_of_page(name: str) -> str:
    return resources.files("clearhead.working.render.formats").joinpath("html_parts", name).read_text(encoding="utf-8")


def inline(svg: str) -> str:
    """An SVG inside HTML needs no namespace."""
    return re.sub(r' xmlns="[^"]*"', "", svg, count=1)
