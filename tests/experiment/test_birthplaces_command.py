"""`clearhead birthplaces` and `clearhead train` as a person types them, on data small enough for a test."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from clearhead import cli
from clearhead.experiment.stages import Wish, prepare_experiment, shared_anew
from clearhead.training import read_recipe
from clearhead.training.folders.stage import Teller
from clearhead.training.steps.checkpoints import WEIGHTS, latest

PEOPLE = ["Ada Lind", "Bo Quill", "Cora Fenn", "Dag Moor", "Edda Rusk", "Finn Ode", "Gro Tamm", "Hal Pike"]
PLACES = ["Marrow", "Tarn", "Marrow", "Voss", "Tarn", "Marrow", "Voss", "Tarn"]
SMALL = [
    *("--set", "vocabulary.size=300", "--set", "model.width=16", "--set", "model.heads=2", "--set", "model.layers=1"),
    *("--set", "model.memory=64", "--set", "pretrain.training.batch=128", "--set", "pretrain.training.pool=16"),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The course's four files about eight people: four in train (one of them in dev too), three in dev, two in test."""
    folder = tmp_path / "data"
    folder.mkdir()
    lines = [f"{who}. {who} was born in {place} and lives in Oddby." for who, place in zip(PEOPLE, PLACES, strict=True)]
    (folder / "wiki.txt").write_text("\n".join(lines) + "\n")
    asked = [f"Where was {who} born?\t{place}" for who, place in zip(PEOPLE, PLACES, strict=True)]
    (folder / "birth_places_train.tsv").write_text("\n".join(asked[:4]) + "\n")
    (folder / "birth_dev.tsv").write_text("\n".join(asked[3:6]) + "\n")
    (folder / "birth_test_inputs.tsv").write_text("\n".join(line.split("\t")[0] for line in asked[6:]) + "\n")
    return folder


def clearhead(*arguments: object) -> int:
    return cli.main([str(argument) for argument in arguments])


def weights(run: Path) -> bytes:
    checkpoint, _ = latest(run / "checkpoints")
    assert checkpoint is not None
    return (checkpoint / WEIGHTS).read_bytes()


def test_run_does_all_three_stages_and_writes_figures(data: Path, tmp_path: Path, capsys) -> None:
    run = tmp_path / "run"
    short = ["--set", "pretrain.epochs=4", "--set", "finetune.epochs=2", "--set", "without.epochs=2"]
    assert clearhead("birthplaces", "run", "--data", data, "--out", run, "--control", *SMALL, *short) == 0
    said = capsys.readouterr()
    assert "1 training questions stand in dev or test too: dropped" in said.err
    assert "with pretraining" in said.out
    assert "without pretraining" in said.out
    figures = json.loads((run / "figures.json").read_text())
    assert list(figures) == [
        *("variant", "recipe", "seed", "minutes", "dev"),
        *("dev_without_pretraining", "baseline", "tokens_per_second"),
    ]
    assert figures["dev"]["total"] == figures["dev_without_pretraining"]["total"] == 3
    assert figures["baseline"] == {"correct": 1, "total": 3, "accuracy": pytest.approx(1 / 3)}
    assert 0 < figures["minutes"] < 5
    assert len((run / "dev.predictions").read_text().split("\n")) == 3 + 1
    assert len((run / "test.predictions").read_text().split("\n")) == 2 + 1
    for name in ("recipe.toml", "metrics.jsonl", "tokenizer.json", "pretrain/recipe.toml", "without/recipe.toml"):
        assert (run / name).exists()
    assert str(run / "attention.svg") in said.out
    drawn = (run / "attention.svg").read_text(encoding="utf-8")
    assert all(f"<title>head 1.{head}</title>" in drawn for head in (1, 2)), "every head, not the mean of them"
    assert clearhead("birthplaces", "run", "--data", data, "--out", run) == 2
    assert "--resume" in capsys.readouterr().err
    before = weights(run)
    assert clearhead("birthplaces", "run", "--out", run, "--resume") == 0
    assert weights(run) == before


def test_stages_one_by_one_are_the_run_all_at_once(data: Path, tmp_path: Path, capsys) -> None:
    short = ["--set", "pretrain.epochs=3", "--set", "finetune.epochs=2"]
    assert clearhead("birthplaces", "run", "--data", data, "--out", tmp_path / "all", *SMALL, *short) == 0
    assert clearhead("birthplaces", "pretrain", "--data", data, "--out", tmp_path / "one", *SMALL, *short) == 0
    assert weights(tmp_path / "all" / "pretrain") == weights(tmp_path / "one")
    arguments = ["--start", tmp_path / "one", "--out", tmp_path / "two", *SMALL, *short]
    assert clearhead("birthplaces", "finetune", *arguments) == 0
    assert weights(tmp_path / "all") == weights(tmp_path / "two")
    capsys.readouterr()
    assert clearhead("birthplaces", "evaluate", "--out", tmp_path / "two") == 0
    said = capsys.readouterr().out
    assert "of 3" in said
    assert "all Marrow" in said
    assert "95 % between" in said
    assert (tmp_path / "two" / "dev.predictions").read_text() == (tmp_path / "all" / "dev.predictions").read_text()
    answers = tmp_path / "answers.txt"
    assert clearhead("birthplaces", "evaluate", "--out", tmp_path / "two", "--questions", "test", "--predictions", answers) == 0
    assert "2 answers" in capsys.readouterr().out
    assert len(answers.read_text().splitlines()) == 2


def test_minutes_become_token_counts(data: Path, tmp_path: Path) -> None:
    settings = tuple(word for word in SMALL if word != "--set")
    tokens = {}
    for minutes in (1.0, 3.0):
        run = tmp_path / str(minutes)
        wish = Wish(data=str(data), minutes=minutes, settings=settings)
        prepare_experiment(wish, run, control=True, since=time.monotonic(), tell=Teller())
        recipes = [read_recipe(run / part / "recipe.toml") for part in ("pretrain", ".", "without")]
        assert all(recipe.epochs == 0 for recipe in recipes)
        tokens[minutes] = [recipe.training.tokens for recipe in recipes]
        assert min(tokens[minutes]) > 1
    assert tokens[3.0][0] > tokens[1.0][0]


def test_what_is_left_of_the_minutes_is_shared_out_anew(data: Path, tmp_path: Path) -> None:
    run, settings = tmp_path / "run", tuple(word for word in SMALL if word != "--set")

    def seconds() -> list[float]:
        return [read_recipe(run / part / "recipe.toml").training.seconds for part in ("pretrain", ".", "without")]

    prepare_experiment(Wish(data=str(data), minutes=10.0, settings=settings), run, True, time.monotonic(), Teller())
    given = seconds()
    shared_anew(run, time.monotonic() - 500)  # pretraining took a little less than it might
    later = seconds()
    assert later[0] == given[0]
    assert 60 < later[1] + later[2] < 100
    assert later[2] / later[1] == pytest.approx(given[2] / given[1], rel=0.01)
    shared_anew(run, time.monotonic() - 1000)  # there is nothing left: a quarter of what they were given
    assert seconds()[1:] == pytest.approx([second / 4 for second in later[1:]], abs=0.1)

    (run / "checkpoints" / "1").mkdir(parents=True)  # finetuning has begun: only the control is left
    begun = seconds()
    shared_anew(run, time.monotonic() - 500)
    assert seconds()[1] == begun[1]
    assert seconds()[2] > 60


def test_without_minutes_nothing_is_shared_out_anew(data: Path, tmp_path: Path) -> None:
    run, short = tmp_path / "run", ("pretrain.epochs=3", "finetune.epochs=2")
    prepare_experiment(Wish(data=str(data), settings=short), run, False, time.monotonic(), Teller())
    before = (run / "recipe.toml").read_bytes()
    shared_anew(run, time.monotonic())
    assert (run / "recipe.toml").read_bytes() == before


def test_a_budget_too_short_to_get_ready_is_refused(data: Path, tmp_path: Path, capsys) -> None:
    assert clearhead("birthplaces", "run", "--data", data, "--out", tmp_path / "run", "--minutes", "0.0001", *SMALL) == 2
    assert "too short" in capsys.readouterr().err


def test_a_recipe_of_a_run_gives_the_same_weights_again(data: Path, tmp_path: Path) -> None:
    run, again = tmp_path / "run", tmp_path / "again"
    assert clearhead("birthplaces", "pretrain", "--data", data, "--out", run, *SMALL, "--set", "pretrain.epochs=3") == 0
    assert clearhead("train", run / "recipe.toml", "--out", again) == 0
    assert weights(again) == weights(run)


def test_finetuning_without_pretraining_starts_from_a_blank_model(data: Path, tmp_path: Path) -> None:
    assert (
        clearhead("birthplaces", "finetune", "--data", data, "--out", tmp_path / "run", *SMALL, "--set", "without.epochs=1")
        == 0
    )
    assert read_recipe(tmp_path / "run" / "recipe.toml").start == ""


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["birthplaces", "pretrain", "--out", "X", "--variant", "telepathic"], "perceiver-causal"),
        (["birthplaces", "pretrain", "--out", "X", "--recipe", "slow"], "course-fast"),
        (["birthplaces", "pretrain", "--out", "X", "--data", "nowhere"], "nowhere"),
        (["birthplaces", "pretrain", "--out", "X", "--minutes", "-1"], "minutes"),
        (["birthplaces", "pretrain", "--out", "X", "--minutes", "nan"], "minutes"),
        (["birthplaces", "run", "--out", "X", "--minutes", "inf"], "minutes"),
        (["birthplaces", "pretrain", "--out", "X", "--set", "model.width=seven"], "width"),
        (["birthplaces", "finetune", "--out", "X", "--start", "nowhere"], "run folder"),
        (["birthplaces", "evaluate", "--out", "X"], "run folder"),
        (["birthplaces", "run", "--out", "X", "--resume"], "run folder"),
        (["train", "nothing.toml", "--out", "X"], "nothing.toml"),
        (["train", "fast", "--out", "X", "--resume"], "run folder"),
    ],
)
def test_nonsense_is_one_line_and_exit_code_2(arguments: list[str], word: str, tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert clearhead(*arguments) == 2
    told = capsys.readouterr().err.strip().splitlines()
    assert len(told) == 1
    assert word in told[0]
    assert not (tmp_path / "X").exists()


def test_without_torch_it_says_what_to_install(monkeypatch, capsys, tmp_path: Path) -> None:
    monkeypatch.setattr("clearhead.commands.training_extra.find_spec", lambda name: None if name == "torch" else object())
    for command in (["birthplaces", "run"], ["birthplaces", "evaluate"], ["train", "fast"]):
        assert clearhead(*command, "--out", tmp_path / "X") == 2
        assert "pip install 'clearhead[train]'" in capsys.readouterr().err


@pytest.mark.slow
def test_ctrl_c_saves_and_says_how_to_go_on(data: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    command = [sys.executable, "-m", "clearhead", "birthplaces", "pretrain", "--data", str(data), "--out", str(run), *SMALL]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    started = subprocess.Popen([*command, "--set", "pretrain.epochs=3000"], stderr=subprocess.PIPE, text=True, env=environment)
    while not (run / "metrics.jsonl").exists() or not (run / "metrics.jsonl").read_text():
        time.sleep(0.1)
        assert started.poll() is None
    started.send_signal(signal.SIGINT)
    _, told = started.communicate(timeout=120)
    assert started.returncode == 130
    assert f"clearhead birthplaces pretrain --out {run} --resume" in told
    assert clearhead("birthplaces", "pretrain", "--out", run, "--resume") == 0
    whole = tmp_path / "whole"
    assert clearhead("birthplaces", "pretrain", "--data", data, "--out", whole, *SMALL, "--set", "pretrain.epochs=3000") == 0
    assert weights(run) == weights(whole)
