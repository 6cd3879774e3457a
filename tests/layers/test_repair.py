"""Repairs: the smallest edit, only from known shapes, checked again, all breaks in turn."""

import ast

import pytest

from clearhead.layers import read_input
from clearhead.layers.repairs.repair import NetReading, mend, read
from clearhead.layers.report.layer_table import repair_text

HEAD = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n"


def mended(source: str, wanted: str) -> NetReading:
    return mend(read(source, read_input(wanted)))


@pytest.mark.parametrize(
    ("layers", "wanted", "after"),
    [
        ("nn.Linear(120, 10)", "144", ["nn.Linear(144, 10)"]),
        ("nn.Linear(out_features=10, in_features=120)", "144", ["nn.Linear(out_features=10, in_features=144)"]),
        ("nn.Conv2d(3, 8, 3)", "1x9x9", ["nn.Conv2d(1, 8, 3)"]),
        ("nn.Conv2d(in_channels=3, out_channels=8, kernel_size=3)", "1x9x9", ["in_channels=1"]),
        ("nn.Conv2d(6, 8, 3, groups=4)", "6x9x9", ["groups=2"]),
        ("nn.Conv2d(1, 8, 3, stride=2, padding='same')", "1x9x9", ["padding=1"]),
        ("nn.Conv2d(1, 8, (3, 5), stride=2, padding='same')", "1x9x9", ["padding=(1, 2)"]),
        ("nn.MaxPool2d(3, padding=2)", "1x9x9", ["nn.MaxPool2d(3, padding=1)"]),
        ("nn.MaxPool2d(12)", "1x9x9", ["nn.MaxPool2d(9)"]),
        ("nn.Conv2d(1, 2, 12, padding=1)", "1x9x9", ["nn.Conv2d(1, 2, 11, padding=1)"]),
        ("nn.ConvTranspose2d(1, 2, 3, 2, 1, 2)", "1x9x9", ["nn.ConvTranspose2d(1, 2, 3, 2, 1, 1)"]),
        ("nn.BatchNorm1d(4)", "5", ["nn.BatchNorm1d(5)"]),
        ("nn.LayerNorm((3, 4))", "3x5", ["nn.LayerNorm((3, 5))"]),
        ("nn.GroupNorm(3, 8)", "8x5", ["nn.GroupNorm(1, 8)"]),
        ("nn.GroupNorm(2, 8)", "6x5", ["nn.GroupNorm(2, 6)"]),
        ("nn.LSTM(5, 4, batch_first=True)", "7x3", ["nn.LSTM(3, 4, batch_first=True)"]),
        ("nn.TransformerEncoderLayer(10, 4, batch_first=True)", "7x10", ["nn.TransformerEncoderLayer(10, 2,"]),
        ("nn.Conv1d(4, 2, 1), nn.Linear(18, 5)", "4x9", ["nn.Flatten(), nn.Linear(18, 5)"]),
        ("nn.Conv1D(4, 2, 1)", "4x9", ["nn.Conv1d(4, 2, 1)"]),
        ("nn.Linear(4, 2), nn.ReLU", "4", ["nn.ReLU()"]),
        ("nn.Linear(in_feature=4, out_features=2)", "4", ["nn.Linear(in_features=4"]),
        ("nn.Linear(4 2)", "4", ["nn.Linear(4, 2)"]),
        ("nn.Linear(4, 3) nn.ReLU() nn.Linear(2, 2)", "4", ["nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 2)"]),
        ("nn.Linear(3, 5), nn.Linear(4, 6), nn.Linear(7, 2)", "4", ["nn.Linear(4, 5), nn.Linear(5, 6), nn.Linear(6, 2)"]),
    ],
)
def test_the_smallest_edit_in_a_sequential(layers: str, wanted: str, after: list[str]) -> None:
    got = mended(f"net = nn.Sequential({layers})", wanted)
    assert got.after is not None
    assert got.after.broken is None, got.after.broken
    assert all(text in got.mended for text in after), got.mended
    assert "it runs" in repair_text(got)


@pytest.mark.parametrize(
    ("make", "forward", "wanted", "after"),
    [
        ("self.a = nn.Linear(99, 2)", "return self.a(x)", "4", "nn.Linear(4, 2)"),
        ("self.a = nn.Linear(36, 2)", "return self.a(x)", "4x3x3", "self.a(x.flatten(1))"),
        ("self.a = nn.LSTM(4, 3); self.b = nn.Linear(3, 2)", "return self.b(self.a(x))", "7x4", "self.b(self.a(x)[0])"),
        ("self.a = nn.LSTM(4, 3, batch_first=True)", "x = self.a(x)\n        return x[:, -1]", "7x4", "return x[0][:, -1]"),
        ("self.a = nn.Linear(9, 2)", "x = x.view(-1, 9)\n        return self.a(x)", "2x6", "x.view(-1, 12)"),
        ("self.a = nn.Linear(9, 2)", "x = x.view((x.size(0), 9))\n        return self.a(x)", "2x6", "(x.size(0), 12)"),
        (
            "self.a = nn.Linear(12, 2)",
            "x = x.transpose(1, 2).view(x.size(0), -1)\n        return self.a(x)",
            "2x6",
            ".reshape(",
        ),
    ],
)
def test_the_smallest_edit_in_a_module(make: str, forward: str, wanted: str, after: str) -> None:
    source = HEAD + (
        f"class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        {make}\n"
        f"    def forward(self, x):\n        {forward}\n"
    )
    got = mended(source, wanted)
    assert got.after is not None
    assert got.after.broken is None, got.after.broken
    assert after in got.mended


def test_a_forgotten_super_is_put_in_on_its_own_line() -> None:
    source = (
        HEAD
        + "class Net(nn.Module):\n    def __init__(self):\n        self.a = nn.Linear(4, 2)\n"
        + "    def forward(self, x):\n        return self.a(x)\n"
    )
    got = mended(source, "4")
    assert "        super().__init__()\n        self.a = nn.Linear(4, 2)\n" in got.mended
    assert got.repairs[0].line == 6


def test_no_repair_is_offered_past_something_unknown() -> None:
    got = mended("width = compute()\nnet = nn.Sequential(nn.Linear(4, width), nn.Linear(99, 2))", "4")
    assert got.repairs == []
    assert "not every shape is known" in repair_text(got)


def test_a_break_without_a_repair_says_so() -> None:
    source = HEAD + (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = nn.Conv2d(4, 8, 1)\n"
        "    def forward(self, x):\n        return self.a(x) + torch.zeros(7)\n"
    )
    got = mended(source, "4x5x5")
    assert got.analysis.broken is not None
    assert "N×8×5×5 + 7 does not fit: axis 3 is 5 and 7" in got.analysis.broken.why
    assert repair_text(got) == "No repair is known for this break."


def test_a_skip_connection_is_mended_at_the_layer_that_does_not_fit() -> None:
    source = HEAD + (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = nn.Conv2d(4, 8, 1)\n"
        "    def forward(self, x):\n        return self.a(x) + x\n"
    )
    got = mended(source, "4x5x5")
    assert [each.after.strip() for each in got.repairs] == ["self.a = nn.Conv2d(4, 4, 1)"]


def test_a_layer_that_is_used_twice_is_mended_for_both_uses() -> None:
    source = HEAD + (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = nn.Linear(4, 3)\n"
        "    def forward(self, x):\n        return self.a(self.a(x))\n"
    )
    got = mended(source, "4")
    assert [each.after.strip() for each in got.repairs] == ["self.a = nn.Linear(4, 4)"]


BLOCKS = """
class Block(nn.Module):
    def __init__(self, inside, outside):
        super().__init__()
        self.conv = nn.Conv2d(inside, outside, 3, padding=1)
        self.norm = nn.BatchNorm2d(outside)
    def forward(self, x):
        return F.relu(self.norm(self.conv(x)))

class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.a = Block(3, width)
        self.b = Block({size}, 2 * width)
        self.c = Block(2 * width, 4)
    def forward(self, x):
        return self.c(self.b(self.a(x)))
"""


@pytest.mark.parametrize(("size", "repaired"), [("16", "Block(8, 2 * width)"), ("width // 2", "Block(width, 2 * width)")])
def test_a_break_in_a_reused_block_is_named_and_mended_at_the_call_that_brought_it(size: str, repaired: str) -> None:
    source = "from torch import nn\nimport torch.nn.functional as F\n" + BLOCKS.replace("{size}", size)
    got = mended(source, "3x6x6")
    assert got.analysis.broken is not None
    assert got.analysis.broken.made_at == [{"what": "Block", "line": 16, "code": f"Block({size}, 2 * width)"}]
    assert [(each.line, each.after.strip()) for each in got.repairs] == [(16, f"self.b = {repaired}")]
    assert got.after is not None
    assert got.after.weights == 3 * 8 * 9 + 8 + 16 + 8 * 16 * 9 + 16 + 32 + 16 * 4 * 9 + 4 + 8


def test_an_edit_that_does_not_help_is_not_offered() -> None:
    """A matrix of weights that fits nobody cannot be mended by the number of a layer."""
    source = HEAD + (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.a = nn.Linear(4, 3)\n        self.w = nn.Parameter(torch.zeros(7, 5))\n"
        "    def forward(self, x):\n        return self.a(x) @ self.w\n"
    )
    assert mended(source, "4").repairs == []


def test_only_the_lines_that_change_are_changed() -> None:
    source = "# ünïcödé\r\nnet = nn.Sequential(  # é\r\n    nn.Linear(4, 3)  # behind\r\n    nn.Linear(9, 2)\r\n)\r\n"
    got = mended(source, "4")
    assert got.mended == source.replace("nn.Linear(4, 3)", "nn.Linear(4, 3),").replace("9, 2", "3, 2")
    ast.parse(got.mended)


def test_among_a_thousand_equal_layers_the_diff_shows_one_line() -> None:
    lines = ["net = nn.Sequential(", *["    nn.Linear(8, 8),"] * 1000, ")"]
    lines[500] = "    nn.Linear(7, 8),"
    diff = mended("\n".join(lines), "8").diff
    assert diff.splitlines()[2:] == [
        "@@ -500,3 +500,3 @@",
        "     nn.Linear(8, 8),",
        "-    nn.Linear(7, 8),",
        "+    nn.Linear(8, 8),",
        "     nn.Linear(8, 8),",
    ]


def test_no_repair_writes_a_batch_size_into_the_source() -> None:
    got = mended("net = nn.Sequential(nn.Conv2d(1, 4, 3))", "28x28")
    assert got.repairs == []
    assert got.analysis.broken is not None
    assert "try --input 1x28x28" in got.analysis.broken.why
    assert mended("net = nn.Sequential(nn.Flatten(0), nn.Linear(9, 2))", "3x3").repairs == []
