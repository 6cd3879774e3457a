"""Whatever is typed after any command, by its own options: an answer, or one line and exit code 2; never "a bug of ours"."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clearhead import cli

OLD = Path(__file__).parent / "training" / "folders" / "old_runs"
RUNS = ("birthplaces", "characters", "digits")
FILES = {
    "a-file": "Some text, for whatever it is good.\n" * 20,
    "problem.toml": 'kind = "softmax"\n\n[given]\nz = [1, 2, 3]\n',
    "working.md": "p = [0.09, 0.24, 0.67]\n",
    "net.py": "import torch.nn as nn\nnet = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 2))\n",
    "broken.json": '{"a": [1,',
}
SPOILED = {  # what would begin long work, or wait for ever, is spoiled at its end
    "train": ["--set", "nonsense=1"],
    "birthplaces": ["--set", "nonsense=1"],
    "lab": ["no-such-claim"],
    "serve": ["--port", "none"],
    "site": ["--pyodide", "no-such-folder"],
}
WORDS = (
    *RUNS,
    *FILES,
    "empty",
    "no-such-thing",
    "0",
    "1",
    "-1",
    "3",
    "nan",
    "1e9",
    "99999999999999999999",
    "",
    "x",
    "\x00",
    "\ud800",
)
FORMS = (
    "html",
    "json",
    "text",
    "svg",
    "out.html",
    "out.xlsx",
    "out.png",
    "4",
    "1x8x8",
    "tokens=16:int",
    "a=b",
    "=",
    "[1",
    "é" * 300,
)
words = st.sampled_from((*WORDS, *FORMS)) | st.text(st.characters(exclude_characters="/.~\\"), max_size=6)


def leaves(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command that does something, with the path that is typed."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from leaves(command, (*path, name))
        else:
            yield (*path, name), command


EVERY = dict(leaves(typer.main.get_command(cli.build_app())))


def typed(path: tuple[str, ...]) -> st.SearchStrategy[list[str]]:
    """Random arguments of one command: what it asks for, mostly, and any of its options with any words behind them."""
    params = EVERY[path].params
    flags = {max(each.opts, key=len) for each in params if getattr(each, "is_flag", False)}
    options = [max(each.opts, key=len) for each in params if each.opts[0].startswith("-")]
    asked = sum(not each.opts[0].startswith("-") for each in params)
    plausible = st.sampled_from((*RUNS, *FILES, "1", "4", "1x8x8")) | words
    pairs = st.sampled_from(options or ["--help"]).flatmap(
        lambda name: st.just([name]) if name in flags else plausible.map(lambda word: [name, word])
    )
    given = st.lists(plausible, min_size=asked, max_size=asked) | st.lists(words, max_size=3)
    return st.tuples(given, st.lists(pairs, max_size=4)).map(
        lambda parts: [*path, *parts[0], *(word for pair in parts[1] for word in pair)]
    )


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three runs, some files and an empty folder."""
    folder = tmp_path_factory.mktemp("anything")
    for run in RUNS:
        shutil.copytree(OLD / run, folder / run)
    (folder / "empty").mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize("path", EVERY, ids=" ".join)
def test_no_arguments_make_a_bug(
    path: tuple[str, ...], place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CLEARHEAD_DATA", str(place / "kept"))
    monkeypatch.chdir(place)

    @settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
    @given(arguments=typed(path))
    def never(arguments: list[str]) -> None:
        os.chdir(place)
        code = cli.main([*arguments, *SPOILED.get(path[0], [])])
        told = capsys.readouterr().err
        assert code in (0, 2) or (code == 1 and "--check" in arguments), (arguments, told)
        assert "a bug of ours" not in told, (arguments, told)
        assert code == 0 or [line for line in told.splitlines() if line.startswith("clearhead: ")], (arguments, told)

    never()


def test_the_check_sees_a_bug(place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(cli, "build_app", broken)
    assert cli.main(["kinds"]) == cli.BUG
    assert "a bug of ours" in capsys.readouterr().err
