"""The exam's task, D A A → A D, learned by its own architecture: one layer, one head, no positions."""

from collections.abc import Callable
from string import ascii_uppercase
from typing import TypeAlias

import torch
from torch import Tensor

from clearhead.lab.claim import Finding, Trial
from clearhead.lab.intervals import share
from clearhead.lab.language.sorter_net import Sorter, attention_of, learn
from clearhead.lab.language.sorting_task import Task
from clearhead.pictures import Panel, heatmap

QUICK = "10 symbols and length 10 instead of 26 and 20, 600 steps instead of 1,600"
JUDGED, PERMUTED = 2000, 200
Learn: TypeAlias = Callable[[Task, bool, int], Sorter]


def learned(task: Task, positions: bool, steps: int) -> Sorter:
    return learn(task, 64, positions, steps)


def experiment(trial: Trial, learn: Learn = learned, bare: bool = False) -> Finding:
    task, steps = (Task(10, 10), 600) if trial.quick else (Task(), 1600)
    plain, placed = learn(task, bare, steps), learn(task, True, steps)
    inputs, present = task.inputs(JUDGED, held_out=True)
    wanted = task.answers(present)
    right = {name: exactly(model.write(inputs), wanted) for name, model in (("plain", plain), ("placed", placed))}
    exact = {name: share(int(hits.sum()), JUDGED) for name, hits in right.items()}
    moved = {
        name: permuting(model.double(), inputs[:PERMUTED], wanted[:PERMUTED])
        for name, model in (("plain", plain), ("placed", placed))
    }
    shown = example(task)
    weights = attention_of(plain, *shown)
    return Finding(
        {
            "symbols and longest input": [task.symbols, task.longest],
            "unseen sets of symbols, exactly right": exact["plain"],
            "with positions added": exact["placed"],
            "input reordered: farthest that a logit moves, without positions": moved["plain"][0],
            "input reordered: farthest that a logit moves, with positions": moved["placed"][0],
            "answers that change when the input is reordered, without and with": [moved["plain"][1], moved["placed"][1]],
            "for example": f"{letters(task, shown[0][0])} → {letters(task, plain.write(shown[0])[0])}",
        },
        {
            "it sorts: 99 % exact or more, on sets it never saw": exact["plain"].value >= 0.99,
            "the order of the input cannot matter": moved["plain"][0] < 1e-9 and moved["plain"][1] == 0,
            "with positions it learns no better": exact["placed"].low <= exact["plain"].high,
        },
        heatmap([picture(task, *shown, weights[0])]),
    )


def exactly(said: Tensor, wanted: Tensor) -> Tensor:
    """Whether every symbol up to the first STOP is as it should be: (rows,)."""
    return ((said == wanted) | (wanted < 0)).all(1)


def permuting(model: Sorter, inputs: Tensor, wanted: Tensor) -> tuple[float, int]:
    """How far logits move, in float64, when the real symbols of each input change places; and how many answers change."""
    others = inputs.clone()
    for row in others:
        real = (row != model.task.pad).nonzero()[:, 0]
        row[real] = row[real[torch.randperm(len(real))]]
    with torch.no_grad():
        before, after = (model(each, wanted[:, :-1])[0] for each in (inputs, others))
    counted = wanted >= 0
    changed = int((~exactly(model.write(others), model.write(inputs))).sum())
    return float((before - after)[counted].abs().max()), changed


def example(task: Task) -> tuple[Tensor, Tensor]:
    """D A A C A B D, and its answer."""
    tokens = torch.full((1, task.longest), task.pad)
    tokens[0, -7:] = torch.tensor([3, 0, 0, 2, 0, 1, 3])
    return tokens, torch.tensor([[0, 1, 2, 3]])


def letters(task: Task, tokens: Tensor) -> str:
    names = (*ascii_uppercase[: task.symbols], "START", "STOP", "")
    return " ".join(name for name in (names[token] for token in tokens.tolist()) if name not in ("", "STOP"))


def picture(task: Task, inputs: Tensor, answers: Tensor, weights: Tensor) -> Panel:
    """Where START and each answer look, over the symbols that are there."""
    real = [*range(task.longest - 7, task.longest + 1 + answers.shape[1])]
    names = letters(task, torch.cat([inputs[0], torch.tensor([task.start]), answers[0]])).split()
    shown = [[round(weight, 2) for weight in row] for row in weights[:, real].tolist()]
    return Panel(shown, names[7:], names, "each looks for the next larger symbol")
