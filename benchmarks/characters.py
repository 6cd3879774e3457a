"""Characters of Shakespeare: every model gets the same text and the same minutes; the last tenth is scored whole.

Run: CLEARHEAD_DATA=... .venv/bin/python benchmarks/characters.py [minutes] [recipe ...]; the result goes to
benchmarks/characters.md. Each recipe is trained twice: on the text as it is, and with the Shakespeare passage cut out of it.
"""

import math
import sys
import tempfile
import time
from pathlib import Path

from machine import described

from clearhead.corpora.text import find_file, read_chunks
from clearhead.evaluation.perplexity import measured
from clearhead.training import named_recipe, start_run, train_run
from clearhead.training.budget import pace_of
from clearhead.training.runs import material_of, vocabulary_for

HERE = Path(__file__).parent
RECIPES = ["characters-gpt", "characters-gru", "characters-lstm", "characters-rnn"]
PASSAGE = "passages/shakespeare_for_perplexity.txt"
TIMED = 8.0  # seconds in which the pace is taken
SPARE = 0.97


def row(name: str, minutes: float, left_out: str) -> str:
    """Train one recipe for so long and score it."""
    since = time.monotonic()
    recipe = named_recipe(name, ["epochs=0", f"text.left_out=[{left_out}]"])
    corpus = material_of(recipe)
    with tempfile.TemporaryDirectory() as folder:
        pace = pace_of(recipe, vocabulary_for(recipe, Path(folder), corpus), corpus, TIMED)
        left = minutes * 60 * SPARE - (time.monotonic() - since)
        run = start_run(recipe.with_tokens(pace.tokens_in(left, recipe.training.save_every)), Path(folder) / name)
        train_run(run)
        trained = time.monotonic() - since
        validation = measured(run.model, run.vocabulary, run.corpus.validation())
        passage = measured(run.model, run.vocabulary, read_chunks(find_file(PASSAGE)))
    weights = sum(weight.numel() for weight in run.model.parameters())
    tokens, seen = run.recipe.training.tokens, "cut out" if left_out else "stands in it"
    nats = validation.model / validation.tokens
    return (
        f"| {name} | {weights / 1e6:.2f} M | {tokens / 1e6:.2f} M | {trained / 60:.1f} min | {seen} | **{nats:.3f}** "
        f"| {nats / math.log(2):.3f} | {passage.model / passage.tokens:.3f} |"
    )


def main() -> None:
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    names = sys.argv[2:] or RECIPES
    lines = [
        "# Characters of Shakespeare",
        "",
        described(),
        "",
        f"{minutes:g} minutes each, starting up and timing included.",
        "",
    ]
    head = ["recipe", "weights", "characters read", "time", "passage", "validation, nats a character", "bits", "passage, nats"]
    lines += ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    for name in names:
        for left_out in ("", f'"{PASSAGE}"'):
            lines.append(row(name, minutes, left_out))
            print(lines[-1], flush=True)
            (HERE / "characters.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
