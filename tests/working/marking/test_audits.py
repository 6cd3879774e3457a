"""Published keys, typed up: what is wrong in them is found, and what is right is not accused."""

import pytest

from clearhead.examples import home
from clearhead.working import load_problem
from clearhead.working.marking import Mark, Marker
from clearhead.working.marking.class_folder import mark_file


def audited(problem: str, working: str) -> Mark:
    return mark_file(Marker(load_problem(f"examples/{problem}")), home() / "workings" / f"{working}.md")


def verdicts(mark: Mark) -> dict[str, str]:
    return {step.name: step.verdict for step in mark.steps if step.verdict != "missing"}


def test_the_hand_worked_set_gets_full_marks_under_rounding_every_step() -> None:
    mark = audited("self-attention", "self-attention-by-hand")
    assert mark.first_error is None
    assert (mark.score, mark.max_score) == (6.0, 6.0)
    assert set(verdicts(mark)) == {"Q", "K", "V", "scores", "weights", "output"}
    assert [note.text for note in mark.notes if "2^{1/2}" in note.text] != []


def test_eight_columns_for_seven_tokens_are_found() -> None:
    mark = audited("sorter", "sorter-key-attention")
    assert mark.first_error is not None
    assert (mark.first_error.step, mark.first_error.cell, mark.first_error.slip) == ("scores", None, "shape")
    assert (mark.first_error.got, mark.first_error.expected) == ("7×8", "7×7")
    assert verdicts(mark) == {"X": "right", "Q": "right", "K": "right", "V": "right", "scores": "wrong", "weights": "wrong"}


def test_the_row_missing_in_r_is_found_and_the_own_position_loss_is_a_convention() -> None:
    mark = audited("sorter", "sorter-key-loss")
    assert mark.first_error is not None
    assert (mark.first_error.step, mark.first_error.got, mark.first_error.expected) == ("R", "6×4", "7×4")
    assert mark.first_error.slip == "shape"
    assert any("row 2 seems to be left out" in note.text for note in mark.notes)  # rows 2 and 3 are equal
    assert next(step.score for step in mark.steps if step.name == "R") == pytest.approx(24 / 28)
    assert verdicts(mark) == {
        "weights": "right", "Z": "right", "R": "wrong", "logits": "right", "probabilities": "right", "loss": "right",
    }  # fmt: skip
    [note] = [note.text for note in mark.notes if note.step == "loss"]
    assert "own position" in note
    assert "8.7973" in note


def test_two_equal_heads_do_change_the_loss() -> None:
    mark = audited("sorter-two-heads", "sorter-two-heads-key")
    assert mark.first_error is not None
    assert (mark.first_error.step, mark.first_error.cell) == ("R", (0, 0))
    assert verdicts(mark) == {"Z": "right", "R": "wrong", "loss": "follows"}
    assert any("6.5473" in note.text for note in mark.notes if note.step == "loss")


@pytest.mark.parametrize(("predict", "loss"), [("own", "10.2114"), ("next", "6.5473")])
def test_what_the_two_heads_really_give(predict: str, loss: str) -> None:
    from clearhead.exact.decimals import parse_number
    from clearhead.exact.matrices import number
    from clearhead.working.written import Reading, Written, WrittenStep

    marker = Marker(load_problem("examples/sorter-two-heads"))
    written = Written(loss, number(parse_number(loss)).cell, 4)
    mark = marker.mark(Reading({"loss": WrittenStep("loss", {(0, 0): written})}))
    assert verdicts(mark) == {"loss": "right"}
    assert any("own position" in note.text for note in mark.notes) == (predict == "own")
