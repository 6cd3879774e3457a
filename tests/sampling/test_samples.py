"""Drawing text: the shares by their definition, readers that remember enough, and the same text from the same seed."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.errors import ConfigError
from clearhead.models import GPT, Bigram, BigramConfig, GPTConfig, Recurrent, RecurrentConfig
from clearhead.models.model import reader_of
from clearhead.sampling.choice import Choice, continued, shares

LOGITS = st.lists(st.floats(-5, 5), min_size=1, max_size=8)


def plain_shares(logits: list[float], temperature: float, top_k: int, top_p: float) -> list[float]:
    """By the definition: softmax, then the most likely ones, then what is left made to sum to 1."""
    import math

    e = [math.exp(x / temperature) for x in logits]
    p = [x / sum(e) for x in e]
    order = sorted(range(len(p)), key=lambda i: -p[i])
    kept, together = set(), 0.0
    for rank, i in enumerate(order):
        if (top_k and rank >= top_k) or together >= top_p:
            break
        kept.add(i)
        together += p[i]
    return [p[i] / together if i in kept else 0.0 for i in range(len(p))]


@settings(deadline=None)
@given(LOGITS, st.sampled_from([0.5, 1.0, 2.0]), st.integers(0, 9), st.sampled_from([0.3, 0.7, 0.95, 1.0]))
def test_shares_are_those_of_the_definition(logits: list[float], temperature: float, top_k: int, top_p: float) -> None:
    got = shares(torch.tensor(logits, dtype=torch.float64), Choice(temperature=temperature, top_k=top_k, top_p=top_p))
    assert got.sum().item() == pytest.approx(1)
    if len({round(x, 6) for x in logits}) == len(logits):  # ties may be broken either way
        assert got.tolist() == pytest.approx(plain_shares(logits, temperature, top_k, top_p), abs=1e-9)


def test_cold_is_the_most_likely_and_nonsense_is_refused() -> None:
    assert shares(torch.tensor([1.0, 3.0, 2.0]), Choice(temperature=0)).tolist() == [0, 1, 0]
    for wrong in ({"temperature": -1.0}, {"top_k": -1}, {"top_p": 0.0}, {"temperature": float("nan")}):
        with pytest.raises(ConfigError):
            Choice(**wrong)


def models() -> list[torch.nn.Module]:
    torch.manual_seed(2)
    course = GPT(GPTConfig(vocab=9, context=8, layers=2, heads=2, width=8, dropout=0.0))
    return [course, Recurrent(RecurrentConfig(vocab=9, width=6)), Bigram(BigramConfig(vocab=9, width=4, hidden=6))]


@pytest.mark.parametrize("which", range(3))
def test_a_reader_is_the_model_on_what_it_has_read(which: int) -> None:
    model = models()[which].eval()
    tokens = torch.randint(1, 9, (8,)).tolist()
    whole = model(torch.tensor([tokens]))
    whole = whole[0] if isinstance(whole, tuple) else whole
    reader = reader_of(model)
    rows = torch.cat([reader.read(tokens[:3]), reader.read(tokens[3:4]), reader.read(tokens[4:])])
    torch.testing.assert_close(rows, whole[0].detach(), rtol=1e-4, atol=1e-5)


def test_a_window_slides_and_keeps_half_of_what_it_saw() -> None:
    model = models()[0].eval()
    tokens = torch.randint(1, 9, (40,)).tolist()
    reader = reader_of(model)
    rows = torch.cat([reader.read(tokens[start : start + 1]) for start in range(40)])
    assert rows.shape == (40, 9)
    last = model(torch.tensor([tokens[-8:]]))[0, -1].detach()
    fits = [model(torch.tensor([tokens[-n:]]))[0, -1].detach() for n in range(4, 9)]  # from half a window to a whole one
    assert any(torch.allclose(rows[-1], each, atol=1e-5) for each in [last, *fits])
    again = reader_of(model).read(tokens)
    assert torch.isfinite(again).all()


@pytest.mark.parametrize("which", range(3))
def test_the_same_seed_draws_the_same_text(which: int) -> None:
    model = models()[which]
    drawn = [
        list(continued(reader_of(model), [1, 2], 30, Choice(), torch.Generator().manual_seed(seed), never=[0, 1], stop=-1))
        for seed in (5, 5, 6)
    ]
    assert drawn[0] == drawn[1] != drawn[2]
    assert not {0, 1} & set(drawn[0])
