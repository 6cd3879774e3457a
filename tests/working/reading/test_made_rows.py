"""Rows that show what they were made from, and other evidence than a label: small pages, each with one that must not pass."""

import numpy as np
import pytest

from clearhead.working import load_problem
from clearhead.working.marking import Mark, Marker
from clearhead.working.reading import read_working
from clearhead.working.reading.files.markup import SWALLOWED
from clearhead.working.reading.files.tables import Tables, take_tables

Q, K, V = [[1, 0], [0, 1], [1, 1]], [[2, 0], [1, 1], [0, 1]], [[4, 1], [0, 3], [2, 5]]
ATTENTION: dict[str, object] = {"kind": "attention", "given": {"Q": Q, "K": K, "V": V}, "options": {"scale": False}}
SCORES = np.array(Q) @ np.array(K).T
WEIGHTS = np.exp(SCORES) / np.exp(SCORES).sum(1, keepdims=True)


def marked(problem: dict[str, object], page: str) -> Mark:
    marker = Marker(load_problem(problem))
    return marker.mark(read_working(page, marker.key.plan, worked=marker.key.exact))


def cells(mark: Mark, name: str) -> dict[tuple[int, int], tuple[str, str]]:
    """What was read for a step and its verdict, by row and column from 1."""
    steps = [step for step in mark.steps if step.name == name]
    return {(cell.cell[0] + 1, cell.cell[1] + 1): (cell.got, cell.verdict) for step in steps for cell in step.cells}


def listed(row: np.ndarray) -> str:
    return "[" + ", ".join(f"{one:.3f}" for one in row) + "]"


def test_what_a_softmax_makes_of_a_row_is_that_row_whatever_it_comes_to() -> None:
    page = "It comes out like this:\n\n- softmax([2, 1, 0]) ≈ [0.605, 0.245, 0.150]\n"  # 0.665, 0.245, 0.090
    assert {place: verdict for place, (_, verdict) in cells(marked(ATTENTION, page), "weights").items()} == {
        (1, 1): "wrong",
        (1, 2): "right",
        (1, 3): "wrong",
    }


@pytest.mark.parametrize("argument", ["[3, 1, 0]", "[2, 1, 0] / 2", "[2, 1]"])
def test_a_softmax_of_something_else_accuses_nobody(argument: str) -> None:
    assert marked(ATTENTION, f"- softmax({argument}) ≈ [0.605, 0.245, 0.150]\n").first_error is None


def added_up(last: str) -> str:
    parts = [f"{share:.3f} × {vector}" for share, vector in zip(WEIGHTS[0], V, strict=True)]
    terms = [listed(np.round(float(f"{share:.3f}") * np.array(v), 3)) for share, v in zip(WEIGHTS[0], V, strict=True)]
    return "For the first word:\n\n    = " + "\n    + ".join(parts) + "\n    = " + " + ".join(terms) + f"\n    = {last}\n"


def test_vectors_added_up_over_several_lines_are_a_row_of_the_output() -> None:
    shares = np.array([float(f"{one:.3f}") for one in WEIGHTS[0]])
    mark = marked(ATTENTION, added_up(listed(shares @ np.array(V))))
    assert set(cells(mark, "output")) == {(1, 1), (1, 2)}
    assert mark.first_error is None
    wrong = marked(ATTENTION, added_up("[2.840, 1.950]"))
    assert wrong.first_error is not None
    assert (wrong.first_error.step, wrong.first_error.cell) == ("output", (0, 1))


def test_only_compared_is_not_accused() -> None:
    causal = {**ATTENTION, "options": {"scale": False, "mask": "causal"}}
    first = "[" + " ".join(f"{one:.3f}" for one in WEIGHTS[0]) + "]"
    page = f"Token: first\nAttention ohne Maske: {first}\nAttention mit Maske: [1. 0. 0.]\n"
    assert marked(causal, page).first_error is None
    rows = "".join(f"Row {number}: {listed(row)}\n" for number, row in enumerate(WEIGHTS, start=1))
    plain = marked(causal, f"weights:\n{rows}")
    assert plain.first_error is not None
    assert plain.first_error.slip == "no-mask"


def test_of_two_examples_the_one_with_the_problems_own_numbers_is_marked() -> None:
    problem = {"kind": "perplexity", "given": {"probabilities": [0.6, 0.3, 0.1]}, "options": {"base": 2}}
    own = "Cross-entropy = -(log(0.6) + log(0.3) + log(0.1)) / 3 = {0}\nPerplexity = 2^{0} = {1}\n"
    other = (
        "\nAnother sentence:\n\nCross-entropy = -(log(0.7) + log(0.25) + log(0.05)) / 3 = 2.279\nPerplexity = 2^2.279 = 4.853\n"
    )
    mark = marked(problem, own.format("1.89", "3.706") + other)
    assert cells(mark, "mean_log")[1, 1] == ("1.89", "wrong")
    fine = marked(problem, own.format("1.932", "3.816") + other)
    assert cells(fine, "mean_log")[1, 1] == ("1.932", "right")
    assert fine.first_error is None


BACKWARD = {
    "kind": "formula",
    "given": {"x": 0.5, "t": 1, "v1": 0.2, "v2": 0.4},
    "steps": {
        "z": "x * v1 + x * v2",
        "delta_h": "(t - z) * z",
        "new_v1": "v1 + delta_h * x",
        "new_v2": "v2 + 0.5 * delta_h * x",
        "dL_dz": "2 * delta_h",
    },
}  # z = 0.3, delta_h = 0.21, new_v1 = 0.305, new_v2 = 0.4525, dL_dz = 0.42


def test_two_updates_on_one_line_are_two() -> None:
    page = "z = 0.3\ndelta_h = 0.21\nv1(new)=0.305, v2(new)=0.4525\ndL_dz = 0.42\n"
    assert marked(BACKWARD, page).first_error is None
    wrong = marked(BACKWARD, page.replace("0.305", "0.395"))
    assert wrong.first_error is not None
    assert (wrong.first_error.step, wrong.first_error.got) == ("new_v1", "0.395")


def test_greek_letters_and_slopes_name_steps() -> None:
    mark = marked(BACKWARD, "z = 0.3\n\nδ_h = (1 − 0.3) · 0.3 = 0.21\n\n∂L/∂z = 2 · 0.21 = 0.42\n")
    assert cells(mark, "delta_h")[1, 1] == ("0.21", "right")
    assert cells(mark, "dL_dz")[1, 1] == ("0.42", "right")


def test_lists_parted_by_semicolons_are_rows_where_commas_are_points() -> None:
    one = {"kind": "attention", "given": {"Q": [[1, 0]], "K": K, "V": V}, "options": {"scale": False}}
    page = "K = [[2,0], [1,1], [0,1]]\n\nsoftmax([2 ; 1 ; 0]) = [0,665 ; 0,245 ; 0,090]   (somme = 1)\n\n"
    page += "sortie = 0,665·[4,1] + 0,245·[0,3] + 0,090·[2,5] = [2,84 ; 1,85]\n"
    mark = marked(one, page)
    assert [verdict for _, verdict in cells(mark, "weights").values()] == ["right"] * 3
    assert [got for got, _ in cells(mark, "output").values()] == ["2,84", "1,85"]
    assert mark.first_error is None


NET = {
    "kind": "convolution",
    "given": {"input": [3, 20, 20]},
    "options": {"layers": [{"op": "convolution", "filters": 7, "kernel": 3}, {"op": "max", "kernel": 2}]},
}


@pytest.mark.parametrize(
    "page",
    [
        "**Output shape:** 18 × 18 × 7\n\n**Output shape:** 9 × 9 × 7\n",
        "conv: (B, 7, 18, 18)\n\npool: (B, 7, 9, 9)\n",
        "layer      input       kernel     map        weights\n"
        "conv1      20*20*3     3*3*3*7    18*18*7    (3*3*3+1)*7\n"
        "pool1      18*18*7     1*2*2*1    9*9*7      -\n"
        "flat       9*9*7       -          567        -\n",
    ],
)
def test_sizes_as_people_lay_them_out(page: str) -> None:
    mark = marked(NET, page)
    assert [cells(mark, name)[1, k][0] for name in ("size1", "size2") for k in (1, 2, 3)] == ["7", "18", "18", "7", "9", "9"]
    assert mark.first_error is None


def test_vectors_side_by_side_under_their_headings() -> None:
    given = {"tokens": ["cat", "sat", "mat"], "X": [[1, 2], [0, 1], [3, 1]], "W_Q": [[0.5, 1], [1, 0.25]]}
    given |= {"W_K": [[1, 0.5], [0.25, 2]], "W_V": [[2, 1], [0.5, 3]]}
    q, k, v = (np.array(given["X"]) @ np.array(given[name]) for name in ("W_Q", "W_K", "W_V"))
    rows = "".join(
        f"{t}:  {listed(a)}  {listed(b)}  {listed(c)}\n" for t, a, b, c in zip(given["tokens"], q, k, v, strict=True)
    )
    page = f"         Q              K              V\n{'─' * 60}\n{rows}"
    mark = marked({"kind": "attention", "given": given}, page)
    assert [verdict for name in ("Q", "K", "V") for _, verdict in cells(mark, name).values()] == ["right"] * 18


def printed(rows: np.ndarray) -> str:
    """A matrix as a program's comment, with words in the margin of each row."""
    lines = [", ".join(f"{cell:.2f}" for cell in row) for row in rows]
    return f"# [[{lines[0]}],    word 1, most like K1\n#  [{lines[1]}],    word 2\n#  [{lines[2]}]]    word 3\n"


def test_words_in_the_margin_of_rows_are_not_their_names() -> None:
    page = f"```python\nweights = softmax(scores)\n{printed(WEIGHTS)}```\n"
    mark = marked(ATTENTION, page)
    assert {verdict for _, verdict in cells(mark, "weights").values()} == {"right"}
    assert len(cells(mark, "weights")) == 9
    off = WEIGHTS.copy()
    off[1] = [0.30, 0.50, 0.20]
    other = cells(marked(ATTENTION, page.replace(printed(WEIGHTS), printed(off))), "weights")
    assert {at for at, (_, verdict) in other.items() if verdict != "right"} == {(2, 1), (2, 2), (2, 3)}


def test_a_table_taken_out_of_its_wrapper_keeps_its_line_ends() -> None:
    page = "Q = np.array([[1, 0],\n  [0, 1],\n  [1, 1]])\n\nS = (tensor([[2, 1],\n  [0, 1]]))\nT = 1\n"
    taken = take_tables(page, Tables())
    assert taken.count("\n") + taken.count(SWALLOWED) == page.count("\n")


def test_scaled_values_under_the_name_of_scores_are_unsure_and_others_wrong() -> None:
    problem: dict[str, object] = {"kind": "attention", "given": {"Q": [[3, 0], [0, 1]], "K": [[3, 0], [0, 1]], "V": [[1], [2]]}}
    page = "With these: score[0,0]={}, score[0,1]={}\nsoftmax([6.364, 0]) = [0.9971, 0.0029]\n"
    scaled = marked(problem, page.format("9/√2", "0"))
    assert scaled.first_error is None or scaled.first_error.step == "weights"
    assert {verdict for _, verdict in cells(scaled, "scores").values()} <= {"unsure", "right"}
    wrong = marked(problem, page.format("8", "0"))
    assert wrong.first_error is not None
    assert wrong.first_error.step == "scores"
