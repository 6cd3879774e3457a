"""Do an experiment again: the chance in it comes from the seed, and the time is taken."""

import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Any

from clearhead.lab.claim import Claim, LabReport, Trial
from clearhead.lab.claims import claim_named


def rerun(claim: Claim, trial: Trial, **parts: Any) -> LabReport:
    """The report of one claim; `parts` exchange something inside the experiment, as the tests do to make the claim fail.

    It is done in one thread: sums then have one order, and the nets are too small to gain from more.
    """
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(trial.seed)
            start = time.perf_counter()
            finding = claim.experiment(trial, **parts)
            return LabReport(claim, trial, finding, time.perf_counter() - start)
    finally:
        torch.set_num_threads(threads)


def rerun_each(names: Sequence[str], trial: Trial) -> Iterator[LabReport]:
    """The reports in this order, worked out in a process a core."""
    with ProcessPoolExecutor(min(len(names), os.cpu_count() or 1), mp_context=get_context("spawn")) as cores:
        yield from cores.map(partial(rerun_named, trial=trial), names)


def rerun_named(name: str, trial: Trial) -> LabReport:
    return rerun(claim_named(name), trial)
