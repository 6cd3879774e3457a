"""Hugging Face models, tiny and random: the same weights as their own eager attention gives, from any way to attend."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from clearhead import look
from clearhead.cli import main
from clearhead.errors import ClearheadError

transformers = pytest.importorskip("transformers", reason="the [hf] extra is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")  # of transformers' own making
IDS = [1, 5, 7, 9, 9, 3]
SIZES = {"num_hidden_layers": 2, "num_attention_heads": 4, "hidden_size": 32, "intermediate_size": 64, "vocab_size": 50}


def tiny(name: str) -> Any:
    transformers.logging.set_verbosity_error()
    torch.manual_seed(0)
    if name == "gpt2":
        config = transformers.GPT2Config(n_layer=2, n_head=4, n_embd=32, vocab_size=50, n_positions=16)
        return transformers.GPT2LMHeadModel(config).eval()
    if name == "llama":
        config = transformers.LlamaConfig(**SIZES, num_key_value_heads=2, max_position_embeddings=32)
        return transformers.LlamaForCausalLM(config).eval()
    if name == "bert":
        return transformers.BertModel(transformers.BertConfig(**SIZES)).eval()
    sizes = {"num_layers": 2, "num_heads": 4, "d_model": 32, "d_ff": 64, "d_kv": 8, "vocab_size": 50}
    return transformers.T5ForConditionalGeneration(transformers.T5Config(**sizes, decoder_start_token_id=0)).eval()


def own_weights(model: Any, ids: list[int], said: list[int] | None = None) -> dict[str, np.ndarray]:
    """What the model itself gives out with eager attention: the oracle."""
    model.set_attn_implementation("eager")
    given = {} if said is None else {"decoder_input_ids": torch.tensor([said])}
    with torch.no_grad():
        out = model(input_ids=torch.tensor([ids]), output_attentions=True, **given)
    kinds = {"": "attentions"} if said is None else {
        "encoder ": "encoder_attentions", "decoder ": "decoder_attentions", "cross ": "cross_attentions",
    }  # fmt: skip
    return {
        f"{kind}{number}": each[0].numpy() for kind, key in kinds.items() for number, each in enumerate(getattr(out, key), 1)
    }


@pytest.mark.parametrize("name", ["gpt2", "llama", "bert"])
@pytest.mark.parametrize("before", ["sdpa", "eager"])
def test_the_weights_are_the_models_own_whatever_it_attends_with(name: str, before: str) -> None:
    model = tiny(name)
    model.set_attn_implementation(before)
    seen = look(model, IDS)
    assert model.config._attn_implementation == before  # left as it was
    wanted = own_weights(model, IDS)
    assert [layer.name for layer in seen.layers] == list(wanted)
    for layer in seen.layers:
        np.testing.assert_allclose(layer.weights, wanted[layer.name], atol=1e-5)


def test_an_encoder_and_a_decoder_and_what_goes_across() -> None:
    model = tiny("t5")
    seen = look(model, IDS, target=[4, 8])
    wanted = own_weights(model, IDS, [0, 4, 8])
    assert [layer.name for layer in seen.layers] == list(wanted)
    for layer in seen.layers:
        np.testing.assert_allclose(layer.weights, wanted[layer.name], atol=1e-5)
    assert seen.layer("cross 1").rows == ("#0", "#4", "#8")
    assert seen.layer("cross 1").columns == tuple(f"#{each}" for each in IDS)
    assert len(look(model, IDS).layer("decoder 1").rows) > 1  # what it says by itself


@pytest.mark.parametrize("name", ["gpt2", "llama", "bert", "t5"])
def test_q_and_k_make_the_weights_and_v_the_output(name: str) -> None:
    for layer in look(tiny(name), IDS).layers:
        assert layer.scaled is not None
        visible = np.where(layer.seen(), layer.scaled, -np.inf)
        shares = np.exp(visible - visible.max(-1, keepdims=True))
        np.testing.assert_allclose(shares / shares.sum(-1, keepdims=True), layer.weights, atol=1e-5)
        np.testing.assert_allclose(layer.weights @ layer.v, layer.output, atol=1e-5)


def test_grouped_heads_are_told() -> None:
    seen = look(tiny("llama"), IDS)
    assert seen.layers[0].groups == (1, 1, 2, 2)
    assert "shares keys 2" in str(seen)
    assert np.array_equal(seen.layers[0].k[0], seen.layers[0].k[1])


def test_a_model_that_attends_in_its_own_way_is_asked_for_its_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    from clearhead.lens.capture import hf_attention

    monkeypatch.setattr(hf_attention, "WATCHED", "sdpa")  # as though it could not be watched
    monkeypatch.setattr(transformers.AttentionInterface, "register", lambda name, function: None)
    monkeypatch.setattr(transformers.AttentionMaskInterface, "register", lambda name, function: None)
    seen = look(tiny("gpt2"), IDS)
    assert seen.layers[0].q is None
    assert "no head can be worked by hand" in seen.notes[-1]
    np.testing.assert_allclose(seen.layers[1].weights, own_weights(tiny("gpt2"), IDS)["2"], atol=1e-5)


def test_what_generate_gives_is_one_triangle() -> None:
    model = tiny("gpt2")
    model.set_attn_implementation("eager")
    out = model.generate(
        torch.tensor([IDS]),
        max_new_tokens=5,
        do_sample=False,
        output_attentions=True,
        return_dict_in_generate=True,
        pad_token_id=0,
    )
    read = out.sequences[0].tolist()[:-1]
    seen = look(out.attentions, [f"#{each}" for each in read])
    wanted = own_weights(model, read)
    for layer in seen.layers:
        np.testing.assert_allclose(layer.weights, wanted[layer.name], atol=1e-5)


@pytest.mark.parametrize("name", ["gpt2", "llama"])
def test_the_guess_after_the_last_block_is_what_the_model_says(name: str) -> None:
    model = tiny(name)
    seen = look(model, IDS)
    with torch.no_grad():
        said = model(torch.tensor([IDS])).logits[0].softmax(-1).max(-1)
    assert [each["where"] for each in seen.guesses] == ["before the first block", "after block 1", "after block 2"]
    assert [best[0][0] for best in seen.guesses[-1]["best"]] == [f"#{token}" for token in said.indices.tolist()]
    assert [best[0][1] for best in seen.guesses[-1]["best"]] == pytest.approx(said.values.tolist(), abs=1e-4)
    assert look(tiny("bert"), IDS).guesses == ()


def test_labels_are_held_against_blank_models_and_shuffled_texts() -> None:
    seen = look(tiny("gpt2"), IDS, controls=2)
    assert {name: len(looks) for name, looks in seen.controls.items()} == {"shuffled": 2, "blank": 2}
    assert not any(label.holds for labels in seen.labels.values() for label in labels)  # it has learned nothing itself


def test_ids_that_the_model_does_not_know() -> None:
    with pytest.raises(ClearheadError, match="cannot read these tokens"):
        look(tiny("gpt2"), [1, 999])


# ---- folders


def saved(name: str, folder: Path) -> Path:
    """A tiny model with a tokenizer of single letters."""
    tokenizers = pytest.importorskip("tokenizers")
    model = tiny(name)
    model.save_pretrained(folder)
    vocabulary = {letter: number for number, letter in enumerate("?abcdefghijklmnopqrstuvwxyz ABCD.")}
    plain = tokenizers.Tokenizer(tokenizers.models.BPE(vocabulary, [], unk_token="?"))
    transformers.PreTrainedTokenizerFast(tokenizer_object=plain, unk_token="?").save_pretrained(folder)
    return folder


@pytest.mark.parametrize("name", ["gpt2", "llama", "bert", "t5"])
def test_a_folder_and_a_text(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = saved(name, tmp_path / name)
    assert main(["look", str(folder), "a cat", "--out", str(tmp_path / "page.html")]) == 0
    told = capsys.readouterr().out
    assert "blank model" in told
    assert (tmp_path / "page.html").stat().st_size < 1_000_000


def test_folders_that_are_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def refused(folder: Path, text: str = "a cat") -> str:
        capsys.readouterr()  # what saving said
        assert main(["look", str(folder), text]) == 2
        told = capsys.readouterr().err
        assert told.count("\n") == 1
        return told

    folder = saved("gpt2", tmp_path / "gpt2")
    assert "text is empty" in refused(folder, "")
    tree = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**tree, "auto_map": {"AutoModel": "evil.Model"}}))
    (folder / "evil.py").write_text("raise SystemExit('ran')")
    assert "needs code of its own" in refused(folder)
    (folder / "config.json").write_text("{")
    assert "cannot be read" in refused(folder)
    (folder / "config.json").write_text('{"model_type": "no-such"}')
    assert "cannot be opened" in refused(folder)
    (folder / "config.json").write_text("[]")
    assert "names no model_type" in refused(folder)
    bare = tmp_path / "bare"
    tiny("gpt2").save_pretrained(bare)
    assert "no tokenizer" in refused(bare)
    with pytest.raises(ClearheadError, match="whole numbers"):
        look(bare, ["x"])
    assert len(look(bare, IDS).layers) == 2
    assert "16 are looked at" in look(bare, IDS * 5).notes[0]
    with pytest.raises(ClearheadError, match="without its tokenizer"):
        look(tiny("gpt2"), "text")


def test_what_only_a_run_can_be_asked_for_is_refused() -> None:
    for asked in ({"without": "1.1"}, {"temperature": 0.0}, {"answer": "x"}, {"write": 2}):
        with pytest.raises(ClearheadError, match=f"{next(iter(asked))} is for runs of ours"):
            look(tiny("gpt2"), IDS, **asked)
    with pytest.raises(ClearheadError, match="is for runs of ours"):
        look([[[1.0]]], ["a"], without="1.1")


def test_letters_of_several_tokens_are_called_once() -> None:
    from clearhead.lens.capture.hf_folder import names_of_ids

    class Bytes:
        """A tokenizer whose tokens are bytes, and 256 the end."""

        def decode(self, ids: list[int]) -> str:
            return bytes(each for each in ids if each < 256).decode("utf-8", "replace")

        def convert_ids_to_tokens(self, ids: list[int]) -> list[str]:
            return [f"<{each}>" for each in ids]

    assert names_of_ids(Bytes(), [*"a語".encode(), 256]) == ["a", "·", "·", "語", "<256>"]
    assert names_of_ids(Bytes(), [0xE8]) == ["<232>"]  # half a letter alone
