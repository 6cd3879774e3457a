"""Does a run know when it does not know? Strangers refused, right answers that survive, calibration, famous names, the probe.

Trains nothing that is there already: CLEARHEAD_DATA=… .venv/bin/python benchmarks/abstention.py RUNS [--minutes 20]
pretrains and finetunes on the real biographies into RUNS/abstention-SEED (three seeds), then asks; a run that was stopped
goes on, and what was measured is not measured again. A short run on the built-in world (RUNS/abstention-world) is asked about
thirty famous people, of whom it cannot know. --run FOLDER (again for more) measures finished runs instead, --world FOLDER
(again for more) finished runs on the built-in world, --seeds 0 takes fewer. The result goes to benchmarks/abstention.md.
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

import clearhead

HERE = Path(__file__).parent
CLEARHEAD = (sys.executable, "-m", "clearhead")
WANTED = {"refused": 0.9, "survived": 0.55, "ece": 0.05, "famous": 0.1}
WORLD_MINUTES = 3.0
LEGEND = (
    "Half of those asked about are strangers: invented people of the same style. Everything is learned and chosen on one "
    "half of the dev questions and of the strangers and measured on the other; figures are the mean of both ways round. "
    "Right: of all dev questions, asked three ways. Precision: of the answers given, on dev and with the strangers counted. "
    "At the default: strangers refused by what `clearhead ask` takes. ECE of the mixture, of the model's own shares too "
    "(raw). AUC: how often a right answer is surer than a wrong one or one about a stranger. Wanted: at least 90 % of the "
    "strangers refused while at least 55 % of the right answers survive, and an ECE of at most 5 %."
)
FAMOUS = (
    *("Barack Obama", "Albert Einstein", "Marie Curie", "Nelson Mandela", "William Shakespeare", "Leonardo da Vinci"),
    *("Isaac Newton", "Mahatma Gandhi", "Napoleon Bonaparte", "Cleopatra", "Wolfgang Amadeus Mozart", "Pablo Picasso"),
    *("Ludwig van Beethoven", "Frida Kahlo", "Charles Darwin", "Abraham Lincoln", "Winston Churchill", "Queen Victoria"),
    *("Martin Luther King", "Rosa Parks", "Ada Lovelace", "Alan Turing", "Galileo Galilei", "Vincent van Gogh", "Madonna"),
    *("Michael Jackson", "Muhammad Ali", "Serena Williams", "Lionel Messi", "Usain Bolt"),
)


def train(folder: Path, minutes: float, seed: int, data: str) -> None:
    """A whole experiment, or what is left of it."""
    if (folder / "figures.json").exists():
        return
    command = [*CLEARHEAD, "birthplaces", "run", "--out", str(folder)]
    started = (folder / "recipe.toml").exists()
    command += ["--resume"] if started else ["--minutes", str(minutes), "--seed", str(seed), "--data", data]
    subprocess.run(command, check=True)


def measure(folder: Path) -> dict[str, Any]:
    """What `evaluate` finds, from the file that it leaves in the run folder; once."""
    kept = folder / "confidence.json"
    if not kept.exists() or "auc" not in json.loads(kept.read_text(encoding="utf-8")):
        subprocess.run([*CLEARHEAD, "birthplaces", "evaluate", "--out", str(folder)], check=True)
    tree: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
    figures = folder / "figures.json"
    tree["minutes"] = json.loads(figures.read_text(encoding="utf-8"))["minutes"] if figures.exists() else None
    return tree


def famous_lines(folder: Path) -> list[str]:
    """What a run on the built-in world says about people of whom it has never read."""
    run = clearhead.open_run(folder)
    replies = {name: run.ask(f"Where was {name} born?") for name in FAMOUS}
    refused = sum(reply.abstained for reply in replies.values())
    surest = max(replies, key=lambda name: replies[name].probability)
    most = replies[surest].probability
    met = refused == len(FAMOUS) and most < WANTED["famous"]
    return [
        "",
        f"The built-in world ({folder.name}), asked about {len(FAMOUS)} famous people: {refused} of {len(FAMOUS)} refused; "
        f"the highest probability is {most:.2%} ({surest}). Wanted: all refused, all below 10 %: {'yes' if met else 'no'}.",
    ]


def line(name: str, tree: dict[str, Any]) -> str:
    """One run: the means over both ways round, each measured on what had no part in choosing the level."""
    both = {
        key: statistics.mean(tried[key] for tried in tree["tried"]) for key in ("precision", "mixed", "survived", "refused")
    }
    total = sum(tree[part]["total"] for part in ("seen", "unseen"))
    right = sum(tree[part]["correct"] for part in ("seen", "unseen"))
    met = all(both[key] >= WANTED[key] for key in ("refused", "survived")) and tree["ece"] <= WANTED["ece"]
    minutes = "" if tree["minutes"] is None else f"{tree['minutes']:.1f}"
    auc = "" if tree["auc"] is None else f"{tree['auc']:.1%}"
    return (
        f"| {name} | {minutes} | {right / total:.1%} | {tree['level']:.2f} | {both['precision']:.1%} | {both['mixed']:.1%} "
        f"| {both['survived']:.1%} | {both['refused']:.1%} | {tree['invented']['rate']:.1%} | {tree['ece']:.1%} "
        f"| {tree['ece_uncalibrated']:.1%} | {auc} | {'yes' if met else 'no'} |"
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
    arguments.add_argument("--world", type=Path, action="append", default=[])
    arguments.add_argument("--out", type=Path, default=HERE / "abstention.md")
    given = arguments.parse_args()
    folders: list[Path] = list(given.run)
    for seed in [] if given.run else given.seeds.split(","):
        folder = given.runs / f"abstention-{seed}"
        train(folder, given.minutes, int(seed), str(Path(os.environ["CLEARHEAD_DATA"]) / "birthplaces"))
        folders.append(folder)
    worlds: list[Path] = list(given.world)
    if not worlds and not given.run:
        worlds = [given.runs / "abstention-world"]
        train(worlds[0], WORLD_MINUTES, 0, "world")
    folders += worlds
    measured = [(folder.name, measure(folder)) for folder in folders]
    lines = [
        "# Answers that know when they do not know",
        "",
        described(),
        "",
        LEGEND,
        "",
        "| run | minutes | right | level | precision | with strangers | survive | strangers refused | at the default "
        "| ECE | raw | AUC | met |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        *(line(name, tree) for name, tree in measured),
        *(text for world in worlds for text in famous_lines(world)),
        *probe_lines(measured[0][1]),
    ]
    text = "\n".join(lines) + "\n"
    given.out.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
