"""Tokens a second of the course's model by one process and by several, one thread each, in turns on the same machine.

Every round starts one process, then two (and four where there are so many cores), each under torchrun, on the recipe `course`
as the loop trains it: the same global batch, cut among the processes. What is timed are steps after the first few; reading the
corpus and starting Python are not in it. `--shard` does the same with cut weights (FSDP2).

Run: .venv/bin/python benchmarks/processes.py [rounds] [steps]; the result goes to benchmarks/processes.md.
"""

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from machine import described

HERE = Path(__file__).parent
WARM = 2  # steps before the clock starts


def worker(steps: int, shard: bool) -> None:
    """One of the processes: train, and the first one prints its tokens a second."""
    import torch

    from clearhead.corpora import find_corpus
    from clearhead.corpora.vocabularies.vocabulary_config import build_vocabulary
    from clearhead.models import build_model
    from clearhead.training.machines.learner import Learner
    from clearhead.training.machines.processes import joined, rank, summed
    from clearhead.training.recipes.objectives import stream_of
    from clearhead.training.recipes.recipe_stages import stage_recipe
    from clearhead.training.steps.loop import one_step
    from clearhead.training.steps.optimisers import build_optimisers

    torch.set_num_threads(1)
    with joined():
        recipe = stage_recipe("course", "pretrain", corpus=corpus_name())
        corpus = find_corpus(recipe.corpus)
        vocabulary = build_vocabulary(recipe.vocabulary, corpus.biographies)
        torch.manual_seed(0)
        model = build_model(recipe.model, vocabulary.size)
        learner = Learner(model, recipe.training, shard)
        optimisers = build_optimisers(model, recipe.training)
        stream = stream_of(recipe.objectives, vocabulary, corpus, model.block, recipe.training, 0)
        model.train()
        tokens, started = 0, 0.0
        for step in range(WARM + steps):
            if step == WARM:
                summed([0.0])  # all of them begin together
                tokens, started = 0, time.perf_counter()
            batch = stream.next()
            one_step(learner, optimisers, batch, recipe.training)
            tokens += batch.tokens
        if rank() == 0:
            print(tokens / (time.perf_counter() - started))


def corpus_name() -> str:
    data = os.environ.get("CLEARHEAD_DATA", "")
    return str(Path(data) / "birthplaces") if data and (Path(data) / "birthplaces").is_dir() else "world"


def speed(processes: int, steps: int, *more: str) -> float:
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(processes)]
    told = {**os.environ, "OMP_NUM_THREADS": "1", "TORCH_CPP_LOG_LEVEL": "ERROR"}
    words = [*launcher, __file__, "--worker", str(steps), *more]
    done = subprocess.run(words, env=told, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return float(done.stdout.strip().splitlines()[-1])


def main() -> None:
    rounds, steps = (int(word) for word in (*sys.argv[1:3], "3", "6")[:2]) if len(sys.argv) != 2 else (int(sys.argv[1]), 6)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    sides = {str(count): (count, ()) for count in (1, 2, 4) if count <= cores}
    sides |= {f"{count}, cut weights": (count, ("--shard",)) for count in (2, 4) if count <= cores}
    speeds: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(rounds):
        for name, (count, more) in sides.items():
            speeds[name].append(speed(count, steps, *more))
    base = statistics.median(speeds["1"])
    lines = ["# Several processes, the course's model", "", described(), ""]
    lines += ["| processes of one thread | tokens/s (median) | to one | each |", "| --- | --- | --- | --- |"]
    for name, values in speeds.items():
        gain = statistics.median(values) / base
        lines.append(f"| {name} | {statistics.median(values):,.0f} | {gain:.2f} | {gain / sides[name][0]:.0%} |")
    where = "the real biographies" if corpus_name() != "world" else "the built-in world"
    lines += ["", f"{rounds} rounds in turns, {steps} steps of 128 examples each, on {where}; gloo."]
    text = "\n".join(lines) + "\n"
    (HERE / "processes.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    if "--worker" in sys.argv:
        worker(int(sys.argv[2]), "--shard" in sys.argv)
    else:
        main()
