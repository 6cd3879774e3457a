"""What forms of source are read, which net is meant, where the batch axis goes, and what is left open."""

from typing import Any

import pytest
import torch

from clearhead.errors import InputError
from clearhead.layers import Analysis, analyse, read_input
from clearhead.layers.repairs.repair import read
from clearhead.layers.report.layer_table import as_text
from clearhead.layers.values.axis_sizes import BATCH

HEAD = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n"


def last(analysis: Analysis) -> tuple[int, ...]:
    assert analysis.broken is None, analysis.broken
    assert analysis.unknown is None, analysis.unknown
    return tuple(size for size in analysis.rows[-1].output.shape if size != BATCH)


@pytest.mark.parametrize(
    "source",
    [
        "nn.Sequential(nn.Linear(4, 3))",  # inline, without imports
        "import torch\nnet = torch.nn.Sequential(torch.nn.Linear(4, 3))",
        "from torch.nn import Linear, Sequential\nmodel = Sequential(Linear(4, 3))",
        "import torch.nn as n\nnet = n.Sequential(n.Sequential(n.Linear(in_features=4, out_features=5)), n.Linear(5, 3))",
        "from collections import OrderedDict\nnet = nn.Sequential(OrderedDict([('a', nn.Linear(4, 3))]))",
        "net = nn.Sequential(OrderedDict(a=nn.Linear(4, 3)))",
        "A, B = 2, 3\nWIDTHS = [A * 2, B]\nnet = nn.Sequential(nn.Linear(WIDTHS[0], WIDTHS[-1]))",
        "net = nn.Sequential(*[nn.Linear(4, 4) for _ in range(5)], nn.Linear(4, 3))",
        "layers = []\nfor n in range(3):\n    layers.append(nn.Linear(4, 4))\n"
        "net = nn.Sequential(*layers, nn.Linear(2 ** 2, 7 // 2))",
        "net = nn.Sequential()\nnet.append(nn.Linear(4, 4))\nnet.add_module('last', nn.Linear(4, 3))",
        "def build(width=3):\n    return nn.Sequential(nn.Linear(4, width))",
        "net = nn.Sequential(nn.Linear(4, 3)).to('cpu').eval()",
        "class Block(nn.Sequential):\n    def __init__(self, n):\n        super().__init__(nn.Linear(4, n), nn.ReLU())\n"
        "net = Block(3)",
        "try:\n    import foo\nexcept ImportError:\n    pass\n"
        "net = nn.Linear(4, 3)\nif __name__ == '__main__':\n    print(net)",
    ],
)
def test_forms_of_source(source: str) -> None:
    assert last(analyse(source, read_input("4"))) == (3,)


MODULE = """
class Net(nn.Module):
    def __init__(self, width=8):
        super(Net, self).__init__()
        self.conv = nn.Conv2d(1, width, 3, padding='same')
        self.norm = nn.BatchNorm2d(width)
        self.layers = nn.ModuleList([nn.Conv2d(width, width, 1) for _ in range(2)])
        self.fc = nn.Linear(width * 4 * 4, 10)

    def forward(self, x):
        x = F.relu(self.norm(self.conv(x)))
        for layer in self.layers:
            x = x + layer(x)
        x = torch.cat([x, x], dim=1)[:, :8]
        x = F.max_pool2d(x, 2)
        n = x.shape[0]
        x = x.view(n, -1)
        return self.fc(x)
"""


def test_a_module_with_a_straight_forward() -> None:
    got = analyse(HEAD + MODULE, read_input("1x8x8"))
    assert last(got) == (10,)
    assert got.weights == 80 + 16 + 2 * 72 + 1290
    assert [row.kind for row in got.rows][-4:] == ["[…]", "F.max_pool2d", ".view", "Linear"]


def test_a_layer_used_twice_is_counted_once() -> None:
    source = HEAD + (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = nn.Linear(4, 4)\n"
        "    def forward(self, x):\n        return self.a(self.a(x))\n"
    )
    got = read(source, read_input("4"))
    assert got.analysis.weights == 20
    assert "the same layer again" in as_text(got, "f.py")


def test_layers_never_used_are_counted_and_said() -> None:
    source = HEAD + (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = nn.Linear(4, 4)\n"
        "        self.b = nn.Linear(4, 9)\n    def forward(self, x):\n        return self.a(x)\n"
    )
    got = read(source, read_input("4"))
    assert got.analysis.weights == 20 + 45
    assert "never used by forward" in as_text(got, "f.py")


def test_of_several_nets_the_last_that_is_no_part_of_another_is_read() -> None:
    source = HEAD + "one = nn.Linear(4, 2)\ntwo = nn.Linear(4, 3)\nboth = nn.Sequential(two, nn.ReLU())\n"
    got = analyse(source, read_input("4"))
    assert (got.net.name, [each.name for each in got.others]) == ("both", ["one"])
    assert last(analyse(source, read_input("4"), "one")) == (2,)
    with pytest.raises(InputError, match="did you mean both"):
        analyse(source, read_input("4"), "bosh")


def test_a_class_that_needs_arguments_says_so() -> None:
    source = HEAD + (
        "class Net(nn.Module):\n    def __init__(self, width):\n        super().__init__()\n"
        "    def forward(self, x):\n        return x\n"
    )
    with pytest.raises(InputError, match="needs width"):
        analyse(source, read_input("4"))


@pytest.mark.parametrize(
    ("source", "wanted", "shape"),
    [
        ("nn.LSTM(5, 6)", "7x5", (7, BATCH, 6)),
        ("nn.LSTM(5, 6, batch_first=True)", "7x5", (BATCH, 7, 6)),
        ("nn.Sequential(nn.Linear(4, 5), nn.GRU(5, 6))", "7x4", (7, BATCH, 6)),
        ("nn.Sequential(nn.Embedding(9, 5), nn.RNN(5, 6))", "7x3x2", None),
        ("nn.TransformerEncoderLayer(8, 2)", "7x8", (7, BATCH, 8)),
        ("nn.TransformerEncoderLayer(8, 2)", "Nx7x8", (BATCH, 7, 8)),
        ("nn.LSTM(5, 6, batch_first=True)", "7xNx5", (7, BATCH, 6)),
        ("nn.Linear(5, 6)", "7xNx5", (7, BATCH, 6)),
        ("nn.Embedding(9, 4)", "7", (BATCH, 7, 4)),
    ],
)
def test_where_the_batch_axis_goes(source: str, wanted: str, shape: tuple[int, ...] | None) -> None:
    got = analyse(source, read_input(wanted))
    if shape is None:
        assert got.broken is not None
        return
    output = got.rows[-1].output
    assert (output[0] if isinstance(output, tuple) else output).shape == shape


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("x = mystery(x)", "`mystery` on line 9 is not defined"),
        ("x = torch.fft.rfft(x)", "torch.fft.rfft"),
        ("x = self.b(x)", "nn.AdaptiveLogSoftmaxWithLoss on line 7 is not one of the layers"),
        ("x = x if x.sum() > 0 else -x", "depends on the numbers in a tensor"),
        ("while True: x = x", "more than"),
        ("while x.sum() > 0: x = x", "depends on the numbers in a tensor"),
        ("x = x[x > 0]", "depends on the numbers in a tensor"),
        ("x = x.view(x.size(0) // 2, -1)", "depends on the batch size"),
    ],
)
def test_what_is_not_known_is_said_and_never_guessed_past(line: str, why: str) -> None:
    source = HEAD + (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.b = nn.AdaptiveLogSoftmaxWithLoss(3, 3, 3); self.c = nn.Linear(99, 1)\n"
        f"    def forward(self, x):\n        {line}\n"
        "        return self.c(x)\n"
    )
    got = read(source, read_input("4"))
    assert got.analysis.broken is None  # Linear(99, 1) would break on a guess
    assert got.analysis.unknown is not None
    assert why in got.analysis.unknown.why
    assert "unknown from here on, because" in as_text(got, "f.py")


@pytest.mark.parametrize(
    ("change", "output"),
    [
        ("layers.pop()", (3,)),
        ("layers[1:2] = []", (3,)),
        ("layers.reverse()", (3,)),
        ("layers.insert(1, nn.Linear(3, 2)); del layers[2]", (2,)),
        ("while len(layers) < 4: layers.append(nn.Linear(3, 3))", (3,)),
        ("layers += [nn.Linear(3, n) for n in (3, 5) if n > 3]", (5,)),
        ("layers[0:1] = [nn.Linear(4, 9), nn.Linear(9, 3)]", (3,)),
    ],
)
def test_a_list_that_changes_is_followed(change: str, output: tuple[int, ...]) -> None:
    source = f"layers = [nn.Linear(4, 3), nn.ReLU()]\n{change}\nnet = nn.Sequential(*layers)"
    assert last(analyse(source, read_input("4"))) == output


@pytest.mark.parametrize("change", ["while f(): layers.append(nn.ReLU())", "shuffle(layers)", "for n in f(): layers[n] = None"])
def test_a_list_that_changes_in_ways_not_followed_is_not_guessed(change: str) -> None:
    source = f"layers = [nn.Linear(4, 3), nn.ReLU()]\n{change}\nnet = nn.Sequential(*layers)"
    assert analyse(source, read_input("4")).unknown is not None


def test_parts_put_in_place_are_followed() -> None:
    source = "net = nn.Sequential(nn.Linear(4, 9), nn.ReLU())\nnet[0] = nn.Linear(4, 3)\nsetattr(net, 'spare', 3)"
    assert last(analyse(source, read_input("4"))) == (3,)


@pytest.mark.parametrize(
    "hidden",
    [
        "self.back = torchvision.models.resnet18()",
        "self.list = nn.ModuleList([nn.ReLU()])\n        self.list.append(mystery())",
    ],
)
def test_weights_that_may_hide_are_not_counted_as_none(hidden: str) -> None:
    source = HEAD + (
        f"class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        {hidden}\n"
        "        self.a = nn.Linear(4, 3)\n    def forward(self, x):\n        return self.a(x)\n"
    )
    got = analyse(source, read_input("4"))
    assert last(got) == (3,)
    assert got.weights is None


@pytest.mark.parametrize(
    "start",
    [
        "for m in self.modules():\n            if isinstance(m, nn.Linear):\n                nn.init.zeros_(m.bias)",
        "for p in self.parameters():\n            if p.dim() > 1:\n                nn.init.xavier_uniform_(p)",
        "for p in self.parameters():\n            p.requires_grad = False",
        "nn.init.normal_(self.a.weight, std=0.02)\n        self.a.weight.data.mul_(2)\n        self.apply(print)",
    ],
)
def test_starting_the_weights_changes_no_shape(start: str) -> None:
    source = HEAD + (
        f"class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = nn.Linear(4, 3)\n"
        f"        {start}\n    def forward(self, x):\n        return self.a(x)\n"
    )
    got = analyse(source, read_input("4"))
    assert (last(got), got.weights) == ((3,), 15)


def test_nothing_of_the_source_is_run() -> None:
    source = "raise SystemExit\nimport os\nos.abort()\nnet = nn.Linear(4, 3)\n[].append(open('/nowhere'))"
    assert last(analyse(source, read_input("4"))) == (3,)


@pytest.mark.parametrize("text", ["", "x", "1x", "0x3", "-1", "1.5", "NxN", "1x2x", "a", "9" * 30, "1,2", "²"])
def test_a_wrong_input_is_one_clear_error(text: str) -> None:
    with pytest.raises(InputError, match="--input must"):
        read_input(text)


@pytest.mark.parametrize(
    ("make", "call", "breaks"),
    [
        ("nn.LSTM(4, 6, 2)", "self.a(x, (torch.zeros(2, x.size(1), 6), torch.zeros(2, x.size(1), 6)))", False),
        ("nn.LSTM(4, 6, 2)", "self.a(x, (torch.zeros(1, x.size(1), 6), torch.zeros(2, x.size(1), 6)))", True),
        ("nn.LSTM(4, 6)", "self.a(x, torch.zeros(1, x.size(1), 6))", True),
        ("nn.GRU(4, 6, bidirectional=True)", "self.a(x, torch.zeros(2, x.size(1), 6))", False),
        ("nn.GRU(4, 6)", "self.a(x, hx=torch.zeros(1, 6))", True),
        ("nn.MultiheadAttention(4, 2)", "self.a(x, x, x, attn_mask=torch.zeros(7, 7))", False),
        ("nn.MultiheadAttention(4, 2)", "self.a(x, x, x, attn_mask=torch.zeros(5, 7))", True),
        ("nn.MultiheadAttention(4, 2)", "self.a(x, x, x, torch.zeros(x.size(1), 7))", False),
        ("nn.MultiheadAttention(4, 2)", "self.a(x, x, x, torch.zeros(7, x.size(1)))", True),
        ("nn.TransformerEncoderLayer(4, 2, 8)", "self.a(x, src_mask=torch.zeros(7, 7))", False),
        ("nn.TransformerEncoderLayer(4, 2, 8)", "self.a(x, torch.zeros(6, 6))", True),
    ],
)
def test_first_states_and_masks_break_where_torch_breaks(make: str, call: str, breaks: bool) -> None:
    source = HEAD + (
        f"class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = {make}\n"
        f"    def forward(self, x):\n        return {call}\n"
    )
    names: dict[str, Any] = {}
    exec(source, names)
    try:
        names["Net"]()(torch.randn(7, 3, 4))
        torch_breaks = False
    except Exception:  # torch refuses in many ways
        torch_breaks = True
    assert torch_breaks is breaks
    assert (analyse(source, read_input("7xNx4")).broken is not None) is breaks


@pytest.mark.parametrize("kind", ["RNN", "GRU"])
@pytest.mark.parametrize("arguments", ["1, 1, proj_size=0", "1, 1, 1, {}True, False, 0.0, False, 0"])
def test_the_word_proj_size_is_for_lstm_only_but_its_place_is_there(kind: str, arguments: str) -> None:
    """torch refuses the keyword even with 0, and takes the same 0 by position."""
    call = arguments.format("'tanh', " if kind == "RNN" else "")
    got = analyse(f"{HEAD}net = nn.{kind}({call})\n", read_input("5x1"))
    try:
        eval(f"torch.nn.{kind}({call})", {"torch": torch})
    except (TypeError, ValueError):
        assert got.broken is not None
    else:
        assert got.broken is None
