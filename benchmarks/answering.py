"""500 questions answered: together with a cache, against one at a time without one, in turns, in one process.

The weights are random and the answers cut at 12 tokens, so that both sides say equally much. The slow side answers a sample and
is scaled up. Beside them stands what `evaluate` does: each question asked in three ways, the answers up to the length that
three quarters of the real ones have.

Run: .venv/bin/python benchmarks/answering.py [rounds]; the result goes to benchmarks/answering.md.
"""

import os
import statistics
import sys
import time
from pathlib import Path

import torch
from machine import described

from clearhead.answering.question_forms import best_answers
from clearhead.corpora import find_corpus, prompt
from clearhead.corpora.vocabularies.vocabulary_config import build_vocabulary
from clearhead.experiment.time_shares import usual_length
from clearhead.models import GPT, build_model, continue_greedily
from clearhead.training.recipes.recipe_stages import stage_recipe

HERE = Path(__file__).parent
SAMPLE, MOST = 20, 12


@torch.no_grad()
def one_at_a_time(model: GPT, prompts: list[list[int]], stop: int) -> list[list[int]]:
    """The whole text anew for each token of each answer, as the course's code does it."""
    answers = []
    for start in prompts:
        said: list[int] = []
        while len(said) < MOST:
            token = int(model(torch.tensor([start + said]))[0, -1].argmax())
            if token == stop:
                break
            said.append(token)
        answers.append(said)
    return answers


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    data = os.environ.get("CLEARHEAD_DATA", "")
    folder = str(Path(data) / "birthplaces") if data and (Path(data) / "birthplaces").is_dir() else "world"
    corpus = find_corpus(folder)
    questions = [*corpus.dev, *corpus.test, *corpus.train][:500]
    head = ["model", "together, with a cache", "one at a time, no cache", "ratio", "three ways, as `evaluate` asks"]
    lines = [
        "# 500 questions answered",
        "",
        described(),
        "",
        f"| {' | '.join(head)} |",
        f"| {' | '.join('---' for _ in head)} |",
    ]
    for name in ("course", "fast"):
        recipe = stage_recipe(name, "pretrain")
        vocabulary = build_vocabulary(recipe.vocabulary, corpus.biographies)
        torch.manual_seed(0)
        model = build_model(recipe.model, vocabulary.size).eval()
        torch.nn.init.normal_(model.head.weight)
        prompts = [prompt(vocabulary, question.text) for question in questions]
        fast, slow, three_ways = [], [], []
        for _ in range(rounds):
            started = time.perf_counter()
            said = continue_greedily(model, prompts, MOST, stop=vocabulary.mask)
            fast.append(time.perf_counter() - started)
            started = time.perf_counter()
            wanted = one_at_a_time(model, prompts[:SAMPLE], vocabulary.mask)
            slow.append((time.perf_counter() - started) * len(prompts) / SAMPLE)
            assert said[:SAMPLE] == wanted
            started = time.perf_counter()
            best_answers(model, vocabulary, questions, usual_length(vocabulary, corpus))
            three_ways.append(time.perf_counter() - started)
        quick, long, thorough = map(statistics.median, (fast, slow, three_ways))
        lines.append(f"| {name} | {quick:.2f} s | {long:.1f} s | {long / quick:.1f} | {thorough:.1f} s |")
    lines += [
        "",
        f"{len(questions)} questions, answers of at most {MOST} tokens; median of {rounds} rounds in turns; "
        f"torch {torch.__version__}, {torch.get_num_threads()} threads.",
    ]
    text = "\n".join(lines) + "\n"
    (HERE / "answering.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
