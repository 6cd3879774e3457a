"""What a first look by labels leaves open or gets wrong, and the values on the page put right: small pages."""

from clearhead.working import load_problem
from clearhead.working.marking import Mark, Marker
from clearhead.working.reading import read_working

Q, K, V = [[1, 0], [0, 1], [1, 1]], [[0, 2], [1, 1], [1, 1]], [[5, 2], [4, 3], [1, 5]]
GIVEN = {"Q": Q, "K": K, "V": V}  # scores: 0 1 1; 2 1 1; 2 2 2


def marked(given: dict[str, object], page: str, **options: object) -> Mark:
    marker = Marker(load_problem({"kind": "attention", "given": given, "options": options}))
    return marker.mark(read_working(page, marker.key.plan, worked=marker.key.exact))


def verdicts(mark: Mark, name: str) -> list[str]:
    return [cell.verdict for step in mark.steps if step.name == name for cell in step.cells]


def got(mark: Mark, name: str) -> list[str]:
    return [cell.got.strip(".") for step in mark.steps if step.name == name for cell in step.cells]


def test_each_chain_of_a_line_has_its_own_sum() -> None:
    page = """Word one asks: q1·k1 = 1·0 + 0·2 = 0, then q1·k2 = 1·1 + 0·1 = 1, and q1·k3 = 1·1 + 0·1 = 1.

Word two: q2·k1 = 0·0 + 1·2 = 2, q2·k2 = 0·1 + 1·1 = 1, q2·k3 = 0·1 + 1·1 = 1.
"""
    mark = marked(GIVEN, page, scale=False)
    assert mark.first_error is None
    assert verdicts(mark, "scores") == ["right"] * 6


def test_a_sum_that_does_not_add_up_is_still_seen() -> None:
    page = "q1·k1 = 1·0 + 0·2 = 0, q1·k2 = 1·1 + 0·1 = 1, q1·k3 = 1·1 + 0·1 = 1.\n\n"
    page += "q2·k1 = 0·0 + 1·2 = 3, q2·k2 = 0·1 + 1·1 = 1.\n"
    mark = marked(GIVEN, page, scale=False)
    assert mark.first_error is not None
    assert (mark.first_error.step, mark.first_error.cell) == ("scores", (1, 0))


def test_chinese_commas_and_colons_part_what_they_part() -> None:
    page = """## 打分

“甲”：$q_1\\cdot k_1=0$，$q_1\\cdot k_2=1\\times 1+0\\times 1=1$，$q_1\\cdot k_3=1\\times 1+0\\times 1=1$。

“乙”：$q_2\\cdot k_1=2$，$q_2\\cdot k_2=0\\times 1+1\\times 1=1$，$q_2\\cdot k_3=0\\times 1+1\\times 1=1$。

“丙”：$q_3\\cdot k_1=2$，$q_3\\cdot k_2=1\\times 1+1\\times 1=2$，$q_3\\cdot k_3=1\\times 1+1\\times 1=2$。
"""
    mark = marked(GIVEN, page, scale=False)
    assert mark.first_error is None
    assert got(mark, "scores") == ["0", "1", "1", "2", "1", "1", "2", "2", "2"]


def test_shares_between_bars_are_a_list() -> None:
    page = """### Softmax

- **row 1**
  - weights: 0.155 / 0.422 / 0.422
- **row 2**
  - weights: 0.576 / 0.212 / 0.212
"""
    mark = marked(GIVEN, page, scale=False)
    assert verdicts(mark, "weights") == ["right"] * 6


def test_all_heads_side_by_side() -> None:
    heads = [
        {"W_Q": [[1, 2], [3, 5]], "W_K": [[1, 0], [0, 1]], "W_V": [[2], [7]]},
        {"W_Q": [[4, 0], [6, 2]], "W_K": [[3, 1], [2, 4]], "W_V": [[1], [9]]},
    ]
    page = "Q = [[1, 2, 4, 0], [3, 5, 6, 2]]\n\nLeft of the middle is head 1, right of it head 2.\n"
    mark = marked({"X": [[1, 0], [0, 1]], "heads": heads}, page)
    assert got(mark, "Q1") == ["1", "2", "3", "5"]
    assert got(mark, "Q2") == ["4", "0", "6", "2"]
    assert mark.first_error is None


def test_words_behind_a_number_may_speak_of_the_next() -> None:
    given = {"Q": [["9/10", 1]], "K": [["17/20", "9/10"], ["11/20", "-1/2"]], "V": [[1], [2]], "tokens": ["it", "hat"]}
    page = """Now score *it* against each word and divide by √2 (about 1.414):

* it → it: 0.90×0.85 + 1.00×0.90 = 1.665, after scaling **1.177**
* it → hat: 0.90×0.55 + 1.00×(-0.50) = -0.005, after scaling **-0.004**
"""
    del given["tokens"]
    assert marked(given, page).first_error is None


def test_scores_that_were_turned_are_wrong_if_the_weights_follow_from_them() -> None:
    given = {
        "tokens": ["moon", "rises", "late"],
        "Q": [[1, 1], [0, 2], [1, 0]],
        "K": [[2, 2], [2, 0], [1, 2]],
        "V": [[1], [2], [4]],
    }
    # right: 4 2 3; 4 0 4; 2 2 1
    page = """# Scores

|       | moon | rises | late |
|-------|------|-------|------|
| moon  | 4 | 4 | 2 |
| rises | 2 | 0 | 2 |
| late  | 3 | 4 | 1 |

# Weights

|       | moon | rises | late |
|-------|------|-------|------|
| moon  | 0.446 | 0.446 | 0.108 |
| rises | 0.446 | 0.108 | 0.446 |
| late  | 0.306 | 0.620 | 0.074 |
"""
    mark = marked(given, page)
    assert mark.first_error is not None
    assert (mark.first_error.step, mark.first_error.cell) == ("scores", (0, 1))
    assert verdicts(mark, "weights") == ["follows"] * 9


def test_a_table_taken_for_one_step_is_no_other_on_its_later_lines() -> None:
    given = {"X": [[1, 2], [3, 1]], "W_Q": [[1, 0], [0, 1]], "W_K": [[0, 1], [1, -1]], "W_V": [[2, 1], [0, 1]]}
    page = """ Q = X W_Q :   ( 1  2 )   ( 3  1 )
 V = X W_V :   ( 2  3 )   ( 6  4 )

 divided by sqrt(2) = 1.4142:

      0.0000    3.5355
      3.5355    3.5355
"""
    mark = marked(given, page)
    assert mark.first_error is None
    assert verdicts(mark, "scaled") == ["right"] * 4
