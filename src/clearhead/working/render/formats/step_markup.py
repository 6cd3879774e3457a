"""One step as a section of a page: its formula and reason, the numbers put in, the result, and what each number tells."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from clearhead.exact.notation import latex
from clearhead.working.render.formats.table_markup import live_table, minus, safe, still_table
from clearhead.working.render.maths.mathml import mathml
from clearhead.working.render.page.equations import exact_array
from clearhead.working.render.page.grown_brackets import around_tables
from clearhead.working.render.page.layout import Page, PageTable, Part, explained
from clearhead.working.render.page.numerals import Numerals
from clearhead.working.render.page.origins import feeds_of, pieces_of, product_of, roles_of
from clearhead.working.render.page.substitution import Put
from clearhead.working.steps import Working

MOST_TOLD = 400_000  # characters of explanations a step: beyond it only products, whose sums the page makes itself
MOST_EXACT_CELLS = 36
MOST_OPEN_CELLS = 12
POWER = re.compile(r"\^(\d+(?:\.\d+)?|(?=\()\([−\d./]+\))")


def step_section(working: Working, page: Page, part: Part, symbols: Mapping[str, str]) -> str:
    """The whole section; a line of a derivation has no table."""
    heading = mathml(part.symbol) if part.table else safe(part.heading)
    formula = mathml(f"{part.symbol} = {part.step.latex}", block=True)
    lines = [
        f'<section class="step" data-step="{safe(part.step.name)}"{origin_attributes(part)}>',
        f"<h2>{part.number}. {heading}</h2>",
        f'<div class="formula scroll">{formula}</div>',
        f'<p class="why">{typeset(part.step.why, symbols)}</p>',
    ]
    if part.table is not None:
        told = {} if product_of(part) else explanations(working, part, part.table)
        result = live_table(part.table, page.numerals, told, part.exact)
        lines += [
            f'<div class="line">{put_in(part, page.numerals)}<span class="op">{part.table.sign}</span>{result}</div>',
            '<p class="sum" role="status"></p>',
            exact_forms(part, part.table),
        ]
    return "\n".join([*filter(None, lines), "</section>"])


def origin_attributes(part: Part) -> str:
    """What the page's script reads: what the step is made from, and the factors of a product."""
    feeds = " ".join(f"{name}:{role}" for name, role in feeds_of(part))
    product = product_of(part) if part.table is not None else None
    left, right, right_turned, left_turned = product or ("", "", False, False)
    factors = f' data-left="{safe(left)}" data-right="{safe(right)}"' if product else ""
    turned = ' data-right-turned="1"' * right_turned + ' data-left-turned="1"' * left_turned
    return (f' data-feeds="{safe(feeds)}"' if feeds else "") + factors + turned


def typeset(words: str, symbols: Mapping[str, str]) -> str:
    """Words as markup, the names of steps and givens in them set as maths: W_Q, d_W2, y_hat; and a minus that is one."""
    names = sorted((name for name in symbols if not name.isalpha()), key=len, reverse=True)
    if not names:
        return safe(minus(words))
    found = re.split(rf"(?<![\w])({'|'.join(map(re.escape, names))})(?![\w])", words)
    return "".join(mathml(symbols[piece]) if k % 2 else safe(minus(piece)) for k, piece in enumerate(found))


def put_in(part: Part, numerals: Numerals) -> str:
    """The formula with its tables put in; round brackets around tables are elements of their own, which grow with them."""
    roles = roles_of(part)
    pieces = pieces_of(part)
    around = around_tables([minus(piece) if isinstance(piece, str) else None for piece in pieces])
    return "".join(
        "".join(words_of(around[k])) if isinstance(piece, str) else table_put_in(part, piece, numerals, roles.get(k, ""))
        for k, piece in enumerate(pieces)
    )


def table_put_in(part: Part, piece: Put, numerals: Numerals, role: str) -> str:
    table = replace(part.table_at(piece), rows=(), columns=())  # the names stand at the result
    return still_table(table, numerals, role, piece.transposed)


def words_of(parts: list[tuple[str, bool]]) -> Iterator[str]:
    """Words between tables, and the brackets that grow."""
    plain = ""
    for part, grows in [*parts, ("", True)]:
        if not grows:
            plain += part
            continue
        if plain:
            yield f'<span class="op">{raised(plain)}</span>'
        if part:
            yield f'<span class="bracket {"left" if part == "(" else "right"}">{part}</span>'
        plain = ""


def raised(words: str) -> str:
    """Words with their powers above the line: ^2 and ^(1/2)."""
    return "".join(f"<sup>{safe(piece)}</sup>" if k % 2 else safe(piece) for k, piece in enumerate(POWER.split(words)))


def explanations(working: Working, part: Part, table: PageTable) -> dict[tuple[int, int], str]:
    """How each cell was made, for a step that is no plain product; none at all where they would swell the page."""
    found, size = {}, 0
    for i, j in table.value.places():
        found[i, j] = minus(explained(working, part, i, j))
        size += len(found[i, j])
        if size > MOST_TOLD:
            return {}
    return found


def exact_forms(part: Part, table: PageTable) -> str:
    """The exact forms as maths, where all are short and there are not too many."""
    if part.exact is None or any(None in row for row in part.exact):
        return ""
    cells = len(part.exact) * len(part.exact[0])
    if cells > MOST_EXACT_CELLS:
        return ""
    forms = [[latex(cell) for cell in row] for row in table.value.rows]
    inside = forms[0][0] if table.value.rank == 0 else exact_array(forms)
    maths = mathml(f"{part.symbol} = {inside}", block=True)
    is_open = " open" * (cells <= MOST_OPEN_CELLS)
    return f'<details{is_open}><summary>Exactly</summary><div class="scroll">{maths}</div></details>'
