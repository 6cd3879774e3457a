"""The exam's last question on nets: flatten and linear as one convolution, and the key's other way, which says less."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from clearhead.lab.claim import Finding, Trial
from clearhead.models import ConvNet, ConvNetConfig, twin_of
from clearhead.pictures import Axis, Graph, Trace, graphs

QUICK = "as in full; it takes a moment"
CHANNELS, SIDE, CLASSES = 16, 3, 10


def in_order(weight: Tensor) -> Tensor:
    """A linear layer's rows as filters: flattening goes by channel, then row, then column."""
    return weight.reshape(CLASSES, CHANNELS, SIDE, SIDE)


@torch.no_grad()
def experiment(trial: Trial, filters: Callable[[Tensor], Tensor] = in_order) -> Finding:
    maps = torch.randn(200, CHANNELS, SIDE, SIDE, dtype=torch.float64)
    dense = nn.Linear(CHANNELS * SIDE * SIDE, CLASSES).double()
    said = dense(maps.flatten(1))  # (200, classes)
    folded = nn.functional.conv2d(maps, filters(dense.weight), dense.bias).flatten(1)
    apart = float((folded - said).abs().max())
    # the key's second way: a 1×1 convolution, then an average over 3×3. The best one there is, by least squares:
    means = torch.cat(
        [maps.mean((2, 3)), torch.ones(len(maps), 1, dtype=torch.float64)], dim=1
    )  # all that it can see of the maps
    best = means @ torch.linalg.lstsq(means, said).solution
    lost = float((best - said).pow(2).sum() / (said - said.mean(0)).pow(2).sum())
    pictures = torch.randint(256, (50, 1024))
    net = ConvNet(ConvNetConfig()).double().eval()
    whole = float((twin_of(net)(pictures) - net(pictures)).abs().max())
    errors = (folded - said).abs().amax(0).clamp(min=1e-18).tolist()
    others = (best - said).abs().amax(0).clamp(min=1e-18).tolist()
    return Finding(
        {
            "3×3 convolution with 10 filters against flatten and linear, at most apart": apart,
            "the whole exam net against its all-convolutional twin, at most apart": whole,
            "weights of each": [sum(p.numel() for p in dense.parameters()), CLASSES * (CHANNELS * SIDE * SIDE + 1)],
            "the key's second way, 1×1 and an average: weights": CLASSES * (CHANNELS + 1),
            "share of the linear layer's variance that the best such one misses": lost,
        },
        {
            "a convolution as large as its map is the linear layer, to 1e-6": apart < 1e-6,
            "also inside the exam's net": whole < 1e-6,
            "the second way is another, smaller layer": lost > 0.5,
        },
        graphs(
            [
                Graph(
                    "How far each of the 10 outputs is from the linear layer's",
                    Axis("output"),
                    Axis("at most apart", logarithmic=True),
                    [
                        Trace("3×3 convolution, 10 filters", list(enumerate(errors, 1))),
                        Trace("1×1 convolution and an average over 3×3, the best fit", list(enumerate(others, 1))),
                    ],
                )
            ]
        ),
    )
