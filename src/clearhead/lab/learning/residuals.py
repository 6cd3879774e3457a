"""What a residual connection does for gradients: their size at the first layer by depth, with and without."""

import torch

from clearhead.lab.claim import Finding, Trial
from clearhead.lab.intervals import slope
from clearhead.lab.learning.deep_gradients import Join, added, gradient_left, passed_on
from clearhead.pictures import Axis, Graph, Trace, graphs

QUICK = "4 nets a depth instead of 16"
DEPTHS = (1, 2, 4, 8, 16, 32, 64)
GAIN = 3**-0.5  # torch's own start for a linear layer


def experiment(trial: Trial, plain: Join = passed_on, residual: Join = added) -> Finding:
    nets = 4 if trial.quick else 16
    left = {
        name: [gradient_left(depth, torch.tanh, GAIN, join, nets) for depth in DEPTHS]
        for name, join in (("plain", plain), ("residual", residual))
    }
    layer = {name: 10 ** slope(DEPTHS, [each.value for each in found]) for name, found in left.items()}
    return Finding(
        {
            "layers": list(DEPTHS),
            "gradient left at the first layer, powers of ten: plain": left["plain"],
            "with residuals": left["residual"],
            "factor a layer: plain, with residuals": list(layer.values()),
        },
        {
            "without, hardly any of it reaches the first of 64 layers": left["plain"][-1].high < -6,
            "with, it all comes through at every depth": min(each.low for each in left["residual"]) > -0.3,
            "and it does not explode": left["residual"][-1].high < 2,
        },
        graphs(
            [
                Graph(
                    "Gradient left at the first layer, tanh, torch's own start",
                    Axis("layers"),
                    Axis("power of ten"),
                    [
                        Trace(
                            f"{name}: ×{layer[name]:.3f} a layer",
                            [(depth, each.value) for depth, each in zip(DEPTHS, found, strict=True)],
                            [(each.low, each.high) for each in found],
                        )
                        for name, found in left.items()
                    ],
                )
            ]
        ),
    )
