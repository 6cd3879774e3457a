"""Steps as displayed equations in LaTeX: what Markdown, LaTeX and (through Typst) PDF share."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clearhead.exact.notation import latex
from clearhead.working.render.page.boxes import columns_heading
from clearhead.working.render.page.grown_brackets import around_tables
from clearhead.working.render.page.layout import PageTable, Part, is_arithmetic, worth_telling
from clearhead.working.render.page.substitution import Piece, Put, latex_pieces
from clearhead.working.steps import Labels, Working

WIDTH = 84  # digits that fit on a line of a page
ONE_LINE = 72  # digits that fit on a line beside signs and brackets
ROWS = 30  # rows of a table that fit on a page
EXACT_CELLS_LISTED = 16  # so many exact forms are listed where they do not fit into a table
SUM_LENGTH = 90
SUM = re.compile(r" [+-] ")
SMALL_SIGNS = re.compile(r"[\^()]")
ARITHMETIC = re.compile(r"(?:[\d\s.+\-−·/()^√∞⌊⌋|=≈]|e(?=\^|\b)|ln\b)*")


@dataclass(frozen=True, slots=True)
class Display:
    """One displayed equation: lines of a left and a right side, which begins with = or ≈; perhaps words above it."""

    lines: tuple[tuple[str, str], ...]
    words: str = ""
    rows: Labels = ()  # names of the rows of the table that ends the last line
    columns: Labels = ()


def part_displays(working: Working, part: Part) -> Iterator[Display]:
    """The formula, what is put in, the value, its exact form, and how one cell was made."""
    first = (part.symbol, f"= {part.step.latex}")
    if part.table is None:
        yield Display((first,))
        return
    table = part.table
    put_in = put_in_lines(part) if part.puts_in else []
    if fits(table):
        value = f"{relation(table)} {matrix(table)}"
        wide = len(part.step.formula) + width_of(table) + sum(width_of(put) for put in part.put_in.values() if put_in)
        if len(put_in) <= 1 and wide <= ONE_LINE - 2 * len(part.step.formula):
            yield Display(((part.symbol, " ".join([first[1], *put_in, value])),), rows=table.rows, columns=table.columns)
        elif len(put_in) == 1 and wide <= ONE_LINE:
            yield Display((first, ("", f"{put_in[0]} {value}")), rows=table.rows, columns=table.columns)
        else:
            yield Display((first, *(("", line) for line in put_in), ("", value)), rows=table.rows, columns=table.columns)
    else:
        yield Display((first, *(("", line) for line in put_in)))
        yield from table_displays(table)
    yield from exact_displays(part, table)
    for i, j in part.instances:
        if told := worth_telling(working, part, i, j):
            yield instance(part, i, j, told)


def put_in_lines(part: Part) -> list[str]:
    """The right-hand side with tables for names: on one line, or one table a line, or not at all where one is too wide."""
    found = latex_pieces(part.step.latex, {name: table.symbol for name, table in part.put_in.items()})
    puts = [piece for piece in found if isinstance(piece, Put)]
    tables = [oriented(part, put) for put in puts]
    if not tables or any(width_of(table) > WIDTH for table in tables):
        return []
    written = [piece if isinstance(piece, str) else factor(oriented(part, piece)) for piece in found]
    if sum(width_of(table) for table in tables) <= WIDTH:
        return [f"= {''.join(stretched(written, found))}"]
    lines: list[str] = []
    line, width = "", 0
    for piece, text in zip(found, written, strict=True):
        line += text
        if isinstance(piece, Put):
            width += width_of(oriented(part, piece))
            if line.count("{") == line.count("}"):  # a fraction is not broken in two
                lines, line, width = [*lines, line], "", 0
        if width > WIDTH:
            return []
    lines = [*lines[:-1], lines[-1] + line] if lines and line.count("{") == line.count("}") else [*lines, line]
    return [f"= {lines[0]}", *(rf"\quad {line}" for line in lines[1:])]


def stretched(written: list[str], found: list[Piece]) -> list[str]:
    """Brackets around tables grow with them."""
    words = [text if isinstance(piece, str) else None for text, piece in zip(written, found, strict=True)]
    grown = {"(": r"\left(", ")": r"\right)"}
    cut = ["".join(grown[part] if grows else part for part, grows in parts) for parts in around_tables(words)]
    return [text if word is None else new for text, word, new in zip(written, words, cut, strict=True)]


def oriented(part: Part, put: Put) -> PageTable:
    return part.table_at(put)


def factor(table: PageTable) -> str:
    """A table inside a formula; a negative number in brackets."""
    written = matrix(table)
    return f"({written})" if table.value.rank == 0 and written.startswith("-") else written


def relation(table: PageTable) -> str:
    return "=" if table.sign == "=" else r"\approx"


def fits(table: PageTable) -> bool:
    return width_of(table) <= WIDTH and len(table.cells) <= ROWS


def width_of(table: PageTable) -> int:
    return sum(widths_of(table))


def widths_of(table: PageTable) -> list[int]:
    return [max(len(cell) for cell in column) + 2 for column in zip(*table.cells, strict=True)]


def table_displays(table: PageTable) -> Iterator[Display]:
    """A table as one equation, or in blocks of columns and rows that fit a page."""
    if fits(table):
        yield Display(((table.symbol, f"{relation(table)} {matrix(table)}"),), names_of(table))
        return
    for (top, bottom), (start, end) in ((r, c) for r in row_blocks(table) for c in column_blocks(table)):
        rows = f"rows {top + 1}–{bottom}, " if bottom - top < len(table.cells) else ""
        cells = [row[start:end] for row in table.cells[top:bottom]]
        told = f"{table.name}, {rows}{columns_heading(start, end)}:"
        yield Display((("", array(cells)),), told, table.rows[top:bottom], table.columns[start:end])


def row_blocks(table: PageTable) -> list[tuple[int, int]]:
    return [(top, min(top + ROWS, len(table.cells))) for top in range(0, len(table.cells), ROWS)]


def column_blocks(table: PageTable) -> list[tuple[int, int]]:
    found, start, room = [], 0, WIDTH
    for j, width in enumerate(widths_of(table)):
        if j > start and width > room:
            found.append((start, j))
            start, room = j, WIDTH
        room -= width
    return [*found, (start, len(table.cells[0]))]


def names_of(table: PageTable) -> str:
    """Which names the rows and columns have, in words."""
    rows = f"rows: {', '.join(table.rows)}" if table.rows else ""
    columns = f"columns: {', '.join(table.columns)}" if table.columns else ""
    told = "; ".join(part for part in (rows, columns) if part)
    return f"{table.name}, {told}." if told else ""


def matrix(table: PageTable) -> str:
    """A table in LaTeX: a number as it is, anything else in brackets."""
    return number(table.cells[0][0]) if table.value.rank == 0 else array(table.cells)


def array(cells: Sequence[Sequence[str]], align: str = "r") -> str:
    rows = r" \\ ".join(" & ".join(number(cell) for cell in row) for row in cells)
    return rf"\left[\begin{{array}}{{{align * len(cells[0])}}} {rows} \end{{array}}\right]"


def number(shown: str) -> str:
    """A number as shown, in LaTeX.

    >>> number("-1/3"), number("−∞"), number("0.5"), number("4.2e-18")
    ('-\\\\frac{1}{3}', '-\\\\infty', '0.5', '4.2 \\\\cdot 10^{-18}')
    """
    sign, size = ("-", shown[1:]) if shown[:1] in "-−" else ("", shown)
    digits, tiny, exponent = size.partition("e-")
    if tiny:
        return rf"{sign}{digits} \cdot 10^{{-{exponent}}}"
    above, _, below = size.partition("/")
    size = rf"\frac{{{above}}}{{{below}}}" if below else size.replace("∞", r"\infty")
    return sign + size


def exact_displays(part: Part, table: PageTable) -> Iterator[Display]:
    """The exact forms: as a table, else one a line, else a word about them."""
    if part.exact is None:
        return
    short = [(i, j) for i, row in enumerate(part.exact) for j, form in enumerate(row) if form is not None]
    count = len(part.exact) * len(part.exact[0])
    widths = [max(typeset_width(form or "") for form in column) for column in zip(*part.exact, strict=True)]
    if len(short) == count and sum(widths) <= WIDTH and len(part.exact) <= ROWS:
        forms = [[latex(cell) for cell in row] for row in table.value.rows]
        written = forms[0][0] if table.value.rank == 0 else exact_array(forms)
        yield Display(((part.symbol, f"= {written}"),), "Exactly:")
    elif short and count <= EXACT_CELLS_LISTED:
        places = [(i, j) for i, j in short if not table.exactly[i][j]]
        yield Display(tuple((cell_symbol(part, table, i, j), f"= {latex(table.value[i, j])}") for i, j in places), "Exactly:")
    else:
        yield Display((), "The exact forms are too long for a line.")


def typeset_width(form: str) -> int:
    """About how many digits wide an exact form is on paper: a fraction stands above its denominator, powers are small.

    >>> typeset_width("√2 / 2"), typeset_width("e^(2) / (e^(2) + e^(3))"), typeset_width("1 + e^(2)")
    (3, 8, 6)
    """
    above, slash, below = form.partition(" / ")
    parts = [above, below] if slash and " / " not in below and not SUM.search(above) else [form]
    return max(len(SMALL_SIGNS.sub("", part)) for part in parts) + bool(slash)


def exact_array(forms: Sequence[Sequence[str]]) -> str:
    """Exact forms as an array between brackets."""
    rows = r" \\ ".join(" & ".join(row) for row in forms)
    return rf"\left[\begin{{array}}{{{'c' * len(forms[0])}}} {rows} \end{{array}}\right]"


def instance(part: Part, i: int, j: int, words: str) -> Display:
    """How one cell was made: as maths where it is arithmetic, else in words."""
    _, _, told = words.partition(" ")
    assert part.table is not None
    maths = arithmetic(told)
    if len(words) > SUM_LENGTH or not (maths.isascii() and is_arithmetic(told) and ARITHMETIC.fullmatch(told)):
        return Display((), words)
    return Display(((cell_symbol(part, part.table, i, j), maths),))


def cell_symbol(part: Part, table: PageTable, i: int, j: int) -> str:
    index = ("", f"{j + 1}", f"{i + 1},{j + 1}")[table.value.rank]
    if not index:
        return part.symbol
    simple = re.fullmatch(r"[A-Za-z]|\\mathrm\{[a-z]+\}", part.symbol)
    return f"{part.symbol}_{{{index}}}" if simple else rf"\left({part.symbol}\right)_{{{index}}}"


def arithmetic(told: str) -> str:
    """The plain text of a sum in LaTeX.

    >>> arithmetic("= e^(1.5) / √2 ≈ 3.17")
    '= e^{1.5} / \\\\sqrt{2} \\\\approx 3.17'
    """
    told = with_powers(told)
    told = re.sub(r"(?<=\d)e-(\d+)", r" \\cdot 10^{-\1}", told)
    told = re.sub(r"√(?:(\d+)|\(([^()]*)\))", lambda found: rf"\sqrt{{{found[1] or found[2]}}}", told)
    signs = {"·": r" \cdot ", "≈": r"\approx", "∞": r"\infty", "−": "-", "⌊": r"\lfloor ", "⌋": r"\rfloor ", "ln": r"\ln"}
    return re.sub("|".join(signs), lambda found: signs[found[0]], told)


def with_powers(told: str) -> str:
    """What stands in brackets after ^ raised as a whole, brackets inside it too.

    >>> with_powers("1 / (1 + e^(-(2·3 + 1)))")
    '1 / (1 + e^{-(2·3 + 1)})'
    """
    start = told.find("^(")
    if start < 0:
        return told
    depth = 0
    for end in range(start + 1, len(told)):
        depth += (told[end] == "(") - (told[end] == ")")
        if depth == 0:
            return f"{told[:start]}^{{{with_powers(told[start + 2 : end])}}}{with_powers(told[end + 1 :])}"
    return told
