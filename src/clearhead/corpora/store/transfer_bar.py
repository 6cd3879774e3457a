"""A progress bar for what takes a while: on a terminal only."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from clearhead.corpora.store.download import Progress


@contextmanager
def transfer_bar(title: str) -> Iterator[Progress]:
    """Show how far a transfer has come, on stderr; silent where that is no terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn, TransferSpeedColumn
    from rich.progress import Progress as Columns

    shown = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Columns(*shown, console=Console(stderr=True)) as columns:
        task = columns.add_task(title, total=None)
        yield lambda done, total: columns.update(task, completed=done, total=total)
