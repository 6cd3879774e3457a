"""Claims tried on digits: what they come to, and what makes each of them fail."""

import pytest
import torch
from torch import Tensor, nn

from clearhead.lab.nets.bottleneck import straight
from clearhead.lab.nets.digits import digits
from clearhead.lab.nets.pooling import POOLS, Corner, accuracy, field
from lab.perturbing import verdict


@pytest.mark.slow
def test_pooling_holds() -> None:
    assert verdict("pooling").startswith("holds")


def test_pooling_turns_when_nothing_has_been_learned() -> None:
    assert verdict("pooling", epochs=1, pools=dict.fromkeys(POOLS, Corner)) == "does not hold"


def test_a_cell_sees_what_the_sizes_say() -> None:
    # 5 + 3·1 for the two convolutions alone; with pooling by 4 and 2: 5 + 3 + 3·4 + 4
    assert field(lambda size: nn.Identity()) == 8
    assert field(nn.AvgPool2d) == field(nn.MaxPool2d) == 24
    assert field(Corner) == 17


class Constant(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return torch.eye(10)[[3] * len(x)]


def test_a_net_that_ignores_the_picture_bears_every_shift() -> None:
    split = digits()
    found = [accuracy(Constant(), split, shift).value for shift in (0, 5)]
    assert found[0] == found[1] == pytest.approx(float((split.held_y == 3).double().mean()))


def test_dense_as_convolution_holds_and_turns_when_the_filters_are_read_in_another_order() -> None:
    assert verdict("dense-as-convolution") == "holds"
    channels_last = verdict("dense-as-convolution", filters=lambda w: w.reshape(10, 3, 3, 16).permute(0, 3, 1, 2))
    assert channels_last == "does not hold"


@pytest.mark.slow
def test_bottleneck_holds() -> None:
    assert verdict("bottleneck") == "holds"


def test_bottleneck_turns_when_nothing_bends_and_when_nothing_is_learned() -> None:
    assert verdict("bottleneck", bent=straight, steps=300) == "does not hold"
    assert verdict("bottleneck", steps=1) == "does not hold"
