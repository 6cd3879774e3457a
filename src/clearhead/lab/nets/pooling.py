"""What pooling buys: how far a digit may be shifted, and how much of the picture a cell sees."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor, nn

from clearhead.lab.claim import Finding, Interval, Trial
from clearhead.lab.intervals import share
from clearhead.lab.nets.digits import Split, digits, exam_net, learn
from clearhead.pictures import Axis, Graph, Trace, graphs

QUICK = "7 epochs instead of 15"
SHIFTS = (0, 1, 2, 3, 4, 5, 6)  # pixels of 32
SMALL = 3  # the shift that is judged


class Corner(nn.Module):
    """No pooling: of each square the first cell, so that every shape stays as it was."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def forward(self, x: Tensor) -> Tensor:
        return x[..., :: self.size, :: self.size][..., : x.shape[-2] // self.size, : x.shape[-1] // self.size]


POOLS: dict[str, Callable[[int], nn.Module]] = {"max": nn.MaxPool2d, "average": nn.AvgPool2d, "none": Corner}


def experiment(trial: Trial, pools: Mapping[str, Callable[[int], nn.Module]] = POOLS, epochs: int = 0) -> Finding:
    split = digits()
    right: dict[str, list[Interval]] = {}
    fields = {}
    for name, pool in pools.items():
        net = exam_net(pool)
        learn(net, split, epochs or (7 if trial.quick else 15))
        right[name] = [accuracy(net, split, shift) for shift in SHIFTS]
        fields[name] = field(pool)
    alone = field(lambda size: nn.Identity())
    small = {name: found[SMALL] for name, found in right.items()}
    return Finding(
        {
            "shift in pixels of 32": list(SHIFTS),
            **{f"share right, {name}": found for name, found in right.items()},
            "pixels (a side) that one cell sees after both layers: max, average, none": list(fields.values()),
            "the same without subsampling": alone,
        },
        {
            "max pooling bears a shift better than none": small["max"].low > small["none"].high,
            "and better than average pooling": small["max"].low > small["average"].high,
            "pooling widens what a cell sees": min(fields["max"], fields["average"]) > fields["none"] and fields["max"] > alone,
        },
        graphs(
            [
                Graph(
                    "Held-out digits that are right, by how far they are shifted",
                    Axis("pixels of 32"),
                    Axis("share right"),
                    [
                        Trace(
                            "no pooling" if name == "none" else f"{name} pooling",
                            list(zip(SHIFTS, [each.value for each in found], strict=True)),
                            [(each.low, each.high) for each in found],
                        )
                        for name, found in right.items()
                    ],
                )
            ]
        ),
        when=""
        if small["average"].low > small["none"].high
        else "it pools by the maximum: an average is hardly better than nothing",
    )


@torch.no_grad()
def accuracy(net: nn.Module, split: Split, shift: int) -> Interval:
    """Over the four directions; what leaves the picture is lost, what comes in is black."""
    hits = 0
    for axis in (-2, -1):
        for way in (1, -1):
            moved = split.held_x.roll(way * shift, axis)
            edge = torch.arange(shift) if way == 1 else torch.arange(32 - shift, 32)
            moved = moved.index_fill(axis, edge, 0.0)
            hits += int((net(moved).argmax(-1) == split.held_y).sum())
    return share(hits, 4 * len(split.held_y))


def field(pool: Callable[[int], nn.Module]) -> int:
    """How many pixels a side move one cell in the middle of the second pooling layer: counted by its gradient."""
    layers = [nn.Conv2d(1, 8, 5), pool(4), nn.Conv2d(8, 16, 4, padding=1), pool(2)]
    net = nn.Sequential(*layers).double()
    seen = torch.zeros(64, 64, dtype=torch.bool)
    for _ in range(40):  # a maximum lets one pixel through at a time: many pictures show all of them
        x = torch.randn(1, 1, 64, 64, dtype=torch.float64, requires_grad=True)
        out = net(x)
        (slope,) = torch.autograd.grad(out[0, :, out.shape[2] // 2, out.shape[3] // 2].sum(), x)
        seen |= slope[0, 0] != 0
    rows = seen.any(1).nonzero()
    return int(rows.max() - rows.min() + 1)
