"""A sign of life on stderr for what takes longer than a moment; nothing where nobody looks."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import Any

MOMENT = 1.5  # seconds


@contextmanager
def patience(words: str) -> Iterator[None]:
    """Turn a spinner with these words after a moment, until the block is done."""
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
