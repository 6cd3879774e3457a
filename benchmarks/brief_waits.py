"""What it costs, and what it brings, that threads wait briefly where others compute too: tokens a second of pretraining.

.venv/bin/python benchmarks/brief_waits.py [ROUNDS] trains `fast` for a few seconds at a time: alone, beside one busy process,
and beside one for each core; by threads that always wait long (as GNU's OpenMP has it), that always wait briefly, that wait as
`brief_waits_in_company` has it, and by one thread. All ways come in turn. The result goes to benchmarks/brief_waits.md.
"""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

import torch
from machine import described
from minutes import BUSY, corpus_name

from clearhead.corpora import find_corpus
from clearhead.corpora.vocabularies.vocabulary_config import build_vocabulary
from clearhead.training import named_recipe
from clearhead.training.machines.brief_waits import LOOK, Sleepers, brief_waits_in_company
from clearhead.training.steps.pace import pace_of

SECONDS = 4.0  # of each timing
ROUNDS = 3
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def brief() -> Iterator[None]:
    sleepers = Sleepers()
    sleepers.keep(True)
    yield
    sleepers.keep(False)


@contextmanager
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


WAYS: dict[str, Callable[[], AbstractContextManager[None]]] = {
    "long waits": nullcontext,
    "brief waits": brief,
    "as it is shipped": brief_waits_in_company,
    "one thread": one_thread,
}


def timed(corpus: str, beside: int) -> dict[str, float]:
    """Tokens a second of each way, beside so many busy processes."""
    recipe, found = named_recipe("fast", [f"corpus={corpus}"]), find_corpus(corpus)
    vocabulary = build_vocabulary(recipe.vocabulary, found.documents())
    others = [subprocess.Popen(BUSY) for _ in range(beside)]
    paces = {}
    try:
        for name, way in WAYS.items():
            with way():
                if way is brief_waits_in_company:  # the first look is not what is measured
                    pace_of(recipe, vocabulary, found, 2 * LOOK)
                paces[name] = pace_of(recipe, vocabulary, found, SECONDS).tokens_per_second
    finally:
        for other in others:
            other.kill()
            other.wait()
    return paces


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    beside = sorted({0, 1, CORES})
    paces: dict[tuple[int, str], list[float]] = {(count, name): [] for count in beside for name in WAYS}
    for _ in range(rounds):
        for count in beside:
            for name, pace in timed(corpus_name(), count).items():
                paces[count, name].append(pace)
            time.sleep(1.0)
    lines = [
        "# Threads that wait briefly in company",
        "",
        described(),
        "",
        f"Thousands of tokens a second of pretraining `fast`, median of {rounds} (all of them), in turn.",
        "",
        "| busy processes beside it | " + " | ".join(WAYS) + " |",
        "| --- |" + " --- |" * len(WAYS),
        *(f"| {count} | " + " | ".join(told(paces[count, name]) for name in WAYS) + " |" for count in beside),
    ]
    text = "\n".join(lines) + "\n"
    Path(__file__).with_suffix(".md").write_text(text, encoding="utf-8")
    print(text)


def told(values: list[float]) -> str:
    """
    >>> told([1000.0, 3000.0, 2000.0])
    '2.0 (1.0, 3.0, 2.0)'
    """
    return f"{statistics.median(values) / 1000:.1f} ({', '.join(f'{value / 1000:.1f}' for value in values)})"


if __name__ == "__main__":
    main()
