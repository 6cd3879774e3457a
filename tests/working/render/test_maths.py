"""The reader of formulas: whatever stands there, MathML that is well-formed and Typst that compiles come out."""

import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.working.render.maths.mathml import mathml
from clearhead.working.render.maths.typst_maths import typst_maths

TOKENS = [
    "x", "W", "12", "0.5", "+", "-", "=", "(", ")", "[", ",", ";", "|", "'", "/", "<", "&", '"', "#", " ",
    r"\frac{a}{b}", r"\sqrt{2}", r"\sum", r"\ln", r"\hat{y}", r"\mathrm{softmax}", r"\partial", r"\top", r"\quad", r"\,",
    r"\left(", r"\right)", r"\left[\begin{array}{rr} 1 & 2 \\ 3 & 4 \end{array}\right]", "^", "_", "{", "}", r"\%", r"\nosuch",
]  # fmt: skip
formulas = st.lists(st.sampled_from(TOKENS), max_size=12).map("".join)


@settings(deadline=None)
@given(formulas | st.text(max_size=20))
def test_mathml_is_always_well_formed(formula: str) -> None:
    written = mathml(formula)
    if not any(ord(c) < 32 or 0xD7FF < ord(c) < 0xE000 or c in "\ufffe\uffff" for c in written):
        assert ElementTree.fromstring(written).tag.endswith("math")


@settings(deadline=None, max_examples=40)
@given(formulas)
def test_typst_always_compiles(formula: str) -> None:
    import typst

    assert typst.compile(f"$ {typst_maths(formula)} $".encode(), format="pdf").startswith(b"%PDF")


@pytest.mark.parametrize(
    ("latex", "typst"),
    [
        (r"\lim_{T \to 0^+} x", r'op("lim")_(T → 0^(+)) x'),
        (r"\mathrm{a}_1", r'upright("a")_(1)'),
        (r"\left\lfloor x \right\rfloor", "⌊ x ⌋"),
        (r"W_{Q}^\top", "W_(Q)^(⊤)"),
    ],
)
def test_formulas_as_typst_writes_them(latex: str, typst: str) -> None:
    assert typst_maths(latex) == typst
