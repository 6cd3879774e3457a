"""Threads that compute on one core each: for many small steps in a row faster than cutting every step up among the cores.

Threads that share a step wait for each other at its end; where other work is on the machine, that is most of the time.
"""

from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager

import torch


def at_once(device: torch.device) -> int:
    """How many threads torch computes with; one where the device itself does many things at once."""
    return torch.get_num_threads() if device.type == "cpu" else 1


@contextmanager
def single_threads(count: int) -> Iterator[Executor]:
    """So many threads, each with a core of its own; whoever opens them computes with as many cores as before."""
    of_torch = torch.get_num_threads()
    try:
        with ThreadPoolExecutor(count, initializer=torch.set_num_threads, initargs=(1,)) as threads:
            yield threads
    finally:
        torch.set_num_threads(of_torch)  # a thread says it for itself, and for those that begin after it
