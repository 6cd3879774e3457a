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
    parting = {name: gradients_apart(weights, ways[name][1]) for name in ("two, W_O = I", "two, mended")}
    titles = {"one head": "one head", "two, W_O = I": "two heads, W_O = I", "two, mended": "two heads, W_O stacked and halved"}
    shown = [Panel(shares(*ways[way]), ROWS, COLUMNS, title, "share of", "place", "gives") for way, title in titles.items()]
    return Finding(
        {
            "loss with one head, each token off its own place": own["one head"],
            "the exam's key prints": PRINTED,
            "loss with two heads and W_O = I": own["two, W_O = I"],
            "loss with two heads, W_O stacked twice and halved": own["two, mended"],
            "the same three with teacher forcing": list(forced.values()),
            "farthest cell of R, W_O = I": moved["two, W_O = I"],
            "farthest cell of R, stacked and halved": moved["two, mended"],
            "farthest cell between the gradients of the two W_V, W_O = I": parting["two, W_O = I"],
            "farthest cell between them, stacked and halved": parting["two, mended"],
        },
        {
            "one head gives the printed loss": abs(own["one head"] - PRINTED) < 5e-5,
            "with some W_O the second head changes nothing": same["two, mended"] or same["two, W_O = I"],
            "nor does it learn anything else there: both get one gradient": parting["two, mended"] < 1e-12,
        },
        heatmap(shown),
        when="" if same["two, W_O = I"] else "W_O is stacked twice and halved; with W_O = I the columns of R trade places",
    )


def gradients_apart(weights: dict[str, Tensor], w_o: Tensor) -> float:
    """How far the loss's gradients of the two heads' W_V are apart, though the heads are equal."""
    maps = [weights["W_V"].clone().requires_grad_() for _ in range(2)]
    heads = torch.cat([mixed({**weights, "W_V": each}) for each in maps], dim=-1)  # (7, 4)
    first, second = torch.autograd.grad(loss_of(heads, w_o, weights["E"]), maps)
    return float((first - second).abs().max())


def shares(z: Tensor, w_o: Tensor) -> list[list[float]]:
    """What each place gives to each symbol: softmax(R Eᵀ), (7, 6)."""
    rows: list[list[float]] = (z @ w_o @ exam_weights()["E"].mT).softmax(-1).round(decimals=3).tolist()
    return rows
