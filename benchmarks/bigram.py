"""The neural bigram beside the plain numpy loop and the models that count, in one run on the real files.

Both neural sides start from the same GloVe vectors and train the same kind of net on the same pairs. The plain loop is what one
writes first: 50 examples a step, rate 0.3, 40,000 steps. Its clock and ours stand still while dev is scored; what torch imports
in its first step stands on neither, as numpy's import does not. Ours has the reading of the text on it, the plain one has not.

Run: CLEARHEAD_DATA=... .venv/bin/python benchmarks/bigram.py [steps of the plain loop]; the result goes to
benchmarks/bigram.md.
"""

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import torch
from machine import described

from clearhead.corpora.sources.sentences import read_sentences
from clearhead.corpora.text_files import find_file
from clearhead.corpora.vocabularies.words import WordVocabulary
from clearhead.models.bigram_by_hand import BigramWeights, forward, loss_and_gradient
from clearhead.perplexity.pair_counts import baselines, pairs_of, word_score
from clearhead.perplexity.word_scores import table_of
from clearhead.training import Report, named_recipe, start_run, train_run
from clearhead.training.steps import loss_log

HERE = Path(__file__).parent
BATCH, RATE, STEPS, LOOK = 50, 0.3, 40_000, 1000
HIDDEN = 128
OFTEN = 0.1  # seconds from one look at our dev perplexity to the next; the plain loop is looked at every thousand steps


def plain_loop(vectors: np.ndarray, train: np.ndarray, dev: np.ndarray, steps: int) -> list[tuple[float, float]]:
    """(seconds, dev perplexity) every thousand steps of stochastic gradient descent in numpy, float32."""
    chance = np.random.default_rng(0)
    vocab, width = vectors.shape
    shapes = [(width, HIDDEN), (HIDDEN,), (HIDDEN, vocab), (vocab,)]
    w1, b1, w2, b2 = (0.1 * chance.standard_normal(shape).astype(np.float32) for shape in shapes)
    weights = BigramWeights(vectors.astype(np.float32).copy(), w1, b1, w2, b2)
    seen, spent = [], 0.0
    for step in range(1, steps + 1):
        started = time.perf_counter()
        batch = train[chance.integers(0, len(train), BATCH)]
        _, gradient = loss_and_gradient(weights, batch[:, 0], batch[:, 1])
        for name in ("E", "W1", "b1", "W2", "b2"):
            getattr(weights, name)[...] -= np.float32(RATE) * getattr(gradient, name)
        spent += time.perf_counter() - started
        if step % LOOK == 0:
            table = np.log(forward(weights, np.arange(vocab))[2])
            seen.append((spent, float(np.exp(-table[dev[:, 0], dev[:, 1]].mean()))))
    return seen


def first_step() -> None:
    """A step of nothing, so that torch has imported what it needs for one."""
    weight = torch.nn.Parameter(torch.ones(1))
    optimiser = torch.optim.AdamW([weight], fused=True)
    weight.sum().backward()
    optimiser.step()


def main() -> None:
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else STEPS
    with tempfile.TemporaryDirectory() as folder:
        run = start_run(named_recipe("bigram"), Path(folder) / "bigram")
        vocabulary = run.vocabulary
        assert isinstance(vocabulary, WordVocabulary)
        vectors = run.model.embedding.weight.detach().numpy().copy()
        train = pairs_of(vocabulary, run.corpus.training())
        dev = pairs_of(vocabulary, read_sentences(find_file(run.recipe.text.dev)))
        plain = plain_loop(vectors, train, dev, steps)
        best_at, best = min(plain, key=lambda point: point[1])
        first_step()
        loss_log.LOG_SECONDS = OFTEN
        started, looking, ours = time.perf_counter(), 0.0, []

        def watch(report: Report) -> None:
            nonlocal looking
            paused = time.perf_counter()
            score = word_score("ours", table_of(run.model, vocabulary.pad), dev, vocabulary.unknown)
            ours.append((paused - started - looking, score.perplexity))
            run.model.train()
            looking += time.perf_counter() - paused

        train_run(run, watch)
        whole = time.perf_counter() - started - looking
        tables = {"neural bigram (ours)": table_of(run.model, vocabulary.pad), **baselines(vocabulary, train)}
        scores = [word_score(name, table, dev, vocabulary.unknown) for name, table in tables.items()]
    reached = next((seconds for seconds, perplexity in ours if perplexity <= best), None)
    lines = ["# Neural bigram on ptb-dev.txt", "", described(), ""]
    lines += ["| model | dev perplexity, UUUNKKK a word | without it |", "| --- | --- | --- |"]
    lines += [f"| {score.name} | {score.perplexity:.2f} | {score.without_unknown:.2f} |" for score in scores]
    lines += [f"| plain numpy loop, best of {steps:,} steps | {best:.2f} | |", ""]
    lines.append(
        f"Ours: {whole:.0f} s in all. The plain loop: {plain[-1][0]:.0f} s in all, its best {best:.2f} after {best_at:.0f} s."
    )
    if reached is not None:
        lines.append(f"We are at {best:.2f} after {reached:.1f} s: {best_at / reached:.1f} times sooner.")
    text = "\n".join(lines) + "\n"
    (HERE / "bigram.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
