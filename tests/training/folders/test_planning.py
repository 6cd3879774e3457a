"""A run holds its minutes when the machine changes: planned again at each checkpoint, written down, exactly resumable."""

import math
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from safetensors.torch import load_file

from clearhead.training import named_recipe, open_run, start_run, train_run
from clearhead.training.folders import run_plan
from clearhead.training.recipes.config import LengthPlan, TrainConfig
from clearhead.training.recipes.recipe import read_recipe
from clearhead.training.steps import loop, loss_log, schedule
from clearhead.training.steps.checkpoints import WEIGHTS, latest, progress_in
from clearhead.training.steps.pace import Pace

SMALL = [
    *("model.width=8", "model.lanes=4", "model.context=16", "training.batch=64", "model.layers=1"),
    *("corpus=world:people=20", "training.tokens=6400", "training.seconds=100", "training.save_every=10"),
]


class Clock:
    """A machine whose steps take one second each, and from some step on, or up to another, more."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, slow_from: int, slow: float, slow_to: float = math.inf) -> None:
        self.now, self.steps = 0.0, 0
        real = loop.one_step

        def step(*words):
            self.steps += 1
            self.now += slow if slow_from < self.steps <= slow_to else 1.0
            return real(*words)

        monkeypatch.setattr(loop, "one_step", step)
        monkeypatch.setattr(loss_log.time, "monotonic", lambda: self.now)


def weights(folder: Path) -> dict[str, bytes]:
    checkpoint, _ = latest(folder / "checkpoints")
    assert checkpoint is not None
    return {name: tensor.numpy().tobytes() for name, tensor in load_file(checkpoint / WEIGHTS).items()}


def timed_run(folder: Path) -> Path:
    train_run(start_run(named_recipe("characters-rnn", SMALL), folder))
    return folder


@pytest.mark.parametrize(("slow", "most"), [(1.0, 101), (2.0, 110), (5.0, 110), (20.0, 120), (0.5, 101)])
def test_the_time_holds_when_the_machine_changes_midway(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slow: float, most: float
) -> None:
    clock = Clock(monkeypatch, 40, slow)
    timed_run(tmp_path / "run")
    assert 90 <= clock.now <= most
    assert progress_in(tmp_path / "run" / "checkpoints").seconds == clock.now


def test_a_moment_of_other_work_does_not_end_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, 40, 10.0, slow_to=42)
    timed_run(tmp_path / "run")
    assert 95 <= clock.now <= 105
    assert progress_in(tmp_path / "run" / "checkpoints").step >= 75  # 82 would take all of the time


def test_without_a_time_nothing_is_planned_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Clock(monkeypatch, 40, 5.0)
    train_run(start_run(named_recipe("characters-rnn", [*SMALL, "training.seconds=0"]), tmp_path / "run"))
    training = read_recipe(tmp_path / "run" / "recipe.toml").training
    assert (training.tokens, training.plans) == (6400, ())


def test_a_new_length_is_written_before_it_takes_effect_and_resume_is_exact(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Clock(monkeypatch, 40, 2.0)
    whole = timed_run(tmp_path / "whole")
    training = read_recipe(whole / "recipe.toml").training
    assert training.plans[0] == LengthPlan(since=0, tokens=6400)
    assert training.tokens == training.plans[-1].tokens < 6400

    monkeypatch.undo()
    Clock(monkeypatch, 40, 2.0)
    real, calls = run_plan.write_recipe, []

    def dying(*words):
        calls.append(1)
        real(*words)
        if len(calls) == 5:
            raise KeyboardInterrupt  # the plan is written, the checkpoint is not

    monkeypatch.setattr(run_plan, "write_recipe", dying)
    with pytest.raises(KeyboardInterrupt):
        timed_run(tmp_path / "killed")
    planned = read_recipe(tmp_path / "killed" / "recipe.toml").training
    assert planned.plans == training.plans[: len(planned.plans)]
    assert progress_in(tmp_path / "killed" / "checkpoints").tokens < planned.plans[-1].since
    monkeypatch.setattr(run_plan, "write_recipe", real)
    train_run(open_run(tmp_path / "killed"))
    assert read_recipe(tmp_path / "killed" / "recipe.toml").training.plans[: len(planned.plans)] == planned.plans

    # Whatever the clock says: a run that goes over the same ground again follows the plans that were made there.
    monkeypatch.undo()
    again = tmp_path / "again"
    shutil.copytree(whole, again)
    shutil.rmtree(again / "checkpoints")
    train_run(open_run(again))
    assert weights(again) == weights(whole)
    assert read_recipe(again / "recipe.toml").training == training


def test_the_schedule_goes_on_where_it_was_and_ends_at_the_new_end() -> None:
    config = TrainConfig(tokens=1000, warmup=0.1, decay_start=0.5)
    shorter = run_plan.replanned(config, 400, 700)
    assert schedule.share_done(shorter, 400) == schedule.share_done(config, 400) == 0.4
    assert schedule.factor(shorter, 700) == 0.0
    longer = run_plan.replanned(shorter, 550, 900)
    shares = [schedule.share_done(longer, seen) for seen in range(0, 901, 50)]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1.0)
    assert run_plan.replanned(longer, 800, 500).tokens == 800  # the time is up: nothing more is done


def test_a_timed_run_has_checkpoints_to_plan_at_but_does_not_live_for_them() -> None:
    recipe = replace(named_recipe("fast"), training=replace(named_recipe("fast").training, save_every=500))
    cheap, dear = (Pace(1000.0, 2.0, saving).fitted(recipe, 160.0).training for saving in (0.01, 3.0))
    assert cheap.save_every == 20
    assert cheap.seconds == 160.0
    assert dear.save_every == 200  # 3 s of every 100
    assert Pace(1000.0, 2.0, 0.01).fitted(recipe, 0.01).training.seconds > 0  # 0 would be no time at all
