"""The figures of docs/perplexity.md: a model of characters and one of words on two passages, as both recipes are shipped now.

CLEARHEAD_DATA=… .venv/bin/python benchmarks/passages.py [RUNS] trains RUNS/gru and RUNS/bigram (what is trained already is
taken, what was stopped goes on), scores the two passages of the data folder, and writes its part of docs/perplexity.md anew.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from machine import described

DOCUMENT = Path(__file__).parent.parent / "docs" / "perplexity.md"
BEGIN, END = "<!-- written by benchmarks/passages.py -->\n", "<!-- end of what it writes -->\n"
CLEARHEAD = (sys.executable, "-m", "clearhead")
RECIPES = {"gru": "characters-gru", "bigram": "bigram"}
PASSAGES = {"Shakespeare": "shakespeare_for_perplexity.txt", "encyclopedia": "wikipedia_for_perplexity.txt"}
AS_IT_IS = "as it is"
Tree = dict[str, Any]
Told = dict[tuple[str, str], Tree]  # by passage and run


def train(folder: Path, recipe: str) -> None:
    """A run by a recipe as it is shipped, or what is left of it."""
    more = ["--resume"] if (folder / "recipe.toml").exists() else []
    subprocess.run([*CLEARHEAD, "train", recipe, "--out", str(folder), *more], check=True)


def scored(folders: list[Path], *options: str) -> Told:
    """What `perplexity` says of both runs on both passages."""
    told: Told = {}
    for passage, name in PASSAGES.items():
        place = Path(os.environ["CLEARHEAD_DATA"]) / "passages" / name
        command = [*CLEARHEAD, "perplexity", str(folders[0]), str(place), "--against", str(folders[1]), "--json", *options]
        (tree,) = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        told |= {(passage, run): each for run, each in zip(RECIPES, tree["runs"], strict=True)}
    return told


def held_out(folder: Path) -> str:
    """What a run says of what it held out: nats a character, or perplexity a word."""
    said = subprocess.run([*CLEARHEAD, "perplexity", str(folder), "--json"], check=True, capture_output=True, text=True).stdout
    (tree,) = json.loads(said)
    if "nats_per_token" in tree:
        return f"{tree['nats_per_token']:.3f} nats a character on the held-out end of its text"
    return f"perplexity {tree['words'][0]['perplexity']:.1f} on its dev text"


def table(heads: list[str], rows: list[list[str]]) -> list[str]:
    return [f"| {' | '.join(line)} |" for line in (heads, ["---"] * len(heads), *rows)]


def figures(charged: Told, free: Told) -> list[str]:
    """The table of all that is compared."""
    rows = {
        "perplexity a token, the model alone": lambda side: f"{charged[side]['perplexity_per_token']:.1f}",
        "**bits a byte, same bytes, all paid**": lambda side: f"{charged[side]['bits_per_byte']:.2f}",
        "bits a byte with nothing charged": lambda side: f"{free[side]['bits_per_byte']:.2f}",
        "bits that the model asks": lambda side: f"{charged[side]['model_bits']:,.0f}",
        "bits that the side model asks": lambda side: f"{sum(charged[side]['side_bits'].values()):,.0f}",
        "unknown tokens": lambda side: f"{charged[side]['unknown_share']:.1%}",
        "distance to its training text, KL of unigrams, bits a word": lambda side: distance(charged[side]),
        "most bits go on": lambda side: ", ".join(f"{each['token']} {each['bits']:.0f}" for each in dear(charged[side])),
    }
    return table(
        ["", *(f"{passage}: {run}" for passage, run in charged)], [[name, *map(row, charged)] for name, row in rows.items()]
    )


def distance(tree: Tree) -> str:
    found = tree["why"]["distance_bits_per_word"]
    return "" if found is None else f"{found:.1f}"


def dear(tree: Tree) -> list[Tree]:
    listed: list[Tree] = tree["why"]["dearest"]
    return [each | {"token": each["token"].replace("|", "\\|")} for each in listed[:4]]


def prepared(charged: Told) -> list[str]:
    """The table of what each step of preparing a text takes away, in bits for each byte of the original."""
    steps = next(iter(charged.values()))["why"]["steps"]

    def cell(side: tuple[str, str], name: str) -> str:
        found = charged[side]["why"]["steps"]
        share = found[name]["bytes"] / found[AS_IT_IS]["bytes"]
        return f"{share * found[name]['bits_per_byte']:.3f} ({found[name]['perplexity_per_token']:.1f})"

    heads = ["step", *(f"{passage}: {run}" for passage, run in charged)]
    return table(heads, [[name, *(cell(side, name) for side in charged)] for name in steps])


def winners(told: Told) -> str:
    """Which run needs fewer bits for each passage."""
    parts = []
    for passage in PASSAGES:
        bits = {run: told[passage, run]["bits_per_byte"] for run in RECIPES}
        better = min(bits, key=lambda run: bits[run])
        parts.append(f"the {better} needs {1 - bits[better] / max(bits.values()):.0%} fewer bits for the {passage} passage")
    return "; ".join(parts)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("runs", nargs="?", type=Path, default=Path("runs"))
    given = arguments.parse_args()
    folders = [given.runs / name for name in RECIPES]
    for folder, recipe in zip(folders, RECIPES.values(), strict=True):
        train(folder, recipe)
    charged, free = scored(folders, "--why"), scored(folders, "--no-charge")
    sides = "; ".join(f"*{name}*: `{recipe}`, {held_out(given.runs / name)}" for name, recipe in RECIPES.items())
    lines = [
        f"{described()} Both recipes as they are shipped, the Shakespeare passage cut out of the training text. {sides}.",
        "",
        *figures(charged, free),
        "",
        f"With nothing charged {winners(free)}. With everything charged {winners(charged)}.",
        "",
        "**What preparing the text does.** Each step gives another text, so the table shows what the step takes away, not a",
        "better model. Bits for each byte of the original text (and perplexity a token, which may move the other way):",
        "",
        *prepared(charged),
    ]
    before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    written = "\n".join(lines) + "\n"
    DOCUMENT.write_text(f"{before}{BEGIN}{written}{END}{after}", encoding="utf-8")
    print(written)


if __name__ == "__main__":
    main()
