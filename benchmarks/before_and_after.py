"""Start-up and marking of this tree beside those of an earlier commit: both sides in turns, in one go, as ratios.

Run: .venv/bin/python benchmarks/before_and_after.py [commit [rounds]]; prints a table. Run it on a quiet machine.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

HERE = Path(__file__).parent.parent
STARTS = {
    "clearhead --help": ["--help"],
    "clearhead work examples/self-attention": ["work", "examples/self-attention"],
    "clearhead layers examples/nets/exam-net": ["layers", "examples/nets/exam-net", "--input", "1x32x32"],
}
MARKED = ("examples/self-attention", "examples/cross-attention", "examples/sorter")
RATE = "from marking import rates_of; print(max(rates_of({name!r})))"


def python(side: Path, *words: str, folder: Path) -> str:
    """What a script prints when it finds the package and the benchmarks of one side."""
    paths = {**os.environ, "PYTHONPATH": f"{side / 'src'}{os.pathsep}{side / 'benchmarks'}", "OMP_NUM_THREADS": "1"}
    return subprocess.run([sys.executable, *words], cwd=folder, env=paths, capture_output=True, text=True, check=True).stdout


def seconds(side: Path, words: list[str], folder: Path) -> float:
    start = time.perf_counter()
    python(side, "-m", "clearhead", *words, folder=folder)
    return time.perf_counter() - start


def rate(side: Path, name: str, folder: Path) -> float:
    return float(python(side, "-c", RATE.format(name=name), folder=folder))


def main(commit: str = "HEAD~1", rounds: str = "7") -> None:
    with tempfile.TemporaryDirectory() as room:
        before, folder = Path(room, "before"), Path(room, "empty")
        folder.mkdir()
        subprocess.run(["git", "worktree", "add", "-q", "--detach", before, commit], cwd=HERE, check=True)
        for side in (before, HERE):  # as an installed package is: whatever the shell says about writing bytecode
            subprocess.run([sys.executable, "-m", "compileall", "-q", side / "src"], check=True)
        try:
            print("| | before | after | after / before |", "| --- | --- | --- | --- |", sep="\n")
            for name, words in STARTS.items():
                times = [(seconds(before, words, folder), seconds(HERE, words, folder)) for _ in range(int(rounds) + 1)][1:]
                old, new = (median(side) for side in zip(*times, strict=True))
                print(f"| {name}, s | {old:.3f} | {new:.3f} | {new / old:.2f} |", flush=True)
            for name in MARKED:
                rates = [(rate(before, name, folder), rate(HERE, name, folder)) for _ in range(3)]
                old, new = (max(side) for side in zip(*rates, strict=True))
                print(f"| marking {name}, workings a second | {old:.0f} | {new:.0f} | {new / old:.2f} |", flush=True)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", before], cwd=HERE, check=True)


if __name__ == "__main__":
    main(*sys.argv[1:3])
