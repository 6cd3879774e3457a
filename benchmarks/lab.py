"""Every claim of the lab rerun, quickly and in full: verdicts and seconds.

Run: .venv/bin/python benchmarks/lab.py [--quick]; the result goes to benchmarks/lab.md. --quick leaves out the runs in full.
"""

import sys
import time
from pathlib import Path

from machine import described

from clearhead.lab import CLAIMS, Report, Trial, claim_named, rerun
from clearhead.lab.rerun import rerun_each

HERE = Path(__file__).parent


def main() -> None:
    started = time.perf_counter()
    quick = {report.claim.name: report for report in rerun_each(list(CLAIMS), Trial(quick=True))}
    together = time.perf_counter() - started
    full: dict[str, Report] = {}
    for name in () if "--quick" in sys.argv else CLAIMS:
        full[name] = rerun(claim_named(name), Trial())
        print(f"{name}: {full[name].finding.verdict}, {full[name].seconds:.1f} s", flush=True)
    lines = [
        "# The lab",
        "",
        described(),
        "",
        f"All {len(CLAIMS)} claims with --quick, a process a core: {together:.0f} s.",
        "",
    ]
    lines += ["| claim | verdict | quick, s | in full, s |", "| --- | --- | --- | --- |"]
    for name in CLAIMS:
        shown = full.get(name, quick[name])
        seconds = f"{full[name].seconds:.1f}" if name in full else "not run"
        lines.append(f"| {name} | {shown.finding.verdict} | {quick[name].seconds:.1f} | {seconds} |")
    text = "\n".join(lines) + "\n"
    (HERE / "lab.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
