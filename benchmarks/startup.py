"""How long `clearhead` takes to start, against importing what it is built on. Both sides run in turns, in one go.

Run: .venv/bin/python benchmarks/startup.py [rounds]; the result goes to benchmarks/startup.md.
"""

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

from clearhead.cli import COMMANDS

LIMIT = 3  # what issue 2 allows for --help
HERE = Path(__file__).parent
CLEARHEAD = [str(Path(sys.executable).with_name("clearhead"))]


def imports(names: str) -> list[str]:
    return [sys.executable, "-c", f"import {names}"]


def pairs() -> dict[str, tuple[list[str], list[str]]]:
    """What we run, and what it is measured against."""
    found = {"clearhead --help": ([*CLEARHEAD, "--help"], imports("typer, rich"))}
    if "work" in COMMANDS:
        found["clearhead work examples/self-attention"] = (
            [*CLEARHEAD, "work", "examples/self-attention"],
            imports("numpy, typer, rich"),
        )
    return found


def seconds(command: list[str], folder: str) -> float:
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def measure(rounds: int) -> dict[str, tuple[list[float], list[float]]]:
    """Each pair, one after the other in every round, after one round that only warms the disk."""
    times: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in pairs()}
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(rounds + 1):
            for name, sides in pairs().items():
                for side, command in enumerate(sides):
                    took = seconds(command, folder)
                    if turn:
                        times[name][side].append(took)
    return times


def report(times: dict[str, tuple[list[float], list[float]]], rounds: int) -> str:
    lines = [
        "# Start-up",
        "",
        f"{date.today().isoformat()}, {os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}, "
        f"bytecode {'not written' if sys.dont_write_bytecode else 'written'}; {rounds} rounds, both sides in turns.",
        "",
        "| we | against | best ms | best ms of the other | ratio of bests | ratio of medians |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, (ours, theirs) in times.items():
        other = pairs()[name][1][-1]
        best, median = min(ours) / min(theirs), statistics.median(ours) / statistics.median(theirs)
        bests = f"{min(ours) * 1000:.0f} | {min(theirs) * 1000:.0f}"
        lines.append(f'| `{name}` | `python -c "{other}"` | {bests} | {best:.2f} | {median:.2f} |')
    ratio = statistics.median(times["clearhead --help"][0]) / statistics.median(times["clearhead --help"][1])
    kept = "keeps" if ratio <= LIMIT else "BREAKS"
    lines += ["", f"`clearhead --help` {kept} the limit of {LIMIT} times its libraries: {ratio:.2f}.", ""]
    lines += ["Shown by: `python benchmarks/startup.py`", ""]
    return "\n".join(lines)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    text = report(measure(rounds), rounds)
    (HERE / "startup.md").write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
