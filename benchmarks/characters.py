"""Characters of Shakespeare: every model gets the same text and the same minutes; the last tenth is scored whole.

Each recipe is trained twice: on the text as it is, and with the Shakespeare passage cut out of it. Runs go side by side, each
pinned to one core with one thread, which is less than a person with two cores has.

Run on a quiet machine: CLEARHEAD_DATA=… .venv/bin/python benchmarks/characters.py [--minutes 10] [recipe …]; the result goes to
benchmarks/characters.md.
"""

import argparse
import math
import sys
import tempfile
import time
from pathlib import Path

from cores import side_by_side
from machine import described

from clearhead.corpora.text_files import find_file, read_chunks
from clearhead.perplexity.figures import measured
from clearhead.training import named_recipe, start_run, train_run
from clearhead.training.folders.preparation import vocabulary_for
from clearhead.training.recipes.corpus_of_recipe import corpus_of
from clearhead.training.steps.pace import pace_of

HERE = Path(__file__).parent
RECIPES = ["characters-gpt", "characters-gru", "characters-lstm", "characters-rnn"]
PASSAGE = "passages/shakespeare_for_perplexity.txt"
TIMED = 8.0  # seconds in which the pace is taken
SPARE = 0.97


def row(name: str, minutes: float, cut: bool) -> str:
    """Train one recipe for so long and score it."""
    since = time.monotonic()
    recipe = named_recipe(name, ["epochs=0", f"text.left_out=[{PASSAGE!r}]" if cut else "text.left_out=[]"])
    corpus = corpus_of(recipe)
    with tempfile.TemporaryDirectory() as folder:
        pace = pace_of(recipe, vocabulary_for(recipe, Path(folder), corpus), corpus, TIMED)
        left = minutes * 60 * SPARE - (time.monotonic() - since)
        run = start_run(recipe.with_tokens(pace.tokens_in(left, recipe.training.save_every)), Path(folder) / name)
        train_run(run)
        trained = time.monotonic() - since
        validation = measured(run.model, run.vocabulary, run.corpus.validation())
        passage = measured(run.model, run.vocabulary, read_chunks(find_file(PASSAGE)))
    weights = sum(weight.numel() for weight in run.model.parameters())
    tokens, seen = run.recipe.training.tokens, "cut out" if cut else "stands in it"
    nats = validation.model / validation.tokens
    return (
        f"| {name} | {weights / 1e6:.2f} M | {tokens / 1e6:.2f} M | {trained / 60:.1f} min | {seen} | **{nats:.3f}** "
        f"| {nats / math.log(2):.3f} | {passage.model / passage.tokens:.3f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recipes", nargs="*", default=RECIPES)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--row", help="train this one recipe here, print its row and stop")
    parser.add_argument("--cut", action="store_true", help="with --row: cut the passage out")
    asked = parser.parse_args()
    if asked.row:
        print(row(asked.row, asked.minutes, asked.cut))
        return
    commands = [
        [sys.executable, __file__, "--minutes", str(asked.minutes), "--row", name, *cut]
        for cut in (["--cut"], [])
        for name in asked.recipes
    ]
    rows = side_by_side(commands)
    head = ["recipe", "weights", "characters read", "time", "passage", "validation, nats a character", "bits", "passage, nats"]
    lines = ["# Characters of Shakespeare", "", described(), ""]
    lines += [
        f"{asked.minutes:g} minutes each, starting up and timing included; one core and one thread each, two side by side.",
        "",
    ]
    lines += ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |", *rows]
    lines += ["", "Shown by: `python benchmarks/characters.py`"]
    (HERE / "characters.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
