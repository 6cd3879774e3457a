"""`clearhead.mark` from Python: files and texts, problems in every form, errors as exceptions."""

from pathlib import Path

import pytest

import clearhead
from clearhead.errors import ClearheadError

PROBLEM = {"kind": "softmax", "given": {"z": [0, 0]}}


def test_a_text_and_a_file_give_the_same_mark(tmp_path: Path) -> None:
    text = "probabilities = [0.5, 0.6]\n"
    file = tmp_path / "working.md"
    file.write_text(text)
    marks = [clearhead.mark(PROBLEM, source) for source in (text, file, str(file))]
    assert [mark.first_error and mark.first_error.cell for mark in marks] == [(0, 1)] * 3
    assert marks[0].score == marks[1].score == marks[2].score


def test_a_right_working_has_no_error() -> None:
    assert clearhead.mark(clearhead.load_problem(PROBLEM), "probabilities = [0.5, 0.5]").first_error is None


@pytest.mark.parametrize("working", ["no-such-file.md", Path("no such file"), "", " \n"])
def test_what_cannot_be_marked_is_an_exception(working: str | Path) -> None:
    with pytest.raises(ClearheadError):
        clearhead.mark(PROBLEM, working)
