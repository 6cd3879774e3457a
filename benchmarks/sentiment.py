"""The deep averaging network beside logistic regressions on words, in one run on IMDB's training file, on one split.

Both sides read the same words of the same reviews, learn from the same four fifths and are counted on the same fifth; our time
is everything from the recipe to the last checkpoint, reading included, and theirs everything from reading to the count.

Run: CLEARHEAD_DATA=... .venv/bin/python benchmarks/sentiment.py; the result goes to benchmarks/sentiment.md.
"""

import tempfile
import time
from pathlib import Path

from machine import described

from clearhead.mistakes.mistakes import found_errors
from clearhead.mistakes.plain_classifiers import plain_accuracies
from clearhead.training import named_recipe, start_run, train_run

HERE = Path(__file__).parent


def main() -> None:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, settings in (("words and pairs (the recipe)", []), ("single words", ["model.pairs=0"])):
            out, started = Path(folder) / str(len(rows)), time.perf_counter()
            run = start_run(named_recipe("sentiment", ["corpus=imdb", *settings]), out)
            train_run(run)
            seconds = time.perf_counter() - started
            rows.append((f"deep averaging, {name}", found_errors(out, 0).accuracy, seconds))
        started = time.perf_counter()
        plain = plain_accuracies(run.corpus, run.vocabulary.size)
        seconds = (time.perf_counter() - started) / len(plain)
        rows += [(name, accuracy, seconds) for name, accuracy in plain.items()]
    lines = ["# Sentiment on IMDB, a fifth held out", "", described(), "", "| model | right | seconds |", "| --- | --- | --- |"]
    lines += [f"| {name} | {accuracy:.1%} | {seconds:.0f} |" for name, accuracy, seconds in rows]
    text = "\n".join(lines) + "\n"
    (HERE / "sentiment.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
