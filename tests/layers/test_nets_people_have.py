"""Sources as people write them: which net is meant, with which arguments, what of Python and torch is followed."""

import json
from pathlib import Path

import pytest

from clearhead.errors import InputError
from clearhead.layers import Analysis, analyse, describe, read_input, read_inputs
from clearhead.layers.values.axis_sizes import BATCH

HEAD = (
    "import math, copy, argparse\nfrom collections import OrderedDict, namedtuple\nfrom dataclasses import dataclass\n"
    "from functools import partial\nimport numpy as np\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n"
)
NET = """class Net(nn.Module):
    def __init__(self{arguments}):
        super().__init__()
        {init}
    def forward(self, {inputs}):
        {forward}
"""


def source(
    init: str = "pass", forward: str = "return x", arguments: str = "", inputs: str = "x", before: str = "", after: str = ""
) -> str:
    lines = {"init": init.replace("\n", "\n        "), "forward": forward.replace("\n", "\n        ")}
    return f"{HEAD}{before}\n{NET.format(arguments=arguments, inputs=inputs, **lines)}\n{after}\n"


def last(analysis: Analysis) -> tuple[int, ...]:
    assert analysis.broken is None, analysis.broken and analysis.broken.why
    assert analysis.unknown is None, analysis.unknown
    return tuple(size for size in analysis.output.shape if size != BATCH)


LINEAR = "self.a = nn.Linear(4, {})"
OPTIONS = "p = argparse.ArgumentParser()\np.add_argument('--width', type=int, default=11)\nargs = p.parse_args()"
LOSS = "class MyLoss(nn.Module):\n    def forward(self, x, target):\n        return (x - target).abs().mean()\nnet = Net(14)"
SET = "for n in range(3):\n    setattr(self, f'fc{n}', nn.Linear(4, 4))"
GET = "for n in range(3):\n    x = getattr(self, 'fc%d' % n)(x)\nreturn x"
ADD = "for n in range(3):\n    self.add_module('fc{}'.format(n), nn.Linear(4, 4))"
CHILDREN = "for part in self.children():\n    x = part(x)\nreturn x"
COPIES = "self.parts = nn.ModuleList([copy.deepcopy(nn.Linear(4, 4)) for _ in range(2)])"
BUFFER = "self.a = nn.Linear(4, 3)\nself.register_buffer('mask', torch.tril(torch.ones(3, 3)))"
ATTEND = (
    "q, k, v = self.q(self.e(x)).chunk(3, dim=-1)\nmask = torch.tril(torch.ones(5, 5)) == 0\n"
    "w = (q @ k.transpose(-2, -1) / math.sqrt(8)).masked_fill(mask, float('-inf'))\nreturn F.softmax(w, dim=-1) @ v"
)
SAMPLE = "m, s = self.m(x), self.s(x)\nreturn m + torch.exp(0.5 * s) * torch.randn_like(s)"
SHUFFLE = "b, c, h, w = x.size()\nreturn x.view(b, 2, c // 2, h, w).transpose(1, 2).contiguous().view(b, -1, h, w)"
CHOICE = "self.a = nn.Identity() if isinstance(self, nn.Module) and hasattr(self, 'forward') else None"


@pytest.mark.parametrize(
    ("after", "name", "width"),
    [
        ("net = Net(3)\nloss = nn.CrossEntropyLoss()\noptimiser = torch.optim.SGD(net.parameters(), lr=0.1)", "net", 3),
        ("def main():\n    model = Net(5)\n    criterion = nn.MSELoss()\nmain()", "Net", 5),
        ("def small():\n    return Net(6)\ndef large():\n    return Net(9)", "Net", 6),
        ("def test():\n    net = Net(width=7)\n    print(net(torch.zeros(1, 4)))", "Net", 7),
        ("if __name__ == '__main__':\n    for width in range(8, 9):\n        net = Net(width)", "net", 8),
        (
            OPTIONS,
            "Net",
            11,
        ),
        ("WIDTH = 12", "Net", 12),
        ("net = nn.DataParallel(Net(13)).to('cpu')", "net", 13),
        (
            LOSS,
            "net",
            14,
        ),
    ],
)
def test_the_net_is_found_by_its_use_and_so_are_its_arguments(after: str, name: str, width: int) -> None:
    got = analyse(source(LINEAR.format("width"), "return self.a(x)", ", width", after=after), read_input("4"))
    assert (got.net.name, last(got)) == (name, (width,))


def test_a_part_is_never_taken_for_the_net() -> None:
    before = "class Part(nn.Module):\n    def forward(self, x):\n        return x * 2\n"
    with pytest.raises(InputError, match=r'needs width, .*--net "Net\(width=…\)"'):
        analyse(
            source("self.p = Part()\n" + LINEAR.format("width"), "return self.a(x)", ", width", before=before), read_input("4")
        )


@pytest.mark.parametrize(
    ("net", "width"), [("Net(21)", 21), ("Net(width=2 * 3)", 6), ("build", 7), ("build(8)", 8), ("made", 9)]
)
def test_net_takes_names_classes_functions_and_expressions(net: str, width: int) -> None:
    after = "def build(width=7):\n    return Net(width)\nmade = Net(9)"
    got = analyse(source(LINEAR.format("width"), "return self.a(x)", ", width", after=after), read_input("4"), net)
    assert last(got) == (width,)


def test_of_two_nets_the_one_that_takes_the_input_is_read() -> None:
    after = "class Critic(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.c = nn.Linear(9, 1)\n"
    after += "    def forward(self, x):\n        return self.c(x)\nmaker, critic = Net(), Critic()"
    text = source(LINEAR.format(9), "return self.a(x)", after=after)
    assert analyse(text, read_input("4")).net.name == "maker"
    assert analyse(text, read_input("9")).net.name == "critic"


@pytest.mark.parametrize(
    ("texts", "shape"),
    [(["4", "6"], (10,)), (["y=6", "x=4"], (10,)), (["4", "y=6"], (10,))],
)
def test_several_inputs_in_order_and_by_name(texts: list[str], shape: tuple[int, ...]) -> None:
    text = source("self.a = nn.Linear(10, 10)", "return self.a(torch.cat([x, y], dim=1))", inputs="x, y")
    assert last(analyse(text, read_inputs(texts))) == shape


def test_an_input_too_few_is_asked_for_in_one_line() -> None:
    with pytest.raises(InputError, match="forward takes x, mask, and --input gives 1; write --input x=… --input mask=…"):
        analyse(source(inputs="x, mask"), read_input("4"))


@pytest.mark.parametrize(("wanted", "note"), [("1x3x8x8", "read as the batch axis"), ("3x8x8", "")])
def test_a_batch_axis_given_by_habit_is_recognised(wanted: str, note: str) -> None:
    got = analyse(source("self.a = nn.Conv2d(3, 5, 3)", "return self.a(x)"), read_input(wanted))
    assert last(got) == (5, 6, 6)
    assert note in " ".join(got.notes)


@pytest.mark.parametrize(
    ("init", "forward", "wanted", "shape"),
    [
        (SET, GET, "4", (4,)),
        (ADD, CHILDREN, "4", (4,)),
        ("self.__setattr__('fc', nn.Linear(4, 3))", "return self.fc(x)", "4", (3,)),
        ("layer = partial(nn.Conv2d, kernel_size=3, padding=1)\nself.a = layer(3, 5)", "return self.a(x)", "3x6x6", (5, 6, 6)),
        (COPIES, "for p in self.parts: x = p(x)\nreturn x", "4", (4,)),
        ("n = 4\nwhile n < 20:\n    n *= 2\nself.a = nn.Linear(4, n)", "return self.a(x)", "4", (32,)),
        ("self.a = nn.Linear(int(np.prod([2, 2])), 3)", "return self.a(x)", "4", (3,)),
        (BUFFER, "return self.a(x) @ self.mask", "4", (3,)),
        ("self.e = nn.Embedding(9, 8)\nself.q = nn.Linear(8, 24)", ATTEND, "5", (5, 8)),
        ("self.m = nn.Linear(4, 2)\nself.s = nn.Linear(4, 2)", SAMPLE, "4", (2,)),
        ("pass", "return torch.einsum('bchw,bchv->bcwv', x, x)", "2x3x5", (2, 5, 5)),
        ("pass", "return F.interpolate(x, scale_factor=2, mode='nearest')", "2x3x5", (2, 6, 10)),
        ("pass", "return F.pad(x, (1, 2, 0, 1))", "2x3x5", (2, 4, 8)),
        ("pass", SHUFFLE, "4x3x5", (4, 3, 5)),
        ("pass", "x = F.one_hot(x.argmax(dim=1), num_classes=7).float()\nreturn x", "4", (7,)),
        ("pass", "try:\n    y = x * 2\nexcept RuntimeError:\n    y = x\nreturn y", "4", (4,)),
        (CHOICE, "return self.a(x)", "4", (4,)),
    ],
)
def test_python_and_torch_as_they_are_used(init: str, forward: str, wanted: str, shape: tuple[int, ...]) -> None:
    assert last(analyse(source(init, forward), read_input(wanted))) == shape


def test_properties_dataclasses_and_subclasses_of_layers() -> None:
    before = (
        "@dataclass\nclass Config:\n    width: int = 6\n    @property\n    def double(self):\n        return 2 * self.width\n"
        "class Conv(nn.Conv2d):\n    def __init__(self, *a, **k):\n        super().__init__(*a, padding=1, **k)\n"
    )
    text = source("self.a = Conv(3, config.double, 3)", "return self.a(x)", ", config", before=before)
    got = analyse(text, read_input("3x5x5"))
    assert (last(got), got.weights) == ((12, 5, 5), 12 * (27 + 1))


def test_tied_weights_are_counted_once() -> None:
    got = analyse(
        source(
            "self.e = nn.Embedding(9, 4)\nself.o = nn.Linear(4, 9, bias=False)\nself.o.weight = self.e.weight",
            "return self.o(self.e(x))",
        ),
        read_input("5"),
    )
    assert (last(got), got.weights) == ((5, 9), 36)


def test_an_unknown_part_makes_the_total_an_at_least() -> None:
    text = source("self.a = nn.Linear(4, 3)\nself.b = mystery(3)", "return self.b(self.a(x))")
    got = analyse(text, read_input("4"))
    assert (got.weights, got.at_least, got.broken) == (None, 15, None)
    assert got.unknown is not None


def test_a_notebook_is_read_cell_by_cell(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# A net"]},
        {"cell_type": "code", "source": ["%matplotlib inline\n", "!pip install torch\n", "from torch import nn"]},
        {"cell_type": "code", "source": "net = nn.Sequential(nn.Linear(4, 3))\nnet"},
    ]
    file = tmp_path / "net.ipynb"
    file.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    assert json.loads(describe(str(file), "4", json=True))["weights"] == 15
    file.write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="no notebook"):
        describe(str(file), "4")


def test_a_depth_takes_deeper_layers_together() -> None:
    text = describe_text("net = nn.Sequential(nn.Sequential(nn.Linear(4, 3), nn.ReLU()), nn.Linear(3, 2))", depth=1)
    assert "0 (2 rows)" in text
    assert "0.1 ReLU" not in text


def describe_text(code: str, depth: int | None = None) -> str:
    from clearhead.layers.repairs.repair import read
    from clearhead.layers.report.layer_table import as_text

    return as_text(read(HEAD + code, read_input("4")), "net.py", depth)


def test_wide_numbers_keep_their_columns_apart() -> None:
    row = next(
        line
        for line in describe_text("net = nn.Sequential(nn.Linear(4, 2**30), nn.ReLU())").splitlines()
        if line.startswith("0 ")
    )
    assert row.split()[2:5] == ["1073741824", "5,368,709,120", "4,294,967,296"]


def test_pathological_sources_end_within_the_steps() -> None:
    text = HEAD + "".join(f"a{n} = {n}\n" for n in range(20_000)) + "net = nn.Linear(4, 3)"
    assert analyse(text, read_input("4")).weights == 15
    doubled = HEAD + "x = [1]\n" + "x = x + x\n" * 200 + "t = 'a'\n" + "t = t + t\n" * 200 + "net = nn.Linear(4, 3)"
    assert analyse(doubled, read_input("4")).weights == 15


def test_places_behind_a_tensor_may_be_whole_numbers() -> None:
    """What a max pooling returns beside its output goes into the unpooling as its second input, here through a block."""
    block = (
        "class Up(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.unpool = nn.MaxUnpool2d(2)\n"
        "    def forward(self, x, places, size):\n        return self.unpool(x, places, output_size=size)\n"
    )
    init = "self.pool = nn.MaxPool2d(2, return_indices=True)\nself.up = Up()"
    forward = "y, places = self.pool(x)\nreturn self.up(y, places, size=x.size())"
    assert last(analyse(source(init, forward, before=block, after="net = Net()"), read_input("3x9x8"))) == (3, 9, 8)


@pytest.mark.parametrize(
    "line",
    [
        "assert x.dtype == KIND",  # KIND comes from a file that is not read
        "assert x.dtype == torch.bfloat16",  # which decimals a tensor holds is not followed
        "assert x.is_cuda and x.device == self.a.weight.device",
    ],
)
def test_an_assertion_about_kinds_of_numbers_is_no_break(line: str) -> None:
    text = source(
        "self.a = nn.Linear(4, 3)", f"{line}\nreturn self.a(x)", before="from other.common import KIND", after="net = Net()"
    )
    assert last(analyse(text, read_input("4"))) == (3,)


def test_what_another_file_holds_decides_nothing() -> None:
    text = source(
        "self.a = nn.Linear(4, 3) if KIND == 'small' else nn.Linear(4, 5)",
        "return self.a(x)",
        before="from .settings import KIND",
        after="net = Net()",
    )
    found = analyse(text, read_input("4"))
    assert found.broken is None
    assert found.unknown is not None
    assert found.weights is None


def test_a_factory_that_hands_on_what_it_gets_says_nothing_of_the_arguments() -> None:
    text = source(
        "self.a = nn.Linear(4, width)",
        "return self.a(x)",
        arguments=", width",
        after="def net(**kwargs):\n    return Net(**kwargs)",
    )
    with pytest.raises(InputError, match=r"needs width, and the file does not say which; .*--net \"Net\(width=…\)"):
        analyse(text, read_input("4"))


def test_a_net_made_from_a_class_of_another_file_is_the_net_and_weighs_at_least() -> None:
    text = (
        "from .base import BaseNet\nimport torch\nfrom torch import nn\n"
        "class Part(nn.Module):\n    def __init__(self, width):\n        super().__init__()\n"
        "        self.a = nn.Linear(width, width)\n"
        "    def forward(self, x):\n        return self.a(x)\n"
        "class Net(BaseNet):\n    def __init__(self, width=8):\n        super().__init__()\n        self.part = Part(width)\n"
        "        self.out = nn.Linear(width, 2)\n    def forward(self, x):\n        return self.out(self.part(x))\n"
    )
    found = analyse(text, read_input("8"))
    assert found.net.name == "Net"
    assert last(found) == (2,)
    assert found.weights is None  # the other file may add to it
    assert found.at_least == 8 * 9 + 2 * 9
    assert "BaseNet" in " ".join(found.notes)


def test_an_optimiser_that_a_net_keeps_has_no_weights() -> None:
    init = "self.a = nn.Linear(4, 3)\nself.optim = torch.optim.Adam(self.parameters())"
    assert analyse(source(init, "return self.a(x)", after="net = Net()"), read_input("4")).weights == 15
