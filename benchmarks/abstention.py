"""Does a run know when it does not know? Invented names refused, right answers that survive, calibration, the probe.

Trains nothing that is there already: CLEARHEAD_DATA=… .venv/bin/python benchmarks/abstention.py RUNS [--minutes 20]
pretrains and finetunes on the real biographies into RUNS/abstention-SEED (three seeds), then asks; a run that was stopped
goes on. --run FOLDER (again for more) measures finished runs instead, --seeds 0 takes fewer. The result goes to
benchmarks/abstention.md.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from machine import described

HERE = Path(__file__).parent
CLEARHEAD = Path(sys.executable).with_name("clearhead")
WANTED = {"refused": 0.9, "survived": 0.5}


def train(folder: Path, minutes: float, seed: int, data: str) -> None:
    """A whole experiment, or what is left of it."""
    if (folder / "figures.json").exists():
        return
    command = [str(CLEARHEAD), "birthplaces", "run", "--out", str(folder)]
    started = (folder / "recipe.toml").exists()
    command += ["--resume"] if started else ["--minutes", str(minutes), "--seed", str(seed), "--data", data]
    subprocess.run(command, check=True)


def measure(folder: Path) -> dict[str, Any]:
    """What `evaluate` finds, from the file that it leaves in the run folder."""
    subprocess.run([str(CLEARHEAD), "birthplaces", "evaluate", "--out", str(folder)], check=True)
    tree: dict[str, Any] = json.loads((folder / "confidence.json").read_text(encoding="utf-8"))
    figures = folder / "figures.json"
    tree["minutes"] = json.loads(figures.read_text(encoding="utf-8"))["minutes"] if figures.exists() else None
    return tree


def line(name: str, tree: dict[str, Any]) -> str:
    """One run: the means over both ways round, each measured on what had no part in choosing the level."""
    both = {key: statistics.mean(tried[key] for tried in tree["tried"]) for key in ("precision", "survived", "refused")}
    total = sum(tree[part]["total"] for part in ("seen", "unseen"))
    right = sum(tree[part]["correct"] for part in ("seen", "unseen"))
    met = both["refused"] >= WANTED["refused"] and both["survived"] >= WANTED["survived"]
    minutes = "" if tree["minutes"] is None else f"{tree['minutes']:.1f}"
    return (
        f"| {name} | {minutes} | {right / total:.1%} | {tree['level']:.2f} | {both['precision']:.1%} | {both['survived']:.1%} "
        f"| {both['refused']:.1%} | {tree['invented']['rate']:.1%} | {tree['ece']:.1%} | {tree['ece_uncalibrated']:.1%} "
        f"| {'yes' if met else 'no'} |"
    )


def probe_lines(tree: dict[str, Any]) -> list[str]:
    """The table of places guessed for unseen names, of one run."""
    probe = tree["probe"]
    lines = ["", "| names that sound | places guessed most | refused |", "| --- | --- | --- |"]
    for row in probe["rows"]:
        places = ", ".join(f"{place} {count / row['total']:.0%}" for place, count in row["places"])
        lines.append(f"| {row['origin']} | {places} | {row['refused']} of {row['total']} |")
    lines += [
        "",
        f"The sound of a name foretells {probe['by_origin']:.0%} of these guesses, the most common guess of all "
        f"{probe['at_large']:.0%}; with origins shuffled 95 of 100 times at most {probe['by_chance']:.0%}.",
    ]
    return lines


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("runs", nargs="?", type=Path, default=Path("runs"))
    arguments.add_argument("--minutes", type=float, default=20)
    arguments.add_argument("--seeds", default="0,1,2")
    arguments.add_argument("--run", type=Path, action="append", default=[])
    arguments.add_argument("--out", type=Path, default=HERE / "abstention.md")
    given = arguments.parse_args()
    folders: list[Path] = list(given.run)
    for seed in [] if given.run else given.seeds.split(","):
        folder = given.runs / f"abstention-{seed}"
        train(folder, given.minutes, int(seed), str(Path(os.environ["CLEARHEAD_DATA"]) / "birthplaces"))
        folders.append(folder)
    measured = [(folder.name, measure(folder)) for folder in folders]
    lines = [
        "# Answers that know when they do not know",
        "",
        described(),
        "",
        "Right: of all dev questions, asked three ways. Level, precision, right answers that survive, invented names refused: "
        "chosen on one half of dev, measured on the other, the mean of both ways round; the invented names had no part in the "
        "choice either. At the default: invented names refused by the level of the first half, which `clearhead ask` takes. "
        "Wanted: at least 90 % refused while at least half of the right answers survive.",
        "",
        "| run | minutes | right | level | precision | survive | invented refused | at the default | ECE | ECE, raw | met |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        *(line(name, tree) for name, tree in measured),
        *probe_lines(measured[0][1]),
    ]
    text = "\n".join(lines) + "\n"
    given.out.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
