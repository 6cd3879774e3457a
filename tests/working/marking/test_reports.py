"""Marks as people and graders read them, and folders in which one bad file never stops the rest."""

import csv
import io
import json
from pathlib import Path

import pytest

from clearhead.cli import main
from clearhead.working import load_problem
from clearhead.working.marking import Marker, as_json, mark_files, report

RIGHT = "Q = [[1, 3], [-1, 1], [2.5, -2]]\nK = [[3, -0.5], [2, -1.5], [-2.5, 3.5]]\n"
SIGN = "Q = [[1, 3], [-1, 1], [2.5, 2]]\nK = [[3, -0.5], [2, -1.5], [-2.5, 3.5]]\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "anna.md").write_text(RIGHT, encoding="utf-8")
    (tmp_path / "ben.md").write_text(SIGN, encoding="utf-8")
    (tmp_path / "noise.txt").write_bytes(bytes(range(256)) * 20)
    (tmp_path / "huge.txt").write_bytes(b"Q = 1\n" * 400_000)
    return tmp_path


def marked(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["mark", "examples/self-attention", *arguments]) == 0
    return capsys.readouterr().out


def test_json_is_one_tree_for_one_working_and_a_list_for_several(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = json.loads(marked(capsys, str(folder / "ben.md"), "--format", "json"))
    assert set(one) == {"file", "score", "max_score", "undecided", "first_error", "steps", "notes"}
    assert one["first_error"] == {
        "step": "Q", "cell": [3, 2], "got": "2", "expected": "-2.00", "slip": "sign", "hint": "a sign was lost or turned",
    }  # fmt: skip
    assert set(one["steps"][0]) == {"name", "verdict", "cells"}
    assert set(one["steps"][0]["cells"][0]) == {"cell", "got", "expected", "verdict"}
    several = json.loads(marked(capsys, str(folder), "--format", "json"))
    assert [Path(tree["file"]).name for tree in several] == ["anna.md", "ben.md", "huge.txt", "noise.txt"]


def test_one_bad_file_never_stops_the_rest(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trees = {Path(tree["file"]).name: tree for tree in json.loads(marked(capsys, str(folder), "--format", "json"))}
    assert trees["huge.txt"]["score"] == 0
    assert trees["huge.txt"]["notes"] != []
    assert trees["anna.md"]["first_error"] is None
    assert trees["ben.md"]["first_error"]["slip"] == "sign"


def test_csv_has_a_line_a_working_and_no_formula(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "evil.md").write_text("Q = [[=1, 3], [-1, 1], [2.5, -2]]\n", encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(marked(capsys, str(folder), "--format", "csv"))))
    assert [Path(row["file"]).name for row in rows] == ["anna.md", "ben.md", "evil.md", "huge.txt", "noise.txt"]
    assert rows[1]["slip"] == "sign"
    assert not any(cell.startswith("=") for row in rows for cell in row.values())


def test_gradescope_and_prairielearn_results_are_what_they_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scope = json.loads(marked(capsys, str(folder / "ben.md"), "--format", "gradescope"))
    assert {"score", "output", "output_format", "tests"} <= set(scope)
    assert scope["score"] == pytest.approx(sum(test["score"] for test in scope["tests"]))
    assert {test["status"] for test in scope["tests"]} == {"passed", "failed"}
    assert all(
        set(t) == {"name", "score", "max_score", "status", "output", "output_format", "visibility"} for t in scope["tests"]
    )
    prairie = json.loads(marked(capsys, str(folder / "ben.md"), "--format", "prairielearn"))
    assert 0 < prairie["score"] < 1
    assert prairie["gradable"] is True
    assert all(set(test) == {"name", "points", "max_points", "message"} for test in prairie["tests"])


@pytest.mark.parametrize("form", ["gradescope", "prairielearn"])
@pytest.mark.parametrize("name", ["huge.txt", "not-there.md"])
def test_a_grader_gets_its_file_even_for_what_cannot_be_read(folder: Path, form: str, name: str) -> None:
    out = folder / "results.json"
    assert main(["mark", "examples/self-attention", str(folder / name), "--format", form, "--out", str(out)]) == 0
    tree = json.loads(out.read_text(encoding="utf-8"))
    assert tree["score"] == 0
    assert tree.get("gradable") is not True


def test_a_working_that_is_not_there_is_one_line_and_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mark", "examples/self-attention", "no-such.md"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_text_says_where_what_and_why_within_80_columns(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = marked(capsys, str(folder / "ben.md"))
    assert "First error: Q, row 3, column 2: 2 is written, -2.00 is right" in " ".join(text.split())
    assert max(len(line) for line in text.splitlines()[1:]) <= 80


def test_the_page_loads_nothing_and_escapes_everything(tmp_path: Path) -> None:
    marker = Marker(load_problem("examples/self-attention"))
    path = tmp_path / "x.md"
    path.write_text(SIGN + "<script>alert(1)</script>\n", encoding="utf-8")
    page = report("html", marker, list(mark_files(marker, [path])), several=False)
    assert "<script>alert" not in page
    assert not any(sign in page for sign in ("http://", "https://", "src=", "@import", "url("))
    assert page.count('class="wrong" aria-expanded') == 1


def test_a_report_that_does_not_exist_is_refused_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mark", "examples/self-attention", "x.md", "--format", "jsno"]) == 2
    assert "json" in capsys.readouterr().err


def test_cells_are_counted_from_one(folder: Path) -> None:
    marker = Marker(load_problem("examples/self-attention"))
    [mark] = mark_files(marker, [folder / "ben.md"])
    assert mark.first_error is not None
    assert mark.first_error.cell == (2, 1)
    assert as_json(mark)["first_error"]["cell"] == [3, 2]  # type: ignore[index]


def test_a_page_without_any_step_is_not_called_free_of_errors(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Nothing that could be marked was found." in marked(capsys, str(folder / "noise.txt"))
    assert "No error found." in marked(capsys, str(folder / "anna.md"))
