"""What the command prints: one report, or a line for each of them, and the pictures where they were asked for."""

import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from clearhead.errors import InputError
from clearhead.lab.claim import LabReport, Trial
from clearhead.lab.claims import CLAIMS, claim_named
from clearhead.lab.rerun import rerun, rerun_each
from clearhead.lab.text import told
from clearhead.pictures import picture_file, require_picture_name
from clearhead.saving import save, write_whole


def claims_json(claims: Mapping[str, str]) -> str:
    """The list of claims for a program."""
    return as_json([{"name": name, "claim": sentence} for name, sentence in claims.items()])


def rerun_one(name: str, trial: Trial, out: Path | None, in_json: bool) -> str:
    """One claim; its picture goes where `out` says."""
    if out is not None:
        require_picture_name(out)
        if not out.parent.is_dir():  # told before the experiment, not after
            raise InputError(f"{out} cannot be written: there is no folder {out.parent}; make it first.")
    report = rerun(claim_named(name), trial)
    if out is not None:
        save(picture_file(report.finding.picture, out), out)
    return as_json([report.json()]) if in_json else told(report)


def rerun_all(trial: Trial, out: Path | None, in_json: bool) -> Iterator[str]:
    """Every claim: a line each as it is done, or one JSON list at the end; pictures go into the folder `out`."""
    if out is not None and out.exists() and not out.is_dir():
        raise InputError(f"{out} is a file; of all claims --out is a folder for their pictures.")
    reports, start = [], time.perf_counter()
    for report in rerun_each(list(CLAIMS), trial):
        reports.append(report)
        if out is not None:
            write_whole(out / f"{report.claim.name}.svg", report.finding.picture)
        if not in_json:
            yield line(report)
    yield (
        as_json([report.json() for report in reports])
        if in_json
        else f"{len(reports)} claims in {time.perf_counter() - start:.0f} s\n"
    )


def line(report: LabReport) -> str:
    width = max(map(len, CLAIMS))
    return f"{report.claim.name:{width}}  {report.seconds:6.1f} s  {report.finding.verdict}\n"


def as_json(content: object) -> str:
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
