"""Weights as they are, in every shape that people have them; what is none is refused in a line."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from clearhead import look
from clearhead.errors import ClearheadError

TWO = np.array([[1.0, 0.0], [0.25, 0.75]])
NAMES = ["hot", "day"]


@pytest.mark.parametrize(
    ("weights", "layers", "heads"),
    [
        (TWO, 1, 1),
        (TWO.tolist(), 1, 1),
        (np.stack([TWO] * 3), 1, 3),
        (np.stack([np.stack([TWO] * 3)] * 2), 2, 3),
        ([torch.tensor(np.stack([TWO] * 3))] * 2, 2, 3),
        (tuple(torch.tensor(np.stack([TWO] * 3))[None] for _ in range(4)), 4, 3),  # as transformers gives them
        (np.stack([np.stack([TWO] * 3)[None]] * 2), 2, 3),
        (torch.tensor(TWO, dtype=torch.bfloat16), 1, 1),
    ],
)
def test_every_shape_that_people_have(weights: object, layers: int, heads: int) -> None:
    seen = look(weights, NAMES)
    assert (len(seen.layers), seen.layers[0].heads) == (layers, heads)
    assert seen.measures[f"{layers}.{heads}"].itself == pytest.approx(0.75)
    assert seen.layers[0].visible is not None  # causal, as its zeros say


def test_queries_may_be_fewer_than_keys() -> None:
    seen = look([[[0.2, 0.3, 0.5]]], ["a", "b", "c"])
    assert seen.layers[0].rows == ("c",)


@pytest.mark.parametrize(
    ("weights", "tokens", "wanted"),
    [
        (None, NAMES, "eager"),
        ([None, None], NAMES, "eager"),
        ([[2.0, -1.0], [0.5, 0.5]], NAMES, "softmax"),
        ([[3.0, 1.0], [0.5, 0.5]], NAMES, "sum to 1"),
        ([[float("nan"), 1.0], [0.5, 0.5]], NAMES, "finite"),
        (TWO, ["hot"], "each token needs a row"),
        (TWO, ["a", "b", "c"], "each token needs a row"),
        (np.zeros((2, 2, 2, 2, 2, 2)), NAMES, "they are"),
        (np.zeros((3, 2, 4, 2, 2)), NAMES, "single text"),
        ([[1.0], [0.5, 0.5]], NAMES, "rows of one length"),
        ("nowhere", "text", "is no folder"),
        (object(), NAMES, "numbers in rows"),
    ],
)
def test_what_is_no_weights_is_refused(weights: object, tokens: list[str], wanted: str) -> None:
    with pytest.raises(ClearheadError, match=wanted):
        look(weights, tokens)


def test_a_word_that_look_does_not_know() -> None:
    with pytest.raises(ClearheadError, match="look knows no 'withuot'"):
        look(TWO, NAMES, withuot="2.5")


def test_plain_weights_need_no_torch(tmp_path: Path) -> None:
    """The light install looks at arrays, makes pages and pictures."""
    script = (
        "import sys; sys.modules.update(torch=None, transformers=None, safetensors=None)\n"
        "from clearhead import look\n"
        "seen = look([[1.0, 0.0], [0.25, 0.75]], ['hot', 'day'])\n"
        "assert 'hot' in str(seen) and seen.page() and seen.picture() and seen.picture('1.1')\n"
        "seen.save('look.html')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
