"""What every command that trains or opens a run has in common: the extra it needs, notes, a bar, how to go on after Ctrl-C."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

import typer

from clearhead.errors import MissingExtraError

if TYPE_CHECKING:
    from clearhead.training import Teller


def require_training() -> None:
    """Refuse, saying how to get it, where the training extra is not installed."""
    missing = [name for name in ("torch", "tokenizers", "safetensors") if find_spec(name) is None]
    if missing:
        raise MissingExtraError(f"training needs {', '.join(missing)}; install it: pip install 'clearhead[train]'.")


def note(text: str) -> None:
    """Something that a person should know, beside what was asked for."""
    typer.echo(text, err=True)


def teller() -> "Teller":
    """Notes on stderr, and a bar."""
    from clearhead.progress import bar
    from clearhead.training import Teller

    return Teller(note, bar)


@contextmanager
def resumable(command: str) -> Iterator[None]:
    """Training that Ctrl-C stops; it has saved by the time it comes here."""
    from clearhead.training import Stopped

    try:
        yield
    except Stopped as stopped:
        typer.echo(f"saved in {stopped.checkpoint}. Go on with: clearhead {command} --resume", err=True)
        raise typer.Exit(130) from None
