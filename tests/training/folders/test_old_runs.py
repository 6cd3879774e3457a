"""Run folders of earlier versions still open, resume to the weights they would have reached, and answer as they would have.

`old_runs/` holds three runs of version 0.1, each stopped half-way by Ctrl-C: a finetuning with the pretraining it starts from,
a GRU over text, a net over digits; and a pretraining with a memory of phrases, stopped by the last commit before runs could be
trained by several processes. Beside each stand the weights that the version of then reached from there, and in
expected.json what it then said.
"""

import json
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from clearhead.answering.ask import Terms, ask
from clearhead.mistakes.mistakes import found_errors
from clearhead.perplexity.figures import measured
from clearhead.sampling.choice import Choice
from clearhead.sampling.samples import drawn_from
from clearhead.training import open_run, train_run, trained
from clearhead.training.steps.checkpoints import WEIGHTS, latest

OLD = Path(__file__).with_name("old_runs")
EXPECTED = json.loads((OLD / "expected.json").read_text(encoding="utf-8"))
CLOSE = {"rtol": 1e-3, "atol": 1e-4}  # other processors add in another order, over up to 130 steps


@pytest.fixture(scope="module")
def resumed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copies of the runs, trained to their end."""
    place = tmp_path_factory.mktemp("old") / "runs"
    shutil.copytree(OLD, place)
    for name in EXPECTED:
        train_run(open_run(place / name))
    return place


@pytest.mark.parametrize("name", EXPECTED)
def test_an_old_run_resumes_to_the_weights_it_would_have_reached(resumed: Path, name: str) -> None:
    checkpoint, notes = latest(resumed / name / "checkpoints")
    assert checkpoint is not None
    assert notes == []
    assert int(checkpoint.name) == EXPECTED[name]["step"]
    reached, wanted = load_file(checkpoint / WEIGHTS), load_file(OLD / name / "expected.safetensors")
    assert reached.keys() == wanted.keys()
    for weight in wanted:
        torch.testing.assert_close(
            reached[weight], wanted[weight], **CLOSE, msg=lambda text, weight=weight: f"{weight}: {text}"
        )


def test_an_old_run_answers_as_it_would_have(resumed: Path) -> None:
    wanted = EXPECTED["birthplaces"]
    reply = ask(resumed / "birthplaces", wanted["question"], Terms(abstain=0.0), None, lambda text: None)
    assert reply.guess == wanted["answer"]
    assert reply.seen == wanted["seen"]
    assert 0 < reply.probability < wanted["probability"]  # of then: strangers had no part in it, and half are strangers now


def test_an_old_run_scores_and_draws_text_as_it_would_have(resumed: Path) -> None:
    wanted, folder = EXPECTED["characters"], resumed / "characters"
    run = trained(folder)
    figures = measured(run.model, run.vocabulary, [wanted["text"]])
    assert figures.tree()["bits_per_byte"] == pytest.approx(wanted["bits_per_byte"], rel=1e-3)
    assert drawn_from(trained(folder), "Born", 60, Choice(temperature=0.0), 0)[0] == wanted["sample"]


def test_an_old_run_reads_digits_as_it_would_have(resumed: Path) -> None:
    assert found_errors(resumed / "digits").accuracy == pytest.approx(EXPECTED["digits"]["accuracy"], abs=0.01)
