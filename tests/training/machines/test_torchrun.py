"""Whole runs under torchrun: a killed worker, Ctrl-C, other numbers of processes, cut weights; one process prints."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from clearhead import cli
from clearhead.training.recipes.recipe import read_recipe
from clearhead.training.steps.checkpoints import OPTIMISERS, STATE, WEIGHTS, latest, steps_in

pytestmark = pytest.mark.slow
NEAR = 1e-4  # as in test_processes.py; over some forty steps: what differs in a last bit grows tenfold in fifty more
SMALL = [
    *("corpus=world:people=20", "vocabulary.size=300", "model.width=16", "model.heads=2", "model.layers=1", "model.memory=64"),
    *("training.batch=256", "training.pool=64", "training.save_every=20"),
]
DENSE = [*SMALL, "model.memory=0"]


def command(processes: int, *words: object, restarts: int = 0) -> list[str]:
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(processes)]
    return [*launcher, "--max-restarts", str(restarts), "-m", "clearhead", *map(str, words)]


def training(folder: Path, tokens: int, settings: list[str] = SMALL, *more: str) -> list[str]:
    given = [part for each in (*settings, f"training.tokens={tokens}") for part in ("--set", each)]
    return ["train", "fast", "--out", str(folder), *given, *more]


def finished(words: list[str]) -> subprocess.CompletedProcess[str]:
    told = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(words, env=told, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return done


def tensors(folder: Path) -> dict[str, torch.Tensor]:
    checkpoint, notes = latest(folder / "checkpoints")
    assert checkpoint is not None
    assert notes == []
    assert sorted(path.name for path in checkpoint.iterdir()) == sorted([WEIGHTS, OPTIMISERS, STATE])
    return load_file(checkpoint / WEIGHTS)


def farthest(one: Path, other: Path) -> float:
    """How far two runs are apart in the tensor in which they are farthest apart."""
    a, b = tensors(one), tensors(other)
    assert a.keys() == b.keys()
    return max(float((a[name] - b[name]).norm() / a[name].norm()) for name in a)


def workers(launcher: subprocess.Popen[str]) -> dict[int, int]:
    """The processes that a launcher started, by their rank."""
    found = {}
    for child in Path(f"/proc/{launcher.pid}/task/{launcher.pid}/children").read_text().split():
        words = Path(f"/proc/{child}/environ").read_bytes().split(b"\0")
        rank = next((word.removeprefix(b"RANK=") for word in words if word.startswith(b"RANK=")), None)
        if rank is not None:
            found[int(rank)] = int(child)
    return found


def started(words: list[str], folder: Path) -> subprocess.Popen[str]:
    """A run under torchrun that has its first checkpoint."""
    told = {**os.environ, "OMP_NUM_THREADS": "1"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    launcher = subprocess.Popen(words, env=told, text=True, start_new_session=True, **pipes)  # type: ignore[call-overload]
    until = time.monotonic() + 120
    while not steps_in(folder / "checkpoints"):
        assert launcher.poll() is None, launcher.communicate()[1]
        assert time.monotonic() < until
        time.sleep(0.05)
    return launcher


needs_proc = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="which process is which is read from /proc")


@needs_proc
@pytest.mark.parametrize("rank", [0, 1])
def test_a_killed_worker_is_started_again_and_ends_in_the_same_weights(tmp_path: Path, rank: int) -> None:
    said = finished(command(2, *training(tmp_path / "whole", 30_000)))
    for words in ("by 2 processes, to be saved in", "train: done in"):  # each told once
        assert said.stderr.count(words) == 1, said.stderr
    launcher = started(command(2, *training(tmp_path / "killed", 30_000), restarts=2), tmp_path / "killed")
    os.kill(workers(launcher)[rank], signal.SIGKILL)
    _, errors = launcher.communicate(timeout=200)
    assert launcher.returncode == 0, errors
    assert "going on from" in errors
    whole, killed = tensors(tmp_path / "whole"), tensors(tmp_path / "killed")
    assert all(torch.equal(whole[name], killed[name]) for name in whole)


@needs_proc
def test_ctrl_c_stops_all_and_another_number_of_processes_goes_on(tmp_path: Path) -> None:
    stopped, alone = tmp_path / "stopped", tmp_path / "alone"
    launcher = started(command(2, *training(stopped, 30_000)), stopped)
    os.killpg(launcher.pid, signal.SIGINT)  # as a terminal does
    _, errors = launcher.communicate(timeout=100)
    assert errors.count("Go on with: clearhead train fast") == 1
    assert "a bug of ours" not in errors
    assert read_recipe(stopped / "recipe.toml").training.tokens == 30_000
    tensors(stopped)
    finished(command(4, *training(stopped, 30_000, SMALL, "--resume")))
    assert cli.main(training(alone, 30_000)) == 0
    assert farthest(alone, stopped) <= NEAR


def test_a_polite_stop_of_the_launcher_alone_is_saved_too(tmp_path: Path) -> None:
    launcher = started(command(2, *training(tmp_path / "run", 300_000)), tmp_path / "run")
    before = steps_in(tmp_path / "run" / "checkpoints")[-1]
    launcher.terminate()  # as Slurm and Kubernetes do
    _, errors = launcher.communicate(timeout=100)
    assert errors.count("Go on with: clearhead train fast") == 1
    told = errors.split("saved in ")[-1].split(". Go on with")[0]
    assert int(Path(told).name) >= before
    assert int(Path(told).name) == steps_in(tmp_path / "run" / "checkpoints")[-1]


def test_checkpoints_of_cut_weights_are_those_of_the_contract_and_go_on_anywhere(tmp_path: Path) -> None:
    alone, cut = tmp_path / "alone", tmp_path / "cut"
    assert cli.main(training(alone, 4_000, DENSE)) == 0
    finished(command(2, *training(cut, 4_000, DENSE, "--shard")))
    assert farthest(alone, cut) <= NEAR
    for folder in (alone, cut):  # longer by other numbers of processes: one from two cut ones, four cut ones from two
        assert cli.main(["train", "--out", str(folder), "--resume", "--set", "training.tokens=6000"]) == 0
    finished(command(4, "train", "--out", cut, "--resume", "--set", "training.tokens=8000", "--shard"))
    assert cli.main(["train", "--out", str(alone), "--resume", "--set", "training.tokens=8000"]) == 0
    assert farthest(alone, cut) <= NEAR


def test_what_cannot_be_cut_is_refused_once(tmp_path: Path) -> None:
    told = {**os.environ, "OMP_NUM_THREADS": "1"}
    words = command(2, *training(tmp_path / "run", 5000, SMALL, "--shard"))
    done = subprocess.run(words, env=told, capture_output=True, text=True, check=False, timeout=200)
    assert done.returncode != 0
    lines = [line for line in done.stderr.splitlines() if line.startswith("clearhead")]
    assert sum("cannot be cut" in line for line in lines) == 1
    assert not (tmp_path / "run").exists()


def test_the_whole_experiment_by_two_processes(tmp_path: Path) -> None:
    short = [part for each in ("pretrain.epochs=2", "finetune.epochs=1", "without.epochs=1") for part in ("--set", each)]
    small = [part for each in SMALL[1:6] for part in ("--set", each)]
    words = ["birthplaces", "run", "--data", "world:people=20", "--out", tmp_path / "run", "--control", *small, *short]
    said = finished(command(2, *words))
    assert said.stdout.count("with pretraining") == 1
    assert (tmp_path / "run" / "figures.json").exists()
