"""One process at a time writes a run folder: a lock that dies with its owner, and who that is."""

import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from clearhead.errors import InputError
from clearhead.saving import write_whole
from clearhead.training.folders.run_folder import LOCK, WRITER
from clearhead.training.machines.processes import by_the_first


@contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """Hold the run folder while it is written, by the first process; where another run holds it, say who and since when."""
    lock = by_the_first(lambda: held(folder))
    try:
        yield
    finally:
        if lock is not None:
            (folder / WRITER).unlink(missing_ok=True)
            lock.release()


def held(folder: Path) -> BaseFileLock:
    """The lock of a folder, held by this process."""
    lock = FileLock(folder / LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise InputError(
            f"{folder} is being trained{who(folder)}; wait until that is over, or train into another folder."
        ) from None
    told = {"process": os.getpid(), "host": socket.gethostname(), "since": time.strftime("%Y-%m-%d %H:%M:%S")}
    write_whole(folder / WRITER, json.dumps(told) + "\n")
    return lock


def who(folder: Path) -> str:
    """The process that writes, as far as it has said so."""
    try:
        told = json.loads((folder / WRITER).read_text(encoding="utf-8"))
        return f" by process {told['process']} on {told['host']} since {told['since']}"
    except (OSError, ValueError, KeyError, TypeError):
        return " by another process"
