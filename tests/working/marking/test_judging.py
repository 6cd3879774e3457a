"""Verdicts, cell by cell: right by either path, follows from the person's own values, otherwise wrong."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from clearhead.exact.decimals import parse_number
from clearhead.exact.expressions import Cell
from clearhead.exact.matrices import Matrix, matrix
from clearhead.exact.policies import Policy
from clearhead.exact.powers import sqrt
from clearhead.working import Problem, load_problem, work
from clearhead.working.marking.agreement import agrees
from clearhead.working.marking.marker import Marker
from clearhead.working.marking.marks import Mark, as_json
from clearhead.working.steps import work_plan
from clearhead.working.written import Place, Reading, Written, WrittenStep, WrittenSum

ReadingOf = Callable[..., Reading]


@pytest.fixture(scope="module")
def problem() -> Problem:
    return load_problem("examples/self-attention")  # round = 2


@pytest.fixture(scope="module")
def exact() -> Problem:
    return load_problem({"kind": "attention", "given": dict(RAW), "options": {"scale": False}})


RAW = {
    "X": [[1, -1, 0, 2], [0, -1, 2, 1], [-2, 2, -1, 0]],
    "W_Q": [[0, 1], [1, 0], ["-1/2", 0], [1, 1]],
    "W_K": [[1, "-1/2"], [0, 1], ["1/2", "-1/2"], [1, "1/2"]],
    "W_V": [[1, "1/2"], ["-1/2", 0], [-1, 2], ["1/2", -1]],
}


def names_of(problem: Problem) -> list[str]:
    return [step.name for step in problem.plan().steps]


def verdicts(mark: Mark) -> dict[str, str]:
    return {step.name: step.verdict for step in mark.steps}


def one_cell(step: str, place: Place, written: Written) -> Reading:
    return Reading({step: WrittenStep(step, {place: written})})


def verdict_of(problem: Problem, step: str, place: Place, written: Written) -> str:
    mark = Marker(problem).mark(one_cell(step, place, written))
    [cell] = next(s for s in mark.steps if s.name == step).cells
    return cell.verdict


def decimal(text: str) -> Written:
    return Written(text, parse_number(text), len(text.partition(".")[2]))


def changed(value: Matrix, place: Place, cell: Cell) -> Matrix:
    rows = [list(row) for row in value.rows]
    rows[place[0]][place[1]] = cell
    return matrix(rows)


def test_a_number_stands_for_what_rounds_to_it_and_a_tie_for_both_neighbours() -> None:
    assert agrees(Fraction(62, 100), Fraction(6249, 10000), 2)
    assert not agrees(Fraction(62, 100), Fraction(6251, 10000), 2)
    assert agrees(Fraction(62, 100), Fraction(625, 1000), 2)
    assert agrees(Fraction(63, 100), Fraction(625, 1000), 2)
    assert agrees(Fraction(1, 3), Fraction(1, 3), None)
    assert not agrees(Fraction(1, 3), Fraction(333, 1000), None)


def test_the_rounding_path_and_the_exact_path_are_both_right(problem: Problem) -> None:
    assert verdict_of(problem, "output", (2, 0), decimal("1.17")) == "right"  # rounding every step
    assert verdict_of(problem, "output", (2, 0), decimal("1.18")) == "right"  # exact, then rounded
    assert verdict_of(problem, "output", (2, 0), decimal("1.1786")) == "right"  # exact, more digits
    assert verdict_of(problem, "output", (2, 0), decimal("1.16")) == "wrong"
    assert verdict_of(problem, "output", (2, 0), decimal("1.1736")) == "wrong"


def test_fewer_decimals_than_asked_are_right_only_if_zeros_are_missing(problem: Problem) -> None:
    assert verdict_of(problem, "scores", (0, 0), decimal("1.5")) == "right"
    assert verdict_of(problem, "weights", (0, 2), decimal("1")) == "right"
    mark = Marker(problem).mark(one_cell("weights", (2, 0), decimal("0.6")))
    assert mark.first_error is None
    assert any("rounded too early" in note.text for note in mark.notes)
    weights = next(step for step in mark.steps if step.name == "weights")
    assert weights.score == pytest.approx(0.5 / 9)  # its own price, not nothing, for one cell of nine


def test_without_round_every_precision_counts_to_its_own_digits(exact: Problem) -> None:
    for text, verdict in [
        ("1", "right"),
        ("1.2", "right"),
        ("1.18", "right"),
        ("1.179", "right"),
        ("1.178", "wrong"),
        ("1.17", "wrong"),
    ]:
        assert verdict_of(exact, "output", (2, 0), decimal(text)) == verdict


def test_exact_forms_must_be_exactly_right(exact: Problem) -> None:
    assert verdict_of(exact, "Q", (2, 0), Written("5/2", Fraction(5, 2))) == "right"
    assert verdict_of(exact, "Q", (2, 0), Written("7/3", Fraction(7, 3))) == "wrong"


def test_a_second_reading_counts_only_where_it_alone_is_right(exact: Problem) -> None:
    written = Written("2^{1/2}", sqrt(Fraction(2)), None, otherwise=Fraction(5, 2))
    mark = Marker(exact).mark(one_cell("Q", (2, 0), written))
    assert verdicts(mark)["Q"] == "right"
    assert any("2^{1/2}" in note.text for note in mark.notes)
    assert verdict_of(exact, "Q", (0, 0), written) == "wrong"


def test_one_wrong_cell_and_everything_after_it_follows(problem: Problem, reading_of: ReadingOf) -> None:
    plan = problem.plan()
    values = dict(work(problem).values)
    values["K"] = changed(values["K"], (2, 1), Fraction(-7, 2))
    for step in plan.steps[3:]:
        assert step.rule is not None
        values[step.name] = step.rule(*(values[name] for name in step.needs)).map(problem.policy.settle)
    mark = Marker(problem).mark(reading_of(values, 2, names_of(problem)))
    assert verdicts(mark) == {
        "Q": "right", "K": "wrong", "V": "right", "scores": "follows", "weights": "follows", "output": "follows",
    }  # fmt: skip
    assert mark.first_error is not None
    assert (mark.first_error.step, mark.first_error.cell, mark.first_error.slip) == ("K", (2, 1), "sign")
    assert mark.score == pytest.approx(5 + 5 / 6)


@pytest.mark.parametrize("keeps", ["as written", "in the calculator"])
def test_own_values_count_as_written_or_kept_unrounded(exact: Problem, reading_of: ReadingOf, keeps: str) -> None:
    """A wrong K, two decimals on paper; the person goes on with the paper, or with what the calculator kept."""
    plan = exact.plan()
    values = dict(work_plan(plan).values)
    values["K"] = changed(values["K"], (0, 0), Fraction(4))
    settle = Policy(2).settle if keeps == "as written" else Policy().settle
    for step in plan.steps[3:]:
        assert step.rule is not None
        values[step.name] = step.rule(*(values[name] for name in step.needs)).map(settle)
    mark = Marker(exact).mark(reading_of(values, 2, names_of(exact)))
    assert verdicts(mark)["K"] == "wrong"
    assert all(verdicts(mark)[name] in ("right", "follows") for name in ("scores", "weights", "output"))


def test_a_second_independent_error_is_wrong_and_not_excused(problem: Problem, reading_of: ReadingOf) -> None:
    values = dict(work(problem).values)
    values["K"] = changed(values["K"], (0, 0), Fraction(4))
    values["scores"] = changed(values["scores"], (1, 1), Fraction(99))
    mark = Marker(problem).mark(reading_of(values, 2, names_of(problem)))
    scores = next(step for step in mark.steps if step.name == "scores")
    assert {cell.cell for cell in scores.cells if cell.verdict == "wrong"} >= {(1, 1)}


def test_a_missing_step_is_left_out_where_the_next_is_right_and_costs_where_not(
    problem: Problem, reading_of: ReadingOf
) -> None:
    values = dict(work(problem).values)
    full = Marker(problem).mark(reading_of(values, 2, ["Q", "K", "V", "weights", "output"]))
    assert (full.score, full.max_score) == (5.0, 5.0)
    cut = Marker(problem).mark(reading_of(values, 2, ["Q", "K", "V"]))
    assert (cut.score, cut.max_score) == (3.0, 6.0)


def test_a_right_number_behind_a_sum_that_gives_another_is_right_and_told(problem: Problem) -> None:
    terms = (
        (Fraction(1), Fraction(0)),
        (Fraction(-1), Fraction(1)),
        (Fraction(0), Fraction(-1, 2)),
        (Fraction(2), Fraction(2)),
    )
    off = decimal("1")._replace(sum=WrittenSum("…", terms, Fraction(3)))
    mark = Marker(problem).mark(one_cell("Q", (0, 0), off))
    assert mark.first_error is None
    assert [note.text for note in mark.notes] == ["cell (1, 1): the terms written add up to 3"]
    worse = decimal("3")._replace(sum=WrittenSum("…", terms, Fraction(3)))  # gone on with
    error = Marker(problem).mark(one_cell("Q", (0, 0), worse)).first_error
    assert error is not None
    assert (error.step, error.cell, error.got) == ("Q", (0, 0), "3")
    fine = decimal("1")._replace(sum=WrittenSum("…", (*terms[:3], (Fraction(2), Fraction(1))), Fraction(1)))
    assert Marker(problem).mark(one_cell("Q", (0, 0), fine)).first_error is None


def test_a_table_of_the_wrong_shape_has_no_cell(problem: Problem, reading_of: ReadingOf) -> None:
    values = dict(work(problem).values)
    values["scores"] = matrix([[*row, 0] for row in values["scores"].rows])
    tree = as_json(Marker(problem).mark(reading_of(values, 2, names_of(problem))))
    error = tree["first_error"]
    assert isinstance(error, dict)
    assert (error["step"], error["cell"], error["slip"], error["got"], error["expected"]) == (
        "scores",
        None,
        "shape",
        "3×4",
        "3×3",
    )


def test_a_degenerate_answer_does_not_make_the_rest_free(problem: Problem, reading_of: ReadingOf) -> None:
    plan = problem.plan()
    honest = dict(work(problem).values)
    for cheat in ([[0, 0]] * 3, [[7, 7]] * 3):
        values = {**honest, "Q": matrix(cheat)}
        for step in plan.steps[3:]:
            assert step.rule is not None
            values[step.name] = step.rule(*(values[name] for name in step.needs)).map(problem.policy.settle)
        mark = Marker(problem).mark(reading_of(values, 2, names_of(problem)))
        earned = {step.name: step.score for step in mark.steps}
        right = {step.name: sum(c.verdict == "right" for c in step.cells) / len(step.cells) for step in mark.steps}
        assert earned == pytest.approx(right)
        assert any("free" in note.text for note in mark.notes)


def test_follow_through_can_be_priced(problem: Problem, reading_of: ReadingOf) -> None:
    from clearhead.working.marking import Pricing

    values = dict(work(problem).values)
    values["weights"] = changed(values["weights"], (2, 0), Fraction(3, 5))
    values["output"] = changed(values["output"], (2, 0), Fraction(112, 100))
    values["output"] = changed(values["output"], (2, 1), Fraction(24, 100))
    reading = reading_of(values, 2, names_of(problem))
    full, half = Marker(problem).mark(reading), Marker(problem, Pricing(follows=0.5)).mark(reading)
    assert full.score - half.score == pytest.approx(2 / 6 * 0.5)
