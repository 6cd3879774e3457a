"""The built-in digits as tensors, and the exam's net with any pooling: what the claims of this room try things on."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from clearhead.corpora.corpus_kinds import SMALL_DIGITS
from clearhead.corpora.sources.digits import Digits


@dataclass(frozen=True, slots=True)
class Split:
    """Pictures from 0 to 1 and their classes, to learn from and to judge by."""

    x: Tensor  # (n, 1, 32, 32)
    y: Tensor  # (n,)
    held_x: Tensor
    held_y: Tensor


def digits() -> Split:
    """1,797 digits of 8×8, each pixel four times as large; about a fifth is held out."""
    corpus = Digits(SMALL_DIGITS, 0.2)
    parts = []
    for pictures in (corpus.training(), corpus.validation()):
        parts += [torch.tensor(pictures.pixels)[:, None] / 255, torch.tensor(pictures.labels)]
    return Split(*parts)


def exam_net(pool: Callable[[int], nn.Module]) -> nn.Sequential:
    """The exam's net; `pool(size)` makes its two pooling layers."""
    return nn.Sequential(
        nn.Conv2d(1, 8, 5),
        pool(4),
        nn.ReLU(),
        nn.Conv2d(8, 16, 4, padding=1),
        pool(2),
        nn.ReLU(),
        nn.Flatten(),
        nn.Linear(144, 10),
    )


def learn(net: nn.Sequential, split: Split, epochs: int, batch: int = 64) -> None:
    """Adam on the cross-entropy."""
    optimiser = torch.optim.Adam(net.parameters(), lr=3e-3)
    for _ in range(epochs):
        for rows in torch.split(torch.randperm(len(split.x)), batch):
            loss = cross_entropy(net(split.x[rows]), split.y[rows])
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
