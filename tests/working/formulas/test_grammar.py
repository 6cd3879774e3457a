"""How formulas are read: what binds how tightly, what is refused, and that nothing is ever run."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.errors import ClearheadError
from clearhead.working import work
from clearhead.working.formulas.functions.table_of_operations import FUNCTIONS
from clearhead.working.formulas.text.grammar import parse
from clearhead.working.formulas.text.tree import text

NAMES = ["A", "B", "C", "x", "b", "C̃", "ŷ"]


@pytest.mark.parametrize(
    ("formula", "bracketed"),
    [
        ("A B / x C", "(A B) / (x C)"),
        ("A B + C", "(A B) + C"),
        ("A - B - C", "(A - B) - C"),
        ("A / B / C", "(A / B) / C"),
        ("-A B", "-(A B)"),
        ("-A^2", "-(A^2)"),
        ("A B^T", "A (B^T)"),
        ("A ⊙ B + C", "(A ⊙ B) + C"),
        ("A B ⊙ C", "(A B) ⊙ C"),
        ("A @ B @ C", "(A B) C"),
        ("x (A + B)", "x @ (A + B)"),
        ("A [B, C]", "A @ [B, C]"),
        ("A[1, :] B", "(A[1, :]) B"),
        ("√2 A", "(sqrt(2)) A"),
        ("1/2 A B", "(1/2) A B"),  # a half, as one writes it
        ("1 / 2 A", "1 / (2 A)"),
        ("A/2 B", "A / (2 B)"),
        ("1 / x B", "1 / (x B)"),
        ("½ A + ¾ B", "0.5 A + 0.75 B"),
        ("A ∘ B ⋅ C", "A ⊙ B · C"),
        ("A/1/2", "(A / 1) / 2"),
        ("B + 3/4 (A + B)", "B + (3/4) (A + B)"),
        ("C̃ ŷ", "C̃ @ ŷ"),
        ("exp(-A / 2)", "exp((-A) / 2)"),
        ("A.*B − C", "(A ⊙ B) - C"),
    ],
)
def test_what_binds_more_tightly(formula: str, bracketed: str) -> None:
    assert text(parse(formula, NAMES, FUNCTIONS)) == text(parse(bracketed, NAMES, FUNCTIONS))


@pytest.mark.parametrize(
    "formula",
    [
        "A B^T / sqrt(2)",
        "softmax(A B + b)",
        "A ⊙ (1 - A^2)",
        "[A, B; C, x]",
        "A[1..2, 3]",
        "-(A + B) C",
        "1e-8 + A",
        "A - (B - C)",
        "A + max(B, C) - min(A B, C)",
        "B + relu(A - B)",
    ],
)
def test_a_tree_is_written_so_that_it_reads_the_same(formula: str) -> None:
    once = text(parse(formula, NAMES, FUNCTIONS))
    assert text(parse(once, NAMES, FUNCTIONS)) == once


GIVEN = {"x": [[1, 2, 3]], "W": [[1, 2], [3, 4]], "b": [1, 2], "c": [[1], [2]], "n": 3}


@pytest.mark.parametrize(
    ("formula", "sentence"),
    [
        ("x W", "x is 1×3 and W is 2×2"),
        ("W b", "did you mean W b^T?"),
        ("W + c", "a column is not repeated by itself; write c ones(1, 2)"),
        ("W * c", "* goes cell by cell"),
        ("x + W", "cell by cell they must be equal"),
        ("sofmax(W)", "did you mean softmax?"),
        ("w W", "did you mean W?"),
        ("softmax W", "needs brackets"),
        ("log(W)", "write ln, log2 or log10"),
        ("W T", "a transpose is written A^T"),
        ("W[3]", "has no row 3"),
        ("W[0, 1]", "has no row 0"),
        ("b[3]", "has no column 3"),
        ("(W", "')' is missing"),
        ("W)", "')' is not expected"),
        ("W^b", "a power needs a number"),
        ("", "is empty"),
        ("W if W else b", "if at character 3"),
        ("__import__('os')", "has no meaning"),
        ("W.T", "a transpose A^T"),
        ("W'", "a transpose is written W^T"),
        ("W**2", "a power is written with ^"),
        ("W^-1", "one over each cell is 1/W"),
        ("1/n sum(x)", "write (1/n) sum… or 1/(n sum…)"),
        ("e^x", "write exp(x)"),
        ("mean(W, axis=0)", "rowsum or colsum says along what"),
        ("W[1:2]", "written 1..2"),
        ("W[0]", "counted from 1"),
        ("‖x‖", "write norm(x)"),
        ("W_{1,2}", "a cell is A[1, 2]"),
        ("softmax(c)", "colsoftmax"),
        ("reshape(W, 3, 1)", "which are not 3×1"),
        ("topk(W)", "topk takes 2 things"),
        ("topk(W, b)", "a plain number"),
        ("ones(1000, 1000)", "cannot be made"),
        ("W " * 300, "at most 400"),
        ("(" * 60 + "W" + ")" * 60, "deep"),
        ("W / 0", "divided by 0"),
        ("ln(-1)", "not real"),
    ],
)
def test_what_is_refused_says_what_came_where_and_what_to_try(formula: str, sentence: str) -> None:
    with pytest.raises(ClearheadError) as refused:
        work({"kind": "formula", "given": GIVEN, "steps": {"u": formula}})
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


@given(st.text(alphabet="AWxbnc+-*/^@⊙ᵀT()[],;:.12 softmaxexplnsumfor'\"=_", max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_text_is_worked_or_refused_in_one_line(formula: str) -> None:
    said = ""
    try:
        work({"kind": "formula", "given": GIVEN, "steps": {"u": formula}})
    except ClearheadError as refused:
        said = str(refused)
    assert "\n" not in said
