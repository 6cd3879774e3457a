"""How people see that something goes on: a bar on a terminal or in a notebook, a line now and then in a log."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from threading import Timer
from typing import Any, Literal, Protocol

MOMENT = 1.5  # seconds before a spinner turns
LINE_SECONDS = 30.0  # between two lines where there is no terminal

Unit = Literal["tokens", "bytes", "characters", "files"]


class Shown(Protocol):
    """What is told of something that goes on: how much is done, of how much if that is known, and a remark."""

    def __call__(self, done: int, total: int | None, remark: str = "") -> None: ...


Bar = Callable[[str, Unit], AbstractContextManager[Shown]]
"""Opens what shows progress, under a title."""


def nobody(done: int, total: int | None, remark: str = "") -> None:
    """Nobody looks."""


@contextmanager
def unseen(title: str, unit: Unit) -> Iterator[Shown]:
    """Nothing is shown."""
    yield nobody


@contextmanager
def bar(title: str, unit: Unit) -> Iterator[Shown]:
    """A bar where somebody looks, and else a line now and then, on stderr."""
    if sys.stderr.isatty():
        with terminal_bar(title, unit) as shown:
            yield shown
    elif in_notebook():
        yield notebook_bar(title, unit)
    else:
        yield lines(title, unit)


@contextmanager
def terminal_bar(title: str, unit: Unit) -> Iterator[Shown]:
    """A bar that is drawn over and over, and gone when it is done."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        ProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TransferSpeedColumn,
    )

    told: list[ProgressColumn] = [TextColumn("{task.percentage:3.0f} %"), TimeElapsedColumn()]
    if unit == "bytes":
        told = [DownloadColumn(), TransferSpeedColumn()]
    columns = (TextColumn("{task.description}"), BarColumn(), *told, TextColumn("{task.fields[remark]}"))
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(title, total=None, remark="")
        yield lambda done, total, remark="": progress.update(
            task, completed=done if total is None else min(done, total), total=total, remark=remark
        )


def lines(title: str, unit: Unit) -> Shown:
    """A line every so often, for the log of a batch job; nothing of what is over soon."""
    last = time.monotonic()

    def shown(done: int, total: int | None, remark: str = "") -> None:
        nonlocal last
        if time.monotonic() - last >= LINE_SECONDS:
            last = time.monotonic()
            sys.stderr.write(told(title, unit, done, total, remark) + "\n")
            sys.stderr.flush()

    return shown


def told(title: str, unit: Unit, done: int, total: int | None, remark: str = "") -> str:
    """Progress in one line.

    >>> told("pretrain", "tokens", 500, 2000, "loss 2.500"), told("x.gz", "bytes", 1500, None)
    ('pretrain: 25 %, 500 of 2,000 tokens · loss 2.500', 'x.gz: 1,500 bytes')
    """
    far = f"{100 * min(done / total, 1):.0f} %, {done:,} of {total:,} {unit}" if total else f"{done:,} {unit}"
    return f"{title}: {far}" + (f" · {remark}" if remark else "")


def in_notebook() -> bool:
    """Whether what is shown appears under the cell of a notebook."""
    if "IPython" not in sys.modules:
        return False
    shell: Any = sys.modules["IPython"].get_ipython()  # whatever runs the cell
    return type(shell).__name__ == "ZMQInteractiveShell"


def notebook_bar(title: str, unit: Unit) -> Shown:
    """A bar under the cell, drawn anew at most four times a second."""
    from html import escape

    import IPython.display as cell

    handle: Any = cell.display(cell.HTML(""), display_id=True)
    last = 0.0

    def shown(done: int, total: int | None, remark: str = "") -> None:
        nonlocal last
        if time.monotonic() - last < 0.25 and done != total:
            return
        last = time.monotonic()
        size = f' value="{done}" max="{total}"' if total else ""
        handle.update(cell.HTML(f"<progress{size}></progress> {escape(told(title, unit, done, total, remark))}"))

    return shown


@contextmanager
def redrawn() -> Iterator[Callable[[str], None]]:
    """Shows a text in the place of the last one on a terminal, and else after it; Ctrl-C ends it, and is no mistake."""
    if not sys.stdout.isatty():
        with suppress(KeyboardInterrupt):
            yield lambda text: print(text, flush=True)  # noqa: T201  (what was asked for)
        return
    from rich.live import Live
    from rich.text import Text

    with suppress(KeyboardInterrupt), Live(auto_refresh=False) as live:
        yield lambda text: live.update(Text(text), refresh=True)


@contextmanager
def spinner(words: str) -> Iterator[None]:
    """A sign of life on a terminal for what takes longer than a moment and has no measure."""
    if not sys.stderr.isatty():
        yield
        return
    turning: list[Any] = []

    def begin() -> None:
        from rich.console import Console
        from rich.text import Text

        turning.append(Console(stderr=True).status(Text(words)))
        turning[0].start()

    timer = Timer(MOMENT, begin)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        for status in turning:
            status.stop()
