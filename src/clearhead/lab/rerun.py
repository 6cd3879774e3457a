"""Do an experiment again: the chance in it comes from the seed, and the time is taken."""

import time
from typing import Any

from clearhead.lab.claim import Claim, Report, Trial


def rerun(claim: Claim, trial: Trial, **parts: Any) -> Report:
    """The report of one claim; `parts` exchange something inside the experiment, as the tests do to make the claim fail."""
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(trial.seed)
        start = time.perf_counter()
        finding = claim.experiment(trial, **parts)
        return Report(claim, trial, finding, time.perf_counter() - start)
