"""Claims about attention and neural nets that can be rerun: one claim a file, each ends in numbers, a verdict and a picture."""

from clearhead.lab.claim import Claim, Finding, Interval, LabReport, Trial
from clearhead.lab.claims import CLAIMS, claim_named
from clearhead.lab.rerun import rerun
from clearhead.lab.text import listing, told

__all__ = ["CLAIMS", "Claim", "Finding", "Interval", "LabReport", "Trial", "claim_named", "listing", "rerun", "told"]
