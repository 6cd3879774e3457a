"""What is done with a trained run says where too: every use of one while torch's default device holds no numbers."""

import json
import time
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from clearhead import cli
from clearhead.experiment.stages import Wish, prepare_experiment
from clearhead.training import Teller, named_recipe, open_run, start_run, train_run, train_stage

SIZES = ("vocabulary.size=300", "model.width=16", "model.heads=2", "model.layers=2", "model.memory=64")
LENGTHS = ("pretrain.training.batch=256", "pretrain.training.pool=16", "pretrain.epochs=1", "finetune.epochs=1")


def said(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """What a command prints, on the CPU by name, with nothing made elsewhere."""
    capsys.readouterr()
    with torch.device("meta"):
        assert cli.main([*map(str, words), "--device", "cpu"]) == 0
    return capsys.readouterr().out


@pytest.fixture(scope="module")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("uses") / "run"
    wish = Wish(data="world:people=40,biographies_each=2,places=4", settings=(*SIZES, *LENGTHS))
    prepare_experiment(wish, folder, control=False, since=time.monotonic(), tell=Teller())
    for part in ("pretrain", "."):
        train_stage(open_run(folder / part), part, Teller())
    return folder


def test_questions_are_answered_and_judged_where_the_model_is(experiment: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "ECE" in said(capsys, "birthplaces", "evaluate", "--out", experiment)
    assert 0 <= json.loads(said(capsys, "ask", experiment, "Where was Ada Lind born?", "--json"))["probability"] <= 1
    assert said(capsys, "sample", experiment, "--prompt", "Ada", "--tokens", 3).startswith("Ada")


def test_a_trace_runs_where_the_model_is(experiment: Path) -> None:
    from clearhead.corpora import find_corpus
    from clearhead.lens.causes.causal_trace import trace
    from clearhead.models import GPT
    from clearhead.training import trained

    with torch.device("meta"):
        run = trained(experiment)
        assert isinstance(run.model, GPT)
        first, second = (run.vocabulary.encode(question.text) for question in find_corpus(run.recipe.corpus).dev[:2])
        traced = trace(run.model, first, second, [5, 6], [7, 6])
    assert bool(traced.other_come.isfinite().all())


def test_classifiers_judge_where_the_model_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts, pictures = tmp_path / "texts", tmp_path / "pictures"
    train_run(start_run(named_recipe("sentiment", ("model.width=8", "model.pairs=64", "training.tokens=3000")), texts))
    train_run(start_run(named_recipe("digits", ("training.tokens=200000",)), pictures))
    assert json.loads(said(capsys, "classify", texts, "a fine film", "--json"))["words"]
    assert "held-out reviews" in said(capsys, "errors", texts, "--count", 2)
    Image.fromarray(np.zeros((32, 32), np.uint8)).save(tmp_path / "blank.png")
    assert "as the net saw it" in said(capsys, "classify", pictures, tmp_path / "blank.png")
    assert json.loads(said(capsys, "errors", pictures, "--json"))["held_out"] > 0
