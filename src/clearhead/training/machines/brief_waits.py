"""Threads that wait for each other: for long where the machine is ours, briefly where others compute on it too.

A step of a small model is many short products, each cut up among threads that then wait for the next one. GNU's OpenMP lets
a waiting thread look for it some 300,000 times before it sleeps. Alone that is quickest; in company it looks on the very core
that the thread it waits for needs, and a step takes three to fifty times as long. By its manual it looks a hundred times only
where it has more threads than there are cores. So while this process's threads queue for cores, it gets more of them: asleep.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Lock, Thread

import torch

LOOK = 1.0  # seconds between two looks at the queue
CROWDED = 0.15  # share of the time that our threads could compute in which they stand in the queue: more is company ...
QUIET = 0.05  # ... and less is none
ENOUGH = 0.1  # seconds that they could compute between two looks; with less nothing can be told
CUT = 1 << 15  # numbers that are worth a thread to torch
THREADS = Path("/proc/self/task")  # Linux; elsewhere threads wait as they always do
Times = dict[str, tuple[int, int]]
"""Nanoseconds of each thread: computing, and standing in the queue for a core."""

_watched = Lock()


@contextmanager
def brief_waits_in_company() -> Iterator[None]:
    """In here threads wait briefly whenever others compute on this machine; what is computed stays the same, bit for bit."""
    if torch.get_num_threads() == 1 or not queue_times() or not _watched.acquire(blocking=False):
        yield
        return
    over = Event()
    watcher = Thread(target=watch, args=(over,), name="queue watcher", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
        _watched.release()


def watch(over: Event) -> None:
    """Look at the queue every now and then; threads are added where there is one, and let go where there is none."""
    sleepers, before = Sleepers(), queue_times()
    while not over.wait(LOOK):
        now = queue_times()
        sleepers.keep(in_company(share_queued(before, now), bool(sleepers.threads)))
        before = now
    sleepers.keep(False)


def queue_times() -> Times:
    """How long each thread of this process computed and queued so far; nothing where the kernel does not say."""
    times: Times = {}
    with suppress(OSError):
        for name in os.listdir(THREADS):
            with suppress(OSError, ValueError):  # it may just have ended
                computing, queued, _ = (THREADS / name / "schedstat").read_bytes().split()
                times[name] = int(computing), int(queued)
    return times


def share_queued(before: Times, now: Times) -> float | None:
    """The share of the time between two looks in which threads that could compute stood in the queue, if it can be told.

    >>> share_queued({"7": (0, 0)}, {"7": (3 * 10**8, 10**8), "9": (5, 5)})
    0.25
    >>> share_queued({"7": (0, 0)}, {"7": (10**6, 10**6)}) is None
    True
    """
    both = before.keys() & now.keys()
    computing, queued = (sum(now[name][part] - before[name][part] for name in both) for part in (0, 1))
    ready = computing + queued
    return queued / ready if ready > ENOUGH * 1e9 else None


def in_company(share: float | None, before: bool) -> bool:
    """Whether others compute here too; between the two limits, and where nothing can be told, it stays as it was.

    >>> [in_company(share, before) for share in (0.3, 0.1, 0.01, None) for before in (False, True)]
    [True, True, False, True, False, False, False, True]
    """
    return before if share is None else share > CROWDED or (before and share > QUIET)


class Sleepers:
    """Threads that have OpenMP's threads of their own, do nothing, and make these more than there are cores."""

    def __init__(self) -> None:
        self.threads: list[Thread] = []
        self.over = Event()

    def keep(self, wanted: bool) -> None:
        """Have them, or have none; OpenMP's end with the thread that has them."""
        if wanted == bool(self.threads):
            return
        if wanted:
            self.over = Event()
            self.threads = [Thread(target=sleep_with_company, args=(self.over,), daemon=True) for _ in range(needed())]
            for thread in self.threads:
                thread.start()
            return
        self.over.set()
        for thread in self.threads:
            thread.join()
        self.threads = []


def needed() -> int:
    """How many sleepers, each with as many threads as torch takes, make them more than the cores; none wait for one alone."""
    cores, own = len(os.sched_getaffinity(0)), torch.get_num_threads()
    return max(1, (cores - own) // (own - 1) + 1) if own > 1 else 0


def sleep_with_company(over: Event) -> None:
    """Compute once with all threads, so that they are there, and sleep."""
    torch.zeros(torch.get_num_threads() * CUT, device="cpu").add_(1.0)
    over.wait()
