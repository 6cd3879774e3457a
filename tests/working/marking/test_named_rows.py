"""What has the name and the size of a step is that step: its rows are no columns, its columns not one another, nor headings."""

import math

from clearhead.working import load_problem
from clearhead.working.marking import Mark, Marker
from clearhead.working.reading import read_working
from clearhead.working.reading.hypotheses.evidence import tells
from clearhead.working.reading.numbers.amounts import Amount, read_amount

ONES = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]  # so that Q, K and V are the weights themselves
W_Q, W_K = [["3/10", "-13/20"], ["-5/2", -4], ["7/2", 1]], [["1/4", 2], [3, "-3/4"], ["5/2", "9/8"]]
W_V = [["-31/16"], ["-3/2"], [-6]]


def marked(given: dict[str, object], text: str, **options: object) -> Mark:
    marker = Marker(load_problem({"kind": "attention", "given": given, "options": options}))
    return marker.mark(read_working(text, marker.key.plan, worked=marker.key.exact))


def verdicts(mark: Mark, name: str) -> list[str]:
    return [cell.verdict for step in mark.steps if step.name == name for cell in step.cells]


def test_rows_that_are_all_alike_are_not_columns_of_something_else() -> None:
    given = {"Q": [[0], [0], [0]], "K": [[1], [2], [5]], "V": [["1/3", 2], ["1/3", 5], ["1/3", 7]]}
    rows = "".join(f"Row {k}: [1/3, 1/3, 1/3]\n" for k in (1, 2, 3))
    mark = marked(
        given, f"scores:\n{'Row 1: [0, 0, 0]'}\nRow 2: [0, 0, 0]\nRow 3: [0, 0, 0]\n\nweights:\n{rows}", mask="causal"
    )
    assert mark.first_error is not None
    assert (mark.first_error.step, mark.first_error.cell, mark.first_error.slip) == ("weights", (0, 0), "no-mask")
    assert verdicts(mark, "weights")[-3:] == ["right"] * 3


def test_fractions_one_below_the_other_have_no_headings() -> None:
    grid = "Q:\n    3/10  -13/20\n    -5/2      -4\n     7/2       1\n"
    mark = marked({"X": ONES, "W_Q": W_Q, "W_K": W_K, "W_V": W_V}, grid)
    assert verdicts(mark, "Q") == ["right"] * 6
    named = "      one     two\nQ\n cat    3/10  -13/20\n dog    -5/2      -4\n"
    assert mark.first_error is None
    assert marked({"X": ONES, "W_Q": W_Q, "W_K": W_K, "W_V": W_V}, named).first_error is None


def test_a_list_of_numbers_is_a_step_of_one_column() -> None:
    text = "**值矩阵 V**\n\n- Row 1: (-31/16)\n- Row 2: [-3/2]\n- Row 3: (-6)\n"
    mark = marked({"X": ONES, "W_Q": W_Q, "W_K": W_K, "W_V": W_V}, text)
    assert verdicts(mark, "V") == ["right"] * 3
    assert mark.first_error is None


def test_columns_that_changed_places_are_seen_in_a_table_that_counts_its_columns() -> None:
    page = "**Q**\n\n| | 1 | 2 |\n|---|---|---|\n| **1** | {} | {} |\n| **2** | {} | {} |\n| **3** | {} | {} |\n\n"
    keys = "**K**\n\nK = [[1/4, 2], [3, -3/4], [5/2, 9/8]]\n\n**V**\n\nV = [[-31/16], [-3/2], [-6]]\n"
    given = {"X": ONES, "W_Q": W_Q, "W_K": W_K, "W_V": W_V}
    right = marked(given, page.format("3/10", "-13/20", "-5/2", "-4", "7/2", "1") + keys)
    assert verdicts(right, "Q") == ["right"] * 6
    swapped = marked(given, page.format("-13/20", "3/10", "-4", "-5/2", "1", "7/2") + keys)
    assert swapped.first_error is not None
    assert (swapped.first_error.step, swapped.first_error.slip) == ("Q", "swapped-columns")


def test_no_number_tells_of_minus_infinity() -> None:
    cell = read_amount("0.25")
    assert isinstance(cell, Amount)
    assert tells(cell, 0.25)
    assert not tells(cell, -math.inf)
