"""What every command that trains or opens a run has in common: the extra it needs, notes, a bar, how to go on after Ctrl-C."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

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


Device = Annotated[str, typer.Option("--device", help="Where to compute: auto, cpu, cuda or mps.")]
Shard = Annotated[bool, typer.Option("--shard", help="Under torchrun: cut the weights among the processes (FSDP).")]
Tune = Annotated[
    bool, typer.Option("--tune", help="Try half precision and compiling for a few steps; on a GPU that is done anyway.")
]
TensorBoard = Annotated[bool, typer.Option("--tensorboard", help="Also write RUN/tensorboard, which TensorBoard reads.")]


def computing_on(device: str) -> AbstractContextManager[None]:
    """What is opened in here computes on a device of this name."""
    require_training()
    from clearhead.training.machines.devices import on_device

    return on_device(device)


@contextmanager
def training(command: str, device: str) -> Iterator[None]:
    """Training on a device, with the other processes that torchrun started; Ctrl-C stops it, saved."""
    require_training()
    from clearhead.training import Stopped
    from clearhead.training.machines.processes import joined

    try:
        with joined(), computing_on(device):
            yield
    except Stopped as stopped:
        typer.echo(f"saved in {stopped.checkpoint}. Go on with: clearhead {command} --resume", err=True)
        raise typer.Exit(130) from None
