"""The reading can be seen and corrected: written once, law once it is there, refused for another page."""

import json
from pathlib import Path

import pytest

from clearhead.errors import InputError
from clearhead.working.marking.mark_command import mark_for_command

PROBLEM = "kind = 'softmax'\n[given]\nz = [1, 2]\n"
PAGE = "The shares are 0.269 and 0.731.\n\nprobabilities = [0.269, 0.750]\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.toml").write_text(PROBLEM)
    (tmp_path / "w.md").write_text(PAGE)
    return tmp_path


def marked(folder: Path, reading: Path, *workings: str) -> object:
    names = [str(folder / name) for name in workings or ("w.md",)]
    return json.loads(mark_for_command(str(folder / "p.toml"), names, "json", None, follows=1, premature=0.5, reading=reading))


def test_a_reading_is_written_where_there_is_none(folder: Path) -> None:
    marked(folder, folder / "r.json")
    tree = json.loads((folder / "r.json").read_text())
    assert set(tree) == {"working", "sha256", "numbers"}
    last = tree["numbers"][-1]
    assert (last["line"], last["column"], last["written"]) == (3, 25, "0.750")
    assert tree["numbers"][2]["is"] == {"step": "probabilities", "cell": [1, 1]}


def test_givens_and_what_was_written_on_the_way_are_told(tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text("kind = 'perplexity'\n[given]\nprobabilities = [0.2, 0.35, 0.08]\n")
    page = "P = [0.2, 0.35, 0.08]\n\nlogs: [-1.609, -1.050, -2.526]\n\nmean_log = -1.7283\n\nperplexity = 5.631\n"
    (tmp_path / "w.md").write_text(page)
    marked(tmp_path, tmp_path / "r.json")
    found = [number["is"] for number in json.loads((tmp_path / "r.json").read_text())["numbers"]]
    assert found[:6] == ["given"] * 3 + ["intermediate"] * 3
    assert [one["step"] for one in found[6:]] == ["mean_log", "perplexity"]


def test_a_corrected_reading_is_law_and_is_never_overwritten(folder: Path) -> None:
    file = folder / "r.json"
    marked(folder, file)
    tree = json.loads(file.read_text())
    tree["numbers"][-1]["is"] = "not used"
    tree["numbers"][1]["is"] = {"step": "probabilities", "cell": [1, 2]}
    file.write_text(json.dumps(tree))
    before = file.read_text()
    mark = marked(folder, file)
    assert isinstance(mark, dict)
    cells = next(step["cells"] for step in mark["steps"] if step["name"] == "probabilities")
    assert [(cell["got"], cell["verdict"]) for cell in cells] == [("0.269", "right"), ("0.731", "right")]
    assert file.read_text() == before


def test_the_reading_of_another_page_is_refused(folder: Path) -> None:
    marked(folder, folder / "r.json")
    (folder / "w.md").write_text(PAGE + "\n")
    with pytest.raises(InputError, match="another page"):
        marked(folder, folder / "r.json")


@pytest.mark.parametrize("entry", [{"step": "nothing", "cell": [1, 1]}, {"step": "probabilities", "cell": [9, 1]}, "maybe"])
def test_an_entry_that_names_no_cell_is_refused(folder: Path, entry: object) -> None:
    file = folder / "r.json"
    marked(folder, file)
    tree = json.loads(file.read_text())
    tree["numbers"][0]["is"] = entry
    file.write_text(json.dumps(tree))
    with pytest.raises(InputError, match="number 1"):
        marked(folder, file)


def test_several_workings_take_a_folder(folder: Path) -> None:
    (folder / "v.md").write_text(PAGE)
    marks = marked(folder, folder / "readings", "v.md", "w.md")
    assert isinstance(marks, list)
    assert {path.name for path in (folder / "readings").iterdir()} == {"v.md.json", "w.md.json"}


def test_the_page_shows_what_every_number_was_taken_for(folder: Path) -> None:
    page = mark_for_command(str(folder / "p.toml"), [str(folder / "w.md")], "html", None, follows=1, premature=0.5)
    assert 'class="n unread"' in page
    assert 'title="probabilities (1, 1): right"' in page
