"""Runs to folders that others open, and back: equal logits in transformers, equal weights on the way home."""

import json
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

import clearhead
from clearhead.cli import main
from clearhead.exchange.gpt2_weights import from_gpt2, to_gpt2
from clearhead.models import GPT, GPTConfig
from clearhead.models.reach import fill_randomly

TEXT = "Zoë was born in Oslo.\nWhere was she? " * 60
TINY = ("training.tokens=3000", "training.batch=512", "held_out=0.1")


def train(recipe: str, folder: Path, *settings: str) -> Path:
    shown = [part for each in settings for part in ("--set", each)]
    assert main(["train", recipe, "--out", str(folder), *shown]) == 0
    return folder


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exchange")
    (folder / "mine.txt").write_text(TEXT, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def course(place: Path) -> Path:
    """A course-style GPT over characters."""
    sizes = ("model.style=course", "model.layers=2", "model.heads=2", "model.width=16", "model.context=24", "model.dropout=0.1")
    return train("characters-gpt", place / "course", f"corpus={place / 'mine.txt'}", *sizes, *TINY)


@pytest.fixture(scope="module")
def exported(course: Path, place: Path) -> Path:
    assert main(["export", str(course), str(place / "out"), "--to", "huggingface"]) == 0
    return place / "out"


def test_the_course_style_gpt_opens_in_transformers_with_equal_logits(course: Path, exported: Path) -> None:
    transformers = pytest.importorskip("transformers", reason="transformers is not installed: pip install 'clearhead[hf]'")
    run = clearhead.open_run(course)
    theirs = transformers.AutoModelForCausalLM.from_pretrained(exported, local_files_only=True).double().eval()
    assert type(theirs).__name__ == "GPT2LMHeadModel"
    tokenizer = transformers.AutoTokenizer.from_pretrained(exported, local_files_only=True)
    text = "Zoë was\nshe? "
    ids = run.vocabulary.encode(text)
    assert tokenizer(text)["input_ids"] == ids
    assert tokenizer.decode(ids) == text
    assert tokenizer("Q")["input_ids"] == run.vocabulary.encode("Q") == [0]  # never read: the pad, there as here
    with torch.no_grad():
        ours = run.model.double()(torch.tensor([ids]))
        torch.testing.assert_close(theirs(torch.tensor([ids])).logits, ours)
        fill_randomly(run.model, 1)
        with pytest.raises(AssertionError):  # other weights are found out
            torch.testing.assert_close(theirs(torch.tensor([ids])).logits, run.model(torch.tensor([ids])))


def test_what_transformers_saves_comes_back_with_equal_logits(place: Path) -> None:
    """Somebody's GPT-2: its own sizes, the tanh form of gelu, a tied head, and byte pairs with marks of its own."""
    transformers = pytest.importorskip("transformers", reason="transformers is not installed: pip install 'clearhead[hf]'")
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE({each: number for number, each in enumerate([*letters, "<|endoftext|>"])}, []))
    tokenizer.pre_tokenizer, tokenizer.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    torch.manual_seed(0)
    config = transformers.GPT2Config(vocab_size=260, n_positions=20, n_embd=12, n_layer=2, n_head=3)
    theirs = transformers.GPT2LMHeadModel(config).double().eval()
    theirs.save_pretrained(place / "gpt2")
    tokenizer.save(str(place / "gpt2" / "tokenizer.json"))
    assert main(["import", str(place / "gpt2"), "--out", str(place / "taken")]) == 0
    run = clearhead.open_run(place / "taken")
    ids = run.vocabulary.encode("Zoë was")
    assert ids == tokenizer.encode("Zoë was").ids
    assert run.vocabulary.decode(ids) == "Zoë was"
    with torch.no_grad():
        wanted = theirs(torch.tensor([ids])).logits[..., :257]  # the tokenizer knows 257 of the 260 rows
        torch.testing.assert_close(run.model.double()(torch.tensor([ids])), wanted, rtol=1e-5, atol=1e-6)  # kept as float32
    assert len(clearhead.open_run(place / "taken").sample("Zoë", tokens=5)) > 3
    assert (
        main(
            [
                "train",
                "characters-gpt",
                "--out",
                str(place / "gone-on"),
                "--start",
                str(place / "taken"),
                "--set",
                f"corpus={place / 'mine.txt'}",
                "--set",
                "training.tokens=600",
                "--set",
                "training.batch=200",
            ]
        )
        == 0
    )


def test_there_and_back_are_the_same_weights_vocabulary_and_figures(course: Path, exported: Path, place: Path) -> None:
    assert main(["import", str(exported), "--out", str(place / "back")]) == 0
    before, after = clearhead.open_run(course), clearhead.open_run(place / "back")
    for name, weight in before.model.state_dict().items():
        torch.testing.assert_close(after.model.state_dict()[name], weight, rtol=0, atol=0)
    assert after.vocabulary.encode(TEXT) == before.vocabulary.encode(TEXT)
    assert after.perplexity("Oslo was she").bits_per_byte == before.perplexity("Oslo was she").bits_per_byte


def test_imported_weights_are_started_from_and_not_resumed(
    exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["import", str(exported), "--out", str(tmp_path / "taken")]) == 0
    assert main(["train", "--resume", "--out", str(tmp_path / "taken")]) == 2
    told = capsys.readouterr().err
    assert "no training to go on with" in told
    assert f"--start {tmp_path / 'taken'}" in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("recipe", "settings"),
    [
        ("characters-gru", ("model.width=8", "training.tokens=3000", "corpus={text}")),
        ("characters-gpt", ("model.width=12", "model.heads=2", "model.layers=1", *TINY, "corpus={text}")),
        ("sentiment", ("model.width=8", "model.pairs=64", "epochs=0.05")),
        ("digits", ("epochs=0.2",)),
    ],
)
def test_other_models_go_out_under_their_own_names_and_come_back(
    recipe: str, settings: tuple[str, ...], place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = train(recipe, tmp_path / "run", *(each.format(text=place / "mine.txt") for each in settings))
    assert main(["export", str(run), str(tmp_path / "out")]) == 0
    assert "under our own names" in capsys.readouterr().out
    config = json.loads((tmp_path / "out" / "config.json").read_text(encoding="utf-8"))
    assert config["model_type"].startswith("clearhead-")
    assert main(["import", str(tmp_path / "out"), "--out", str(tmp_path / "back")]) == 0
    before, after = clearhead.open_run(run), clearhead.open_run(tmp_path / "back")
    stored = load_file(tmp_path / "out" / "model.safetensors")
    assert stored.keys() == before.model.state_dict().keys()
    for name, weight in before.model.state_dict().items():
        torch.testing.assert_close(after.model.state_dict()[name], weight, rtol=0, atol=0)
    if recipe == "sentiment":
        assert after.classify("a fine film") == before.classify("a fine film")
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    for heading in ("## How to open it", "## What it was trained on", "## How good it is", "## Caution"):
        assert heading in card
    for file in (tmp_path / "out").rglob("*"):  # nothing tells where things lay on this machine
        assert not file.is_file() or str(tmp_path).encode() not in file.read_bytes()


def test_the_card_tells_figures_data_and_caution(course: Path, exported: Path) -> None:
    card = (exported / "README.md").read_text(encoding="utf-8")
    assert card.startswith("---\nlibrary_name: transformers\n")
    assert "AutoModelForCausalLM" in card
    assert "mine.txt" in card
    assert "training loss" in card
    assert "true or not" in card
    assert str(course.parent) not in card


def test_the_map_of_names_is_one_to_one() -> None:
    model = GPT(GPTConfig(vocab=7, context=5, layers=3, heads=2, width=6))
    fill_randomly(model, 0)
    there = to_gpt2(model.state_dict(), 3)
    assert len({name for name in there if ".attn.c_attn." in name}) == 6
    back = from_gpt2(there, 3, 7)
    assert back.keys() == model.state_dict().keys()
    for name, weight in model.state_dict().items():
        torch.testing.assert_close(back[name], weight, rtol=0, atol=0)


def test_what_cannot_be_is_one_line(course: Path, exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(exported, broken)
    shutil.rmtree(broken / "clearhead")
    (broken / "tokenizer.json").write_text('{"kind": "characters", "characters": "abc"}', encoding="utf-8")
    odd = tmp_path / "odd"
    odd.mkdir()
    cases: list[tuple[list[str], str]] = [
        (["export", str(course), str(exported)], "not empty"),
        (["export", str(course), str(tmp_path / "x"), "--to", "onnx"], "huggingface"),
        (["export", str(tmp_path), str(tmp_path / "x")], "run folder"),
        (["import", str(tmp_path / "nowhere"), "--out", str(tmp_path / "y")], "config.json"),
        (["import", str(exported), "--out", str(course)], "already holds a run"),
    ]
    config = json.loads((exported / "config.json").read_text(encoding="utf-8"))
    for change, told in (
        ({"model_type": "llama"}, "llama"),
        ({"activation_function": "relu"}, "activation_function"),
        ({"n_inner": 5}, "n_inner"),
        ({"n_layer": 3}, "do not fit"),
    ):
        where = tmp_path / f"case-{next(iter(change))}"
        shutil.copytree(broken, where)
        (where / "config.json").write_text(json.dumps(config | change), encoding="utf-8")
        cases.append((["import", str(where), "--out", str(tmp_path / "y")], told))
    for words, told in cases:
        assert main(words) == 2, words
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert told in error
    assert not (tmp_path / "y").exists()
