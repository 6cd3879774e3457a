"""The exam's net with each pooling and its all-convolutional twin beside a logistic regression, in one run, on one split.

Run: CLEARHEAD_DATA=... .venv/bin/python benchmarks/digits.py; the result goes to benchmarks/digits.md.
"""

import tempfile
import time
from pathlib import Path

from machine import described

from clearhead.mistakes.mistakes import found_errors
from clearhead.mistakes.plain_classifiers import plain_accuracies
from clearhead.training import named_recipe, start_run, train_run

HERE = Path(__file__).parent
NAMES = {"average": "the exam's net (the recipe)", "max": "max pooling", "convolution": "all-convolutional twin"}


def main() -> None:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for pooling, name in NAMES.items():
            out, started = Path(folder) / pooling, time.perf_counter()
            run = start_run(named_recipe("digits", ["corpus=digits", f"model.pooling={pooling}"]), out)
            train_run(run)
            seconds = time.perf_counter() - started
            weights = sum(weight.numel() for weight in run.model.parameters())
            rows.append((name, f"{weights:,}", found_errors(out, 0).accuracy, seconds))
        started = time.perf_counter()
        plain = plain_accuracies(run.corpus, run.vocabulary.size)
        rows += [(name, "10,250", accuracy, time.perf_counter() - started) for name, accuracy in plain.items()]
        held_out = len(run.corpus.validation().labels)
    head = f"# Digits of mnist_5k.csv.gz, {held_out:,} of 5,000 held out"
    lines = [head, "", described(), "", "| model | weights | right | seconds |", "| --- | --- | --- | --- |"]
    lines += [f"| {name} | {weights} | {accuracy:.1%} | {seconds:.0f} |" for name, weights, accuracy, seconds in rows]
    text = "\n".join(lines) + "\n"
    (HERE / "digits.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
