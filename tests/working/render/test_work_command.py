"""`clearhead work` and `clearhead kinds` as a person runs them: files, formats, wrong options."""

import json
import os
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from clearhead import progress
from clearhead.cli import main
from clearhead.errors import InputError
from clearhead.saving import save
from clearhead.working import work
from clearhead.working.kinds import KINDS
from clearhead.working.render import RENDERERS, form_for, render
from clearhead.working.render.work_command import WorkOptions

PROBLEM = "examples/self-attention"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    told = capsys.readouterr()
    return code, told.out, told.err


@pytest.mark.parametrize("form", [form for form in RENDERERS if form != "pdf"])
def test_each_format_to_the_screen_and_into_a_file(form: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, printed, told = run(capsys, "work", PROBLEM, "--format", form)
    assert (code, told) == (0, "")
    file = tmp_path / f"w{RENDERERS[form]}"
    assert run(capsys, "work", PROBLEM, "--out", str(file)) == (0, f"{file}\n", "")
    assert file.read_text(encoding="utf-8") == printed == render(work(PROBLEM), form)


def test_pdf_goes_into_a_file_and_is_refused_on_a_terminal(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(capsys, "work", PROBLEM, "--out", str(tmp_path / "w.pdf"))[0] == 0
    assert (tmp_path / "w.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(InputError, match="--out"):
        WorkOptions(form="pdf", terminal=True)
    done = subprocess.run(
        [sys.executable, "-m", "clearhead", "work", PROBLEM, "--format", "pdf"], capture_output=True, check=True
    )
    assert done.stdout.startswith(b"%PDF")


@pytest.mark.parametrize("suffix", [".svg", ".png"])
@pytest.mark.parametrize("style", ["connections", "heatmap"])
def test_pictures(suffix: str, style: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / f"map{suffix}"
    code, printed, _ = run(capsys, "work", PROBLEM, "--picture", str(file), "--picture-style", style, "--format", "json")
    assert code == 0
    assert printed.endswith(f"{file}\n")
    assert file.read_bytes().startswith(b"<svg" if suffix == ".svg" else b"\x89PNG")


def test_rounding_and_digits(capsys: pytest.CaptureFixture[str]) -> None:
    assert "0.6225" in run(capsys, "work", PROBLEM, "--exact")[1]
    assert "0.622459331" in run(capsys, "work", PROBLEM, "--exact", "--digits", "9")[1]
    assert json.loads(run(capsys, "work", PROBLEM, "--round", "3", "--format", "json")[1])["policy"] == "round 3"


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--format", "docx"], "markdown"),
        (["--round", "2", "--exact"], "--exact"),
        (["--round", "31"], "0 to 30"),
        (["--round", "-1"], "0 to 30"),
        (["--round", "x"], "--round"),
        (["--digits", "-1"], "--digits"),
        (["--digits", "1001"], "1000"),
        (["--picture", "map.gif"], ".svg or .png"),
        (["--picture", "map.svg", "--picture-style", "pie"], "heatmap"),
        (["--out", "/no/such/folder/w.txt"], "/no/such/folder/w.txt"),
        (["--out", "."], "folder"),
        (["--out", "a\x00b"], "null byte"),
        (["--out", "x" * 300], "cannot be written"),
    ],
)
def test_a_wrong_option_is_one_line(
    arguments: list[str], word: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, printed, told = run(capsys, "work", PROBLEM, *arguments)
    assert (code, printed) == (2, "")
    assert len(told.splitlines()) == 1
    assert word in told
    assert list(tmp_path.iterdir()) == []


def test_a_problem_without_a_map_has_no_picture(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, told = run(capsys, "work", "examples/softmax", "--picture", str(tmp_path / "m.svg"))
    assert code == 2
    assert "no attention map" in told


def test_kinds_lists_them_and_every_template_works_as_it_is(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    listed = run(capsys, "kinds")[1]
    assert [line.split()[0] for line in listed.splitlines()] == list(KINDS)
    for kind in KINDS:
        template = run(capsys, "kinds", kind)[1]
        assert tomllib.loads(template)["kind"] == kind
        (tmp_path / "p.toml").write_text(template, encoding="utf-8")
        assert run(capsys, "work", str(tmp_path / "p.toml"))[0] == 0
    code, _, told = run(capsys, "kinds", "atention")
    assert (code, "did you mean attention?" in told) == (2, True)


def test_help_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("work", "kinds"):
        assert f"clearhead {command}" in run(capsys, command, "--help")[1]


def test_a_file_is_whole_or_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "w.txt"
    save("old", file)
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(InputError, match="No space left"):
        save("new", file)
    assert file.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["w.txt"]


def test_a_link_is_followed_and_a_device_is_written_to(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    save("new", tmp_path / "link.txt")
    assert (tmp_path / "real.txt").read_text() == "new"
    assert (tmp_path / "link.txt").is_symlink()
    assert save("gone", Path("/dev/null")) == Path("/dev/null")


def test_the_suffix_says_the_format() -> None:
    assert [form_for(name) for name in ("a.MD", "a.tex", "b.json", "c.html", "d")] == [
        "markdown",
        "latex",
        "json",
        "html",
        "text",
    ]


def test_an_unknown_format_is_refused_in_python_too() -> None:
    with pytest.raises(InputError, match="there is no format"):
        render(work(PROBLEM), "docx")


@pytest.mark.parametrize("arguments", [["work", PROBLEM], ["kinds", "attention"]])
def test_text_needs_neither_numpy_nor_torch_nor_a_page_maker(arguments: list[str]) -> None:
    script = (
        f"import sys; from clearhead.cli import main; code = main({arguments!r});"
        "print(sorted({'torch', 'numpy', 'jinja2', 'typst', 'resvg_py'} & set(sys.modules)), code)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[] 0"


def test_import_clearhead_is_light_and_has_work() -> None:
    script = (
        "import sys, clearhead; print('clearhead.working' in sys.modules);"
        "from clearhead import work, load_problem; print(work(load_problem('examples/self-attention')).policy.name)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["False", "round 2"]


def test_a_terminal_that_lacks_the_signs_gets_question_marks() -> None:
    poor = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([sys.executable, "-m", "clearhead", "work", PROBLEM], capture_output=True, check=True, env=poor)
    assert done.stdout.isascii()
    assert b"1.17   0.21" in done.stdout


def test_a_lone_surrogate_is_no_bug_of_ours(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text(r'{"kind": "softmax", "title": "a \ud800 b", "given": {"z": [1, 2]}}')
    for form in (form for form in RENDERERS if form != "pdf"):
        code, _, told = run(capsys, "work", str(tmp_path / "p.json"), "--format", form)
        assert code in {0, 2}
        assert "bug" not in told


def test_a_sign_of_life_only_where_somebody_looks(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(progress, "MOMENT", 0.0)
    with progress.spinner("working"):
        time.sleep(0.05)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with progress.spinner("working"):
        time.sleep(0.3)
    assert "working" in capsys.readouterr().err
