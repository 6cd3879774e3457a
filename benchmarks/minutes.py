"""Whether a budget in minutes holds when half of the machine is taken away midway, everything included.

.venv/bin/python benchmarks/minutes.py [8 …] [--before 3 …] runs `clearhead birthplaces run --minutes …`; at half time as many
busy processes are started as there are cores, so that half of every core is left. With --before the last commit that planned
once, at the start, is measured too. One run comes after the other. The result goes to benchmarks/minutes.md.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from commits import ONE_PROCESS, unpacked
from machine import described

HERE = Path(__file__).parent
BUSY = [sys.executable, "-c", "while True: pass"]


def corpus_name() -> str:
    data = os.environ.get("CLEARHEAD_DATA", "")
    return str(Path(data) / "birthplaces") if data and (Path(data) / "birthplaces").is_dir() else "world"


def row(name: str, minutes: float, python_path: Path) -> str:
    """One run, disturbed from its half time on: what it took, and how right it was in the end."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    told = {**os.environ, "PYTHONPATH": str(python_path)}
    with tempfile.TemporaryDirectory() as place:
        folder, started = Path(place) / "run", time.monotonic()
        words = ["birthplaces", "run", "--out", str(folder), "--minutes", str(minutes), "--data", corpus_name()]
        run = subprocess.Popen([sys.executable, "-m", "clearhead", *words], env=told, stdout=subprocess.DEVNULL)
        others: list[subprocess.Popen[bytes]] = []
        try:
            time.sleep(30 * minutes)
            others = [subprocess.Popen(BUSY) for _ in range(cores)]
            if run.wait():
                raise SystemExit(f"the run ended with {run.returncode}")
        finally:
            for other in (*others, run):
                other.kill()
        took = (time.monotonic() - started) / 60
        right = json.loads((folder / "figures.json").read_text(encoding="utf-8"))["dev"]["accuracy"]
    return f"| {name} | {minutes:g} | {took:.2f} | {took / minutes - 1:+.0%} | {right:.1%} |"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("minutes", nargs="*", type=float, default=[8.0])
    arguments.add_argument("--before", nargs="*", type=float, default=[])
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as place:
        before = unpacked(ONE_PROCESS, Path(place))
        rows = [row("planned again at each checkpoint", minutes, HERE.parent / "src") for minutes in given.minutes]
        rows += [row(f"planned once, at the start ({ONE_PROCESS})", minutes, before) for minutes in given.before]
    lines = [
        "# Minutes, with half of the machine taken away midway",
        "",
        described(),
        "",
        "| `clearhead birthplaces run` | minutes asked | took | over | dev |",
        "| --- | --- | --- | --- | --- |",
        *rows,
        "",
        "From half time on one busy process for each core computes beside it. Everything is in the minutes: starting "
        "Python, timing, pretraining, finetuning, the answers to dev and test.",
    ]
    text = "\n".join(lines) + "\n"
    (HERE / "minutes.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
