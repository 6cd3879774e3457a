"""The set-up: each thing that can be wrong on a fresh machine gets a sentence that says what to do, and exit code 2."""

import ast
import errno
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
SETUP = ROOT / "tools" / "setup.py"


@pytest.fixture
def setup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """tools/setup.py, loaded by its path, for a tree in a temporary folder."""
    spec = importlib.util.spec_from_file_location("setup_tool", SETUP)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    place_at(module, tree(tmp_path), monkeypatch)
    return module


def tree(folder: Path) -> Path:
    """What the set-up needs of the project, without a .venv."""
    for name in ("Makefile", "pyproject.toml", "tools/setup.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    return folder


def place_at(module: ModuleType, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HERE", str(folder))
    monkeypatch.setattr(module, "VENV", str(folder / ".venv"))
    monkeypatch.setattr(module, "STAMP", str(folder / ".venv" / ".ready"))


def without_network() -> dict[str, str]:
    """An environment in which pip asks a port where nobody answers, and knows no other place."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    return {**kept, "PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": "http://127.0.0.1:9/", "PYTHONWARNINGS": "default"}


def run(*command: str, at: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """A command as a person starts it: not as the child of the make that runs these tests."""
    own = {name: value for name, value in without_network().items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    return subprocess.run(command, cwd=at, env={**own, **env}, capture_output=True, text=True, check=False)


def stopped(capsys: pytest.CaptureFixture[str], told: pytest.ExceptionInfo[SystemExit], code: int = 2) -> str:
    """The sentence of a set-up that stopped with this code."""
    sentence = capsys.readouterr().err
    assert told.value.code == code
    assert sentence.startswith("clearhead set-up: ")
    assert len(sentence.splitlines()) == 1
    return sentence


# ---- the Python


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 8, 0), (3, 10, 12)])
def test_an_old_python_is_named_with_what_to_do(setup, capsys, version: tuple[int, ...]) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(SystemExit) as told:
        setup.require_python(version, "/usr/bin/old")
    sentence = stopped(capsys, told)
    assert f"needs Python 3.11 or newer, and /usr/bin/old is {version[0]}.{version[1]}" in sentence
    assert "make PYTHON=python3.12 run" in sentence


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 14, 1), (4, 0, 0)])
def test_a_new_python_passes(setup: ModuleType, version: tuple[int, ...]) -> None:
    assert setup.require_python(version, "python") is None


def new_syntax(source: str) -> list[str]:
    """What an old Python would stumble over before it can say that it is old."""
    too_new = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.Match, ast.Starred, ast.AsyncFunctionDef)
    found = [type(node).__name__ for node in ast.walk(ast.parse(source)) if isinstance(node, too_new)]
    annotated = [node.arg for node in ast.walk(ast.parse(source)) if isinstance(node, ast.arg) and node.annotation]
    return found + annotated + ([] if source.isascii() else ["not ascii"])


def test_an_old_python_can_read_the_set_up() -> None:
    assert new_syntax(SETUP.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("source", ["f'{1}'", "def f(a: int): pass", "x: int = 1", "(y := 1)", "[*a]", "'é'"])
def test_the_check_rejects_new_syntax(source: str) -> None:
    assert new_syntax(source) != []


def test_no_python_at_all_is_said_by_make(tmp_path: Path) -> None:
    done = run("make", "PYTHON=nosuchpython", "run", at=tree(tmp_path))
    assert done.returncode == 2
    assert "there is no 'nosuchpython' here" in done.stderr
    assert "make PYTHON=python3.12 run" in done.stderr


def test_a_python_without_ensurepip_for_real(tmp_path: Path) -> None:
    (tmp_path / "lacking").mkdir()
    (tmp_path / "lacking" / "ensurepip.py").write_text("raise ImportError('no ensurepip')")
    done = run("make", f"PYTHON={sys.executable}", "test", at=tree(tmp_path), PYTHONPATH=str(tmp_path / "lacking"))
    assert done.returncode == 2
    assert "apt-get install python3-venv" in done.stderr
    assert "Traceback" not in done.stderr


# ---- the network, the disk, a half-made .venv


def test_a_half_made_venv_and_no_network_for_real(tmp_path: Path) -> None:
    (tree(tmp_path) / ".venv" / "bin").mkdir(parents=True)
    first, second = (run("make", f"PYTHON={sys.executable}", "run", at=tmp_path) for _ in range(2))
    assert (first.returncode, second.returncode) == (2, 2)
    assert "A half-made .venv is here; making it again." in first.stdout
    for done in (first, second):
        assert "Could not fetch torch==2.13.0: is there a network?" in done.stderr
        assert "Retrying" not in done.stderr
        assert "Traceback" not in done.stderr
    assert "half-made" not in second.stdout  # the first run mended it
    assert not (tmp_path / ".venv" / ".ready").exists()


@pytest.mark.slow
def test_an_interrupted_set_up_is_mended_by_the_next_run_for_real(tmp_path: Path) -> None:
    script = str(tree(tmp_path) / "tools" / "setup.py")
    listening = "import runpy, signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler);"
    listening += "runpy.run_path(sys.argv[1], run_name='__main__')"  # even where the tests run with interrupts ignored
    with subprocess.Popen(
        [sys.executable, "-c", listening, script],
        cwd=tmp_path,
        env=without_network(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "Making .venv ...\n"
        os.killpg(process.pid, signal.SIGINT)
        told = process.communicate()[1]
    assert process.returncode == 130
    assert told.splitlines() == ["clearhead set-up: Stopped. Run the same command again: it mends what is half done."]
    again = run(sys.executable, script, at=tmp_path)
    assert "Installing torch" in again.stdout
    assert "is there a network?" in again.stderr


REFUSED = (
    "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError('<HTTPConnection>: Failed to establish "
    "a new connection: [Errno 111] Connection refused')': /torch/\n"
    "ERROR: Could not find a version that satisfies the requirement torch==2.13.0 (from versions: none)\n"
    "ERROR: No matching distribution found for torch==2.13.0\n"
)


@pytest.mark.parametrize(
    ("said", "advised"),
    [
        (REFUSED, "is there a network?"),
        ("Failed to establish a new connection: [Errno -3] Temporary failure in name resolution", "is there a network?"),
        ("ReadTimeoutError: HTTPSConnectionPool(host='host', port=443): Read timed out.", "is there a network?"),
        ("ProxyError('Cannot connect to proxy.')", "is there a network?"),
        ("SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed'))", "PIP_CERT"),
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "Free about 3 GB"),
        ("OSError: [Errno 122] Disk quota exceeded", "Free about 3 GB"),
        ("ERROR: No matching distribution found for torch==2.13.0", "Try another Python"),
        ("error: subprocess-exited-with-error", "its own words are above"),
    ],
)
def test_what_pip_says_becomes_what_to_do(setup: ModuleType, said: str, advised: str) -> None:
    assert advised in setup.pip_advice(said, "torch==2.13.0")


@pytest.mark.parametrize(
    ("said", "advised"),
    [
        ("The virtual environment was not created successfully because ensurepip is not available.", "python3-venv"),
        ("Error: [Errno 28] No space left on device: '.venv'", "Free about 3 GB"),
        ("Error: [Errno 30] Read-only file system: '.venv'", "read-only"),
    ],
)
def test_what_venv_says_becomes_what_to_do(setup: ModuleType, said: str, advised: str) -> None:
    assert advised in setup.venv_advice(said)


def test_a_full_disk_is_known_by_what_is_left(setup: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "Error: Command '['.venv/bin/python3', '-m', 'ensurepip']' returned non-zero exit status 1."  # all that venv says
    monkeypatch.setattr(setup, "SPARE", 0)
    assert "python3-venv" in setup.venv_advice(said)
    monkeypatch.setattr(setup, "SPARE", 2**100)
    assert "Free about 3 GB" in setup.venv_advice(said)


@pytest.mark.parametrize(
    ("error", "code", "advised"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), 2, "Free about 3 GB"),
        (PermissionError(errno.EACCES, "Permission denied"), 2, "Permission denied"),
        (KeyboardInterrupt(), 130, "Run the same command again"),
    ],
)
def test_trouble_on_the_way_is_one_sentence(setup, capsys, monkeypatch, error, code: int, advised: str) -> None:  # type: ignore[no-untyped-def]
    def trouble() -> None:
        raise error

    monkeypatch.setattr(setup, "set_up", trouble)
    with pytest.raises(SystemExit) as told:
        setup.main()
    assert advised in stopped(capsys, told, code)


@pytest.mark.parametrize("kind", ["empty folder", "file", "dangling link"])
def test_whatever_stands_where_the_venv_should_be_is_replaced(setup, monkeypatch, capsys, kind: str) -> None:  # type: ignore[no-untyped-def]
    venv = Path(setup.VENV)
    if kind == "empty folder":
        venv.mkdir()
    elif kind == "file":
        venv.touch()
    else:
        venv.symlink_to("nowhere")
    calls = []

    def called(command: list[str]) -> subprocess.CompletedProcess[str]:
        calls.append(command[1:])
        return subprocess.CompletedProcess(command, 1 if "-c" in command else 0, "", "")

    monkeypatch.setattr(setup, "called", called)
    setup.make_venv()
    assert calls[-1] == ["-m", "venv", setup.VENV]
    assert not os.path.lexists(venv)
    assert "half-made" in capsys.readouterr().out


# ---- setting up again


@pytest.mark.parametrize("answers", [[True], [False, True], [False, False]])
def test_what_does_not_start_is_made_again_once(setup, monkeypatch, capsys, answers: list[bool]) -> None:  # type: ignore[no-untyped-def]
    done: list[str] = []
    waiting = list(answers)
    monkeypatch.setattr(setup, "make_venv", lambda: done.append("made"))
    monkeypatch.setattr(setup, "install_all", lambda: done.append("installed"))
    monkeypatch.setattr(setup, "remove", lambda path: done.append("removed"))
    monkeypatch.setattr(setup, "starts", lambda show=False: waiting.pop(0))
    if any(answers):
        setup.set_up()
    else:
        with pytest.raises(SystemExit) as told:
            setup.set_up()
        assert "cannot import it" in stopped(capsys, told)
    again = [] if answers[0] else ["removed", "made", "installed"]
    assert done == ["made", "installed", *again]


def test_new_dates_alone_set_up_nothing_again(setup, monkeypatch, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(setup, "works", lambda venv: True)
    assert not setup.unchanged()
    Path(setup.VENV).mkdir()
    setup.write_stamp()
    assert setup.unchanged()
    os.utime(tmp_path / "pyproject.toml")
    assert setup.unchanged()
    with (tmp_path / "pyproject.toml").open("a") as source:
        source.write("# another dependency\n")
    assert not setup.unchanged()


def test_a_tree_that_moved_is_set_up_again(setup, monkeypatch, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(setup, "works", lambda venv: True)
    Path(setup.VENV).mkdir()
    setup.write_stamp()
    shutil.copytree(tmp_path, tmp_path / "moved")
    place_at(setup, tmp_path / "moved", monkeypatch)
    assert not setup.unchanged()


def test_a_ready_tree_goes_straight_to_work(tmp_path: Path) -> None:
    (tree(tmp_path) / ".venv").mkdir()
    (tmp_path / ".venv" / ".ready").touch()
    assert "tools/setup.py" not in run("make", "-n", "run", at=tmp_path).stdout
    later = (tmp_path / "pyproject.toml").stat().st_mtime + 10
    os.utime(tmp_path / "pyproject.toml", (later, later))
    assert "tools/setup.py" in run("make", "-n", "run", at=tmp_path).stdout


def test_the_gate_is_format_lint_types_architecture_and_then_every_test(tmp_path: Path) -> None:
    (tree(tmp_path) / ".venv").mkdir()
    (tmp_path / ".venv" / ".ready").touch()
    gate = run("make", "-n", "check", at=tmp_path).stdout
    asked = [gate.index(part) for part in ("ruff format --check .", "ruff check", "bin/mypy", "tests/test_architecture.py")]
    assert asked == sorted(asked)
    whole = run("make", "-n", "test", at=tmp_path).stdout
    assert whole.startswith(gate)
    assert "pytest -q -rs -n 2" in whole[len(gate) :]
    assert (ROOT / ".ci" / "run").read_text().rstrip().endswith("make test")
