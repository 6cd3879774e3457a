"""Sigmoid and tanh against ReLU: the slope far from 0, and the gradient after many layers."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from clearhead.lab.claim import Finding, Trial
from clearhead.lab.intervals import slope
from clearhead.lab.learning.deep_gradients import gradient_left
from clearhead.pictures import Axis, Graph, Trace, graphs

QUICK = "4 nets a depth instead of 16"
DEPTHS = (1, 2, 4, 8, 16, 32)
FAR = (4.0, 6.0, 8.0, 10.0, 12.0)
Activation = Callable[[Tensor], Tensor]
# Xavier's for sigmoid and tanh, and the larger one that torch advises for tanh; He's for ReLU
GAINS = {"sigmoid": 1.0, "tanh": 1.0, "tanh, gain 5/3": 5 / 3, "ReLU": math.sqrt(2)}


def experiment(trial: Trial, relu: Activation = torch.relu) -> Finding:
    nets = 4 if trial.quick else 16
    activations: dict[str, Activation] = {
        "sigmoid": torch.sigmoid,
        "tanh": torch.tanh,
        "tanh, gain 5/3": torch.tanh,
        "ReLU": relu,
    }
    fades = {name: fading(each) for name, each in activations.items() if "," not in name}
    left = {name: [gradient_left(d, each, GAINS[name], nets=nets) for d in DEPTHS] for name, each in activations.items()}
    layer = {name: 10 ** slope(DEPTHS, [each.value for each in found]) for name, found in left.items()}
    dead = float(derivative(relu, torch.tensor([-4.0, -1.0], dtype=torch.float64)).abs().max())
    return Finding(
        {
            "ln g'(z) per z, far to the right: sigmoid, tanh, ReLU": list(fades.values()),
            "ReLU's slope left of 0": dead,
            "depth": list(DEPTHS),
            **{f"gradient left, powers of ten: {name}": found for name, found in left.items()},
            f"factor a layer: {'; '.join(layer)}": list(layer.values()),
        },
        {
            "sigmoid's slope dies like e^−z, tanh's like e^−2z": abs(fades["sigmoid"] + 1) < 0.02
            and abs(fades["tanh"] + 2) < 0.02,
            "ReLU's stays 1 to the right": abs(fades["ReLU"]) < 1e-9,
            "through 32 layers a sigmoid net loses nearly all gradient": left["sigmoid"][-1].high < -6,
            "a tanh net loses some at every layer": layer["tanh"] < 0.99 and left["tanh"][-1].high < -0.3,
            "a ReLU net keeps it": abs(left["ReLU"][-1].value) < 0.3,
        },
        graphs(
            [
                Graph(
                    "Gradient left at the first layer",
                    Axis("layers"),
                    Axis("power of ten"),
                    [
                        Trace(
                            f"{name}: ×{layer[name]:.3f} a layer",
                            [(d, each.value) for d, each in zip(DEPTHS, found, strict=True)],
                            [(each.low, each.high) for each in found],
                        )
                        for name, found in left.items()
                    ],
                )
            ]
        ),
        when=""
        if left["tanh, gain 5/3"][-1].value < -0.3
        else "a tanh net starts with Xavier's gain of 1: at 5/3 it keeps its gradient",
    )


def derivative(activation: Activation, z: Tensor) -> Tensor:
    z = z.clone().requires_grad_()
    return torch.autograd.grad(activation(z).sum(), z)[0]


def fading(activation: Activation) -> float:
    """The slope of ln g'(z) over z, for large z."""
    slopes = derivative(activation, torch.tensor(FAR, dtype=torch.float64))
    return slope(FAR, slopes.clamp(min=1e-300).log().tolist())
