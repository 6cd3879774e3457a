"""Writes docs/torch-layers.md: every class of torch.nn, and what `clearhead layers` knows of it.

Run: .venv/bin/python tools/torch_layers.py. It fails where torch has a class that neither a law nor a reason below covers.
"""

import inspect
import sys
from pathlib import Path

import torch
from torch import nn

from clearhead.layers.laws import LAWS, Law
from clearhead.layers.laws.law import holds_nothing

FILE = Path(__file__).parent.parent / "docs" / "torch-layers.md"
HOLDERS = {
    "Sequential": "holds parts, and puts a tensor through one after the other",
    "ModuleList": "holds parts; followed as a list",
    "ModuleDict": "holds parts; followed as a dict",
    "ParameterList": "holds parameters; followed as a list",
    "ParameterDict": "holds parameters; followed as a dict",
    "Module": "the base of every net: its parts, buffers, parameters and methods are followed",
    "DataParallel": "the module inside it, as if on one device",
}
NOT_KNOWN = {
    "AdaptiveLogSoftmaxWithLoss": "not known: gives a named tuple that hangs on the targets",
    "LinearCrossEntropyLoss": "not known: a loss",
    "Container": "not known: gone from torch's own docs",
    "RNNBase": "a base class; RNN, LSTM and GRU are known",
    "RNNCellBase": "a base class; the cells are known",
}
HEAD = """# The layers of torch.nn

Every class of `torch.nn` in torch {version}, with what `clearhead layers` knows of it: **shape** (what comes out, and what is
refused), **weights** (how many, with the arithmetic), **function** (the twin in `torch.nn.functional` under the same law).
A class that is not known makes what follows unknown, never broken. Written by `tools/torch_layers.py`.

| class | shape | weights | function | inputs |
| --- | --- | --- | --- | --- |
"""


def classes() -> list[str]:
    """The modules that torch.nn exports."""
    return sorted(name for name, kind in vars(nn).items() if inspect.isclass(kind) and issubclass(kind, nn.Module))


def row(name: str) -> str:
    law: Law | None = LAWS.get(name)
    if law is None:
        return f"| `{name}` | {HOLDERS.get(name) or NOT_KNOWN[name]} | | | |"
    held = "of its input" if law.settle else "yes" if law.shapes is not holds_nothing else "none"
    function = f"`F.{law.twin.name}`" if law.twin else ""
    return f"| `{name}` | yes | {held} | {function} | {', '.join(law.inputs[: law.needed])} |"


def text() -> str:
    """The page; refuses where a class of torch is in no table."""
    missing = [name for name in classes() if name not in LAWS and name not in HOLDERS and name not in NOT_KNOWN]
    if missing:
        sys.exit(f"torch {torch.__version__} has classes that the table lacks: {', '.join(missing)}")
    version = torch.__version__.partition("+")[0]
    known = sum(name in LAWS or name in HOLDERS for name in classes())
    rows = "\n".join(row(name) for name in classes())
    return f"{HEAD.format(version=version)}{rows}\n\n{known} of {len(classes())} are known.\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
    print(FILE)
