"""The exam's convolutional net for grey 32×32 digits, with average or max pooling, and its all-convolutional twin."""

import math
from dataclasses import dataclass, replace
from typing import Literal, get_args

import torch
from torch import Tensor, nn
from torch.nn.functional import affine_grid, cross_entropy, grid_sample

from clearhead.errors import ConfigError, ShapeError
from clearhead.models.model import Classifier, Family

Pooling = Literal["average", "max", "convolution"]
SIDE = 32
BRIGHTEST = 255


@dataclass(frozen=True, kw_only=True)
class ConvNetConfig:
    """How it pools, and how far pictures are moved in training."""

    classes: int = 10
    pooling: Pooling = "average"  # convolution: the twin, which has no pooling and no linear layer
    shift: float = 0.0  # pixels, at most, each way
    turn: float = 0.0  # degrees, at most
    zoom: float = 0.0  # share of the size, at most

    def __post_init__(self) -> None:
        if self.pooling not in get_args(Pooling):
            raise ConfigError(f"pooling={self.pooling!r} is not known; poolings: {', '.join(get_args(Pooling))}.")
        if self.classes < 2 or min(self.shift, self.turn, self.zoom) < 0 or self.zoom >= 1:
            raise ConfigError("a convnet needs two classes, shift and turn of at least 0, and zoom from 0 to below 1.")


class ConvNet(Classifier):
    """Pictures (rows, 1024) with values from 0 to 255 to logits (rows, classes).

    1×32×32 → 8×28×28 → 8×7×7 → 16×6×6 → 16×3×3 → 144 → classes: 208, 0, 2,064, 0 and 145 weights a class.
    """

    def __init__(self, config: ConvNetConfig) -> None:
        super().__init__()
        self.config = config
        twin = config.pooling == "convolution"
        self.net = nn.Sequential(
            nn.Conv2d(1, 8, 5),
            pooled(config.pooling, 8, 4),
            nn.ReLU(),
            nn.Conv2d(8, 16, 4, padding=1),
            pooled(config.pooling, 16, 2),
            nn.ReLU(),
            nn.Conv2d(16, config.classes, 3) if twin else nn.Flatten(),
            nn.Flatten() if twin else nn.Linear(144, config.classes),
        )

    def forward(self, pictures: Tensor) -> Tensor:
        """Logits (rows, classes)."""
        if pictures.dim() != 2 or pictures.shape[1] != SIDE * SIDE:
            raise ShapeError(f"pictures must be (rows, {SIDE * SIDE}): {SIDE}×{SIDE} pixels each; got {tuple(pictures.shape)}.")
        weight = next(self.parameters())
        x = (pictures.to(weight.dtype) / BRIGHTEST).reshape(-1, 1, SIDE, SIDE)
        logits: Tensor = self.net(self.moved(x) if self.training else x)
        return logits

    def moved(self, x: Tensor) -> Tensor:
        """Each picture turned, zoomed and shifted by chance: (rows, 1, 32, 32)."""
        config = self.config
        if config.shift == config.turn == config.zoom == 0:
            return x
        chance = 2 * torch.rand(4, len(x), dtype=x.dtype, device=x.device) - 1  # from −1 to 1
        angle, size = chance[0] * math.radians(config.turn), 1 + chance[1] * config.zoom
        right, down = chance[2:] * config.shift * 2 / SIDE  # a picture is 2 wide in grid_sample's own measure
        rows = [size * angle.cos(), -size * angle.sin(), right, size * angle.sin(), size * angle.cos(), down]
        places = affine_grid(torch.stack(rows, dim=1).reshape(-1, 2, 3), list(x.shape), align_corners=False)
        return grid_sample(x, places, align_corners=False)

    def chances(self, inputs: Tensor) -> Tensor:
        logits: Tensor = self(inputs)
        return logits.softmax(-1)

    def loss(self, inputs: Tensor, targets: Tensor) -> Tensor:
        """Mean cross-entropy; targets (rows, 1) are class numbers."""
        return cross_entropy(self(inputs), targets[:, 0])


def pooled(pooling: Pooling, channels: int, size: int) -> nn.Module:
    """A pooling layer; as a convolution with a stride it starts out as the average."""
    if pooling == "average":
        return nn.AvgPool2d(size)
    if pooling == "max":
        return nn.MaxPool2d(size)
    strided = nn.Conv2d(channels, channels, size, stride=size)
    average = torch.eye(channels)[:, :, None, None].expand_as(strided.weight) / size**2
    strided.load_state_dict({"weight": average, "bias": torch.zeros(channels)})
    return strided


@torch.no_grad()
def twin_of(net: ConvNet) -> ConvNet:
    """The all-convolutional net that says exactly what a net with average pooling says."""
    if net.config.pooling != "average":
        raise ConfigError(f"only average pooling is a convolution; this net pools by {net.config.pooling}.")
    weight = next(net.parameters())
    twin = ConvNet(replace(net.config, pooling="convolution")).to(weight.dtype).train(net.training)
    for place in (0, 3):
        twin.net[place].load_state_dict(net.net[place].state_dict())
    state = net.net[7].state_dict()
    twin.net[6].load_state_dict({"weight": state["weight"].reshape(-1, 16, 3, 3), "bias": state["bias"]})
    return twin


FAMILY = Family(ConvNetConfig, ConvNet)
