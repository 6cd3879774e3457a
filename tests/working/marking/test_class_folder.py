"""A class folder as Moodle and Canvas hand it out: students by name, nothing left out, nothing read from elsewhere."""

import os
from pathlib import Path

import pytest

from clearhead.working import load_problem
from clearhead.working.marking import Mark, Marker, mark_files, workings_in

TEXT = "probabilities = [0.269, 0.731]\n"


@pytest.fixture(scope="module")
def marker() -> Marker:
    return Marker(load_problem({"kind": "softmax", "given": {"z": [1, 2]}}))


def marks_of(marker: Marker, folder: Path) -> dict[str, Mark]:
    steps = {step.name for step in marker.key.plan.steps}
    return {mark.file: mark for mark in mark_files(marker, list(workings_in([str(folder)], steps)))}


def test_students_are_named_as_moodle_and_canvas_name_them(marker: Marker, tmp_path: Path) -> None:
    moodle = tmp_path / "Ada Lovelace_4711_assignsubmission_file_"
    moodle.mkdir()
    (moodle / "answer.md").write_text(TEXT)
    (tmp_path / "hopper_1234_56789_working.txt").write_text(TEXT)
    (tmp_path / "plain.md").write_text(TEXT)
    marks = marks_of(marker, tmp_path)
    assert set(marks) == {"Ada Lovelace", "hopper", "plain.md"}
    assert len({mark.score for mark in marks.values()}) == 1


def test_what_is_not_understood_is_listed_and_not_left_out(marker: Marker, tmp_path: Path) -> None:
    (tmp_path / "fine.md").write_text(TEXT)
    (tmp_path / "film.mp4").write_bytes(b"\0\1")
    marks = marks_of(marker, tmp_path)
    assert "not understood" in marks["film.mp4"].notes[0].text


def test_links_and_pipes_are_not_followed(marker: Marker, tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("probabilities = [0.111, 0.889]\n")
    folder = tmp_path / "class"
    student = folder / "Eve_12_assignsubmission_file_"
    student.mkdir(parents=True)
    (folder / "fine.md").write_text(TEXT)
    (folder / "link.md").symlink_to(secret)
    (folder / "folder").symlink_to(tmp_path)
    (student / "inner.md").symlink_to(secret)
    os.mkfifo(folder / "pipe.md")
    marks = marks_of(marker, folder)
    assert {name for name, mark in marks.items() if mark.score} == {"fine.md"}
    assert all("0.111" not in str(mark) for mark in marks.values())
    assert "link" in marks["Eve"].notes[0].text


def test_no_note_holds_a_private_sign(marker: Marker) -> None:
    from clearhead.working.reading import read_working

    page = "probabilities = \\begin{bmatrix} a \\\\ \x02b & ?? \n softmax = [[1, x], [2]]\n exponentials = \U000f0000 3 4 \x02"
    mark = marker.mark(read_working(page, marker.key.plan, worked=marker.key.exact))
    assert not any(sign in note.text for note in mark.notes for sign in ("\x02", "\x03", "\U000f0000"))
