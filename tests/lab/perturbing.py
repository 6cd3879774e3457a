"""How the tests make a claim fail: one part of its experiment is exchanged."""

from typing import Any

from clearhead.lab import LabReport, Trial, claim_named, rerun


def tried(name: str, **parts: Any) -> LabReport:
    """The claim rerun quickly, with these parts exchanged."""
    return rerun(claim_named(name), Trial(seed=0, quick=True), **parts)


def verdict(name: str, **parts: Any) -> str:
    return tried(name, **parts).finding.verdict
