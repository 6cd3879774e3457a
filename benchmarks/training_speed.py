"""Useful tokens a second of the course's model: our loop against the plain padded one, in turns, in one process.

The plain side is the published set-up: every example padded to 127 tokens, batches of 128 in random order, logits
everywhere, attention in separate steps with dropout, AdamW one tensor at a time. Ours is the recipe `course` as the
loop runs it (buckets by length, logits only where there is loss, fused AdamW); then the same without dropout, through
the fused attention.

Run: .venv/bin/python benchmarks/training_speed.py [rounds]; the result goes to benchmarks/training_speed.md.
"""

import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import torch
from torch.nn.functional import cross_entropy

from clearhead.corpora import IGNORE, Source, find_corpus
from clearhead.corpora.vocabularies.vocabulary_config import build_vocabulary
from clearhead.models import GPT, GPTConfig
from clearhead.training.machines.learner import Learner
from clearhead.training.recipes.objectives import stream_of
from clearhead.training.recipes.recipe_stages import stage_recipe
from clearhead.training.steps.loop import one_step
from clearhead.training.steps.optimisers import build_optimisers

HERE = Path(__file__).parent
BLOCK, ROWS = 128, 128
Side = Callable[[], int]  # one step; how many real tokens it learned from


def corpus_folder() -> str:
    data = os.environ.get("CLEARHEAD_DATA", "")
    return str(Path(data) / "birthplaces") if data and (Path(data) / "birthplaces").is_dir() else "world"


def plain_side(source: Source, vocab: int) -> Side:
    """The plain loop: pad everything, compute everything."""
    model = GPT(GPTConfig(vocab=vocab))
    model.train()
    optimiser = torch.optim.AdamW(model.parameters(), lr=6e-3, betas=(0.9, 0.95), weight_decay=0.1, foreach=False)
    draws = iter(range(10**9))

    def step() -> int:
        examples = [source.draw(next(draws) % len(source), 0, 0) for _ in range(ROWS)]
        inputs = torch.zeros(ROWS, BLOCK - 1, dtype=torch.long)
        targets = torch.full((ROWS, BLOCK - 1), IGNORE)
        for row, example in enumerate(examples):
            inputs[row, : len(example.inputs)] = torch.tensor(example.inputs)
            targets[row, : len(example.targets)] = torch.tensor(example.targets)
        loss = cross_entropy(model(inputs).flatten(0, 1), targets.flatten(), ignore_index=IGNORE)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        return sum(len(example.inputs) for example in examples)

    return step


def our_side(dropout: float, folder: str) -> tuple[Side, Source, int]:
    """Our loop on the recipe `course`."""
    recipe = stage_recipe("course", "pretrain", corpus=folder)
    corpus = find_corpus(recipe.corpus)
    vocabulary = build_vocabulary(recipe.vocabulary, corpus.biographies)
    model = GPT(GPTConfig(vocab=vocabulary.size, dropout=dropout))
    model.train()
    config = replace(recipe.training, tokens=1)
    stream = stream_of(recipe.objectives, vocabulary, corpus, BLOCK, config, 0)
    learner, optimisers = Learner(model, config), build_optimisers(model, config)

    def step() -> int:
        batch = stream.next()
        one_step(learner, optimisers, batch, config)
        return batch.tokens

    return step, recipe.objectives[0].source(vocabulary, corpus, BLOCK), vocabulary.size


def measure(sides: dict[str, Side], rounds: int) -> dict[str, list[float]]:
    """Tokens a second of each side in each round, the sides in turns, after one round that only warms up."""
    speeds: dict[str, list[float]] = {name: [] for name in sides}
    for turn in range(rounds + 1):
        for name, step in sides.items():
            started, tokens = time.perf_counter(), 0
            for _ in range(4):  # four of ours are of four lengths
                tokens += step()
            if turn:
                speeds[name].append(tokens / (time.perf_counter() - started))
    return speeds


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    folder = corpus_folder()
    ours, source, vocab = our_side(0.1, folder)
    bare, _, _ = our_side(0.0, folder)
    sides = {"plain padded loop": plain_side(source, vocab), "ours": ours, "ours, no dropout, fused attention": bare}
    speeds = measure(sides, rounds)
    base = statistics.median(speeds["plain padded loop"])
    lines = ["# Training speed, the course's model", "", "| | useful tokens/s (median) | ratio |", "| --- | --- | --- |"]
    for name, values in speeds.items():
        lines.append(f"| {name} | {statistics.median(values):,.0f} | {statistics.median(values) / base:.2f} |")
    where = "the real biographies" if folder != "world" else "the built-in world"
    lines += [
        "",
        f"{date.today()}, {platform.processor() or platform.machine()}, {os.cpu_count()} cores, torch {torch.__version__}, "
        f"{torch.get_num_threads()} threads, {rounds} rounds in turns, on {where}.",
    ]
    text = "\n".join(lines) + "\n"
    (HERE / "training_speed.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
