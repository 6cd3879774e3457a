"""Every claim of the lab rerun: verdicts, and the seconds of one core that each took (a busy machine does not spoil them).

Run: .venv/bin/python benchmarks/lab.py [--full]; the result goes to benchmarks/lab.md. --full reruns them in full as well.
"""

import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from machine import described

from clearhead.lab import CLAIMS, Trial, claim_named, rerun

HERE = Path(__file__).parent


def measured(name: str, quick: bool) -> tuple[str, float]:
    """The verdict of one claim, and the seconds of a core."""
    started = time.process_time()
    verdict = rerun(claim_named(name), Trial(quick=quick)).finding.verdict
    return verdict, time.process_time() - started


def all_measured(quick: bool) -> tuple[dict[str, tuple[str, float]], float]:
    """Every claim, two at a time, and the seconds by the clock; the longest stand last in the table and begin first."""
    names, started = list(CLAIMS)[::-1], time.perf_counter()
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as cores:
        found = dict(zip(names, cores.map(measured, names, [quick] * len(names)), strict=True))
    return found, time.perf_counter() - started


def main() -> None:
    ways = {"quick": all_measured(True)} | ({"in full": all_measured(False)} if "--full" in sys.argv else {})
    lines = ["# The lab", "", described(), "Seconds are those of one core, seed 0.", ""]
    for way, (found, clock) in ways.items():
        total = sum(seconds for _, seconds in found.values())
        lines += [f"All {len(found)} claims, {way}: {total:.0f} s of one core, {clock:.0f} s by the clock.", ""]
    lines += [f"| claim | {' | | '.join(ways)} | |", f"| --- |{' --- | --- |' * len(ways)}"]
    for name in CLAIMS:
        cells = " | ".join(f"{found[name][1]:.1f} s | {found[name][0]}" for found, _ in ways.values())
        lines.append(f"| {name} | {cells} |")
    text = "\n".join(lines) + "\n"
    (HERE / "lab.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
