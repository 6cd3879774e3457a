"""What is looked at is what trains: recorded on the fused path, the same weights, nothing changed by looking on."""

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from clearhead.attention import attend
from clearhead.corpora import BytePairVocabulary
from clearhead.errors import InputError
from clearhead.heads import unwatched
from clearhead.lens.capture.generation import written_on
from clearhead.lens.capture.recording import attentions_of, recorded, recording
from clearhead.lens.capture.run_look import layers_of
from clearhead.lens.capture.token_names import token_names
from lens.models_to_look_at import KINDS, TOKENS, model_of

ALL = pytest.mark.parametrize("kind", KINDS)
CLOSE = {"atol": 1e-5, "rtol": 1e-5}


@ALL
@pytest.mark.parametrize("n", [1, 2, 5, 13])
def test_weights_from_the_fused_path_are_those_of_the_path_that_shows_its_working(kind: str, n: int) -> None:
    model, tokens = model_of(kind), TOKENS[:n]
    with torch.no_grad():
        shown = [attended for _, attended in model.states(torch.tensor([tokens]), attend)]
    calls = recorded(model, tokens)
    assert len(calls) == len(shown) == 3
    for call, attended in zip(calls, shown, strict=True):
        if call.q.shape[-2]:
            assert attended is not None
            assert_close(call.weights(), attended.weights, **CLOSE)
            assert_close(call.weights() @ call.v, call.output, **CLOSE)  # and they make the output that the model went on with


@ALL
def test_a_wrong_mask_would_be_noticed(kind: str) -> None:
    """The comparison above rejects weights that see one key too few."""
    call = recorded(model_of(kind), TOKENS)[-1]
    seen = torch.ones(call.q.shape[-2], call.k.shape[-2], dtype=torch.bool)
    with pytest.raises(AssertionError):
        assert_close(attend(call.q, call.k, call.v, seen).output, call.output, **CLOSE)


@ALL
def test_looking_on_changes_nothing_and_leaves_nothing_behind(kind: str) -> None:
    model, tokens = model_of(kind), torch.tensor([TOKENS])
    before = model(tokens).detach()
    with recording(model) as calls:
        assert torch.equal(model(tokens), before)
    assert [len(layer) for layer in calls] == [1, 1, 1]
    assert all(attention.watching is unwatched for attention in attentions_of(model))
    with pytest.raises(RuntimeError), recording(model):
        raise RuntimeError
    assert all(attention.watching is unwatched for attention in attentions_of(model))


@ALL
def test_the_triangle_of_writing_is_the_same_with_a_cache_and_without(kind: str) -> None:
    model = model_of(kind)
    with_cache, stitched = written_on(model, TOKENS[:4], 9, stop=-1, cache=True)
    without, whole = written_on(model, TOKENS[:4], 9, stop=-1, cache=False)
    assert with_cache == without
    assert len(with_cache) == 4 + 8
    for one, other, plain in zip(stitched, whole, recorded(model, with_cache), strict=True):
        assert_close(one.weights(), other.weights(), **CLOSE)
        assert_close(one.weights(), plain.weights(), **CLOSE)
        assert_close(one.weights().sum(-1), torch.ones(one.weights().shape[:-1]))


def test_writing_ends_at_the_mark_and_refuses_what_does_not_fit() -> None:
    model = model_of("gpt modern")
    text, _ = written_on(model, TOKENS[:4], 9, stop=-1)
    cut, calls = written_on(model, TOKENS[:4], 9, stop=text[6])
    assert cut == text[: text.index(text[6], 4)]
    assert calls[0].weights().shape[-2:] == (len(cut), len(cut))
    with pytest.raises(InputError, match="do not fit"):
        written_on(model, TOKENS, 9, stop=-1)
    with pytest.raises(InputError, match="at least one"):
        written_on(model, TOKENS, 0, stop=-1)


@ALL
@pytest.mark.parametrize("n", [1, 2, 13])
def test_a_layer_names_its_rows_and_columns_and_hides_what_the_model_hides(kind: str, n: int) -> None:
    layers = layers_of(model_of(kind), TOKENS[:n], [str(token) for token in TOKENS[:n]])
    for layer in layers:
        assert layer.weights.shape[1:] == (len(layer.rows), len(layer.columns))
        assert (layer.weights[:, ~layer.seen()] == 0).all()
        if layer.rows:
            np.testing.assert_allclose(layer.weights.sum(-1), 1, atol=1e-5)
        for row, at in enumerate(layer.at_rows):
            assert (layer.at_columns[layer.seen()[row]] <= at).all()  # nothing after its own place
    assert layers[-1].rows == tuple(str(token) for token in TOKENS[:n])


def test_letters_of_several_tokens_are_called_once() -> None:
    vocabulary = BytePairVocabulary.of(["abc"], 258)
    ids = vocabulary.encode("aé語b")
    names = token_names(vocabulary, ids)
    assert "".join(name for name in names if name != "·").replace(" ", "") == "aé語b"
    assert len(names) == len(ids)
