"""The command line as a whole: help, version, errors."""

import subprocess
import sys

import pytest
import typer

from clearhead import __version__, cli
from clearhead.errors import ClearheadError


def clearhead(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "clearhead", *arguments], capture_output=True, text=True, check=False)


def test_version() -> None:
    assert clearhead("--version").stdout == f"clearhead {__version__}\n"


def test_help_imports_neither_torch_nor_numpy() -> None:
    script = (
        "import sys; from clearhead.cli import main; code = main(['--help']);"
        "print(sorted({'torch', 'numpy'} & set(sys.modules)), code)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[] 0"


def test_an_unknown_command_is_one_line_and_exit_code_2() -> None:
    done = clearhead("wrok")
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert "wrok" in done.stderr


@pytest.fixture
def app_that(monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """Put one command, `try`, that raises what it is given."""

    def build(error: BaseException) -> None:
        app = typer.Typer()

        @app.callback()
        def options() -> None: ...

        @app.command("try")
        def attempt() -> None:
            raise error

        monkeypatch.setattr(cli, "build_app", lambda: app)

    return build


@pytest.mark.parametrize(
    ("error", "code"), [(ClearheadError("no such\n file"), 2), (KeyboardInterrupt(), 130), (ZeroDivisionError("x"), 1)]
)
def test_every_error_is_one_line_without_a_traceback(app_that, capsys, error: BaseException, code: int) -> None:  # type: ignore[no-untyped-def]
    app_that(error)
    assert cli.main(["try"]) == code
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 1
    assert told.startswith("clearhead: ")


def test_debug_shows_the_traceback(app_that, capsys) -> None:  # type: ignore[no-untyped-def]
    app_that(ClearheadError("no such file"))
    assert cli.main(["try", "--debug"]) == 2
    assert "Traceback" in capsys.readouterr().err
