"""LaTeX and Markdown: whole, balanced, every sign one that plain LaTeX can set; compiled for real where LaTeX is."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from clearhead.working import Working, work
from clearhead.working.render import render
from clearhead.working.render.formats.latex import escaped
from clearhead.working.render.formats.markdown import escaped as escaped_in_markdown
from clearhead.working.render.maths.latex_tree import unknown_commands
from clearhead.working.render.page.equations import part_displays
from clearhead.working.render.page.layout import page_of
from oracle.latex_faults import faults


def test_every_document_is_without_fault(working: Working) -> None:
    assert faults(str(render(working, "latex"))) == []


@pytest.mark.parametrize(
    ("break_it", "into"),
    [
        (r"\end{array}", ""),
        (r"\right]", "]"),
        ("}", ""),
        (r"\begin{align*}", r"\begin{bmatrix*}"),
        (r"\section*", "50% of # "),
        (r"\section*{", r"\section*{a_b "),
        (r"\section*{", r"\section*{{"),
        (r"\section*{", r"\section*{ŷ "),
    ],
)
def test_the_checker_rejects_a_broken_document(break_it: str, into: str) -> None:
    whole = str(render(work("examples/self-attention"), "latex"))
    assert break_it in whole
    assert faults(whole.replace(break_it, into, 1)) != []


def test_it_loads_amsmath_and_nothing_else(working: Working) -> None:
    assert re.findall(r"\\usepackage.*", str(render(working, "latex"))) == [r"\usepackage{amsmath}"]


def test_words_are_escaped() -> None:
    assert escaped("100% of A_1 & {b}") == r"100\% of A\_1 \& \{b\}"
    assert escaped("\\") == r"\textbackslash{}"
    assert escaped("é ŷ θ 👍") == r"\'{e} \^{y} $\theta$ [U+1F44D]"


def test_the_substitution_stands_between_formula_and_value() -> None:
    written = str(render(work("examples/self-attention"), "latex"))
    q = written[written.index("{1. Q}") : written.index("{2. K}")]
    assert r"Q &= X W_{Q} = \left[\begin{array}{rrrr} 1 & -1 & 0 & 2 \\" in q
    assert r"-0.5 & 0 \\ 1 & 1 \end{array}\right] = \left[\begin{array}{rr} 1.00 & 3.00 \\ -1.00 & 1.00 \\ 2.50 & -2.00" in q


@pytest.mark.slow
def test_it_compiles_as_it_is(working: Working, tmp_path: Path) -> None:
    if not shutil.which("pdflatex"):
        pytest.skip("there is no pdflatex here")
    (tmp_path / "w.tex").write_text(str(render(working, "latex")), encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "w.tex"], cwd=tmp_path, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:].decode("utf-8", "replace")
    assert (tmp_path / "w.pdf").stat().st_size > 1000


def test_every_formula_is_of_the_dialect_that_html_and_pdf_can_draw(working: Working) -> None:
    parts = page_of(working).parts
    assert [name for part in parts for name in unknown_commands(f"{part.symbol} = {part.step.latex}")] == []
    assert unknown_commands(r"\nosuchsign") == ["nosuchsign"]


def test_markdown_has_its_maths_in_fences_that_close(working: Working) -> None:
    written = str(render(working, "markdown"))
    fences = re.findall(r"^```.*$", written, flags=re.MULTILINE)
    assert fences[0::2] == ["```math"] * (len(fences) // 2)
    assert fences[1::2] == ["```"] * (len(fences) // 2)
    for block in re.findall(r"```math\n(.*?)\n```", written, flags=re.DOTALL):
        assert block.count("{") == block.count("}")
        assert block.count(r"\begin") == block.count(r"\end")
        assert block.count(r"\left") == block.count(r"\right")


def test_markdown_outside_the_maths_is_words_only() -> None:
    assert escaped_in_markdown("<b> *x* [a](b) `c` $d$ |") == r"\<b\> \*x\* \[a\](b) \`c\` \$d\$ \|"


def test_markdown_of_the_problem_set() -> None:
    written = str(render(work("examples/self-attention"), "markdown"))
    assert written.startswith("# Self-attention over three tokens\n\nEvery step rounded to 2 decimals")
    assert r"\left[\begin{array}{rr} -2.00 & -3.00 \\ -2.00 & -3.00 \\ 1.17 & 0.21 \end{array}\right]" in written


def test_no_line_of_a_formula_breaks_a_fraction_in_two(working: Working) -> None:
    for part in page_of(working).parts:
        for display in part_displays(working, part):
            for sides in display.lines:
                assert all(side.count("{") - side.count(r"\{") == side.count("}") - side.count(r"\}") for side in sides)
