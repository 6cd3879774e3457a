"""`clearhead layers` from the command line: options, exit codes, and no torch where none is needed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from clearhead.cli import main

GOOD, BROKEN = "examples/nets/exam-net.py", "examples/nets/exam-net-broken.py"


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["layers", *words])
    caught = capsys.readouterr()
    return code, caught.out, caught.err


def test_a_table_from_any_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, GOOD, "--input", "1x32x32")
    assert (code, err) == (0, "")
    assert "(32 − 5)/1 + 1 = 28" in out


def test_a_broken_net_is_an_answer_not_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, BROKEN, "--input", "1x32x32")
    assert code == 0
    assert "BREAKS on line 7" in out
    assert "--repair" in out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([GOOD], "input"),
        ([GOOD, "--input", "1y2"], "--input must be"),
        (["nowhere.py", "--input", "3"], "there is no file"),
        ([GOOD, "--input", "1x32x32", "--net", "nest"], "did you mean net"),
        ([GOOD, "--input", "1x32x32", "--picture", "net.gif"], ".svg or .png"),
        ([GOOD, "--input", "1x32x32", "--picture", "no/such/folder/net.svg"], "cannot be written"),
        ([BROKEN, "--input", "1x32x32", "--as-convolution"], "mend it first"),
    ],
)
def test_wrong_usage_is_one_line_and_code_2(capsys: pytest.CaptureFixture[str], words: list[str], says: str) -> None:
    code, _, err = run(capsys, *words)
    assert code == 2
    assert says in err
    assert err.count("\n") == 1


def test_json_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, BROKEN, "--input", "1x32x32", "--json")
    assert len(json.loads(out)["repairs"]) == 3


def test_the_picture_is_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name in ("net.svg", "net.png"):
        assert run(capsys, GOOD, "--input", "1x32x32", "--picture", str(tmp_path / name))[0] == 0
    assert "16×3×3" in (tmp_path / "net.svg").read_text(encoding="utf-8")
    assert (tmp_path / "net.png").read_bytes().startswith(b"\x89PNG")


def test_torch_is_neither_needed_nor_loaded() -> None:
    program = (
        "import sys\nsys.modules['torch'] = None\nfrom clearhead.cli import main\n"
        f"code = main(['layers', {BROKEN!r}, '--input', '1x32x32', '--repair'])\n"
        f"code += main(['layers', {GOOD!r}, '--input', '1x32x32', '--as-convolution'])\nsys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "With torch installed" in done.stdout
