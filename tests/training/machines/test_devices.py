"""Nothing is made without saying where: every model trains on the CPU while torch's default device holds no numbers."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from clearhead.errors import InputError
from clearhead.models import averaging
from clearhead.perplexity.figures import measured
from clearhead.sampling.choice import Choice
from clearhead.sampling.samples import drawn_from
from clearhead.training import named_recipe, start_run, train_run, trained
from clearhead.training.machines.devices import found_device, on_device

GPT = ("model.width=8", "model.heads=2", "model.layers=2", "training.recompute=true", "training.accumulate=2")
WORLD = ("corpus=world:people=20", "vocabulary.size=300", "training.pool=16", "training.batch=128")
LANES = ("model.width=8", "model.lanes=4", "model.context=16", "training.batch=64", "corpus=world:people=20")
CAUSAL = ("model.kind=perceiver", "model.variant=perceiver-causal", "model.bottleneck=32")
SMALL: dict[str, tuple[str, ...]] = {
    "fast": (*GPT, *WORLD, "model.memory=64", "training.tokens=500"),
    "course": (*GPT, *WORLD, "training.tokens=500", "training.precision=bfloat16"),
    "fast:pretrain": (*GPT, *WORLD, *CAUSAL, "model.layers=3", "training.tokens=500"),
    "course:pretrain": (*GPT, *WORLD, "model.kind=perceiver", "model.style=course", "training.tokens=500"),
    "characters-gpt": (*GPT, "model.context=16", "training.batch=64", "corpus=world:people=20", "training.tokens=300"),
    "characters-rnn": (*LANES, "training.tokens=300"),
    "characters-gru": (*LANES, "training.tokens=300"),
    "characters-lstm": (*LANES, "training.tokens=300"),
    "sentiment": ("model.width=8", "model.pairs=64", "training.tokens=3000"),
    "bigram": (
        "corpus=words.txt",
        "text.dev=words.txt",
        "vectors=",
        "vocabulary.file=",
        "model.width=5",
        "training.tokens=300",
    ),
    "digits": ("training.tokens=200000", "training.accumulate=3"),
}


@pytest.fixture
def nowhere() -> Iterator[None]:
    """A tensor that is made without saying where holds no numbers."""
    with torch.device("meta"):
        yield


@pytest.mark.usefixtures("nowhere")
@pytest.mark.parametrize("name", SMALL)
def test_every_model_trains_where_it_was_put(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words.txt").write_text("the cat sat on the mat\nthe dog sat on the log\n" * 20)
    looking = "training.validate_every=4", "training.save_every=3"
    train_run(start_run(named_recipe(name, [*SMALL[name], *looking]), tmp_path / "run"))
    run = trained(tmp_path / "run")
    assert run.model.device == torch.device("cpu")
    assert all(bool(weight.isfinite().all()) for weight in run.model.state_dict().values())
    if name.startswith("characters"):
        assert drawn_from(run, "Born", 5, Choice(), 0)[0].startswith("Born")
        assert measured(run.model, run.vocabulary, ["born in a town"]).bits_per_byte > 0


@pytest.mark.usefixtures("nowhere")
def test_a_tensor_made_without_saying_where_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = torch.rand
    monkeypatch.setattr(averaging.torch, "rand", lambda *sizes, **told: real(*sizes))
    with pytest.raises((RuntimeError, NotImplementedError)):
        train_run(start_run(named_recipe("sentiment", SMALL["sentiment"]), tmp_path / "run"))


def test_what_is_not_there_is_refused_in_words() -> None:
    assert found_device("cpu") == torch.device("cpu")
    with pytest.raises(InputError, match="devices: auto, cpu, cuda, mps"):
        found_device("gpu")
    if not torch.cuda.is_available():
        with pytest.raises(InputError, match="no cuda device here"), on_device("cuda"):
            pass
