"""The table of commands, and the one place where an error becomes a line on stderr and an exit code."""

import os
import sys
import traceback
from collections.abc import Collection
from importlib import import_module
from typing import Annotated

import typer

from clearhead.errors import ClearheadError, ToldError
from clearhead.version import __version__

COMMANDS: dict[str, str] = {
    "work": "Work a problem and show every step.",
    "kinds": "List the kinds of problems, or print a template.",
    "examples": "The library of problems: list, search, show, copy.",
    "vary": "Equally hard variants, with worksheet, key, spreadsheet.",
    "mark": "Mark somebody's working, cell by cell.",
    "layers": "Shapes and weights of a net, and its repair.",
    "serve": "The pages in a browser: work, practise, mark.",
    "site": "The pages as a static folder for any web host.",
    "data": "Corpora: built in, public, your own.",
    "birthplaces": "The knowledge experiment, in one go or by stages.",
    "ask": "Ask a trained run; it may say it does not know.",
    "train": "Train any model by a recipe.",
    "export": "A run as a folder that others open, such as GPT-2 for transformers.",
    "import": "A folder in Hugging Face's form as a run.",
    "runs": "The runs of a folder; one as a file to carry elsewhere.",
    "look": "Inside a model: attention, guesses, what matters.",
    "sample": "Draw text from a run, after a prompt.",
    "perplexity": "How surprised a run is by a text, and why.",
    "classify": "What a classifier says of something new: a text, a picture.",
    "errors": "What a classifier got wrong, and what pushed it there.",
    "lab": "Claims about attention and nets that can be rerun.",
}
"""Modules of `clearhead.commands`, in the order of `--help`, with their line there; each has `add_to(app)`."""

USAGE, BUG, INTERRUPTED = 2, 1, 130


def run() -> None:
    """Entry point of the `clearhead` script; of several processes that torchrun started, the first one prints."""
    if "WORLD_SIZE" in os.environ:
        os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")  # its warnings would come from every process
    if later_process():
        sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115  (until the process ends)
    leave(main())


def leave(code: int) -> None:
    """End this process. One of several ends at once: a thread of gloo's may hold the last tensor still, and takes the whole
    process with it if Python is gone when it lets go."""
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def later_process() -> int:
    """The number of this process among those that torchrun started; 0 for the first, or for one by itself."""
    return int(os.environ.get("RANK", "0")) if "WORLD_SIZE" in os.environ else 0


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code; wrong input is one line on stderr and 2, never a traceback."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    debug = "--debug" in arguments
    arguments = [a for a in arguments if a != "--debug"] or ["--help"]
    try:
        app = build_app([name for name in COMMANDS if name in arguments])
        code = int(typer.main.get_command(app)(arguments, prog_name="clearhead", standalone_mode=False) or 0)
        return complain("stopped.", code, debug) if code == INTERRUPTED else code
    except ToldError:
        return USAGE
    except ClearheadError as error:
        return complain(f"{error} {error.shell}", USAGE, debug)
    except BrokenPipeError:
        return reader_has_gone()
    except SystemExit as stop:  # the option parser's own way to say that the reader has gone
        return reader_has_gone() if stop.code == BUG else int(stop.code or 0)
    except OSError as error:
        return complain(f"{error.filename or 'output'}: {error.strerror or error}.", USAGE, debug)
    except Exception as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # a group of commands, and none of them: as `clearhead` alone
            typer.echo(str(error))
            return 0
        if isinstance(error, ValueError) and (word := next((one for one in arguments if not is_sayable(one)), None)):
            return complain(
                f"{word!a}: a null byte or half a character is in it, and no file's name may have one.", USAGE, debug
            )
        if hasattr(error, "format_message"):  # a usage error of the option parser
            return complain(f"{ended(error.format_message())} See: clearhead --help", USAGE, debug)
        return complain(f"a bug of ours: {type(error).__name__}: {error}. Run again with --debug and report it.", BUG, debug)


def is_sayable(word: str) -> bool:
    """Whether a shell could have said a word, and a file have it as its name."""
    try:
        return b"\0" not in os.fsencode(word)
    except UnicodeEncodeError:
        return False


def reader_has_gone() -> int:
    """As `| head` does: not an error, and nothing more can be said to them."""
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115  (so that Python's own last flush stays silent)
    return 0


def build_app(wanted: Collection[str] = tuple(COMMANDS)) -> typer.Typer:
    """One `clearhead` with the wanted commands; of the others only what `--help` and a guess at a typo need: name and line."""
    app = typer.Typer(
        help="Work attention problems by hand, mark other people's working, train the same models, look inside.",
        add_completion=False,
        no_args_is_help=True,
        rich_markup_mode=None,  # framed help would double the start-up time
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )

    @app.callback()
    def options(
        version: Annotated[
            bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=print_version)
        ] = False,
        debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    ) -> None: ...

    for name in COMMANDS:
        if name in wanted:
            import_module(f"clearhead.commands.{name}").add_to(app)
        else:
            app.command(name)(unread)
    for command in app.registered_commands:
        command.short_help = COMMANDS[str(command.name or getattr(command.callback, "__name__", ""))]
    for group in app.registered_groups:
        group.short_help = COMMANDS[str(group.name)]
    return app


def unread() -> None:
    """Stands for a command that was not asked for, so that its file need not be read."""


def print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"clearhead {__version__}")
        raise typer.Exit


def ended(sentence: str) -> str:
    """With the stop that a sentence has at its end, unless it asks."""
    return sentence if sentence.endswith("?") else f"{sentence.rstrip('.')}."


def complain(sentence: str, code: int, debug: bool) -> int:
    """Say on stderr, in one line, what went wrong; with --debug the traceback comes first."""
    if debug:
        traceback.print_exc()
    told = " ".join(sentence.split()).encode("utf-8", "backslashreplace").decode()  # a lone surrogate cannot be printed
    which = later_process()
    if not which:
        typer.echo(f"clearhead: {told}", err=True)
    elif code != INTERRUPTED:
        typer.echo(f"clearhead, process {which}: {told}", file=sys.__stderr__)
    return code
