"""What is left out, unreadable, too coarse or of another problem earns what it is worth, and what is unsure nothing at all."""

from fractions import Fraction

import pytest

from clearhead.errors import InputError
from clearhead.exact.decimals import as_float, decimal_text, parse_number
from clearhead.exact.matrices import Matrix
from clearhead.working import Problem, load_problem
from clearhead.working.marking import Mark, Marker, Pricing, as_json, report
from clearhead.working.reading import read_working
from clearhead.working.written import Reading, Written, WrittenStep

GIVEN = {
    "X": [[1, -1, 0, 2], [0, -1, 2, 1], [-2, 2, -1, 0]],
    "W_Q": [[0, 1], [1, 0], ["-1/2", 0], [1, 1]],
    "W_K": [[1, "-1/2"], [0, 1], ["1/2", "-1/2"], [1, "1/2"]],
    "W_V": [[1, "1/2"], ["-1/2", 0], [-1, 2], ["1/2", -1]],
}
SOFTMAX = {"kind": "softmax", "given": {"z": [3, 0]}}


def posed(**marks: object) -> Problem:
    return load_problem({"kind": "attention", "given": GIVEN, "marks": marks})


def decimal(text: str) -> Written:
    return Written(text, parse_number(text), len(text.partition(".")[2]))


def page_of(marker: Marker, names: list[str], decimals: int = 3) -> str:
    exact = marker.key.exact
    rows = {name: [[decimal_text(cell, decimals) for cell in row] for row in exact[name].rows] for name in names}
    return "\n\n".join(f"{name} = [{'; '.join(' '.join(row) for row in table)}]" for name, table in rows.items())


def marked(marker: Marker, text: str) -> Mark:
    return marker.mark(read_working(text, marker.key.plan, worked=marker.key.exact))


def test_one_cell_of_a_step_earns_its_share_of_the_step() -> None:
    marker = Marker(posed())
    q = marker.key.exact["Q"][0, 0]
    mark = marker.mark(Reading({"Q": WrittenStep("Q", {(0, 0): Written("1", q, None)})}))
    assert next(step for step in mark.steps if step.name == "Q").score == pytest.approx(1 / 6)


def test_require_says_what_counts() -> None:
    written = ["scores", "weights", "output"]
    scores = {}
    for required in ("cells", "steps", "answer"):
        marker = Marker(posed(require=required))
        mark = marked(marker, page_of(marker, written))
        scores[required] = (mark.score, mark.max_score)
    assert scores == {"cells": (3.0, 3.0), "steps": (3.0, 7.0), "answer": (1.0, 1.0)}


def test_a_requirement_that_is_unknown_is_refused() -> None:
    with pytest.raises(InputError, match=r"marks\.require"):
        posed(require="everything")


def test_a_whole_number_for_a_share_is_premature_and_never_wrong() -> None:
    marker = Marker(load_problem(SOFTMAX), Pricing(premature=0.25))
    text = "probabilities = [1, 0]"  # 0.953 and 0.047
    mark = marked(marker, text)
    step = next(step for step in mark.steps if step.name == "probabilities")
    assert [cell.verdict for cell in step.cells] == ["right", "right"]
    assert step.score == pytest.approx(0.25)
    assert mark.first_error is None
    assert any("rounded too early" in note.text for note in mark.notes)


@pytest.mark.parametrize(("text", "score"), [("[0.95, 0.05]", 1.0), ("[0.953, 0.047]", 1.0), ("[1.0, 0.0]", 0.75)])
def test_two_decimals_or_two_digits_are_enough(text: str, score: float) -> None:
    mark = marked(Marker(load_problem(SOFTMAX)), f"probabilities = {text}")
    assert next(step for step in mark.steps if step.name == "probabilities").score == pytest.approx(score)


def test_a_problem_can_ask_for_digits() -> None:
    marker = Marker(load_problem({**SOFTMAX, "options": {"digits": 4}}))
    assert marked(marker, "probabilities = [0.953, 0.047]").score == pytest.approx(0.5)
    assert marked(marker, "probabilities = [0.9526, 0.0474]").score == pytest.approx(1.0)


def test_a_cut_last_digit_is_wrong() -> None:
    marker = Marker(load_problem({"kind": "softmax", "given": {"z": [0, "-13/5"]}}))
    share = as_float(marker.key.exact["probabilities"][0, 1])
    assert 0.0691 < share < 0.0692
    assert marked(marker, "probabilities = [0.9309, 0.0690]").first_error is not None


def test_forgetting_the_root_is_one_loss_however_the_rest_was_rounded() -> None:
    """scores were taken for scaled; the shares come from unrounded numbers and are written to three decimals."""
    given = {"X": [["1/3", "2/7"], ["5/9", "1/7"]], "W_Q": [[1, 2], [0, 1]], "W_K": [[2, 1], [1, 3]], "W_V": [[1, 0], [0, 1]]}
    marker = Marker(load_problem({"kind": "attention", "given": given}))
    values = dict(marker.key.exact)
    values["scaled"] = values["scores"]
    for name in ("weights", "output"):
        step = marker.key.plan.step(name)
        assert step.rule is not None
        values[name] = step.rule(*(values[need] for need in step.needs))
    steps = {name: rounded(name, values[name], 3) for name in ("Q", "K", "V", "scores", "scaled", "weights", "output")}
    verdicts = {step.name: step.verdict for step in marker.mark(Reading(steps)).steps}
    assert [name for name, verdict in verdicts.items() if verdict == "wrong"] == ["scaled"]


def rounded(name: str, value: Matrix, decimals: int) -> WrittenStep:
    texts = {place: decimal_text(value[place], decimals) for place in value.places()}
    return WrittenStep(name, {place: Written(text, parse_number(text), decimals) for place, text in texts.items()}, value.shape)


def test_every_wrong_step_has_its_reason() -> None:
    marker = Marker(posed())
    q, k = marker.key.exact["Q"], marker.key.exact["K"]
    steps = {name: flipped(name, value) for name, value in (("Q", q), ("K", k))}
    mark = marker.mark(Reading(steps))
    assert mark.first_error is not None
    assert mark.first_error.step == "Q"
    assert any(note.step == "K" and "sign" in note.text for note in mark.notes)


def flipped(name: str, value: Matrix) -> WrittenStep:
    cells = {place: Written(str(value[place]), value[place]) for place in value.places()}
    cells[0, 0] = Written("x", -Fraction(value[0, 0]))  # type: ignore[arg-type]
    return WrittenStep(name, cells, value.shape)


def test_the_right_value_is_shown_with_more_digits_than_the_wrong_one() -> None:
    given = {"X": [[1, 0], [0, 1]], "W_Q": [[3, 4], [1, 1]], "W_K": [[4, 0], [1, 1]], "W_V": [[1, 0], [0, 1]]}
    marker = Marker(load_problem({"kind": "attention", "given": given}))
    mark = marker.mark(Reading({"scaled": WrittenStep("scaled", {(0, 0): decimal("6")})}))  # 12/√2 = 8.485…
    assert mark.first_error is not None
    assert mark.first_error.expected == "8.49"


def test_a_working_of_other_givens_is_said_to_be_one_and_earns_nothing_by_following() -> None:
    other = {**GIVEN, "X": [[2, 1, 1, 0], [1, 3, 0, 1], [0, 1, 1, 3]]}
    theirs = Marker(load_problem({"kind": "attention", "given": other}))
    marker = Marker(posed())
    mark = marked(marker, page_of(theirs, ["Q", "K", "V", "scores", "scaled", "weights", "output"], 4))
    assert any("another problem" in note.text for note in mark.notes)
    assert mark.score is not None
    assert mark.score < 1


def test_minus_a_billion_is_minus_infinity() -> None:
    marker = Marker(load_problem({"kind": "attention", "given": GIVEN, "options": {"mask": "causal"}}))
    cells = {(0, 1): Written("-1e9", Fraction(-(10**9)), 0), (0, 2): Written("-10000", Fraction(-10_000), 0)}
    mark = marker.mark(Reading({"masked": WrittenStep("masked", cells)}))
    assert mark.first_error is None


def test_where_most_is_undecided_there_is_no_score() -> None:
    """A table under the name of a step that is the step's transpose: nobody knows which was meant."""
    identity = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    given = {"X": identity, "W_Q": [[3, 4, 0], [1, 1, 2], [0, 0, 7]], "W_K": [[4, 2, 6], [1, 5, 3], [8, 9, 7]], "W_V": identity}
    marker = Marker(load_problem({"kind": "attention", "given": given}))
    mark = marked(marker, "K = [[4, 1, 8], [2, 5, 9], [6, 3, 7]]")
    tree = as_json(mark)
    assert (mark.first_error, tree["score"], tree["undecided"]) == (None, None, 6)
    assert {cell.verdict for step in mark.steps for cell in step.cells} == {"unsure", "right"}  # the diagonal is its own
    assert "please look" in mark.notes[0].text
    for form in ("text", "html", "csv", "json", "gradescope", "prairielearn"):
        assert report(form, marker, [mark], several=False)
