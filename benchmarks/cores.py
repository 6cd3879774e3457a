"""Commands side by side, each pinned to a core of its own with one thread."""

import os
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import Queue


def side_by_side(commands: Sequence[Sequence[str]]) -> list[str]:
    """What each command prints on its standard output, in their order; one that fails stops the rest."""
    free: Queue[int] = Queue()
    for core in sorted(os.sched_getaffinity(0)):
        free.put(core)

    def run(command: Sequence[str]) -> str:
        core = free.get()
        pinned = ["taskset", "-c", str(core), *command]
        told = subprocess.run(pinned, check=True, stdout=subprocess.PIPE, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
        free.put(core)
        print(told.stdout, end="", flush=True)
        return told.stdout.strip()

    with ThreadPoolExecutor(free.qsize()) as pool:
        return list(pool.map(run, commands))
