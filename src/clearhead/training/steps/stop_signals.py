"""Ctrl-C as a wish: it is looked at between two steps, when everything is in order and can be saved."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from clearhead.training.machines.processes import launched


class Stopped(Exception):
    """The run stopped before its end because somebody asked it to; `checkpoint` is where it goes on from."""

    def __init__(self, checkpoint: Path) -> None:
        super().__init__(str(checkpoint))
        self.checkpoint = checkpoint


@contextmanager
def asked_to_stop() -> Iterator[threading.Event]:
    """An event that Ctrl-C (or a polite kill) sets; a second Ctrl-C stops at once, without saving.

    Under torchrun one Ctrl-C comes twice, from the terminal and from torchrun, which itself loses patience after a while.
    """
    asked = threading.Event()
    patient = launched() > 1

    def ask(number: int, frame: Any) -> None:
        if asked.is_set() and not patient:
            raise KeyboardInterrupt
        asked.set()

    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
