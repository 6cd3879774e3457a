"""The progress bar of a run: loss, real tokens a second, time left; on a terminal only."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from clearhead.training.loop import Report, Watcher, unwatched


@contextmanager
def training_bar(title: str, total: int) -> Iterator[Watcher]:
    """Show on stderr how far a run is; silent where that is no terminal."""
    if not sys.stderr.isatty():
        yield unwatched
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn(title), BarColumn(), TextColumn("{task.percentage:3.0f} %"), TimeElapsedColumn())
    with Progress(*columns, TextColumn("{task.fields[told]}"), console=Console(stderr=True)) as progress:
        task = progress.add_task(title, total=total, told="")

        def watch(report: Report) -> None:
            progress.update(task, completed=min(report.tokens, total), told=told(report))

        yield watch


def told(report: Report) -> str:
    """A report in one line.

    >>> told(Report(step=10, tokens=500, total=1000, loss=2.5, tokens_per_second=12345.6, seconds_left=75.2))
    'loss 2.500 · 12,346 tokens/s · 1:15 left'
    """
    minutes, seconds = divmod(round(report.seconds_left), 60)
    return f"loss {report.loss:.3f} · {report.tokens_per_second:,.0f} tokens/s · {minutes}:{seconds:02d} left"
