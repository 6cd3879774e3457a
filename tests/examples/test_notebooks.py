"""Every cell of the notebook runs, in order, on a tiny budget and the built-in text."""

import json
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parent.parent.parent / "examples" / "notebooks" / "characters.ipynb"
TINY = {'CORPUS = "shakespeare"': 'CORPUS = "world:people=60"', "TOKENS = 2_000_000": "TOKENS = 4_100"}
SMALL = '"epochs=0",'


def cells(notebook: Path) -> list[str]:
    """The sources of the code cells."""
    tree = json.loads(notebook.read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in tree["cells"] if cell["cell_type"] == "code"]


def test_the_notebook_trains_draws_and_samples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    sources = cells(NOTEBOOK)
    for wanted, tiny in TINY.items():
        assert sum(wanted in source for source in sources) == 1
        sources = [source.replace(wanted, tiny) for source in sources]
    assert sum(SMALL in source for source in sources) == 1
    sources = [source.replace(SMALL, f'{SMALL} "model.width=24", "model.layers=1",') for source in sources]
    names: dict[str, object] = {}
    for number, source in enumerate(sources):
        exec(compile(source, f"{NOTEBOOK.name}, cell {number}", "exec"), names)
    said = capsys.readouterr().out
    assert said.count("nats a character") == 2
    assert (tmp_path / "runs/characters/curves.svg").read_text().count("<polyline") == 2
    validation = names["validation"]
    assert isinstance(validation, dict)
    assert all(0 < nats < 5 for nats in validation.values())


def test_the_notebook_of_runs_can_be_run_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    small = 'settings={"model.width": 24, "model.heads": 2, "model.memory": 256, "vocabulary.size": 400}, minutes=MINUTES'
    sources = [source.replace("minutes=MINUTES", small) for source in cells(NOTEBOOK.with_name("from_python.ipynb"))]
    said = []
    for minutes in ("0.05", "0.05"):
        names: dict[str, object] = {}
        for number, source in enumerate(sources):
            exec(compile(source.replace("MINUTES = 2.0", f"MINUTES = {minutes}"), f"cell {number}", "exec"), names)
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]
    assert "bits a byte" in said[0]


def test_a_broken_cell_would_be_seen(tmp_path: Path) -> None:
    broken = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    broken["cells"][1]["source"] = ["CORPUS =\n"]
    (tmp_path / "broken.ipynb").write_text(json.dumps(broken))
    with pytest.raises(SyntaxError):
        compile(cells(tmp_path / "broken.ipynb")[0], "broken", "exec")
