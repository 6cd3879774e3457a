"""A working as a LaTeX document that compiles as it is, with amsmath and nothing else."""

import unicodedata
from collections.abc import Iterator

from clearhead.working.render.maths.latex_tree import GREEK, SIGNS
from clearhead.working.render.page.equations import Display, part_displays, table_displays
from clearhead.working.render.page.layout import page_of
from clearhead.working.steps import Working

HEAD = r"""\documentclass[11pt]{article}
\usepackage{amsmath}
\setlength{\oddsidemargin}{-0.2in}
\setlength{\textwidth}{6.9in}
\setlength{\topmargin}{-0.5in}
\setlength{\textheight}{9.3in}
\setlength{\parindent}{0pt}
\setlength{\parskip}{4pt}
\allowdisplaybreaks
\begin{document}
"""
SPECIALS = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "%": r"\%", "&": r"\&", "_": r"\_", "#": r"\#", "$": r"\$",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": "$<$", ">": "$>$", "|": "$|$", '"': "''",
    "“": "``", "”": "''", "‘": "`", "’": "'", "–": "--", "—": "---", "…": r"\dots{}", "√": r"$\surd$", "ᵀ": r"$^\top$",
    "−": "$-$", "²": "$^2$", "½": r"$\frac12$", "\u00a0": "~",
}  # fmt: skip
ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0307": ".",
    "\u0308": '"',
    "\u030c": "v ",
    "\u0327": "c ",
}
MATHS = {
    sign: rf"$\{name}$" for name, sign in [*SIGNS.items(), *GREEK.items()] if name.isalpha() and sign and not sign.isascii()
}


def render(working: Working) -> str:
    """A document that compiles as it is."""
    return "\n".join(lines(working))


def fragment(working: Working) -> str:
    """Only the equations, as a notebook shows them."""
    page = page_of(working)
    rows = [line for part in page.parts for display in part_displays(working, part) for line in display.lines]
    body = " \\\\\n".join(f"{left} &{right}" for left, right in rows)
    return f"$$\\begin{{aligned}}\n{body}\n\\end{{aligned}}$$"


def lines(working: Working) -> Iterator[str]:
    page = page_of(working)
    yield HEAD
    yield rf"\section*{{{escaped(page.title)}}}"
    yield escaped(page.policy)
    yield r"\subsection*{Given}"
    for table in page.givens:
        for display in table_displays(table):
            yield from shown(display)
    for part in page.parts:
        yield rf"\subsection*{{{part.number}. {escaped(part.heading)}}}"
        yield escaped(part.step.why)
        for display in part_displays(working, part):
            yield from shown(display)
    yield r"\subsection*{Answer}"
    for table in page.answers:
        for display in table_displays(table):
            yield from shown(display)
    if page.observations:
        yield r"\subsection*{Observations}"
        yield r"\begin{itemize}"
        yield from (rf"\item {escaped(line)}" for line in page.observations)
        yield r"\end{itemize}"
    yield r"\end{document}" + "\n"


def shown(display: Display) -> Iterator[str]:
    if display.words:
        yield f"\n{escaped(display.words)}\n"
    if display.lines:
        rows = " \\\\\n".join(f"{left} &{right}" for left, right in display.lines)
        yield f"\\begin{{align*}}\n{rows}\n\\end{{align*}}"


def escaped(words: str) -> str:
    r"""Words in what every LaTeX engine can set; a sign that none of its fonts has is told by its number.

    >>> escaped("50% é"), escaped("日")
    ("50\\% \\'{e}", '[U+65E5]')
    """
    return "".join(written(sign) for sign in words)


def written(sign: str) -> str:
    if sign in SPECIALS:
        return SPECIALS[sign]
    if sign.isascii():
        return sign
    if sign in MATHS:
        return MATHS[sign]
    base, marks = (parts := unicodedata.normalize("NFD", sign))[0], parts[1:]
    if base.isascii() and base.isalpha() and marks in ACCENTS:
        dotless = rf"\{base}" if base in "ij" else base
        return rf"\{ACCENTS[marks]}".rstrip() + f"{{{dotless}}}"
    return f"[U+{ord(sign):04X}]"
