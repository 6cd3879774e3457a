"""What people see of something that goes on: a bar on a terminal, a line now and then in a log."""

import io
import sys
import types

import pytest

from clearhead import progress


def test_what_is_over_soon_leaves_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.bar("train", "tokens") as shown:
        shown(1, 2)
    assert capsys.readouterr() == ("", "")


def test_a_log_gets_a_line_every_so_often(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    with progress.bar("train", "tokens") as shown:
        for second in range(0, 100, 10):
            now[0] = float(second)
            shown(second * 10, 1000, "loss 1.5")
    told = capsys.readouterr().err.splitlines()
    assert told == [
        "train: 30 %, 300 of 1,000 tokens · loss 1.5",
        "train: 60 %, 600 of 1,000 tokens · loss 1.5",
        "train: 90 %, 900 of 1,000 tokens · loss 1.5",
    ]


def test_a_terminal_gets_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    with progress.bar("train", "tokens") as shown:
        shown(1, 4, "loss 2.0")
    assert "train" in terminal.getvalue()
    assert "25 %" in terminal.getvalue()
    assert "loss 2.0" in terminal.getvalue()


def test_a_notebook_gets_a_bar_under_its_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    class ZMQInteractiveShell: ...

    class Handle:
        def update(self, shown: str) -> None:
            drawn.append(shown)

    cell = types.SimpleNamespace(HTML=str, display=lambda first, display_id: Handle())
    notebook = types.SimpleNamespace(get_ipython=ZMQInteractiveShell, display=cell)
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    monkeypatch.setitem(sys.modules, "IPython.display", cell)
    with progress.bar("<train>", "tokens") as shown:
        shown(1, 4)
        shown(4, 4)
    assert drawn[0].startswith('<progress value="1" max="4">')
    assert drawn[-1].endswith("&lt;train&gt;: 100 %, 4 of 4 tokens")
