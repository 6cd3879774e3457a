"""Whether a budget in minutes holds when half of the machine is taken away midway: planned again, and as it was before.

Each side trains `fast` for so many minutes; at half time as many busy processes are started as there are cores, so that half
of every core is left. The one side plans its length again at each checkpoint; the other keeps the length of the start
(`training.seconds = 0`), as all runs did before. The sides come one after the other, everything included.

Run: .venv/bin/python benchmarks/minutes.py [minutes]; the result goes to benchmarks/minutes.md.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from machine import described

from clearhead.training.recipes.recipe import read_recipe

HERE = Path(__file__).parent
COMMAND = [sys.executable, "-m", "clearhead", "train", "fast"]
BUSY = [sys.executable, "-c", "while True: pass"]


def corpus_name() -> str:
    data = os.environ.get("CLEARHEAD_DATA", "")
    return str(Path(data) / "birthplaces") if data and (Path(data) / "birthplaces").is_dir() else "world"


def taken(folder: Path, minutes: float, planned: bool) -> tuple[float, int, int]:
    """Minutes that a run took, the tokens it was to have at the start, and those it had."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    started = time.monotonic()
    words = [*COMMAND, "--out", str(folder), "--minutes", str(minutes), "--set", f'corpus="{corpus_name()}"']
    run = subprocess.Popen(words, stderr=subprocess.DEVNULL)
    while not (folder / "recipe.toml").exists():
        time.sleep(0.01)
    if not planned:
        run.terminate()  # stopped politely at once, and gone on with as it would have been
        run.wait()
        file = folder / "recipe.toml"
        seconds = read_recipe(file).training.seconds
        file.write_text(file.read_text().replace(f"seconds = {seconds}", "seconds = 0.0"))
        run = subprocess.Popen([*COMMAND, "--out", str(folder), "--resume"], stderr=subprocess.DEVNULL)
    first = read_recipe(folder / "recipe.toml").training.tokens
    time.sleep(max(0.0, 30 * minutes - (time.monotonic() - started)))
    others = [subprocess.Popen(BUSY) for _ in range(cores)]
    try:
        run.wait()
    finally:
        for other in others:
            other.kill()
    return (time.monotonic() - started) / 60, first, read_recipe(folder / "recipe.toml").training.tokens


def main() -> None:
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 8.0
    lines = ["# Minutes, with half of the machine taken away midway", "", described(), ""]
    lines += [
        f"| asked for {minutes:g} min | took | over | tokens planned | tokens trained |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, planned in (("planned again at each checkpoint", True), ("as it was before", False)):
        with tempfile.TemporaryDirectory() as place:
            took, first, last = taken(Path(place) / "run", minutes, planned)
        lines.append(f"| {name} | {took:.1f} min | {took / minutes - 1:+.0%} | {first:,} | {last:,} |")
    text = "\n".join(lines) + "\n"
    (HERE / "minutes.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
