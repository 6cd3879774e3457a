"""Heads, tokens, the decoder and the other kinds: labels are decided by the plan."""

from fractions import Fraction
from typing import Any

import pytest

from clearhead.exact.decimals import as_float
from clearhead.working import load_problem, work
from clearhead.working.reading import read_working
from clearhead.working.render import render
from clearhead.working.written import Reading

HEAD = {"W_Q": [[1, 0], [0, 1], [1, 1]], "W_K": [[1, 1], [0, 1], [0, 1]], "W_V": [[2, 0], [0, 2], [1, 0]]}
TWO_HEADS: dict[str, Any] = {
    "kind": "attention",
    "given": {
        "tokens": ["cat", "sat"],
        "X": [[1, 0, 2], [0, 1, -1]],
        "heads": [HEAD, {**HEAD, "W_Q": [[0, 1], [1, 0], [1, 1]]}],
        "W_O": [[1, 0], [0, 1], [1, 1], [0, 0]],
    },
    "options": {"mask": "causal"},
}
ONE_HEAD: dict[str, Any] = {"kind": "attention", "given": {"tokens": ["cat", "sat"], "X": [[1, 0, 2], [0, 1, -1]], **HEAD}}
TABLE = {(0, 0): 1, (0, 1): 2, (1, 0): 3, (1, 1): 4}


def read(text: str, problem: "dict[str, Any] | str") -> Reading:
    working = work(load_problem(problem), round="exact")
    return read_working(text, working.plan, worked=working.values)


def values(reading: Reading, name: str) -> dict[tuple[int, int], object]:
    return {place: cell.value for place, cell in reading.steps[name].cells.items()} if name in reading.steps else {}


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Q_1", "Q1"), ("Q^{(2)}", "Q2"), ("Q2", "Q2"), (r"\mathbf{K}^{(1)}", "K1"), ("Q_2 K_2^T", "scores2"),
        (r"Q^{(1)} (K^{(1)})^\top", "scores1"), (r"\text{softmax}\left(\frac{Q_2K_2^T}{\sqrt{d_k}}\right)", "weights2"),
        (r"\frac{Q_1K_1^T}{\sqrt{2}}", "scaled1"), ("head_2", "output2"), (r"\text{head}_1", "output1"), ("Z_1", "output1"),
        ("A^{(2)}", "weights2"), ("Scores (head 2)", "scores2"), ("Masked scores, head 1", "masked1"), ("V for head 2", "V2"),
    ],
)  # fmt: skip
def test_a_head_is_named_in_many_ways(label: str, name: str) -> None:
    reading = read(f"{label} = [[1, 2], [3, 4]]", TWO_HEADS)
    assert values(reading, name) == TABLE, reading


def test_a_heading_says_which_head() -> None:
    text = "## Head 1\nQ = [[1, 2], [3, 4]]\n### Keys\n1 2\n3 4\n## Second head\nQ = [[1, 2], [3, 4]]\nq_2 = [3, 5]\nA_{12} = 0"
    reading = read(text, TWO_HEADS)
    assert values(reading, "Q1") == values(reading, "K1") == TABLE
    assert values(reading, "Q2") == {**TABLE, (1, 1): 5}
    assert values(reading, "weights2") == {(0, 1): 0}


def test_concatenation_and_projection() -> None:
    reading = read("Concat = [[1, 2, 3, 4], [5, 6, 7, 8]]\nMultiHead = [[1, 2], [3, 4]]", TWO_HEADS)
    assert reading.steps["heads"].shape == (2, 4)
    assert values(reading, "projected") == TABLE


@pytest.mark.parametrize("text", ["Q = [[1, 2], [3, 4]]", "q_1 = [1, 2]", "A_{12} = 0"])
def test_a_missing_head_is_asked_for_not_guessed(text: str) -> None:
    reading = read(text, TWO_HEADS)
    assert reading.steps == {}
    assert "which head" in reading.unreadable[0].text


@pytest.mark.parametrize(
    "text",
    ["Q\ncat → [1, 2]\nsat → [3, 4]", "Q:\ncat: 1 2\nsat: 3 4", "Q =\n     a  b\ncat  1  2\nsat  3  4",
    "q_cat = [1, 2]\nq_{sat} = [3, 4]",
     "| Q | 1 | 2 |\n|---|---|---|\n| cat | 1 | 2 |\n| sat | 3 | 4 |", "Q[cat] = [1, 2]\nQ[sat] = [3, 4]",
     "q_1 = [1, 2]\nq_2 = [3, 4]"],
)  # fmt: skip
def test_rows_by_token(text: str) -> None:
    assert values(read(text, ONE_HEAD), "Q") == TABLE


def test_cells_by_token() -> None:
    assert values(read(r"$\alpha_{\text{cat},\text{sat}} = 0.25$", ONE_HEAD), "weights") == {(0, 1): Fraction(1, 4)}


def test_the_decoder_in_the_letters_of_a_textbook() -> None:
    text = r"""
    $\mathbf{Q} = \mathbf{K} = \mathbf{V} = \mathbf{X}\mathbf{W}_Q
        = \begin{bmatrix} 3 & 0 \\ 0 & 3 \\ 0 & 3 \\ 0 & 0 \\ 0 & 3 \\ 3 & 0 \\ 0 & 0 \end{bmatrix}$
    $$\begin{aligned}
        \mathbf{z}_3^\top &= [1, 2, 1, 2] \mathbf{E}^\top = [1, 2, 1, 2, 0, 0] \\
        \mathbf{z}_4 &= [3/4, 3/2]
    \end{aligned}$$
    $P(y_2 = \mathbf{C}) = \exp(2) / (3 \exp(2) + 1) = 0.3187$
    $P(y_7 = \langle \text{STOP} \rangle) = 1 / (\exp(1) + 1) = 0.2689.$
    $$\mathcal{L} = -\log P(y_2 = \mathbf{C}) - \log P(y_7 = \langle \text{STOP} \rangle) = 2.4568.$$
    """
    reading = read(text, "examples/sorter")
    assert values(reading, "Q") == values(reading, "K") == values(reading, "V")
    assert len(values(reading, "Q")) == 14
    assert values(reading, "logits") == {(2, j): v for j, v in enumerate((1, 2, 1, 2, 0, 0))}
    assert values(reading, "Z") == {(3, 0): Fraction(3, 4), (3, 1): Fraction(3, 2)}
    assert values(reading, "probabilities") == {(1, 2): Fraction(3187, 10000), (6, 5): Fraction(2689, 10000)}
    assert values(reading, "loss") == {(0, 0): Fraction(24568, 10000)}
    assert reading.unreadable == ()


@pytest.mark.parametrize(
    "text", ["loss = 4.2114", "Loss: 4.2114", "L = 4.2114", "The loss is L ≈ 4.2114.", "cross-entropy loss = 4.2114"]
)
def test_a_number_step(text: str) -> None:
    assert values(read(text, "examples/sorter"), "loss") == {(0, 0): Fraction(42114, 10000)}


def test_rows_that_share_a_token_are_filled_in_turn() -> None:
    reading = read("Q:\nD → [3, 0]\nA → [0, 3]\nA → [1, 3]\n<START> → [0, 0]\nA → [2, 3]", "examples/sorter")
    assert [values(reading, "Q")[row, 0] for row in range(5)] == [3, 0, 1, 0, 2]


def test_vectors_by_one_index() -> None:
    reading = read(
        "scaled = [2, 1.5, 1, 0.5]\nexponentials_2 = 4.48\nprobabilities:\n0.46 0.28 0.17 0.10\nsum = 16.24", "examples/softmax"
    )
    assert values(reading, "scaled") == {(0, 0): 2, (0, 1): Fraction(3, 2), (0, 2): 1, (0, 3): Fraction(1, 2)}
    assert values(reading, "exponentials") == {(0, 1): Fraction(112, 25)}
    assert len(values(reading, "probabilities")) == 4
    assert values(reading, "sum") == {(0, 0): Fraction(406, 25)}


@pytest.mark.parametrize(
    "text",
    ["scaled = np.array([2, 1.5, 1, 0.5])", "scaled = torch.tensor([2., 1.5, 1., 0.5], dtype=torch.float64)",
     "scaled = array([2, 3/2, 1, 1/2])"],
)  # fmt: skip
def test_a_vector_as_a_program_holds_it(text: str) -> None:
    assert values(read(text, "examples/softmax"), "scaled") == {
        (0, 0): 2,
        (0, 1): Fraction(3, 2),
        (0, 2): 1,
        (0, 3): Fraction(1, 2),
    }


def test_a_vector_with_a_number_too_many_keeps_its_first() -> None:
    reading = read("### scaled\n\n| | | | | |\n|---|---|---|---|---|\n| 0 | 1.5 | 1 | 0.5 | 2 |\n", "examples/softmax")
    assert reading.steps["scaled"].shape == (1, 5)


def test_a_vector_written_as_a_column() -> None:
    reading = read(r"$scaled = \begin{bmatrix} 2 \\ 1.5 \\ 1 \\ 0.5 \end{bmatrix}$", "examples/softmax")
    assert list(values(reading, "scaled")) == [(0, 0), (0, 1), (0, 2), (0, 3)]


EXAMPLES = (
    "self-attention",
    "cross-attention",
    "sorter",
    "sorter-two-heads",
    "softmax",
    "perplexity",
    "exam-net",
    "gradient-network",
)


@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.parametrize("form", ["text", "markdown", "latex", "json"])
@pytest.mark.parametrize("decimals", ["exact", 2])
def test_our_own_rendering_reads_back(example: str, form: str, decimals: "int | str") -> None:
    working = work(load_problem(f"examples/{example}"), round=decimals)
    written = render(working, form)
    reading = read_working(written, working.plan, worked=working.values)
    assert reading.unreadable == ()
    for step in working.plan.steps:
        if step.rule is None:
            continue
        value = working.values[step.name]
        cells = reading.steps[step.name].cells
        assert set(cells) == set(value.places()), step.name
        for place, cell in cells.items():
            right, got = as_float(value[place]), as_float(cell.value)
            assert got == right or abs(got - right) <= 0.51 * 10.0 ** -(9 if cell.decimals is None else cell.decimals)
