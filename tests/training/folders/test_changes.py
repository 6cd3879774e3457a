"""What is said is done: lengths exclude each other, a resumed run changes what can be changed and refuses the rest by name."""

import json
from pathlib import Path

import pytest

from clearhead import cli
from clearhead.training import open_run, train_run
from clearhead.training.folders.changes import changed_run
from clearhead.training.recipes.recipe import read_recipe
from clearhead.training.steps.checkpoints import WEIGHTS, latest
from clearhead.training.steps.schedule import factor

SMALL = ("model.width=8", "model.lanes=4", "model.context=16", "training.batch=64", "model.layers=1", "corpus=world:people=20")


def clearhead(*arguments: object) -> int:
    return cli.main([str(argument) for argument in arguments])


def start(folder: Path, *settings: str, more: tuple[object, ...] = ()) -> int:
    given = [part for each in (*SMALL, *settings) for part in ("--set", each)]
    return clearhead("train", "characters-rnn", "--out", folder, *given, *more)


def weights(folder: Path) -> bytes:
    checkpoint, _ = latest(folder / "checkpoints")
    assert checkpoint is not None
    return (checkpoint / WEIGHTS).read_bytes()


def error(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().err.strip().splitlines()[-1]


@pytest.mark.parametrize(
    ("settings", "tokens", "told"),
    [
        (["training.tokens=640"], 640, "training.tokens=640 holds, and not epochs="),
        (["training.tokens=1e3"], 1024, "training.tokens=1e3 holds"),
        (["epochs=9", "training.tokens=640"], 640, "training.tokens=640 holds, and not epochs=9"),
        (["training.tokens=640", "epochs=0.2"], None, "epochs=0.2 holds, and not training.tokens=640"),
        (["training.tokens=640", "epochs=0"], 640, "training.tokens=640 holds, and not epochs="),
        (["epochs=0", "training.tokens=640"], 640, "train: 640 tokens"),
    ],
)
def test_the_length_said_last_holds_and_it_is_told(
    tmp_path: Path, settings: list[str], tokens: int | None, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert start(tmp_path / "run", *settings) == 0
    assert told in capsys.readouterr().err
    last = json.loads((tmp_path / "run" / "metrics.jsonl").read_text().splitlines()[-1])
    wanted = read_recipe(tmp_path / "run" / "recipe.toml").training.tokens
    assert wanted <= last["tokens"] < wanted + 64
    if tokens is not None:
        assert last["tokens"] == tokens


@pytest.mark.parametrize(
    ("settings", "more", "told"),
    [
        (["epochs=0"], [], "does not say how long"),
        (["training.tokens=640", "training.validate_every=2", "held_out=0"], [], "holds nothing out"),
        (["training.tokens=640", "training.accumulate=2"], [], "worked in one part"),
        (["training.tokens=640"], ["--shard"], "carries a state"),
    ],
)
def test_what_cannot_be_trained_leaves_no_folder(
    tmp_path: Path, settings: list[str], more: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [part for each in (*SMALL, *settings) for part in ("--set", each)]
    assert cli.main(["train", "characters-gru", "--out", str(tmp_path / "runs" / "run"), *words, *more]) == 2
    assert told in error(capsys)
    assert list(tmp_path.iterdir()) == []


def test_an_experiment_whose_weights_cannot_be_cut_leaves_no_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["birthplaces", "run", "--out", str(tmp_path / "run"), "--data", "world:people=20", "--shard"]
    assert cli.main(words) == 2
    assert "sparse gradients cannot be cut" in error(capsys)
    assert list(tmp_path.iterdir()) == []


def test_a_run_is_extended_as_a_new_stage_and_stays_exactly_resumable(tmp_path: Path, monkeypatch) -> None:
    for name in ("whole", "stopped"):
        assert start(tmp_path / name, "training.tokens=640", "training.save_every=3") == 0
    longer = ["training.tokens=1600", "training.rate=0.004"]
    train_run(changed_run(tmp_path / "whole", longer))
    recipe = read_recipe(tmp_path / "whole" / "recipe.toml")
    assert (recipe.training.since, recipe.training.tokens, recipe.training.rate) == (640, 1600, 0.004)
    assert [each.tokens for each in recipe.history] == [640]
    from clearhead.training.steps import loop

    real, calls = loop.one_step, []

    def dying(*arguments):
        calls.append(1)
        if len(calls) == 8:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(loop, "one_step", dying)
    with pytest.raises(KeyboardInterrupt):
        train_run(changed_run(tmp_path / "stopped", longer))
    monkeypatch.setattr(loop, "one_step", real)
    train_run(open_run(tmp_path / "stopped"))
    assert weights(tmp_path / "stopped") == weights(tmp_path / "whole")


def test_rates_of_a_new_stage_rise_and_fall_within_it(tmp_path: Path) -> None:
    assert start(tmp_path / "run", "training.tokens=640") == 0
    training = changed_run(tmp_path / "run", ["training.tokens=1640", "training.warmup=0.1"]).recipe.training
    assert [round(factor(training, seen), 2) for seen in (640, 690, 740, 1640)] == [0.1, 0.5, 1.0, 0.0]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--set", "model.width=16"], "model.width cannot be changed"),
        (["--set", "training.batch=128"], "training.batch cannot be changed"),
        (["--set", "trainig.tokens=9000"], "did you mean 'training.tokens'"),
        (["--set", "training.tokens=10"], "more than the 640 that were done"),
        (["--seed", "3"], "seed cannot be changed"),
        (["--start", "elsewhere"], "start cannot be changed"),
        (["--minutes", "-1"], "minutes must be"),
    ],
)
def test_what_cannot_be_changed_is_refused_by_name(
    tmp_path: Path, more: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert start(tmp_path / "run", "training.tokens=640") == 0
    before = (tmp_path / "run" / "recipe.toml").read_text()
    capsys.readouterr()
    assert clearhead("train", "characters-rnn", "--out", tmp_path / "run", "--resume", *more) == 2
    assert told in error(capsys)
    assert (tmp_path / "run" / "recipe.toml").read_text() == before


def test_another_recipes_name_is_refused_and_none_is_needed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert start(tmp_path / "run", "training.tokens=640") == 0
    assert clearhead("train", "digits", "--out", tmp_path / "run", "--resume") == 2
    assert "'characters-rnn', not of 'digits'" in error(capsys)
    assert clearhead("train", "--out", tmp_path / "run", "--resume") == 0


def test_repeating_the_command_that_started_a_run_changes_nothing(tmp_path: Path) -> None:
    assert start(tmp_path / "run", "training.tokens=640") == 0
    before = (tmp_path / "run" / "recipe.toml").read_text()
    assert start(tmp_path / "run", "training.tokens=640", more=("--resume",)) == 0
    assert (tmp_path / "run" / "recipe.toml").read_text() == before


def test_seed_and_minutes_are_options_of_train(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        assert start(tmp_path / name, "training.tokens=640", more=("--seed", seed)) == 0
    assert weights(tmp_path / "a") == weights(tmp_path / "b") != weights(tmp_path / "c")
    assert start(tmp_path / "timed", more=("--minutes", 0.02)) == 0
    assert read_recipe(tmp_path / "timed" / "recipe.toml").training.tokens > 1


def test_a_typo_suggests_the_near_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert start(tmp_path / "run", "training.rat=1") == 2
    assert "did you mean 'rate'" in error(capsys)
    assert start(tmp_path / "run", "model.widht=8") == 2
    assert "did you mean 'width'" in error(capsys)


def test_a_diverged_loss_is_no_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert start(tmp_path / "run", "training.tokens=6400", "training.rate=1e9") == 2
    assert "the loss became" in error(capsys)


def test_a_setting_of_another_stage_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert clearhead("train", "fast", "--out", tmp_path / "run", "--set", "finetune.epochs=2") == 2
    assert "of the stage 'finetune'" in error(capsys)


def test_any_language_model_goes_on_from_another_run_on_another_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert start(tmp_path / "first", "training.tokens=640") == 0
    (tmp_path / "other.txt").write_text("in the town of the place, born and bred. " * 40)
    other = ["--set", "corpus=other.txt", "--set", "training.tokens=128"]  # the batch is that of the start, as its lanes are
    command = ["train", "characters-rnn", "--out", "second", "--start", "first", *other]
    assert clearhead(*command, "--set", "model.width=16") == 2
    assert "model and vocabulary are those of the start" in error(capsys)
    assert clearhead(*command) == 0
    assert (tmp_path / "second" / "tokenizer.json").read_bytes() == (tmp_path / "first" / "tokenizer.json").read_bytes()
    assert weights(tmp_path / "second") != weights(tmp_path / "first")
    assert clearhead("sample", "second", "--tokens", 5, "--count", 3) == 0
    assert capsys.readouterr().out.count("\n\n") >= 2


def test_who_is_refused_for_other_data_finds_the_run_as_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, run = tmp_path / "mine.txt", tmp_path / "run"
    text.write_text("The ferry leaves at noon. " * 80)
    assert start(run, f"corpus={text}", "training.tokens=640") == 0
    recipe = (run / "recipe.toml").read_text()
    text.write_text("The train leaves at noon. " * 80)
    capsys.readouterr()
    assert clearhead("train", "--resume", "--out", run, "--set", "training.tokens=1280") == 2
    told = capsys.readouterr().err
    assert "put the old data back" in told
    assert "from token" not in told
    assert (run / "recipe.toml").read_text() == recipe
