"""The figures of docs/perplexity.md: a model of characters and one of words on two passages, as both recipes are shipped now.

CLEARHEAD_DATA=… .venv/bin/python benchmarks/passages.py [RUNS] trains RUNS/gru and RUNS/bigram (what is trained already is
taken, what was stopped goes on) and scores the two passages of the data folder. The table goes to benchmarks/passages.md, and
what `--why` says of each passage below it; docs/perplexity.md tells them.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from machine import described

HERE = Path(__file__).parent
CLEARHEAD = (sys.executable, "-m", "clearhead")
RECIPES = {"gru": "characters-gru", "bigram": "bigram"}
PASSAGES = {"Shakespeare": "shakespeare_for_perplexity.txt", "encyclopedia": "wikipedia_for_perplexity.txt"}
ROWS = {
    "perplexity a token, the model alone": ("perplexity_per_token", "{:.1f}", 1.0),
    "**bits a byte, same bytes, all paid**": ("bits_per_byte", "{:.2f}", 1.0),
    "unknown tokens, %": ("unknown_share", "{:.1f}", 100.0),
}


def train(folder: Path, recipe: str) -> None:
    """A run by a recipe as it is shipped, or what is left of it."""
    more = ["--resume"] if (folder / "recipe.toml").exists() else []
    subprocess.run([*CLEARHEAD, "train", recipe, "--out", str(folder), *more], check=True)


def scored(folders: list[Path], passage: Path, *options: str) -> str:
    """What `perplexity` prints of both runs."""
    command = [*CLEARHEAD, "perplexity", str(folders[0]), str(passage), "--against", str(folders[1]), *options]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("runs", nargs="?", type=Path, default=Path("runs"))
    arguments.add_argument("--out", type=Path, default=HERE / "passages.md")
    given = arguments.parse_args()
    folders = [given.runs / name for name in RECIPES]
    for folder, recipe in zip(folders, RECIPES.values(), strict=True):
        train(folder, recipe)
    places = [Path(os.environ["CLEARHEAD_DATA"]) / "passages" / name for name in PASSAGES.values()]
    charged = [json.loads(scored(folders, place, "--json"))[0]["runs"] for place in places]
    free = [json.loads(scored(folders, place, "--json", "--no-charge"))[0]["runs"] for place in places]
    heads = [f"{passage}: {run}" for passage in PASSAGES for run in RECIPES]

    def line(title: str, found: list[list[dict[str, Any]]], key: str, form: str, times: float) -> str:
        return f"| {title} | {' | '.join(form.format(times * run[key]) for runs in found for run in runs)} |"

    lines = [
        "# Two passages, two models",
        "",
        described(),
        "",
        f"| | {' | '.join(heads)} |",
        f"| --- |{' --- |' * len(heads)}",
        *(line(title, charged, *how) for title, how in ROWS.items()),
        line("bits a byte with nothing charged", free, "bits_per_byte", "{:.2f}", 1.0),
        *(f"\n```text\n{scored(folders, place, '--why').rstrip()}\n```" for place in places),
    ]
    text = "\n".join(lines) + "\n"
    given.out.write_text(text.replace(os.environ["CLEARHEAD_DATA"], "DATA"), encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
