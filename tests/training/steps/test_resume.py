"""Killed anywhere and taken up again, a run ends in the very same weights."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from clearhead.errors import InputError
from clearhead.training import Stopped, train
from clearhead.training.steps import checkpoints, loop, loss_log
from clearhead.training.steps.checkpoints import OPTIMISERS, STATE, WEIGHTS, latest, steps_in
from clearhead.training.steps.metrics import read_metrics

SCRIPT = Path(__file__).with_name("tiny.py")
spec = importlib.util.spec_from_file_location("tiny", SCRIPT)
assert spec is not None
assert spec.loader is not None
tiny = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tiny)


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def train_tiny(folder: Path, **changes):
    return train(tiny.tiny_model(), tiny.tiny_stream(), tiny.TINY, folder, **changes)


def last_files(folder: Path) -> dict[str, bytes]:
    """The bytes of the last checkpoint; the time spent is no part of what must be equal."""
    checkpoint, _ = latest(folder / "checkpoints")
    assert checkpoint is not None
    files = {name: (checkpoint / name).read_bytes() for name in (WEIGHTS, OPTIMISERS)}
    state = json.loads((checkpoint / STATE).read_text())
    del state["progress"]["seconds"]
    return files | {STATE: json.dumps(state).encode()}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("undisturbed")
    torch.set_num_threads(1)
    train_tiny(folder)
    return last_files(folder)


def run_until(folder: Path, point: str) -> int:
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.run([sys.executable, str(SCRIPT), str(folder), point], check=False, env=environment).returncode


@pytest.mark.parametrize(
    "points",
    [
        ["step:5", "write:2"],
        ["rename:1"],
        pytest.param(["step:2"], marks=pytest.mark.slow),
        pytest.param(["write:3", "rename:2", "step:3"], marks=pytest.mark.slow),
    ],
)
def test_killed_and_resumed_is_bit_for_bit_the_undisturbed_run(
    tmp_path: Path, undisturbed: dict[str, bytes], points: list[str]
) -> None:
    for point in points:
        assert run_until(tmp_path, point) == -signal.SIGKILL
    train_tiny(tmp_path)
    assert last_files(tmp_path) == undisturbed


def test_another_seed_ends_elsewhere(tmp_path: Path, undisturbed: dict[str, bytes]) -> None:
    stream = tiny.tiny_stream()
    stream.streams[0].seed = 3
    train(tiny.tiny_model(), stream, tiny.TINY, tmp_path)
    assert last_files(tmp_path) != undisturbed


def test_asked_to_stop_it_saves_and_goes_on(tmp_path: Path, undisturbed: dict[str, bytes], monkeypatch) -> None:
    real, calls = loop.one_step, []
    before = signal.getsignal(signal.SIGINT)

    def interrupted(*arguments):
        calls.append(1)
        if len(calls) == 6:
            signal.raise_signal(signal.SIGINT)
        return real(*arguments)

    monkeypatch.setattr(loop, "one_step", interrupted)
    with pytest.raises(Stopped) as stopped:
        train_tiny(tmp_path)
    assert stopped.value.checkpoint == tmp_path / "checkpoints" / "6"
    assert signal.getsignal(signal.SIGINT) is before
    train_tiny(tmp_path)
    assert last_files(tmp_path) == undisturbed


def test_a_finished_run_is_left_as_it_is(tmp_path: Path, undisturbed: dict[str, bytes]) -> None:
    train_tiny(tmp_path)
    train_tiny(tmp_path)
    assert last_files(tmp_path) == undisturbed


def test_metrics_tell_each_step_once(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(loss_log, "LOG_SECONDS", 0.0)
    run_until(tmp_path, "step:7")
    train_tiny(tmp_path)
    steps = [record["step"] for record in read_metrics(tmp_path / "metrics.jsonl")]
    assert steps == sorted(set(steps))
    assert steps[-1] == steps_in(tmp_path / "checkpoints")[-1]


@pytest.mark.parametrize("name", [WEIGHTS, OPTIMISERS, STATE])
def test_a_damaged_checkpoint_is_passed_over_with_a_note(tmp_path: Path, undisturbed: dict[str, bytes], name: str) -> None:
    train_tiny(tmp_path)
    newest = tmp_path / "checkpoints" / str(steps_in(tmp_path / "checkpoints")[-1])
    content = bytearray((newest / name).read_bytes())
    content[len(content) // 2] ^= 0xFF
    (newest / name).write_bytes(bytes(content))
    notes: list[str] = []
    checkpoint, _ = latest(tmp_path / "checkpoints")
    assert checkpoint != newest
    train_tiny(tmp_path, note=notes.append)
    assert "damaged" in notes[0]
    assert last_files(tmp_path) == undisturbed


def test_nothing_but_damaged_checkpoints_is_an_error(tmp_path: Path) -> None:
    train_tiny(tmp_path)
    for step in steps_in(tmp_path / "checkpoints"):
        (tmp_path / "checkpoints" / str(step) / WEIGHTS).write_bytes(b"")
    with pytest.raises(InputError, match=r"damaged.*start again"):
        train_tiny(tmp_path)


@pytest.mark.parametrize("at_write", [3, 4])
def test_a_full_disk_leaves_the_last_good_checkpoint(
    tmp_path: Path, undisturbed: dict[str, bytes], monkeypatch, at_write: int
) -> None:
    real, calls = checkpoints.write_tensors, []

    def full(path: Path, tensors: dict) -> None:
        calls.append(1)
        if len(calls) == at_write:
            path.write_bytes(b"half")
            raise OSError(28, "No space left on device")
        real(path, tensors)

    monkeypatch.setattr(checkpoints, "write_tensors", full)
    with pytest.raises(InputError, match=r"the disk is full; the last good one is .*checkpoints/4"):
        train_tiny(tmp_path)
    assert sorted(path.name for path in (tmp_path / "checkpoints").iterdir()) == ["4"]
    monkeypatch.setattr(checkpoints, "write_tensors", real)
    train_tiny(tmp_path)
    assert last_files(tmp_path) == undisturbed


def test_a_loss_that_is_no_number_stops_before_it_does_harm(tmp_path: Path, monkeypatch) -> None:
    model = tiny.tiny_model()
    real, calls = model.loss, []

    def broken(inputs, targets):
        calls.append(1)
        return real(inputs, targets) * (float("nan") if len(calls) == 6 else 1.0)

    monkeypatch.setattr(model, "loss", broken)
    with pytest.raises(InputError, match=r"became nan at step 6; the last good checkpoint is .*checkpoints/4"):
        train(model, tiny.tiny_stream(), tiny.TINY, tmp_path)
    saved = load_file(tmp_path / "checkpoints" / "4" / WEIGHTS)
    assert all(bool(tensor.isfinite().all()) for tensor in saved.values())


def test_no_pickle_is_written(tmp_path: Path) -> None:
    train_tiny(tmp_path)
    names = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    assert names == {"metrics.jsonl", WEIGHTS, OPTIMISERS, STATE}
    for path in tmp_path.rglob("*.safetensors"):
        load_file(path)
