"""PDF: made without LaTeX, with its title, the same bytes each time, whatever is written in it."""

import re
import zlib

from clearhead.working import Working, work
from clearhead.working.render import render
from clearhead.working.render.formats.pdf import source
from clearhead.working.render.maths.typst_maths import typst_maths


def test_every_working_becomes_a_pdf(working: Working) -> None:
    data = render(working, "pdf")
    assert isinstance(data, bytes)
    assert data.startswith(b"%PDF-")
    assert data.rstrip().endswith(b"%%EOF")


def test_the_title_is_in_it() -> None:
    data = render(work("examples/self-attention"), "pdf")
    assert isinstance(data, bytes)
    streams = re.findall(rb"stream\r?\n(.*?)endstream", data, flags=re.DOTALL)
    opened = data + b"".join(zlib.decompressobj().decompress(s) for s in streams if s[:1] == b"\x78")
    wanted = "Self-attention over three tokens"
    assert wanted.encode() in opened or wanted.encode("utf-16-be") in opened


def test_two_runs_give_the_same_bytes() -> None:
    assert render(work("examples/self-attention"), "pdf") == render(work("examples/self-attention"), "pdf")


def test_it_is_on_paper_of_a_known_size_and_says_what_the_page_says() -> None:
    written = source(work("examples/self-attention"))
    assert '#set page(paper: "a4"' in written
    assert "Every step rounded to 2 decimals" in written
    assert 'mat(delim: "[", 1.00, 3.00; \\- 1.00, 1.00; 2.50, \\- 2.00)' in written.replace("−", "\\-")


def test_formulas_in_typst_keep_their_commas_and_brackets() -> None:
    assert typst_maths(r"\frac{a, b}{(c}") == r"frac(a \, b, \( c)"
    assert typst_maths(r"\left[\begin{array}{r} 1 \\ 2 \end{array}\right]") == 'mat(delim: "[", 1; 2)'
