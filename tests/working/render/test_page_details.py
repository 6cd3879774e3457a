"""What annoyed people on a page: each thing once, as they saw it."""

import re
from typing import Any

import pytest

from clearhead import work
from clearhead.cli import main
from clearhead.working.render import render
from clearhead.working.render.maths.mathml import mathml
from clearhead.working.render.page.layout import page_of

EYE = [[1, 0], [0, 1]]


def attention(**more: Any) -> Any:
    return work(kind="attention", **{"Q": [[3, 1], [1, 2]], "K": EYE, "V": EYE, "scale": False, **more})


def test_a_shared_largest_weight_is_nobodys() -> None:
    told = attention(Q=[[0, 0], [0, 0]]).observations
    assert "No output looks most at its own position." in told
    assert "Every output looks most at its own position." in attention(Q=[[3, 0], [0, 3]]).observations


def test_three_thirds_are_one() -> None:
    told = work(kind="attention", Q=[[0], [0], [0]], K=[[1], [2], [3]], V=[[1], [1], [1]]).observations[0]
    assert told.endswith("the weights add up to 1.0000 each over the 3 rows.")


def test_an_exponent_of_two_factors_stands_in_brackets() -> None:
    assert "e^(100√2)" in str(attention(Q=[[200, 0]], K=[[1, 0], [0, 0]], scale=True))


def test_a_temperature_that_is_a_fraction_is_not_divided_twice() -> None:
    page = str(attention(temperature="1/3"))
    assert "softmax(scores / (1/3))" in page
    assert "e^(3/(1/3))" in page
    assert "softmax(scores / 0.01)" in str(attention(temperature="1/100"))


def test_the_mask_of_a_formula_is_defined() -> None:
    assert r"M_{ij} = 0 \text{ where } j \le i" in str(render(attention(mask="causal"), "latex"))


@pytest.mark.parametrize("form", ["html", "pdf"])
def test_the_style_of_the_picture_is_that_of_the_page(form: str, tmp_path: Any) -> None:
    pages = []
    for style in ("connections", "heatmap"):
        out = tmp_path / f"{style}.{form}"
        assert main(["work", "examples/self-attention", "--picture-style", style, "--out", str(out)]) == 0
        pages.append(out.read_bytes())
    assert pages[0] != pages[1]


def test_the_cell_that_is_worked_is_one_that_teaches() -> None:
    working = attention(Q=[[0, 0], [1, 2]], mask="causal")
    told = {part.step.name: part.teaching for part in page_of(working).parts}
    assert told["scores"] == (1, 1)
    assert told["weights"] == (1, 0)
    assert "scores[2,2] = 1·0 + 2·1 = 2" in str(working)


def test_what_only_repeats_the_cell_is_not_told() -> None:
    assert "Q1[1,1]" not in str(attention(heads=2))


def test_a_weight_that_is_neither_0_nor_1_does_not_say_so() -> None:
    weights = page_of(attention(Q=[[12, 0]])).parts[1].table
    assert weights is not None
    assert weights.cells[0] == ("0.99999", "0.00001")
    assert page_of(attention(Q=[[12, 0]], round=2)).parts[1].table.cells[0] == ("1.00", "0.00")  # type: ignore[union-attr]


def page(**more: Any) -> str:
    return str(render(attention(**more), "html"))


def test_formulas_stand_left_and_names_are_set_as_maths() -> None:
    written = str(render(work("examples/gradient-network"), "html"))
    assert 'display="block"' not in written
    assert (
        "<math><mfrac><mrow><mo>∂</mo><mi>J</mi></mrow><mrow><mo>∂</mo><msub><mi>W</mi><mn>2</mn></msub></mrow></mfrac></math></h2>"
        in written
    )
    why = re.findall(r'<p class="why">(.*?)</p>', written)
    assert not any(re.search(r"\bd_\w|y_hat|W_\w", re.sub(r"<math>.*?</math>", "", line)) for line in why)


def test_a_hidden_cell_looks_hidden_and_every_step_has_its_name() -> None:
    written = page(mask="causal")
    assert re.search(r'<td[^>]*class="hidden"[^>]*>−∞</td>', written)
    assert re.findall(r'data-step="(\w+)"', written) == ["scores", "masked", "weights", "output"]


def test_round_brackets_grow_with_the_table_inside() -> None:
    assert '<span class="op">softmax</span><span class="bracket left">(</span>' in page()


def test_maths_keeps_the_spaces_of_words_and_a_minus_its_number() -> None:
    assert mathml(r"0 \text{ where } x") == "<math><mrow><mn>0</mn><mtext>\u00a0where\u00a0</mtext><mi>x</mi></mrow></math>"
    assert '<mo form="prefix">−</mo><mi mathvariant' not in mathml("a - b")
    assert mathml("a - b").count('form="prefix"') == 0
    assert mathml(r"= -\infty").count('<mo form="prefix">−</mo>') == 1


def test_a_pdf_of_three_heads_is_short_and_names_its_rows_and_columns() -> None:
    from clearhead.working.render.formats.pdf import source

    x = [[1, 0, 2], [0, 1, -1], [1, 1, 0]]
    working = work(kind="attention", tokens=["the", "cat", "sat"], X=x, W_Q=x, W_K=x, W_V=x, heads=3)
    maps = [step for step in working.plan.steps if step.columns]  # scores, scaled, weights
    rows = len(working.steps) + 2  # every step, X and the answer
    assert source(working).count('[#"cat"]') == rows + len(maps)
    pages = len(re.findall(rb"/Type\s*/Page\b", bytes(render(working, "pdf"))))  # type: ignore[arg-type]
    assert pages <= 7


def test_a_wide_table_in_blocks_names_rows_and_columns_of_each() -> None:
    from clearhead.working.render.formats.pdf import source

    x = [[n % 3 - 1, n % 5 - 2] for n in range(12)]
    names = [f"t{n}" for n in range(12)]
    page = source(work(kind="attention", tokens=names, Q=x, K=x, V=x))
    assert page.count("weights, columns") == 2
    assert page.count('[#"t11"]), 12,') < page.count('[#"t11"]), ')  # a block of fewer columns has the last name above it
    assert bytes(render(work(kind="attention", tokens=names, Q=x, K=x, V=x), "pdf")).startswith(b"%PDF")  # type: ignore[arg-type]


def test_a_weight_that_is_hardly_anything_is_not_shown_as_nothing() -> None:
    working = work(kind="attention", Q=[[40, 0], [0, 1]], K=[[1, 0], [-1, 1]], V=[[1, 0], [0, 1]])
    page = str(render(working, "text"))
    assert "⎡ 1 - 2.7e-25       2.7e-25 ⎤" in page  # e^(-40√2)
    assert r"1 - 2.7 \cdot 10^{-25} & 2.7 \cdot 10^{-25}" in str(render(working, "latex"))
    assert "below 1e-1000" in str(render(work(kind="attention", Q=[[4000]], K=[[1], [-1]], V=[[1], [2]]), "text"))


def test_softmaxes_that_are_no_heads_are_called_by_their_names() -> None:
    tree = {"kind": "formula", "given": {"x": [[1, 2], [0, 1]]}, "steps": {"p": "softmax(x)", "q": "softmax(2 x)"}}
    drawn = str(work(tree).picture())
    assert drawn.count(">p<") == drawn.count(">q<") == 1
    assert "Head" not in drawn
    two = work(kind="attention", X=[[1, 0], [0, 1]], W_Q=[[1, 0], [0, 1]], W_K=[[1, 0], [0, 1]], W_V=[[1, 0], [0, 1]], heads=2)
    assert "Head 2" in str(two.picture())
