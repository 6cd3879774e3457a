"""What learns at temperature 0: the gradient of each map of the exam's decoder, and where some steps of descent take it."""

import torch
from torch import Tensor

from clearhead.lab.attention.exam_decoder import exam_weights, loss_of, mixed
from clearhead.lab.claim import Finding, Trial
from clearhead.pictures import Axis, Graph, Trace, graphs

QUICK = "as in full; it takes a moment"
MAPS = ("W_Q", "W_K", "W_V", "W_O")
STEPS, RATE = 60, 0.02
SOFT = 1.0  # attend divides by √d itself: the usual softmax


def experiment(trial: Trial, cold: float = 0.0, soft: float = SOFT) -> Finding:
    start = exam_weights()
    gradients = {name: slopes(start, temperature) for name, temperature in (("cold", cold), ("soft", soft))}
    losses, moved = {}, {}
    for name, temperature in (("cold", cold), ("soft", soft)):
        losses[name], after = descend(start, temperature)
        moved[name] = {each: float((after[each] - start[each]).norm()) for each in MAPS}
    stuck = [each for each in MAPS if gradients["cold"][each] == 0 and moved["cold"][each] == 0]
    premise = {"W_Q", "W_K", "W_V"}
    return Finding(
        {
            "maps": ", ".join(MAPS),
            "norm of each gradient at temperature 0": [gradients["cold"][each] for each in MAPS],
            "norm of each gradient with softmax(QKᵀ/√d)": [gradients["soft"][each] for each in MAPS],
            f"how far each went in {STEPS} steps at 0": [moved["cold"][each] for each in MAPS],
            f"how far each went in {STEPS} steps with softmax": [moved["soft"][each] for each in MAPS],
            "loss at 0, first and last": [losses["cold"][0], losses["cold"][-1]],
            "loss with softmax, first and last": [losses["soft"][0], losses["soft"][-1]],
        },
        {
            "at temperature 0 W_Q and W_K never change": {"W_Q", "W_K"} <= set(stuck),
            "with softmax every map learns": min(gradients["soft"].values()) > 1e-6 and min(moved["soft"].values()) > 1e-6,
            "and the loss falls": losses["soft"][-1] < losses["soft"][0] - 0.1,
        },
        graphs(
            [
                Graph(
                    "The exam's decoder, some steps of descent",
                    Axis("step"),
                    Axis("loss"),
                    [
                        Trace("temperature 0: only W_V and W_O learn", list(enumerate(losses["cold"]))),
                        Trace("softmax(QKᵀ/√d): all four learn", list(enumerate(losses["soft"]))),
                    ],
                )
            ]
        ),
        when="" if set(stuck) >= premise else f"it is said of {' and '.join(stuck) or 'no map'} only: W_V and W_O do learn",
    )


def slopes(start: dict[str, Tensor], temperature: float) -> dict[str, float]:
    """The norm of the loss's gradient by each map."""
    weights = {name: weight.clone().requires_grad_(name in MAPS) for name, weight in start.items()}
    loss_of(mixed(weights, temperature), weights["W_O"], weights["E"], shift=1).backward()  # type: ignore[no-untyped-call]
    return {name: 0.0 if (found := weights[name].grad) is None else float(found.norm()) for name in MAPS}


def descend(start: dict[str, Tensor], temperature: float) -> tuple[list[float], dict[str, Tensor]]:
    """The loss before each step of plain descent with teacher forcing, and the weights at the end."""
    weights = {name: weight.clone().requires_grad_(name in MAPS) for name, weight in start.items()}
    losses = []
    for _ in range(STEPS):
        loss = loss_of(mixed(weights, temperature), weights["W_O"], weights["E"], shift=1)
        losses.append(loss.item())
        found = torch.autograd.grad(loss, [weights[name] for name in MAPS], allow_unused=True)
        with torch.no_grad():
            for name, gradient in zip(MAPS, found, strict=True):
                if gradient is not None:
                    weights[name] -= RATE * gradient
    return losses, {name: weight.detach() for name, weight in weights.items()}
