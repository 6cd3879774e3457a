"""What is made from what was not surely read is not called wrong; the same number is, where all before it was read."""

from fractions import Fraction

import pytest

from clearhead.working import load_problem
from clearhead.working.marking import Marker
from clearhead.working.marking.judge import Judge
from clearhead.working.marking.unsure.gaps import made_from_gaps
from clearhead.working.problem import Problem
from clearhead.working.reading import read_working
from clearhead.working.written import Reading, Written, WrittenStep

PROBLEM = {
    "kind": "attention",
    "given": {"Q": [[1, 0], [0, 2]], "K": [[1, 1], [2, 0]], "V": [[3, 0], [0, 5]]},
    "options": {"mask": "causal"},
}


def problem() -> Problem:
    return load_problem(PROBLEM)


def written(marker: Marker, **cells: dict[tuple[int, int], str]) -> Reading:
    """A reading of whole and partial tables, each number to its digits."""
    steps = {}
    for name, numbers in cells.items():
        made = {
            place: Written(text, Fraction(text) if text != "-inf" else float("-inf"), len(text.partition(".")[2]), None, 1)
            for place, text in numbers.items()
        }
        steps[name] = WrittenStep(name, made, None, 1, {})
    return Reading(steps, (), ())


def verdicts(marker: Marker, reading: Reading) -> tuple[Judge, frozenset[tuple[str, tuple[int, int]]]]:
    judge = Judge(marker.key, reading)
    return judge, made_from_gaps(judge, set())


WEIGHTS = {(0, 0): "1", (0, 1): "0", (1, 0): "0.80", (1, 1): "0.20"}
SCALED = {(0, 0): "0.71", (0, 1): "1.41", (1, 0): "1.41", (1, 1): "0.00"}
MASKED = {**SCALED, (0, 1): "-inf"}


def test_a_wrong_cell_is_wrong_where_all_before_it_was_read() -> None:
    marker = Marker(problem())
    judge, excused = verdicts(marker, written(marker, scaled=SCALED, masked=MASKED, weights=WEIGHTS, output={(1, 0): "9.00"}))
    assert judge.steps["output"].cells[1, 0].verdict == "wrong"
    assert not excused


def test_and_unsure_where_a_cell_that_it_is_made_from_was_not_read() -> None:
    marker = Marker(problem())
    partly = {place: WEIGHTS[place] for place in [(0, 0), (0, 1), (1, 0)]}
    _, excused = verdicts(marker, written(marker, scaled=SCALED, masked=MASKED, weights=partly, output={(1, 0): "9.00"}))
    assert excused == {("output", (1, 0))}


def test_another_row_does_not_excuse_it() -> None:
    marker = Marker(problem())
    partly = {place: WEIGHTS[place] for place in [(1, 0), (1, 1)]}
    _, excused = verdicts(marker, written(marker, scaled=SCALED, masked=MASKED, weights=partly, output={(1, 0): "9.00"}))
    assert not excused


def test_minus_infinity_among_the_scores_is_a_masked_score() -> None:
    marker = Marker(problem())
    judge, excused = verdicts(marker, written(marker, scaled={**SCALED, (0, 1): "-inf"}))
    assert judge.steps["scaled"].cells[0, 1].verdict == "wrong"
    assert excused == {("scaled", (0, 1))}


@pytest.mark.parametrize(("number", "fine"), [("2.43", True), ("2.60", False)])
def test_rounding_in_a_step_that_was_not_written_is_no_error(number: str, fine: bool) -> None:
    """The first weight of row 2 is 0.8044: three times it is 2.41, and 2.40 to 2.43 with 0.80 or 0.81."""
    marker = Marker(problem())
    judge, excused = verdicts(marker, written(marker, scaled=SCALED, masked=MASKED, output={(1, 0): number}))
    assert judge.steps["output"].cells[1, 0].verdict == "wrong"
    assert (("output", (1, 0)) in excused) == fine


def test_the_reader_is_not_needed_for_a_form() -> None:
    marker = Marker(problem())
    page = "scaled = [[0.71, 1.41], [1.41, 0]]\nweights = [[1, 0], [0.30, 0.70]]\noutput = [[3, 0], [9, 9]]\n"
    mark = marker.mark(read_working(page, marker.key.plan, worked=marker.key.exact))
    assert {step.name: step.verdict for step in mark.steps}["output"] == "wrong"
