"""What a source of examples is: draw number `index` of an epoch depends on (seed, epoch, index) and nothing else."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from clearhead.corpora.vocabularies.vocabulary import PAD

IGNORE = -1
"""A target on which no loss is taken."""


@dataclass(frozen=True, slots=True)
class Example:
    """One sequence to learn from, without padding: target i is what should follow input i, or IGNORE.

    What is to be classified has one target, its class.
    """

    inputs: list[int]
    targets: list[int]


class Source(Protocol):
    """Where examples come from."""

    def __len__(self) -> int:
        """How many examples make one epoch."""
        ...

    def draw(self, index: int, epoch: int, seed: int) -> Example:
        """The same example for the same three numbers, whatever was drawn before."""
        ...


def chance(seed: int, epoch: int, index: int) -> random.Random:
    """The random numbers of one draw; nothing global, so that a resumed run draws the same."""
    return random.Random(f"{seed}/{epoch}/{index}")


def shifted(sequence: Sequence[int], first_target: int = 1) -> Example:
    """Input is all but the last, target all but the first; no loss before `first_target`, nor on a pad.

    >>> shifted([5, 6, 1, 7, 1], first_target=2)
    Example(inputs=[5, 6, 1, 7], targets=[-1, 1, 7, 1])
    """
    targets = [IGNORE if place < first_target or token == PAD else token for place, token in enumerate(sequence)]
    return Example(list(sequence[:-1]), targets[1:])
