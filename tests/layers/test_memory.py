"""Memory, layer by layer and in all, against sums made by hand and by torch."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from clearhead.cli import main
from clearhead.layers import describe

NET = "from torch import nn\nnet = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 6 * 6, 10))\n"


def told(tmp_path: Path, text: str = NET, wanted: str = "3x8x8") -> tuple[dict[str, Any], Path]:
    path = tmp_path / "net.py"
    path.write_text(text, encoding="utf-8")
    return json.loads(describe(str(path), wanted, json=True)), path


def test_a_small_net_worked_on_paper(tmp_path: Path) -> None:
    found, _ = told(tmp_path)
    conv, relu, flatten, linear = (layer["memory"] for layer in found["layers"])
    weights, out = 8 * (3 * 9 + 1), 8 * 6 * 6
    assert conv == {
        "weights": 4 * weights,
        "activations": 4 * out,
        "inference": 4 * (weights + 3 * 8 * 8 + out),
        "training": 4 * (4 * weights + out),
    }
    assert relu["inference"] == 4 * 2 * out
    assert flatten == {"weights": 0, "activations": 0, "inference": 4 * out, "training": 0}  # a view
    assert linear["inference"] == 4 * (10 * (out + 1) + out + 10)
    assert found["memory"]["inference"] == found["memory"]["weights"] + 4 * 2 * out  # while the ReLU runs


def test_layers_add_up_to_the_whole_and_torch_agrees(tmp_path: Path) -> None:
    found, _ = told(tmp_path)
    layers = [layer["memory"] for layer in found["layers"]]
    for name in ("weights", "activations", "training"):
        assert sum(layer[name] for layer in layers) == found["memory"][name]
    net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 6 * 6, 10))
    made: list[int] = []
    for module in (net[0], net[1], net[3]):
        module.register_forward_hook(lambda module, given, out: made.append(out.numel() * out.element_size()))
    net(torch.zeros(1, 3, 8, 8))
    assert found["memory"]["activations"] == sum(made)
    assert found["memory"]["weights"] == sum(p.numel() * p.element_size() for p in net.parameters())


def test_the_command_shows_it_layer_by_layer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, path = told(tmp_path)
    assert main(["layers", str(path), "--input", "3x8x8", "--memory"]) == 0
    page = capsys.readouterr().out
    assert "to use    to train" in page
    assert "0 Conv2d                              896 B     1.1 KiB     2.8 KiB     4.6 KiB" in page
    assert max(len(line) for line in page.splitlines()) <= 80


def test_what_is_not_known_has_no_memory(tmp_path: Path) -> None:
    unknown = "from torch import nn\nimport other\nnet = nn.Sequential(nn.Linear(4, 3), other.Layer(), nn.Linear(3, 2))\n"
    found, path = told(tmp_path, unknown, "4")
    assert found["memory"] is None
    assert found["layers"][0]["memory"] is not None
    assert found["layers"][-1]["memory"] is None
    assert "?" in describe(str(path), "4", memory=True)
