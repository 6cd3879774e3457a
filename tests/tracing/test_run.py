"""`--run`: the file is run apart on tensors without numbers; the same table, the same laws, the same repairs."""

import json
from pathlib import Path

import pytest
import torch

from clearhead.cli import main
from clearhead.errors import InputError
from clearhead.layers import analyse, read_inputs
from clearhead.tracing import trace

NET = """import torch
from torch import nn

class Block(nn.Module):
    def __init__(self, inside, outside):
        super().__init__()
        self.conv = nn.Conv2d(inside, outside, 3, padding=1)
    def forward(self, x):
        return torch.relu(self.conv(x))

class Net(nn.Module):
    def __init__(self, width=6):
        super().__init__()
        self.a = Block(3, width)
        self.b = Block({size}, 4)
        self.out = nn.Linear(4, 2)
    def forward(self, x):
        x = self.b(self.a(x))
        if x.shape[0] > 0:
            x = x.mean(dim=(2, 3))
        return self.out(x)
"""


def traced(text: str, wanted: str, folder: Path, seconds: float = 120):  # type: ignore[no-untyped-def]
    file = folder / "net.py"
    file.write_text(text, encoding="utf-8")
    return trace(text, read_inputs(wanted.split()), None, str(file), seconds)


def test_a_run_says_what_reading_says(tmp_path: Path) -> None:
    text = NET.replace("{size}", "width")
    run, read = traced(text, "3x8x8", tmp_path), analyse(text, read_inputs(["3x8x8"]))
    assert (run.broken, run.weights) == (None, read.weights)
    assert run.output.shape == read.output.shape
    layers = [(run.paths[id(row.layer)], row.kind, row.output.shape) for row in run.rows if row.layer]
    assert layers == [(read.paths[id(row.layer)], row.kind, row.output.shape) for row in read.rows if row.layer]


def test_what_reading_cannot_follow_is_run(tmp_path: Path) -> None:
    text = NET.replace("{size}", "width").replace(
        "return self.out(x)", "return self.out(torch.fft.irfft(torch.fft.rfft(x), n=4))"
    )
    assert analyse(text, read_inputs(["3x8x8"])).unknown is not None
    got = traced(text, "3x8x8", tmp_path)
    assert (got.broken, got.unknown) == (None, None)
    assert got.output.shape[1:] == (2,)


def test_a_break_is_located_explained_by_the_law_and_mended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "net.py"
    file.write_text(NET.replace("{size}", "9"), encoding="utf-8")
    assert main(["layers", str(file), "--input", "3x8x8", "--run", "--json", "--check"]) == 1
    got = json.loads(capsys.readouterr().out)
    assert got["break"]["why"] == "Conv2d: in_channels=9, but 6 channels come in: 5×6×8×8"
    assert [each["line"] for each in got["break"]["made"]] == [15]
    assert [each["after"].strip() for each in got["repairs"]] == ["self.b = Block(6, 4)"]
    assert got["repaired"] is True


def test_no_memory_is_used(tmp_path: Path) -> None:
    text = "from torch import nn\nnet = nn.Sequential(nn.Linear(100_000, 1_000_000), nn.Linear(1_000_000, 10))\n"
    assert traced(text, "100000", tmp_path).weights == 100_000_000_000 + 1_000_000 + 10_000_010


@pytest.mark.parametrize(
    ("text", "says", "seconds"),
    [
        ("import time\nwait = time.sleep(60)\n", "did not end within", 3),
        ("x = 3\n", "no net was made", 60),
        ("import os\nend = os._exit(3)\n", "could not be run", 60),
    ],
)
def test_what_cannot_be_run_is_one_line(text: str, says: str, seconds: int, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=says):
        traced(text, "4", tmp_path, seconds=seconds)


def test_token_ids_and_a_batch_in_the_second_place(tmp_path: Path) -> None:
    text = "from torch import nn\nnet = nn.Sequential(nn.Embedding(9, 4), nn.Linear(4, 3))\n"
    got = traced(text, "5", tmp_path)
    assert (got.input.whole, got.weights) == (True, 36 + 15)
    assert sum(torch.Size(shape).numel() for shape in ((9, 4), (3, 4), (3,))) == got.weights
