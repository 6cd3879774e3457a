"""A run is watched while it learns: loss on what is held out, the best checkpoint, the table of runs, TensorBoard's files."""

import json
import os
import socket
import struct
from pathlib import Path

import pytest
import torch
from tensorboardX.proto.event_pb2 import Event

from clearhead import cli
from clearhead.errors import InputError
from clearhead.models import GPT, GPTConfig
from clearhead.training import TrainConfig, named_recipe, start_run, train_run, trained
from clearhead.training.folders.run_list import run_row, runs_in, watch
from clearhead.training.folders.stage import Sitting
from clearhead.training.machines import validation
from clearhead.training.machines.learner import Learner
from clearhead.training.recipes.held_out import held_out_batches
from clearhead.training.steps.batches import Batch
from clearhead.training.steps.checkpoints import latest, load_checkpoint, progress_in, save_checkpoint, steps_in
from clearhead.training.steps.compilation import recomputing
from clearhead.training.steps.metrics import read_metrics
from clearhead.training.steps.optimisers import build_optimisers

LANES = ["model.width=8", "model.lanes=4", "model.context=16", "training.batch=64", "model.layers=1", "corpus=world:people=20"]
LOOKING = ["training.validate_every=5", "training.save_every=4"]


def learned(folder: Path, recipe: str, settings: list[str], **sitting: bool) -> Path:
    train_run(start_run(named_recipe(recipe, settings), folder), sitting=Sitting(**sitting))
    return folder


@pytest.fixture(scope="module")
def digits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    settings = [*LOOKING, "training.tokens=1000000", "training.validate_every=7"]
    return learned(tmp_path_factory.mktemp("watched") / "digits", "digits", settings, tensorboard=True)


def test_the_loss_on_what_is_held_out_is_that_of_the_finished_model(digits: Path) -> None:
    told = [record["held_out_loss"] for record in read_metrics(digits / "metrics.jsonl") if "held_out_loss" in record]
    assert len(told) >= 3
    run = trained(digits)
    batches = held_out_batches(run.recipe, run.vocabulary, run.corpus, run.model)
    inputs, targets = (torch.cat([getattr(batch, name) for batch in batches]) for name in ("inputs", "targets"))
    held_out = {tuple(pixels) for pixels in run.corpus.validation().pixels.reshape(-1, 1024).tolist()}
    assert all(tuple(pixels) in held_out for pixels in inputs.tolist())
    with torch.no_grad():
        right = run.model.chances(inputs).gather(1, targets)
    assert told[-1] == pytest.approx(float(-right.log().mean()), abs=1e-4)
    assert told[-1] < told[0]
    assert "held out" in (digits / "loss.svg").read_text()


def test_the_best_checkpoint_is_kept_beside_the_last_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    losses = iter([3.0, 1.0, 2.0, 2.5, 2.6, 2.7])
    from clearhead.training.folders import stage

    monkeypatch.setattr(stage, "held_out_loss", lambda learner, batches: next(losses))
    folder = learned(tmp_path / "run", "characters-rnn", [*LANES, *LOOKING, "training.tokens=1920"])
    assert steps_in(folder / "checkpoints") == [10, 28, 30]
    progress = progress_in(folder / "checkpoints")
    assert (progress.best_step, progress.best_loss) == (10, 1.0)


def test_looking_changes_nothing(tmp_path: Path) -> None:
    settings = [*LANES, "training.tokens=1280", "model.dropout=0.2", "model.layers=2"]
    plain = learned(tmp_path / "plain", "characters-gru", settings)
    looked = learned(tmp_path / "looked", "characters-gru", [*settings, "training.validate_every=3"])
    a, b = (trained(folder).model.state_dict() for folder in (plain, looked))
    assert all(torch.equal(a[name], b[name]) for name in a)


def test_a_run_that_holds_nothing_out_cannot_be_looked_at(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds nothing out"):
        learned(tmp_path / "run", "characters-rnn", [*LANES, *LOOKING, "training.tokens=640", "held_out=0"])


def test_tensorboard_reads_what_the_metrics_say(digits: Path) -> None:
    (file,) = (digits / "tensorboard").iterdir()
    content, found, at = file.read_bytes(), [], 0
    while at < len(content):  # each record: length, checksum, event, checksum
        (size,) = struct.unpack("<Q", content[at : at + 8])
        event = Event.FromString(content[at + 12 : at + 12 + size])
        found += [(value.tag, event.step, value.simple_value) for value in event.summary.value]
        at += 16 + size
    metrics = read_metrics(digits / "metrics.jsonl")
    wanted = [(record["tokens"], record["held_out_loss"]) for record in metrics if "held_out_loss" in record]
    seen = [(step, round(value, 5)) for tag, step, value in found if tag == "loss/held_out"]
    assert seen == [(step, pytest.approx(value, abs=1e-5)) for step, value in wanted]
    assert {tag for tag, _, _ in found} == {"loss/training", "loss/held_out", "speed/tokens_per_second"}


def test_the_table_of_runs(digits: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["runs", str(digits.parent)]) == 0
    head, line = capsys.readouterr().out.splitlines()
    assert head.split() == ["run", "recipe", "corpus", "progress", "loss", "held", "out", "size"]
    assert "done" in line
    assert cli.main(["runs", str(digits.parent), "--json"]) == 0
    (tree,) = json.loads(capsys.readouterr().out)
    assert tree["state"] == "done"
    assert tree["bytes"] == sum(path.stat().st_size for path in digits.rglob("*") if path.is_file())
    assert (
        tree["held_out_loss"]
        == [r["held_out_loss"] for r in read_metrics(digits / "metrics.jsonl") if "held_out_loss" in r][-1]
    )


def test_a_run_that_goes_on_is_told_from_one_that_was_killed(digits: Path) -> None:
    writer = digits / ".writer.json"
    try:
        writer.write_text(json.dumps({"process": os.getpid(), "host": socket.gethostname(), "since": "now"}))
        row = run_row(digits)
        assert row is not None
        assert row.state == "training"
        writer.write_text(json.dumps({"process": 2**22 + 1, "host": socket.gethostname(), "since": "then"}))
        assert [row.state for row in runs_in(digits.parent)] == ["done"]
    finally:
        writer.unlink()


def test_watching_shows_what_has_changed_and_nothing_else(digits: Path) -> None:
    shown: list[str] = []

    def show(text: str) -> None:
        shown.append(text)
        if len(shown) == 1:
            (digits / "figures.json").write_text('{"accuracy": 0.9}')

    try:
        watch(digits.parent, show, rounds=4, every=0.0)
    finally:
        (digits / "figures.json").unlink()
    assert len(shown) == 2
    assert "90.0%" in shown[1]


def kept_bytes(model: GPT, inputs: torch.Tensor) -> int:
    """Bytes that a forward pass keeps for the way back."""
    kept: dict[int, int] = {}

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        kept[tensor.data_ptr()] = tensor.numel() * tensor.element_size()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        model.loss(inputs, inputs)
    return sum(kept.values())


@pytest.mark.parametrize("style", ["course", "modern"])
def test_blocks_worked_out_again_give_the_same_gradients_from_less_memory(style: str) -> None:
    models, found = [], []
    for again in (False, True):
        torch.manual_seed(1)
        model = GPT(GPTConfig(vocab=20, context=32, layers=4, heads=2, width=16, style=style))  # type: ignore[arg-type]
        with torch.no_grad():
            for weight in model.parameters():
                weight.normal_(std=0.2)
        models.append(recomputing(model, lambda text: None) if again else model)
    inputs = torch.randint(1, 20, (4, 32), generator=torch.Generator().manual_seed(2))
    for model in models:
        torch.manual_seed(3)  # what is dropped is dropped again the second time
        model.train().loss(inputs, inputs).backward()
        found.append({name: weight.grad for name, weight in model.named_parameters()})
    for name, gradient in found[0].items():
        torch.testing.assert_close(found[1][name], gradient, msg=name)
    assert kept_bytes(models[1], inputs) < 0.5 * kept_bytes(models[0], inputs)


def test_the_scale_of_float16_is_part_of_a_checkpoint(tmp_path: Path) -> None:
    model = GPT(GPTConfig(vocab=9, context=8, layers=1, heads=2, width=8))
    config = TrainConfig(tokens=1, precision="float16")
    learner, optimisers = Learner(model, config), build_optimisers(model, config)
    tokens = torch.tensor([[1, 2, 3]])
    scale = learner.scaler.get_scale()
    model.head.weight.register_hook(lambda gradient: gradient * float("inf"))
    before = model.embedding.weight.detach().clone()
    assert learner.gradients(Batch(tokens, tokens, 3)) > 0
    assert learner.step(optimisers, 1.0)  # nothing has moved, the scale is smaller, the run goes on
    assert torch.equal(model.embedding.weight, before)
    assert learner.scaler.get_scale() < scale
    save_checkpoint(tmp_path, model, optimisers, progress_in(tmp_path), [0, 0], learner.scaler)
    checkpoint, _ = latest(tmp_path)
    assert checkpoint is not None
    fresh = Learner(model, config)
    load_checkpoint(checkpoint, model, optimisers, fresh.scaler)
    assert fresh.scaler.get_scale() == learner.scaler.get_scale()


def test_looking_is_the_same_however_many_processes_share_the_rows() -> None:
    model = GPT(GPTConfig(vocab=9, context=8, layers=1, heads=2, width=8, dropout=0.5)).train()
    learner = Learner(model, TrainConfig(tokens=1))
    inputs = torch.randint(1, 9, (5, 8), generator=torch.Generator().manual_seed(1))
    targets = inputs.masked_fill(inputs < 4, -1)
    batches = [Batch(inputs[:3], targets[:3], 24), Batch(inputs[3:, :4], targets[3:, :4], 8)]
    with torch.no_grad():
        model.eval()
        nats = [float(model.loss(b.inputs, b.targets)) * int((b.targets >= 0).sum()) for b in batches]
        model.train()
    wanted = sum(nats) / sum(int((batch.targets >= 0).sum()) for batch in batches)
    assert validation.held_out_loss(learner, batches) == pytest.approx(wanted, rel=1e-6)
    assert model.training


def test_the_best_checkpoint_becomes_a_run_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    losses = iter([3.0, 1.0, 2.0, 2.5, 2.6, 2.7])
    from clearhead.training.folders import stage

    monkeypatch.setattr(stage, "held_out_loss", lambda learner, batches: next(losses))
    folder = learned(tmp_path / "run", "characters-rnn", [*LANES, *LOOKING, "training.tokens=1920"])
    assert cli.main(["runs", "--best", str(folder), str(tmp_path / "best")]) == 0
    assert "step 10 of" in capsys.readouterr().out
    kept = trained(tmp_path / "best").model.state_dict()
    last = trained(folder).model.state_dict()
    assert not all(torch.equal(kept[name], last[name]) for name in last)
    assert max(record["step"] for record in read_metrics(tmp_path / "best" / "metrics.jsonl")) <= 10
    assert cli.main(["sample", str(tmp_path / "best"), "--tokens", "3"]) == 0
    assert cli.main(["runs", "--best", str(folder), str(tmp_path / "best")]) == 2  # it is there already
    plain = learned(tmp_path / "plain", "characters-rnn", [*LANES, "training.tokens=640"])
    capsys.readouterr()
    assert cli.main(["runs", "--best", str(plain), str(tmp_path / "other")]) == 2
    assert "never looked at" in capsys.readouterr().err
    assert not (tmp_path / "other").exists()
