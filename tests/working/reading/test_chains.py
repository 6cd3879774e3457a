"""Chains, sums, struck-out text, partial work, what is said about a working and what is not guessed."""

from fractions import Fraction

import pytest

from clearhead.working import Working, load_problem, work
from clearhead.working.reading import read_working
from clearhead.working.written import Reading

F = Fraction
WORKING: Working = work(load_problem("examples/self-attention"), round="exact")


def read(text: str) -> Reading:
    return read_working(text, WORKING.plan, worked=WORKING.values)


def values(reading: Reading, name: str) -> dict[tuple[int, int], object]:
    return {place: cell.value for place, cell in reading.steps[name].cells.items()} if name in reading.steps else {}


def test_a_cell_with_its_sum() -> None:
    reading = read(r"$$Q_{11} = (1 \cdot 0) + (-1 \cdot 1) + (0 \cdot -1/2) + (2 \cdot 1) = 1$$")
    cell = reading.steps["Q"].cells[0, 0]
    assert cell.value == 1
    assert cell.sum is not None
    assert cell.sum.terms == ((1, 0), (-1, 1), (0, F(-1, 2)), (2, 1))
    assert cell.sum.value == 1


def test_the_last_value_counts_and_the_sum_keeps_its_own() -> None:
    cell = read("Q_{12} = (1·1) + (-1·0) + (0·0) + (2·1) = 4").steps["Q"].cells[0, 1]
    assert cell.value == 4
    assert cell.sum is not None
    assert cell.sum.value == 3


def test_a_sum_in_two_stages_keeps_the_products() -> None:
    cell = read("Q_{12} = 1*1 + (-1)*0 + 0*0 + 2*1 = 1 + 0 + 0 + 2 = 3").steps["Q"].cells[0, 1]
    assert cell.sum is not None
    assert cell.sum.terms == ((1, 1), (-1, 0), (0, 0), (2, 1))


def test_a_sum_over_two_lines() -> None:
    cell = read("Q_{12} = 1*1 + (-1)*0 +\n   0*0 + 2*1 = 3").steps["Q"].cells[0, 1]
    assert cell.value == 3
    assert cell.sum is not None
    assert len(cell.sum.terms) == 4


def test_a_score_as_the_product_of_a_query_and_a_key() -> None:
    reading = read(r"$q_1 \cdot k_2 = 1 \cdot 2 + 3 \cdot (-1.5) = -2.5$ and q_3 k_1^T = 8.5")
    assert values(reading, "scores") == {(0, 1): F(-5, 2), (2, 0): F(17, 2)}


def test_cells_then_the_table_keep_the_sums() -> None:
    reading = read(
        "IW_Q = [[1, -1, 0, 2], [0, -1, 2, 1], [-2, 2, -1, 0]] [[0, 1], [1, 0], [-1/2, 0], [1, 1]]\n"
        "Q_{11} = (1·0) + (-1·1) + (0·-1/2) + (2·1) = 1\n"
        r"$= \begin{bmatrix} 1 & 3 \\ -1 & 1 \\ 2^{1/2} & -2 \end{bmatrix} = Q$"
    )
    step = reading.steps["Q"]
    assert step.shape == (3, 2)
    assert step.cells[0, 0].sum is not None
    assert step.cells[0, 0].line == 3
    assert step.cells[2, 0].otherwise == F(5, 2)
    assert reading.notes == ()


def test_a_product_of_tables_is_not_the_step() -> None:
    reading = read("Q = X W_Q = [[1, -1, 0, 2], [0, -1, 2, 1], [-2, 2, -1, 0]] [[0, 1], [1, 0], [-1/2, 0], [1, 1]]")
    assert reading.steps == {}


def test_a_table_of_symbols_is_not_the_step() -> None:
    assert read(r"$Q = \begin{bmatrix} Q_{11} & Q_{12} \\ Q_{21} & Q_{22} \\ Q_{31} & Q_{32} \end{bmatrix}$").steps == {}


def test_two_statements_on_a_line() -> None:
    table = r"\begin{bmatrix} 3 & -0.5 \\ 2 & -1.5 \\ -2.5 & 3.5 \end{bmatrix}"
    text = rf"$= {table} = K$, so $K^T = \begin{{bmatrix}} 3 & 2 & -2.5 \\ -0.5 & -1.5 & 3.5 \end{{bmatrix}}$"
    assert values(read(text), "K") == dict(
        zip(sorted(WORKING.values["K"].places()), [3, F(-1, 2), 2, F(-3, 2), F(-5, 2), F(7, 2)], strict=True)
    )


def test_struck_out_text_is_not_read() -> None:
    for text in (
        "~~$Q_{11} = 5$~~",
        "<del>Q_11 = 5</del>",
        r"\sout{Q_{11} = 5}",
        r"$\cancel{Q_{11} = 5}$",
        "<!-- Q_11 = 5 -->",
        "% Q_{11} = 5",
    ):
        assert read(text).steps == {}
    assert values(read("Q_{11} = ~~5~~ 1"), "Q") == {(0, 0): 1}


def test_partial_work_and_cells_left_out() -> None:
    reading = read("Q = [[1, ?], [_, 1], [2.5, ...]]\n\n| V | | |\n|--|--|--|\n| 1 | 2.5 | |\n| 2 | - | 3 |\n| 3 | … | -3 |")
    assert values(reading, "Q") == {(0, 0): 1, (1, 1): 1, (2, 0): F(5, 2)}
    assert values(reading, "V") == {(0, 0): F(5, 2), (1, 1): 3, (2, 1): -3}
    assert reading.steps["Q"].shape == (3, 2)
    assert reading.unreadable == ()


def test_steps_come_in_the_order_of_the_plan() -> None:
    assert list(read("V = [[1, 2], [3, 4], [5, 6]]\nQ = [[1, 2], [3, 4], [5, 6]]").steps) == ["Q", "V"]


def test_prose_is_ignored() -> None:
    text = """The role of the 3 queries is to look for keys. In 2017, softmax became popular: 8 heads, 64 columns.
    - Output token 1 attends to input token 3.
    - Output token 3 attends to input token 1 and 2.
    Scores above 5 are large; scores below 1 are small. See [1] and (2), or Table 3.
    Let d_k = 2. The matrix has 3 rows. We have Q = XW_Q, K = XW_K and V = XW_V.
    Each row of QK^T has 3 numbers."""
    reading = read(text)
    assert reading.steps == {}
    assert reading.unreadable == ()


def test_givens_are_not_steps() -> None:
    reading = read("X = [[1, -1, 0, 2], [0, -1, 2, 1], [-2, 2, -1, 0]]\nW_Q:\n0 1\n1 0\n-0.5 0\n1 1\n\nQuery weights\n0 1\n1 0")
    assert reading.steps == {}


def test_a_grid_under_an_unknown_heading_is_nobodys() -> None:
    reading = read("Scores:\n\nSomething else entirely:\n1 2 3\n4 5 6\n7 8 9")
    assert reading.steps == {}


def test_a_wrong_shape_is_kept_as_written() -> None:
    step = read("QK^T = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]").steps["scores"]
    assert step.shape == (3, 4)
    assert len(step.cells) == 12


def test_a_grid_of_the_wrong_width_or_height_is_a_grid() -> None:
    assert read("scores:\n1\n2\n3\n").steps["scores"].shape == (3, 1)
    assert read("scores:\n1 2 3\n").steps["scores"].shape == (1, 3)
    assert read("scores:\nAll of them add up to\n1.\n\n1 2 3\n4 5 6\n7 8 9\n").steps["scores"].shape == (3, 3)


def test_ragged_rows_are_said() -> None:
    reading = read("QK^T = [[1, 2, 3], [4, 5], [7, 8, 9]]")
    assert len(reading.steps["scores"].cells) == 8
    assert "3, 2, 3 cells" in reading.notes[0].text


def test_the_last_table_counts_and_that_is_said() -> None:
    reading = read("A = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n\nA = [[0, 0, 1], [0, 0, 1], [0.6, 0.4, 0]]")
    assert values(reading, "weights")[0, 0] == 0
    assert "line 1" in reading.notes[0].text
    assert reading.notes[0].line == 3


def test_what_cannot_be_read_is_reported_with_its_line() -> None:
    reading = read("Let us begin.\n\nQ = [[1, 3], [-1, 1l], [2.5, -2]]\nV_{11} = 2.5.5\n")
    assert reading.steps["Q"].unreadable == {(1, 1): "1l"}
    assert {(note.step, note.line) for note in reading.unreadable} == {("Q", 3), ("V", 4)}
    assert len(reading.steps["Q"].cells) == 5


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("weights = 0.5 [[1, 0, 0], [0, 1, 0], [0, 0, 1]]", 1),
        ("\nOutput ≈ [0.21]", 2),
        ("Q_{111} = 3", 1),
        ("Q_{41} = 3", 1),
        ("Q[7][7] = 3\nQ[0][0] = 1", 1),
        ("Q_{11} = 1,234", 1),
    ],
)
def test_what_is_ambiguous_or_out_of_reach_is_reported(text: str, line: int) -> None:
    reading = read(text)
    assert [note.line for note in reading.unreadable] == [line]


def test_counting_is_decided_by_the_values_where_no_index_tells() -> None:
    one, zero = read("scores[1][1] = 1.5"), read("scores[1][1] = -3.5")
    assert list(values(one, "scores")) == [(0, 0)]
    assert list(values(zero, "scores")) == [(1, 1)]


def test_one_step_from_0_and_words_from_1() -> None:
    reading = read("scores[0][1] = 0.0\nscores[2][2] = 4\nQ\nRow 1: 1 3\nRow 3: 2.5 -2")
    assert list(values(reading, "scores")) == [(0, 1), (2, 2)]
    assert list(values(reading, "Q")) == [(0, 0), (0, 1), (2, 0), (2, 1)]


def test_without_worked_values_shapes_are_not_needed() -> None:
    reading = read_working("Q = [[1, 3], [-1, 1]]\nK_{21} = 4", WORKING.plan)
    assert reading.steps["Q"].shape == (2, 2)
    assert list(reading.steps["K"].cells) == [(1, 0)]


def test_a_working_is_never_executed(tmp_path: object) -> None:
    reading = read(
        "Q = __import__('os').system('echo 1')\nK = [[exec('1'), 2], [3, 4], [5, 6]]\nV = eval('[[1,2],[3,4],[5,6]]')"
    )
    assert "Q" not in reading.steps
    assert (0, 0) not in values(reading, "K")
