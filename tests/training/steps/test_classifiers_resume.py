"""A run that lost its last checkpoint goes on to the very same weights: dropped words and moved pictures included."""

import shutil
from pathlib import Path

import pytest
import torch

from clearhead.cli import main
from clearhead.training import trained


@pytest.mark.parametrize(
    ("recipe", "settings"),
    [("sentiment", ["model.pairs=512", "epochs=0.2"]), ("digits", ["epochs=1"])],
)
def test_resume_ends_in_the_same_weights(recipe: str, settings: list[str], tmp_path: Path) -> None:
    out = tmp_path / "run"
    given = [part for each in [*settings, "training.save_every=7"] for part in ("--set", each)]
    assert main(["train", recipe, "--out", str(out), *given]) == 0
    wanted = trained(out).model.state_dict()
    last = max(int(each.name) for each in (out / "checkpoints").iterdir())
    assert last % 7  # the end is not itself a regular checkpoint
    shutil.rmtree(out / "checkpoints" / str(last))
    assert main(["train", recipe, "--out", str(out), "--resume"]) == 0
    found = trained(out).model.state_dict()
    assert all(torch.equal(found[name], wanted[name]) for name in wanted)
