"""Which passes can go over all positions at once: counted by the products that must wait for one another, and timed."""

import timeit
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import torch
from torch import Tensor

from clearhead.heads import MultiHeadAttention
from clearhead.lab.claim import Finding, Trial
from clearhead.lab.intervals import power
from clearhead.lab.sight.critical_path import sequential_products
from clearhead.pictures import Chart, GrowthLine, growth

QUICK = "lengths up to 64 instead of 512"
VOCAB, WIDTH = 32, 32
Reading: TypeAlias = Callable[[Tensor], Tensor]
"""A training pass: tokens (n,), all of them known, to logits at each place, (n, vocab)."""
Writing: TypeAlias = Callable[[int], Tensor]
"""Generation: n tokens, each the likeliest after those before it."""
Net: TypeAlias = tuple[Reading, Writing]


def decoder() -> Net:
    """Two layers of causal attention, with what they read added."""
    table, layers = torch.randn(VOCAB, WIDTH), [MultiHeadAttention(WIDTH, 2) for _ in range(2)]

    def read(tokens: Tensor) -> Tensor:
        x = table[tokens][None]  # (1, n, width)
        for layer in layers:
            x = x + layer(x, mask="causal")[0]
        return x[0] @ table.mT

    def write(n: int) -> Tensor:
        tokens = torch.zeros(1, dtype=torch.long)
        for _ in range(n - 1):
            tokens = torch.cat([tokens, read(tokens)[-1:].argmax(-1)])
        return tokens

    return read, write


def rnn() -> Net:
    """h_t = tanh(x_t W + h_(t−1) U)."""
    table, w, u = torch.randn(VOCAB, WIDTH), torch.randn(WIDTH, WIDTH) / 8, torch.randn(WIDTH, WIDTH) / 8

    def read(tokens: Tensor) -> Tensor:
        x, h, states = table[tokens] @ w, torch.zeros(1, WIDTH), []
        for place in range(len(tokens)):
            h = torch.tanh(x[place : place + 1] + h @ u)
            states.append(h)
        return torch.cat(states) @ table.mT

    def write(n: int) -> Tensor:
        token, h, tokens = torch.zeros(1, dtype=torch.long), torch.zeros(1, WIDTH), []
        for _ in range(n):
            tokens.append(token)
            h = torch.tanh(table[token] @ w + h @ u)
            token = (h @ table.mT).argmax(-1)
        return torch.cat(tokens)

    return read, write


def experiment(trial: Trial, decoder: Callable[[], Net] = decoder, rnn: Callable[[], Net] = rnn) -> Finding:
    lengths = (8, 16, 32, 64) if trial.quick else (8, 16, 32, 64, 128, 256, 512)
    steps: dict[str, list[int]] = {}
    seconds: dict[str, list[float]] = {}
    for name, (read, write) in (("decoder", decoder()), ("RNN", rnn())):
        known = [partial(read, torch.randint(VOCAB, (n,))) for n in lengths]
        for way, acts in (("training", known), ("generation", [partial(write, n) for n in lengths])):
            steps[f"{name}, {way}"] = [sequential_products(act) for act in acts]
            seconds[f"{name}, {way}"] = [timed(act) for act in acts]
    grows = {key: steps[key][-1] >= steps[key][0] + (lengths[-1] - lengths[0]) for key in steps}
    slopes = {key: power(lengths, found) for key, found in seconds.items()}
    return Finding(
        {
            "length": list(lengths),
            **{f"products one after the other: {key}": found for key, found in steps.items()},
            **{f"power of the length in the time (this machine, one process): {key}": found for key, found in slopes.items()},
        },
        {
            "a decoder's training pass: as many steps at every length": len(set(steps["decoder, training"])) == 1,
            "an RNN's training pass: at least one more for each token": grows["RNN, training"],
            "a decoder's generation: at least one more for each token": grows["decoder, generation"],
            "an RNN's generation: the same": grows["RNN, generation"],
        },
        growth(
            [
                Chart("steps that must wait for one another", "length", "products", lines(lengths, steps)),
                Chart("time", "length", "s", lines(lengths, seconds)),
            ]
        ),
    )


def lines(lengths: tuple[int, ...], found: dict[str, list[int]] | dict[str, list[float]]) -> list[GrowthLine]:
    return [GrowthLine(key, lengths, costs) for key, costs in found.items()]


@torch.no_grad()
def timed(act: Callable[[], Tensor]) -> float:
    """The best of three, in seconds."""
    return min(timeit.repeat(act, number=1, repeat=3))
