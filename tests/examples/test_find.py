"""A bundled example is found from any folder; an existing file wins; a wrong name is answered with near ones."""

from pathlib import Path

import pytest

from clearhead.errors import InputError
from clearhead.examples import find, names


def test_a_bundled_example_is_found_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find("examples/nets/exam-net.py", (".py",)).is_file()
    assert find("examples/nets/exam-net", (".toml", ".py")).name == "exam-net.py"


def test_source_that_no_tool_may_parse_is_kept_as_text_and_found_by_its_own_name() -> None:
    suffixes = (".py", ".txt", ".py.txt")
    for name in ("examples/nets/exam-net-broken", "examples/nets/exam-net-broken.py"):
        assert find(name, suffixes).name == "exam-net-broken.py.txt"


def test_an_existing_file_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    mine = tmp_path / "examples" / "nets" / "exam-net.py"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine = 1\n", encoding="utf-8")
    assert find("examples/nets/exam-net.py", (".py",)).read_text(encoding="utf-8") == "mine = 1\n"


def test_a_local_folder_named_examples_does_not_hide_the_bundled_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples" / "nets").mkdir(parents=True)
    assert find("examples/nets/exam-net.py", (".py",)).is_file()


def test_a_wrong_name_is_answered_with_near_ones() -> None:
    with pytest.raises(InputError, match=r"Did you mean .*examples/nets/exam-net\.py"):
        find("examples/nets/exam-nett.py", (".py",))


@pytest.mark.parametrize("path", ["", ".", "examples/../examples/nets/exam-net", "a\0b", "x" * 10_000, "examples/__init__.py"])
def test_nonsense_is_one_clear_error(path: str) -> None:
    with pytest.raises(InputError):
        find(path, (".py",))


def test_only_data_is_listed() -> None:
    assert names((".py",))
    assert all(name.startswith("examples/") and not name.endswith("__init__.py") for name in names((".py", ".toml")))
