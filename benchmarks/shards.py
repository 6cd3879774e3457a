"""Does memory stay flat? The same words as 10 MB, 100 MB and 1 GB of JSON lines: made into shards, then trained on.

.venv/bin/python benchmarks/shards.py [FOLDER] [--sizes 10,100,1000] makes the files and shards in FOLDER (about three times the
largest size on disk; what is there already is not made again), and measures the peak memory of each step in a process of its
own. The result goes to benchmarks/shards.md.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from machine import described

HERE = Path(__file__).parent
WORDS = 20_000
STEPS = 30
MEASURED = """
import json, os, resource, sys, time
from clearhead.cli import main
start = time.monotonic()
code = main(sys.argv[1:])
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
told = {"code": code, "own": peak[0] / 1024, "child": peak[1] / 1024, "seconds": time.monotonic() - start}
print("MEASURED", json.dumps(told))
"""


def make_text(place: Path, megabytes: int) -> None:
    """JSON lines of random words, some of them far more frequent than others."""
    if place.exists() and place.stat().st_size >= megabytes * 1_000_000:
        return
    chance = random.Random(0)
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(2, 9))) for _ in range(WORDS)]
    weights = [1 / (rank + 5) for rank in range(WORDS)]
    written = 0
    with place.open("w", encoding="utf-8") as file:
        while written < megabytes * 1_000_000:
            drawn = chance.choices(words, weights, k=120_000)
            for start in range(0, len(drawn), 120):
                written += file.write(json.dumps({"text": " ".join(drawn[start : start + 120])}) + "\n")


def measured(*arguments: str) -> dict[str, Any]:
    """Peak memory in MB, of the process and of its children, and seconds."""
    done = subprocess.run([sys.executable, "-c", MEASURED, *arguments], check=True, capture_output=True, text=True)
    tree: dict[str, Any] = json.loads(done.stdout.rsplit("MEASURED", 1)[1])
    if tree["code"]:
        raise SystemExit(done.stderr)
    return tree


def row(folder: Path, megabytes: int) -> str:
    """One size: sharded with two processes, then trained on for a few steps."""
    text, shards, run = (folder / f"{megabytes}{end}" for end in (".jsonl", "-shards", "-run"))
    make_text(text, megabytes)
    kept = folder / f"{megabytes}.json"
    if kept.exists():
        made = json.loads(kept.read_text(encoding="utf-8"))
    else:
        made = measured("data", "shard", str(text), "--out", str(shards), "--processes", "2")
        kept.write_text(json.dumps(made), encoding="utf-8")
    tokens = json.loads((shards / "shards.json").read_text(encoding="utf-8"))["tokens"]
    sizes = ("model.layers=1", "model.width=48", "training.batch=4096", f"training.tokens={4096 * STEPS}")
    settings = [part for each in (f"corpus={shards}", *sizes) for part in ("--set", each)]
    with tempfile.TemporaryDirectory(dir=folder) as fresh:
        trained = measured("train", "characters-gpt", "--out", str(Path(fresh) / run.name), *settings)
    size = text.stat().st_size / 1e6
    figures = [size, tokens / 1e6, made["seconds"], made["own"], made["child"], trained["own"]]
    return f"| {' | '.join(f'{each:,.0f}' for each in figures)} |"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", nargs="?", type=Path, default=None)
    arguments.add_argument("--sizes", default="10,100,1000")
    arguments.add_argument("--out", type=Path, default=HERE / "shards.md")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as fresh:
        folder = given.folder or Path(fresh)
        folder.mkdir(parents=True, exist_ok=True)
        rows = [row(folder, int(size)) for size in given.sizes.split(",")]
    lines = [
        "# Corpora larger than memory",
        "",
        described(),
        "",
        f"JSON lines of random words, made into shards of 2,048 byte pairs by two processes, then {STEPS} steps of a small "
        "`characters-gpt` on them. Peak memory in MB: of the process that leads, of the largest that encodes (0: the leading "
        "one encodes, there being one part only), and of training. What grows is the sample that byte pairs are learned from: "
        "256 kB of every 32 MB, and at most 16 MB.",
        "",
        "| text, MB | tokens, millions | seconds | leading | encoding | training |",
        "| --- | --- | --- | --- | --- | --- |",
        *rows,
    ]
    text = "\n".join(lines) + "\n"
    given.out.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
