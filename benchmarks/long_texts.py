"""Perplexity of a long text: the command of this tree beside that of an earlier commit, on the same run, in one go.

Run on a quiet machine: .venv/bin/python benchmarks/long_texts.py [--kilobytes 500] [--commit b6d555e]; the result goes to
benchmarks/long_texts.md.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from machine import described

from clearhead.corpora import find_corpus

HERE = Path(__file__).parent
ROUNDS = 4  # the best of them counts, on either side
RECIPES = ("characters-gru", "characters-lstm")  # a GPT took an hour in the old way


def clearhead(side: Path, *words: str) -> tuple[float, str]:
    """How long a command of one side takes, start-up and all, and what it prints."""
    started = time.perf_counter()
    paths = {**os.environ, "PYTHONPATH": str(side / "src")}
    done = subprocess.run([sys.executable, "-m", "clearhead", *words], env=paths, capture_output=True, text=True, check=True)
    return time.perf_counter() - started, done.stdout


def row(name: str, before: Path, room: Path, text: Path, short: Path) -> str:
    """One run under both sides: whole commands, and what is left of them without that on a text of some words."""
    run = str(room / name)
    clearhead(before, "train", name, "--out", run, "--set", "corpus=world", "--set", "epochs=0.02")  # both sides open it
    sides = (before, HERE.parent)
    for side in sides:
        clearhead(side, "perplexity", run, str(short), "--json")  # compiled once, and in the memory of the machine
    starts = [min(clearhead(side, "perplexity", run, str(short), "--json")[0] for _ in range(3)) for side in sides]
    rounds = [[clearhead(side, "perplexity", run, str(text), "--json") for side in sides] for _ in range(ROUNDS)]  # in turn
    wholes, told = zip(*(min(tries) for tries in zip(*rounds, strict=True)), strict=True)
    reading = [whole - start for whole, start in zip(wholes, starts, strict=True)]
    bits = [f"{found(json.loads(each)):.8f}" for each in told]
    cells = [f"{wholes[0]:.1f} s", f"{wholes[1]:.1f} s", f"{wholes[0] / wholes[1]:.1f}×"]
    cells += [f"{starts[0]:.1f} s", f"{starts[1]:.1f} s"]
    cells += [f"{1e6 * each / text.stat().st_size:.1f} µs" for each in reading]
    return f"| {' | '.join([name, *cells, f'**{reading[0] / reading[1]:.1f}×**', *bits])} |"


def found(tree: object) -> float:
    """Bits a byte, wherever they stand in what a command printed."""
    if isinstance(tree, dict) and "bits_per_byte" in tree:
        return float(tree["bits_per_byte"])
    inside = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return next((value for value in map(found, inside) if value == value), float("nan"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kilobytes", type=int, default=500)
    parser.add_argument("--commit", default="b6d555e")
    asked = parser.parse_args()
    world = find_corpus("world:people=2000,biographies_each=5,seed=1").text
    size = 1000 * asked.kilobytes
    lines = [
        "# Perplexity of a long text",
        "",
        f"{described()}. {asked.kilobytes} kB of the built-in world, another one than the runs learned from. "
        "Whole commands, the best of four on either side; their start (the same command on 200 bytes, mostly torch's own); "
        "and the rest, which is reading.",
        "",
        f"| run | {asked.commit} | this tree | whole | start then | start now | "
        "a byte then | a byte now | reading | bits a byte then | bits a byte now |",
        "| --- |" + " ---: |" * 10,
    ]
    with tempfile.TemporaryDirectory() as folder:
        room, before = Path(folder), Path(folder, "before")
        text, short = room / "text.txt", room / "short.txt"
        short.write_text(world[:200], encoding="utf-8")
        text.write_text((world * (size // len(world) + 1))[:size], encoding="utf-8")
        subprocess.run(["git", "worktree", "add", "-q", "--detach", before, asked.commit], cwd=HERE, check=True)
        try:
            for name in RECIPES:
                lines.append(row(name, before, room, text, short))
                print(lines[-1], flush=True)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", before], cwd=HERE, check=True)
    (HERE / "long_texts.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
