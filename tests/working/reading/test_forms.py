"""Every form in which people write a table, a row or a cell, each with a case by hand: the same six numbers come out."""

from fractions import Fraction
from functools import cache

import pytest

from clearhead.working import Working, load_problem, work
from clearhead.working.reading import read_working
from clearhead.working.written import Reading

HALF = Fraction(1, 2)
Q = {(0, 0): 1, (0, 1): 3, (1, 0): -1, (1, 1): 1, (2, 0): 5 * HALF, (2, 1): -2}


@cache
def worked(example: str = "examples/self-attention") -> Working:
    return work(load_problem(example), round="exact")


def read(text: str, example: str = "examples/self-attention") -> Reading:
    working = worked(example)
    return read_working(text, working.plan, worked=working.values)


def values(reading: Reading, name: str) -> dict[tuple[int, int], object]:
    step = reading.steps.get(name)
    return {} if step is None else {place: cell.value for place, cell in step.cells.items()}


TABLES = {
    "bmatrix": r"$$Q = \begin{bmatrix} 1 & 3 \\ -1 & 1 \\ 2.5 & -2 \end{bmatrix}$$",
    "pmatrix over lines": "\\[\nQ = \\begin{pmatrix}\n1 & 3 \\\\\n-1 & 1 \\\\\n\\frac{5}{2} & -2 \\\\\n\\end{pmatrix}\n\\]",
    "array in brackets": r"$Q = \left[ \begin{array}{cc} 1 & 3 \\ -1 & 1 \\ 5/2 & -2 \end{array} \right]$.",
    "bold name": r"$\mathbf{Q} = \begin{bmatrix} 1 & 3 \\ -1 & 1 \\ \tfrac52 & -2 \end{bmatrix}$",
    "formula on the left": r"$XW_Q = \begin{bmatrix} 1 & 3 \\ -1 & 1 \\ 2\frac{1}{2} & -2 \end{bmatrix}$",
    "name on the right": r"$XW_Q = \begin{bmatrix} 1 & 3 \\ -1 & 1 \\ 2½ & -2 \end{bmatrix} = Q$",
    "a product before it": r"""$I W_Q = \begin{bmatrix} 1 & -1 & 0 & 2 \\ 0 & -1 & 2 & 1 \\ -2 & 2 & -1 & 0 \end{bmatrix}
        \begin{bmatrix} 0 & 1 \\ 1 & 0 \\ -1/2 & 0 \\ 1 & 1 \end{bmatrix}
        = \begin{bmatrix} Q_{11} & Q_{12} \\ Q_{21} & Q_{22} \\ Q_{31} & Q_{32} \end{bmatrix}
        = \begin{bmatrix} 1 & 3 \\ -1 & 1 \\ 5/2 & -2 \end{bmatrix} = Q$""",
    "aligned": r"\begin{align*} Q &= X W_Q \\ &= \begin{bmatrix} 1 & 3 \\ -1 & 1 \\ 2.5 & -2 \end{bmatrix} \end{align*}",
    "several names": r"$Q = K = \begin{bmatrix} 1 & 3 \\ -1 & 1 \\ 2.5 & -2 \end{bmatrix}$",
    "boxed": r"$Q = \boxed{\begin{bmatrix} 1 & 3 \\ -1 & 1 \\ 2.5 & -2 \end{bmatrix}}$",
    "words before it": r"So we get the matrix $Q = \begin{bmatrix} 1 & 3 \\ -1 & 1 \\ 2.5 & -2 \end{bmatrix}$, as expected.",
    "heading, then display": "## 2. Queries\n\n$$\n\\begin{bmatrix} 1 & 3 \\\\ -1 & 1 \\\\ 2.5 & -2 \\end{bmatrix}\n$$",
    "grid under a label": "Q:\n1 3\n-1 1\n2.5 -2\n",
    "grid under a sentence": "Now we compute the queries:\n\n  1.0   3.0\n -1.0   1.0\n  2.5  -2.0\n",
    "grid with commas": "Query matrix Q\n1, 3\n-1, 1\n2.5, -2",
    "grid with tabs": "Q =\n1\t3\n-1\t1\n5/2\t-2",
    "grid beside its label": "Q = [  1   3 ]\n    [ -1   1 ]\n    [2.5  -2 ]",
    "grid with bars": "Q = |  1   3 |\n    | -1   1 |\n    |2.5  -2 |",
    "grid with drawn brackets": "Q = ⎡ 1    3⎤\n    ⎢−1    1⎥\n    ⎣2.5  −2⎦",
    "mixed numbers in a grid": "Q:\n1 3\n-1 1\n2 1/2 -2",
    "one sign for a fraction in a grid": "Q:\n1 3\n−1 1\n2½ −2",
    "blank lines between the rows": "Q:\n\n1 3\n\n-1 1\n\n2.5 -2\n",
    "Markdown table": "**Q**\n\n| | c1 | c2 |\n|---|---|---|\n| row 1 | 1 | 3 |\n| row 2 | -1 | 1 |\n| row 3 | 2.5 | -2 |",
    "counted rows in Markdown": "### Q\n|   | 1 | 2 |\n|---|---|---|\n| 1 | 1 | 3 |\n| 2 | -1 | 1 |\n| 3 | 2.5 | -2 |",
    "Markdown table, empty heading": "Q:\n\n|  |  |\n|--|--|\n| 1 | 3 |\n| -1 | 1 |\n| 2.5 | -2 |",
    "Markdown table that begins with its first row": "Q:\n\n| 1 | 3 |\n|--|--|\n| -1 | 1 |\n| 2.5 | -2 |",
    "Markdown table with its name inside": "| Q | a | b |\n|---|---|---|\n| 1 | 1 | 3 |\n| 2 | -1 | 1 |\n| 3 | 2.5 | -2 |",
    "HTML table": "<p>Q =</p>\n<table><tr><td>1</td><td>3</td></tr>\n<tr><td>-1</td><td>1</td></tr>"
    "<tr><td>5/2</td><td>&minus;2</td></tr></table>",
    "numpy": "import numpy as np\nQ = np.array([[1, 3], [-1, 1], [2.5, -2]])",
    "numpy over lines": "Q = np.array([\n    [1, 3],   # first\n    [-1, 1],\n    [5/2, -2],\n], dtype=float)",
    "numpy printed": "Q:\n[[ 1.   3. ]\n [-1.   1. ]\n [ 2.5 -2. ]]",
    "torch printed": "Q = tensor([[ 1.0000,  3.0000],\n        [-1.0000,  1.0000],\n        [ 2.5000, -2.0000]])",
    "Python list": "Q = [[1, 3], [-1, 1], [2.5, -2]]",
    "list of tuples": "Q = [(1, 3), (-1, 1), (2.5, -2)]",
    "small name": "q = [[1, 3], [-1, 1], [2.5, -2]]",
    "MATLAB": "Q = [1 3; -1 1; 2.5 -2];",
    "MATLAB with commas": "Q = [1, 3; -1, 1; 5/2, -2]",
    "MATLAB over lines": "Q = [ 1   3\n     -1   1\n    2.5  -2 ]",
    "code fence": "```python\nQ = [[1, 3], [-1, 1], [2.5, -2]]\n```",
    "printed in comments": "```python\nQ = X @ W_Q\n# [[ 1. ,  3. ],\n#  [-1. ,  1. ],\n#  [ 2.5, -2. ]]\n```",
    "printed in comments, with remarks": "Q:\n# tensor([[1, 3],  # token 0\n#   [-1, 1],  # token 1\n#   [2.5, -2]])",
    "transpose": r"$Q^T = \begin{bmatrix} 1 & -1 & 2.5 \\ 3 & 1 & -2 \end{bmatrix}$",
}
ROWS = {
    "small letters": "q_1 = [1, 3]\nq_2 = [-1, 1]\nq_3 = [2.5, -2]",
    "small letters, LaTeX": r"$\mathbf{q}_1 = (1, 3)$, $\mathbf{q}_2 = (-1, 1)$, $\mathbf{q}_3 = (5/2, -2)$",
    "small letters, transposed": "$q_1^T = [1, 3]$\n$q_2^\\top = [-1\\; 1]$\n$q_{3}^{T} = [2.5 , -2]$",
    "column vectors": r"$q_1 = \begin{bmatrix} 1 \\ 3 \end{bmatrix}$, "
    r"$q_2 = \begin{bmatrix} -1 \\ 1 \end{bmatrix}$, $q_3 = \begin{bmatrix} 2.5 \\ -2 \end{bmatrix}$",
    "capital letters": "Q_1 = [1, 3]\nQ_2 = [-1, 1]\nQ_3 = [2.5, -2]",
    "rows in words": "Q\nRow 1: 1, 3\nRow 2: -1, 1\nRow 3: 2.5, -2",
    "rows of": "Row 1 of Q: [1, 3]\nRow 2 of Q: [-1, 1]\nRow 3 of Q: [2.5, -2]",
    "Python rows": "Q[0] = [1, 3]\nQ[1] = [-1, 1]\nQ[2] = [2.5, -2]",
    "MATLAB rows": "Q(1,:) = [1 3]\nQ(2,:) = [-1 1]\nQ(3,:) = [2.5 -2]",
    "worked out": "q_1 = x_1 W_Q = [1, 3]\nq_2 = x_2 W_Q = [-1, 1]\nq_3 = x_3 W_Q = [2.5, -2]",
    "counted rows": "Q:\n1: 1 3\n2: -1 1\n3: 2.5 -2",
    "arrows": "Q:\nrow 1 → [1, 3]\nrow 2 → [-1, 1]\nrow 3 → [2.5, -2]",
}
CELLS = {
    "LaTeX": "Q_{{{i}{j}}} = {v}",
    "LaTeX with a comma": "$Q_{{{i},{j}}} = {v}$",
    "no braces": "Q_{i}{j} = {v}",
    "run together": "Q{i}{j} = {v}",
    "brackets": "Q[{i},{j}] = {v}",
    "small letter": "$q_{{{i}{j}}} = {v}$",
    "MATLAB": "Q({i},{j}) = {v};",
    "boxed": r"$Q_{{{i}{j}}} = \boxed{{{v}}}$",
    "colon": "- Q_{i}{j}: {v}",
    "approximately": r"$Q_{{{i}{j}}} \approx {v}$",
    "bold": r"$\mathbf{{Q}}_{{{i}{j}}} = {v}$.",
    "formula of the step": "(XW_Q)_{{{i}{j}}} = {v}",
    "a check mark": "Q_{{{i}{j}}} = {v} ✓",
    "words behind": "Q_{{{i}{j}}} = {v} (checked twice)",
}


@pytest.mark.parametrize("form", TABLES)
def test_a_table_is_read_whole(form: str) -> None:
    reading = read(TABLES[form])
    assert values(reading, "Q") == Q, reading
    assert reading.steps["Q"].shape == (3, 2)
    assert reading.unreadable == ()


@pytest.mark.parametrize("form", ROWS)
def test_rows_are_read(form: str) -> None:
    reading = read(ROWS[form])
    assert values(reading, "Q") == Q, reading
    assert reading.unreadable == ()


@pytest.mark.parametrize("form", CELLS)
def test_cells_are_read(form: str) -> None:
    text = "\n".join(CELLS[form].format(i=i + 1, j=j + 1, v=v) for (i, j), v in Q.items())
    reading = read(text)
    assert values(reading, "Q") == Q, reading
    assert reading.unreadable == ()


@pytest.mark.parametrize("text", ["Q[{i}][{j}] = {v}", "Q[{i}, {j}] = {v}", "Q_{{{i}{j}}} = {v}", "Q_{i},{j} = {v}"])
def test_counting_from_0_is_recognised_and_said(text: str) -> None:
    reading = read("\n".join(text.format(i=i, j=j, v=v) for (i, j), v in Q.items()))
    assert values(reading, "Q") == Q
    assert any("counted from 0" in note.text for note in reading.notes)


LABELS = {
    "scores": [r"QK^T", r"Q K^{\top}", r"\mathbf{Q}\mathbf{K}^\top", r"S", r"\text{Scores}", "scores", "Attention scores",
    "Q @ K.T",
               r"Q \cdot K^T", "QKᵀ", "Q*K'", "Step 3: scores", "raw_scores"],
    "weights": [r"\text{softmax}(QK^T)", r"\mathrm{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right)",
    "softmax(QK^T / sqrt(d_k))", "A", "P",
                r"\text{Attention map}", "attention weights", "attention_weights", r"\alpha",
                "Attention Weights (softmax of each row)",
                r"\operatorname{softmax}(S)", "weights", "softmax(scores)", r"\text{Softmax}(QK^T) = \text{Attention map}"],
    "output": ["Z", "O", "Output", "output tokens", r"\text{Output} = \text{softmax}(QK^T)V", "A V", "PV",
    "attention output", "Z = AV"],
    "K": ["K", "Keys", r"\mathbf{K}", "X W_K", r"IW_K", r"X \cdot W_K", "X @ W_K", "X*W_K", "XW_{K}"],
    "V": ["V", "values", "Values:", "X W_V"],
}  # fmt: skip


@pytest.mark.parametrize(("name", "label"), [(name, label) for name, labels in LABELS.items() for label in labels])
def test_a_step_has_many_names(name: str, label: str) -> None:
    rows, columns = worked().values[name].shape
    table = [[i * columns + j for j in range(columns)] for i in range(rows)]
    latex = r" \\ ".join(" & ".join(map(str, row)) for row in table)
    expected = {(i, j): table[i][j] for i in range(rows) for j in range(columns)}
    equals = "" if label.endswith(":") else " ="
    assert values(read(rf"${label}{equals} \begin{{bmatrix}} {latex} \end{{bmatrix}}$"), name) == expected
    assert values(read(f"{label}{equals} {table}"), name) == expected


@pytest.mark.parametrize(
    "label", ["B", "W_Q", "X", "M", "QK", "gradient of Q", "Q^2", "d_k", "my Q squared", "norm of K", "Input tokens"]
)
def test_a_wrong_label_is_not_read_as_a_step(label: str) -> None:
    reading = read(rf"${label} = \begin{{bmatrix}} 1 & 3 \\ -1 & 1 \\ 2 & -2 \end{{bmatrix}}$")
    assert reading.steps.keys() <= ({"scores"} if label == "QK" else set())
