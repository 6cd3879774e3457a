"""A second head that is the first one again: what it does depends on W_O, and the published key has it wrong."""

from collections.abc import Callable

import torch
from torch import Tensor

from clearhead.lab.attention.exam_decoder import exam_weights, loss_of, mixed
from clearhead.lab.claim import Finding, Trial
from clearhead.pictures import Panel, heatmap

QUICK = "as in full; it takes a moment"
PRINTED = 4.2114  # the loss in the exam's key, for one head; for two it says "identical"
ROWS = ("D", "A", "A", "START", "A", "D", "STOP")
COLUMNS = ("A", "B", "C", "D", "START", "STOP")


def stacked_and_halved(w_o: Tensor) -> Tensor:
    """W_O over itself, halved: each head brings half of what one brought."""
    return torch.cat([w_o, w_o]) / 2  # (2·d_v, width)


def experiment(trial: Trial, for_two: Tensor | None = None, mend: Callable[[Tensor], Tensor] = stacked_and_halved) -> Finding:
    weights = exam_weights()
    z = mixed(weights)  # (7, 2)
    twice = torch.cat([z, z], dim=-1)  # (7, 4): the heads side by side
    identity = torch.eye(4, dtype=torch.float64) if for_two is None else for_two
    ways = {"one head": (z, weights["W_O"]), "two, W_O = I": (twice, identity), "two, mended": (twice, mend(weights["W_O"]))}
    own = {name: float(loss_of(*way, weights["E"])) for name, way in ways.items()}
    forced = {name: float(loss_of(*way, weights["E"], shift=1)) for name, way in ways.items()}
    moved = {name: float((heads @ w_o - z @ weights["W_O"]).abs().max()) for name, (heads, w_o) in ways.items()}
    same = {name: moved[name] < 1e-12 for name in moved}
    shown = [Panel(shares(*ways[name]), ROWS, COLUMNS, name) for name in ("one head", "two, W_O = I")]
    return Finding(
        {
            "loss with one head, each token off its own place": own["one head"],
            "the exam's key prints": PRINTED,
            "loss with two heads and W_O = I": own["two, W_O = I"],
            "loss with two heads, W_O stacked twice and halved": own["two, mended"],
            "the same three with teacher forcing": list(forced.values()),
            "farthest cell of R, W_O = I": moved["two, W_O = I"],
            "farthest cell of R, stacked and halved": moved["two, mended"],
        },
        {
            "one head gives the printed loss": abs(own["one head"] - PRINTED) < 5e-5,
            "with some W_O the second head changes nothing": same["two, mended"] or same["two, W_O = I"],
        },
        heatmap(shown),
        when="" if same["two, W_O = I"] else "W_O is stacked twice and halved; with W_O = I the columns of R trade places",
    )


def shares(z: Tensor, w_o: Tensor) -> list[list[float]]:
    """What each place gives to each symbol: softmax(R Eᵀ), (7, 6)."""
    rows: list[list[float]] = (z @ w_o @ exam_weights()["E"].mT).softmax(-1).round(decimals=3).tolist()
    return rows
