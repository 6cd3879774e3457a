"""`clearhead examples`: one a line, searched, shown and copied."""

import json
from pathlib import Path

import pytest

from clearhead.cli import main
from clearhead.errors import InputError
from clearhead.working import library, load_problem


def test_every_problem_is_one_line_of_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["examples"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(library.entries()) >= 60
    assert any(line.split()[:2] == ["lstm", "hard"] for line in lines)


def test_a_search_looks_into_the_formulas_too() -> None:
    names = [entry.name for entry in library.matching("layernorm")]
    assert "transformer-block" in names
    assert "mlp" not in names
    assert [entry.name for entry in library.matching("attention backward")] != []


def test_what_is_shown_is_the_file_and_what_is_copied_can_be_worked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["examples", "--show", "gru"]) == 0
    assert 'kind = "formula"' in capsys.readouterr().out
    assert main(["examples", "--copy", "gru", "--out", str(tmp_path)]) == 0
    assert load_problem(tmp_path / "gru.toml").title == load_problem("examples/gru").title
    assert main(["examples", "--copy", "gru", "--out", str(tmp_path)]) == 2  # never over a file that is there


def test_an_unknown_name_is_told_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean lstm"):
        library.source_of("lsmt")
    with pytest.raises(InputError, match="topics are"):
        library.matching("zebra")


def test_the_list_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["examples", "viterbi", "--json"]) == 0
    [entry] = json.loads(capsys.readouterr().out)
    assert entry["topic"] == "hidden Markov models"
