"""Flatten + Linear as a convolution: both ways, when they are equal, and the proof with the same weights."""

import pytest
import torch
from torch import nn

from clearhead.commands.layers import prove
from clearhead.errors import InputError
from clearhead.layers import analyse, read_input
from clearhead.layers.repairs.equal_convolution import Ending, rewrite, rewriting_text

HEAD = "import torch\nfrom torch import nn\n"


def rewriting_of(source: str, wanted: str) -> str:
    shape = read_input(wanted)
    found = rewrite(analyse(source, shape), shape)
    return rewriting_text(found, prove(found.ending))


def test_the_exam_s_two_solutions() -> None:
    source = "net = nn.Sequential(\n    nn.Conv2d(1, 16, 3),\n    nn.Flatten(),\n    nn.Linear(16 * 3 * 3, 10),\n)"
    text = rewriting_of(source, "1x5x5")
    assert "+    nn.Conv2d(16, 10, kernel_size=3)," in text
    assert "-    nn.Linear(16 * 3 * 3, 10)," in text
    assert "nn.Conv2d(16, 10, kernel_size=1), nn.AvgPool2d(3)" in " ".join(text.split())
    assert "Equal only when the Linear treats all 9 positions" in " ".join(text.split())
    assert "equal to 1e-6" in " ".join(text.split())


@pytest.mark.parametrize(
    ("source", "wanted", "part"),
    [
        (
            "nn.Sequential(nn.Flatten(), nn.Linear(12, 5, bias=False))",
            "2x2x3",
            "nn.Conv2d(2, 5, kernel_size=(2, 3), bias=False)",
        ),
        ("nn.Sequential(nn.Flatten(), nn.Linear(12, 5), nn.Softmax(dim=1))", "3x4", "nn.Conv1d(3, 5, kernel_size=4)"),
        ("nn.Sequential(nn.Flatten(), nn.Linear(24, 5))", "3x2x2x2", "nn.Conv3d(3, 5, kernel_size=2)"),
    ],
)
def test_maps_of_any_number_of_axes(source: str, wanted: str, part: str) -> None:
    assert part in " ".join(rewriting_of(source, wanted).split())


@pytest.mark.parametrize(
    "forward",
    [
        "x = torch.flatten(x, 1)\n        return self.out(x)",
        "x = x.view(x.size(0), -1)\n        x = self.out(x)\n        return x",
        "return self.out(x.flatten(1))",
        "return self.out(self.flat(x))",
    ],
)
def test_a_module_keeps_its_shape(forward: str) -> None:
    source = HEAD + (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.flat = nn.Flatten()\n"
        f"        self.out = nn.Linear(18, 4)\n    def forward(self, x):\n        {forward}\n"
    )
    assert "+        self.out = nn.Conv2d(2, 4, kernel_size=3)" in rewriting_of(source, "2x3x3")


@pytest.mark.parametrize("source", ["nn.Linear(4, 2)", "nn.Sequential(nn.Conv1d(4, 2, 1))", "nn.Sequential(nn.Linear(3, 2))"])
def test_a_net_without_such_an_ending_says_so(source: str) -> None:
    with pytest.raises(InputError, match="--as-convolution needs"):
        rewriting_of(source, "4")


def test_the_second_way_equals_the_linear_exactly_when_all_positions_weigh_alike() -> None:
    torch.manual_seed(0)
    x = torch.randn(5, 16, 3, 3, dtype=torch.float64)
    linear, ones = nn.Linear(144, 10).double(), nn.Conv2d(16, 10, 1).double()
    alike = torch.randn(10, 16, dtype=torch.float64)
    with torch.no_grad():
        linear.weight.copy_(alike.repeat_interleave(9, dim=1))
        ones.weight.copy_(9 * alike[:, :, None, None])
        ones.bias.copy_(linear.bias)
    pooled = nn.AvgPool2d(3)(ones(x)).flatten(1)
    torch.testing.assert_close(pooled, linear(x.flatten(1)))
    with torch.no_grad():
        linear.weight[0, 0] += 1
    assert not torch.allclose(pooled, linear(x.flatten(1)))


def test_the_proof_rejects_a_convolution_with_other_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    shape = read_input("2x3x3")
    ending: Ending = rewrite(analyse("nn.Sequential(nn.Flatten(), nn.Linear(18, 4))", shape), shape).ending
    assert "equal to 1e-6" in prove(ending)
    true = torch.nn.functional.conv2d
    monkeypatch.setattr(torch.nn.functional, "conv2d", lambda x, weight, bias: true(x, weight.transpose(2, 3), bias))
    assert "NOT EQUAL" in prove(ending)
