"""The knowledge experiment by this commit and by one before it, side by side: the same minutes, seed, machine and moment.

On a quiet machine: CLEARHEAD_DATA=… .venv/bin/python benchmarks/birthplaces_before.py RUNS [--minutes 4,8] [--seeds 0,1,2].
Each pair of runs begins at once, each side pinned to a core of its own with one thread; the sides change cores from seed to
seed. With --in-turn each side has the whole machine, one after the other, the first one changing (only the table, in
benchmarks/birthplaces_in_turn.md). What is compared are two commits as they were when RUNS was begun (sources in RUNS/before
and RUNS/after). A pair that is done is written down at once and not run again; one that was cut short is begun again, since
half of a pair is no comparison. Rows of lengths that are not asked for stay in the table as they were.
Then the longest runs of this commit, and runs of 3 minutes on the built-in world, are asked what they cannot know
(benchmarks/abstention.py). The results go to benchmarks/birthplaces_before.md and benchmarks/abstention.md.
"""

import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from commits import ONE_PROCESS, named, unpacked
from machine import described

from clearhead.wilson import wilson

HERE = Path(__file__).parent
SIDES = ("before", "after")
WORLD_MINUTES = 3.0
HEAD = ("minutes", "commits", "before, dev", "this, dev", "difference", "minutes measured, before", "this")


def sources(runs: Path, before: str) -> None:
    """The two commits of a folder of runs, unpacked there when it was begun."""
    kept = runs / "commits.json"
    if not kept.exists():
        runs.mkdir(parents=True, exist_ok=True)
        commits = {side: named(name) for side, name in zip(SIDES, (before, "HEAD"), strict=True)}
        for side, commit in commits.items():
            shutil.rmtree(runs / side, ignore_errors=True)
            unpacked(commit, runs / side)
        kept.write_text(json.dumps(commits), encoding="utf-8")


def started(runs: Path, side: str, name: str, cores: list[int], *words: str) -> subprocess.Popen[bytes]:
    """One run from nothing, pinned to cores, a thread on each; what it says goes to a file beside its folder."""
    folder = runs / f"{name}-{side}"
    shutil.rmtree(folder, ignore_errors=True)
    command = [
        "taskset",
        "-c",
        ",".join(map(str, cores)),
        sys.executable,
        "-m",
        "clearhead",
        "birthplaces",
        "run",
        "--out",
        str(folder),
        *words,
    ]
    told = {**os.environ, "PYTHONPATH": str(runs.resolve() / side / "src"), "OMP_NUM_THREADS": str(len(cores))}
    with Path(f"{folder}.log").open("wb") as log:
        return subprocess.Popen(command, env=told, stdout=log, stderr=subprocess.STDOUT)


def finished(runs: list[subprocess.Popen[bytes]]) -> None:
    """Wait for all; where one fails, or this is stopped, all are stopped."""
    try:
        for run in runs:
            if run.wait():
                raise SystemExit(f"{' '.join(map(str, run.args))} ended with {run.returncode}")  # type: ignore[union-attr]
    finally:
        for run in runs:
            if run.poll() is None:
                run.terminate()
                run.wait()


def figures_of(runs: Path, name: str) -> dict[str, Any]:
    """The figures of both sides of a pair."""
    return {side: json.loads((runs / f"{name}-{side}" / "figures.json").read_text(encoding="utf-8")) for side in SIDES}


def compared(runs: Path, minutes: list[float], seeds: list[int], data: str, core: str, in_turn: bool) -> dict[str, Any]:
    """Every pair, by its name; each is written down when it is done."""
    kept = runs / "pairs.json"
    pairs: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    cores = sorted(os.sched_getaffinity(0))[:2]
    for length in minutes:
        for seed in seeds:
            name = f"{length:g}-{seed}"
            if name not in pairs:
                turn = 1 if seed % 2 else -1
                words = ("--minutes", str(length), "--seed", str(seed), "--data", data)
                if in_turn:
                    for side in SIDES[::turn]:
                        finished([started(runs, side, name, cores, *words)])
                else:
                    pair = zip(SIDES, cores[::turn], strict=True)
                    finished([started(runs, side, name, [one], *words) for side, one in pair])
                pairs[name] = figures_of(runs, name)
                kept.write_text(json.dumps(pairs), encoding="utf-8")
            write(runs, pairs, minutes, seeds, core, in_turn)
    return pairs


def write(runs: Path, pairs: dict[str, Any], minutes: list[float], seeds: list[int], core: str, in_turn: bool) -> None:
    """The table of what is there so far, and the rows of lengths measured another time."""
    table = HERE / ("birthplaces_in_turn.md" if in_turn else "birthplaces_before.md")
    commits = json.loads((runs / "commits.json").read_text(encoding="utf-8"))
    rows = earlier_rows(table)
    for length in minutes:
        there = [pairs[f"{length:g}-{seed}"] for seed in seeds if f"{length:g}-{seed}" in pairs]
        if there:
            rows[length] = row(length, commits, there, len(seeds))
    lines = ["# Birthplaces, beside the commit before", "", described(), ""]
    lines += [f"| {' | '.join(HEAD)} |", f"| {' | '.join('---' for _ in HEAD)} |", *(rows[length] for length in sorted(rows))]
    had = (
        "one side after the other, each with the whole machine"
        if in_turn
        else f"each pair at once, each side with {core} and one thread (a person has two whole ones)"
    )
    lines += [
        "",
        f"Seeds {', '.join(map(str, seeds))}, {had}; the mean, and each seed. The interval is that of the difference "
        "of two shares of so many questions (Newcombe's, from Wilson's). Everything from a blank model to the printed accuracy "
        "is in the minutes.",
        "",
        f"Shown by: `python benchmarks/birthplaces_before.py RUNS{' --in-turn' if in_turn else ''}`",
    ]
    text = "\n".join(lines) + "\n"
    table.write_text(text, encoding="utf-8")
    print(text, flush=True)


def earlier_rows(table: Path) -> dict[float, str]:
    """The rows of a table, by their minutes."""
    lines = table.read_text(encoding="utf-8").splitlines() if table.exists() else []
    return {float(line.split()[1]): line for line in lines if line.startswith("| ") and line[2].isdigit()}


def row(length: float, commits: dict[str, str], there: list[dict[str, Any]], wanted: int) -> str:
    cells, sums = [f"{length:g}" + ("" if len(there) == wanted else f" ({len(there)} of {wanted} seeds)")], []
    cells.append(" and ".join(commits[side] for side in SIDES))
    for side in SIDES:
        rates = [pair[side]["dev"]["accuracy"] for pair in there]
        right, total = (sum(pair[side]["dev"][key] for pair in there) for key in ("correct", "total"))
        sums.append((statistics.mean(rates), *wilson(right, total)))
        cells.append(f"{statistics.mean(rates):.1%} ({', '.join(f'{rate:.1%}' for rate in rates)})")
    (old, old_low, old_high), (new, new_low, new_high) = sums
    low = new - old - ((new - new_low) ** 2 + (old_high - old) ** 2) ** 0.5
    high = new - old + ((new_high - new) ** 2 + (old - old_low) ** 2) ** 0.5
    cells.append(f"{100 * (new - old):+.1f} ({100 * low:+.1f} to {100 * high:+.1f})")
    cells += [", ".join(f"{pair[side]['minutes']:.2f}" for pair in there) for side in SIDES]
    return f"| {' | '.join(cells)} |"


def worlds(runs: Path, seeds: list[int]) -> list[Path]:
    """Runs of this commit on the built-in world, two at a time."""
    cores = sorted(os.sched_getaffinity(0))[:2]
    left = [seed for seed in seeds if not (runs / f"world-{seed}-after" / "figures.json").exists()]
    for first in range(0, len(left), 2):
        some = zip(left[first : first + 2], cores, strict=False)
        words = ("--minutes", str(WORLD_MINUTES), "--seed")
        finished([started(runs, "after", f"world-{seed}", [core], *words, str(seed)) for seed, core in some])
    return [runs / f"world-{seed}-after" for seed in seeds]


def stop(number: int, frame: object) -> None:
    raise SystemExit(128 + number)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("runs", nargs="?", type=Path, default=Path("out/birthplaces_before"))
    arguments.add_argument("--before", default=ONE_PROCESS)
    arguments.add_argument("--minutes", default="4,8,20")
    arguments.add_argument("--seeds", default="0,1,2")
    arguments.add_argument("--data", default=str(Path(os.environ.get("CLEARHEAD_DATA", "data")) / "birthplaces"))
    arguments.add_argument("--core", default="one core", help="what each side has, where a control group leaves it less")
    arguments.add_argument("--in-turn", action="store_true", help="one side after the other, each with the whole machine")
    given = arguments.parse_args()
    signal.signal(signal.SIGTERM, stop)
    sources(given.runs, given.before)
    minutes, seeds = [float(each) for each in given.minutes.split(",")], [int(each) for each in given.seeds.split(",")]
    compared(given.runs, minutes, seeds, given.data, given.core, given.in_turn)
    if given.in_turn:
        return
    longest = [given.runs / f"{max(minutes):g}-{seed}-after" for seed in seeds]
    asked = [word for folder in longest for word in ("--run", str(folder))]
    asked += [word for folder in worlds(given.runs, seeds) for word in ("--world", str(folder))]
    told = {**os.environ, "PYTHONPATH": str(given.runs.resolve() / "after" / "src")}
    subprocess.run([sys.executable, str(HERE / "abstention.py"), *asked], check=True, env=told)


if __name__ == "__main__":
    main()
