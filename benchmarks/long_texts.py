"""Perplexity of a long text: read in many stretches side by side, and token after token as before; both in one run.

Run on a quiet machine: .venv/bin/python benchmarks/long_texts.py [--kilobytes 500]; the result goes to
benchmarks/long_texts.md.
"""

import argparse
import tempfile
import time
from pathlib import Path

from machine import described

from clearhead.models import model as models
from clearhead.perplexity.figures import measured
from clearhead.training import named_recipe, start_run, train_run

HERE = Path(__file__).parent
RECIPES = {"characters-gru": 0.02, "characters-lstm": 0.02, "characters-gpt": 0.01}  # and epochs: enough to differ


def seconds(run, text: str) -> tuple[float, float]:
    """How long a text takes, and its bits a byte."""
    started = time.perf_counter()
    figures = measured(run.model, run.vocabulary, [text])
    return time.perf_counter() - started, figures.bits_per_byte


def row(name: str, epochs: float, text: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        run = start_run(named_recipe(name, ["corpus=world", f"epochs={epochs}", "text.left_out=[]"]), Path(folder) / name)
        train_run(run)
        fast, bits = seconds(run, text)
        whole, models.LongReader = models.LongReader, type("Nothing", (), {})  # nothing is one: token after token
        slow, before = seconds(run, text)
        models.LongReader = whole
    return f"| {name} | {slow:.1f} s | {fast:.1f} s | **{slow / fast:.1f}×** | {before:.6f} | {bits:.6f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kilobytes", type=int, default=500)
    size = 1000 * parser.parse_args().kilobytes
    from clearhead.corpora import find_corpus

    world = find_corpus("world:people=2000,biographies_each=5,seed=1").text
    text = (world * (size // len(world) + 1))[:size]
    lines = [
        "# Perplexity of a long text",
        "",
        f"{described()}. {len(text.encode()) // 1000} kB of the built-in world, another one than the runs learned from.",
        "",
        "| run | token after token | side by side | | bits a byte before | bits a byte |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
        *(row(name, epochs, text) for name, epochs in RECIPES.items()),
    ]
    (HERE / "long_texts.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
