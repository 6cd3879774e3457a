"""Two processes, or four, learn what one learns: the same gradients, the same weights, whatever the model."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from clearhead.training import TrainConfig
from clearhead.training.machines import learner, shares
from training.machines import agree

SCRIPT = Path(agree.__file__)
NEAR = 1e-4  # ‖a − b‖/‖a‖: float32 adds up in another order; each step of Adam and Muon makes a last bit some ten times larger
NOTHING = 1e-6  # of the whole gradient: a key's bias moves all scores of a query alike, so its gradient is rounding alone


def together(processes: int, *words: object, **more: str) -> subprocess.CompletedProcess[str]:
    """A script, or a module after -m, under torchrun."""
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(processes)]
    told = {**os.environ, "OMP_NUM_THREADS": "1", **more}
    return subprocess.run([*launcher, *map(str, words)], env=told, capture_output=True, text=True, check=False, timeout=300)


def unlike(one: dict[str, torch.Tensor], many: dict[str, torch.Tensor]) -> dict[str, float]:
    """The tensors that do not agree, and how far they are apart."""
    assert one.keys() == many.keys()
    all_of_it = torch.stack([value.norm() for name, value in one.items() if name.startswith("gradient/")]).norm()
    far = {}
    for name, a in one.items():
        least = NOTHING * all_of_it if name.startswith("gradient/") else 0.0
        apart = float((a.double() - many[name].double()).norm() / max(a.double().norm(), least / NEAR, 1e-12))
        if not apart <= NEAR:
            far[name] = apart
    return far


def agreement(folder: Path, processes: int, names: list[str], *more: str) -> dict[str, dict[str, float]]:
    """What does not agree, model by model, between this process and so many."""
    done = together(processes, SCRIPT, folder, *more, *names)
    assert done.returncode == 0, done.stderr
    agree.main(folder, *names)
    pairs = {name: [load_file(folder / f"{name}-{count}.safetensors") for count in (1, processes)] for name in names}
    return {name: far for name, (one, many) in pairs.items() if (far := unlike(one, many))}


def test_two_processes_learn_what_one_learns(tmp_path: Path) -> None:
    assert agreement(tmp_path, 2, ["memory", "gru"]) == {}


@pytest.mark.slow
@pytest.mark.parametrize("processes", [2, 4])
def test_every_model_learns_alike_by_many_processes(tmp_path: Path, processes: int) -> None:
    assert agreement(tmp_path, processes, list(agree.MODELS)) == {}


@pytest.mark.slow
@pytest.mark.parametrize("processes", [2, 4])
def test_cut_weights_learn_alike(tmp_path: Path, processes: int) -> None:
    assert agreement(tmp_path, processes, ["course", "perceiver-causal", "bigram", "convnet"], "--shard") == {}


IN_PARTS = TrainConfig(tokens=1, rate=0.003, matrix_rate=0.02, weight_decay=0.1, accumulate=3)


@pytest.mark.parametrize("name", ["memory", "averaging", "bigram"])
def test_a_step_in_parts_is_the_same_step(name: str) -> None:
    whole = agree.moved(name, False, replace(IN_PARTS, accumulate=1))
    assert unlike(whole, agree.moved(name, False, IN_PARTS)) == {}


def test_a_mean_of_means_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison rejects the usual mistake: each part divides by its own count of targets."""

    def careless(*words: Any) -> list[shares.RowShare]:
        parts = shares.parts_of(*words)
        return [part._replace(share=1 / len(parts)) for part in parts]

    whole = agree.moved("memory", False, replace(IN_PARTS, accumulate=1))
    monkeypatch.setattr(learner, "parts_of", careless)
    assert unlike(whole, agree.moved("memory", False, IN_PARTS))
