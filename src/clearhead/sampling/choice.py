"""Text drawn from a model: hotter or colder, from the most likely tokens only, after a prompt."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from clearhead.errors import ConfigError, InputError
from clearhead.models.model import Reader


@dataclass(frozen=True, kw_only=True)
class Choice:
    """How the next token is drawn."""

    temperature: float = 1.0  # logits are divided by it; 0: always the most likely
    top_k: int = 0  # only so many of the most likely; 0: all
    top_p: float = 1.0  # only the fewest most likely ones that have this share together

    def __post_init__(self) -> None:
        if not 0 <= self.temperature < math.inf:
            raise ConfigError(f"temperature must be 0 or more; got {self.temperature}.")
        if self.top_k < 0 or not 0 < self.top_p <= 1:
            raise ConfigError(f"top_k must be 0 or more and top_p above 0 up to 1; got {self.top_k} and {self.top_p}.")


def shares(logits: Tensor, choice: Choice) -> Tensor:
    """The probabilities that the next token is drawn with: logits (vocab,) give (vocab,).

    >>> shares(torch.tensor([8.0, 4.0, 2.0, 2.0]).log(), Choice(top_k=2)).tolist()
    [0.6666666865348816, 0.3333333432674408, 0.0, 0.0]
    """
    if choice.temperature == 0:
        best = torch.zeros_like(logits)
        best[logits.argmax()] = 1
        return best
    ordered, order = (logits / choice.temperature).softmax(-1).sort(descending=True, stable=True)
    kept = ordered.cumsum(-1) - ordered < choice.top_p  # up to and with the one that reaches the share
    if choice.top_k:
        kept[choice.top_k :] = False
    ordered = ordered * kept
    return torch.zeros_like(logits).scatter(0, order, ordered / ordered.sum())


def continued(
    reader: Reader, prompt: Sequence[int], most: int, choice: Choice, chance: torch.Generator, never: Sequence[int], stop: int
) -> Iterator[int]:
    """The tokens that follow a prompt, one by one, up to `most` or before `stop`; `never` are not drawn."""
    if not prompt:
        raise InputError("a prompt must hold at least one token.")
    logits = reader.read(prompt)[-1].cpu()
    for _ in range(most):
        logits[list(never)] = -math.inf
        token = int(torch.multinomial(shares(logits, choice), 1, generator=chance))
        if token == stop:
            return
        yield token
        logits = reader.read([token])[-1].cpu()
