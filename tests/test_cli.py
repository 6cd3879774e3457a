"""The command line as a whole: help, version, errors."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from clearhead import __version__, cli
from clearhead.errors import ClearheadError


def clearhead(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "clearhead", *arguments], capture_output=True, text=True, check=False)


def test_version() -> None:
    assert clearhead("--version").stdout == f"clearhead {__version__}\n"


def test_help_imports_no_room_and_neither_torch_nor_numpy() -> None:
    script = (
        "import sys; from clearhead.cli import main; code = main(['--help']);"
        "rooms = {name.split('.')[1] for name in sys.modules if name.startswith('clearhead.')};"
        "print(sorted({'torch', 'numpy'} & set(sys.modules)), sorted(rooms), code)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[] ['cli', 'errors', 'version'] 0"


def commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every command and group of commands, as it is typed."""
    for name, command in group.commands.items():
        yield (*path, name)
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))


@pytest.mark.parametrize("path", list(commands(typer.main.get_command(cli.build_app()))), ids=" ".join)
def test_the_help_of_every_command_has_an_example(path: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([*path, "--help"]) == 0
    assert has_example(capsys.readouterr().out, path[0])


def has_example(told: str, name: str) -> bool:
    """Whether a help text names the command again after its usage line."""
    return f"clearhead {name}" in " ".join(told.split()).partition("[OPTIONS]")[2]


def test_the_check_rejects_a_help_without_an_example() -> None:
    assert not has_example("Usage: clearhead data [OPTIONS]\n\nCorpora of all kinds.", "data")
    assert has_example("Usage: clearhead data [OPTIONS]\n\nCorpora. Example: clearhead\n  data list", "data")


@pytest.mark.parametrize("typed", ["wrok", "--vresion", "-x"])
def test_what_is_not_known_is_one_line_and_exit_code_2(typed: str) -> None:
    done = clearhead(typed)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert typed in done.stderr


def test_nothing_typed_is_help() -> None:
    assert clearhead().stdout == clearhead("--help").stdout == clearhead("-h").stdout != ""


def test_a_group_of_commands_alone_is_its_help() -> None:
    done = clearhead("data")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == clearhead("data", "--help").stdout


def test_a_command_that_was_not_asked_for_is_not_read() -> None:
    script = "import sys; from clearhead.cli import main; main(['kinds']); print([n for n in sys.modules if 'commands.' in n])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "['clearhead.commands.kinds']"


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

        monkeypatch.setattr(cli, "build_app", lambda wanted: app)

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
