"""What a residual connection does for gradients: their size at the first layer by depth, with and without."""

import torch

from clearhead.lab.claim import Finding, Trial
from clearhead.lab.intervals import slope
from clearhead.lab.learning.deep_gradients import Join, added, gradient_left, passed_on
from clearhead.pictures import Axis, Graph, Trace, graphs

QUICK = "4 nets a depth instead of 16"
DEPTHS = (1, 2, 4, 8, 16, 32, 64)
GAIN = 3**-0.5  # torch's own start for a linear layer
CAREFUL = 5 / 3  # what torch advises for tanh


def experiment(trial: Trial, plain: Join = passed_on, residual: Join = added, careful: float = CAREFUL) -> Finding:
    nets = 4 if trial.quick else 16
    ways = {
        "plain": (plain, GAIN),
        "with residuals": (residual, GAIN),
        "plain, careful start": (plain, careful),
        "with residuals, careful start": (residual, careful),
    }
    left = {
        name: [gradient_left(depth, torch.tanh, gain, join, nets) for depth in DEPTHS] for name, (join, gain) in ways.items()
    }
    layer = {name: 10 ** slope(DEPTHS, [each.value for each in found]) for name, found in left.items()}
    carried = {name: min(each.low for each in found) > -0.3 for name, found in left.items()}
    return Finding(
        {
            "layers": list(DEPTHS),
            **{f"powers of ten left at the first: {name}": found for name, found in left.items()},
            "factor a layer, in that order": list(layer.values()),
        },
        {
            "without, hardly any of it reaches the first of 64 layers": left["plain"][-1].high < -6,
            "with, it all comes through at every depth": carried["with residuals"],
            "also with the careful start": carried["with residuals, careful start"],
            "and it does not explode: less than a hundredfold": left["with residuals"][-1].high < 2,
        },
        graphs(
            [
                Graph(
                    f"Gradient left at the first layer: {title}",
                    Axis("layers"),
                    Axis("power of ten"),
                    [
                        Trace(
                            f"{name.partition(',')[0]}: ×{layer[name]:.3f} a layer",
                            [(depth, each.value) for depth, each in zip(DEPTHS, left[name], strict=True)],
                            [(each.low, each.high) for each in left[name]],
                        )
                        for name in names
                    ],
                )
                for title, names in ((f"tanh, gain {GAIN:.2f}", list(ways)[:2]), (f"tanh, gain {careful:.2f}", list(ways)[2:]))
            ]
        ),
        when=f"the layers start as torch starts them, gain {GAIN:.2f}: at {careful:.2f} a plain tanh net keeps its gradient too"
        if carried["plain, careful start"]
        else "",
    )
