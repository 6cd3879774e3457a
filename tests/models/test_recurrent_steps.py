"""The layers without gradients against torch's own, for every cell."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from clearhead.models.parts import unlocked as parts_unlocked
from clearhead.models.parts.recurrent_steps import RecurrentSteps, go_along
from clearhead.models.parts.unlocked import unlocked

OWN = {"rnn": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}
SIZES = st.integers(1, 5)


def torchs_own(cells: nn.RNNBase, x: torch.Tensor, state: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """(n, rows, width) and (parts, layers, rows, width), by torch."""
    if isinstance(cells, nn.LSTM):
        out, both = cells(x, (state[0], state[1]))
        return out, torch.stack(both)
    out, last = cells(x, state[0])
    return out, last[None]


@settings(max_examples=40, deadline=None)
@given(cell=st.sampled_from(sorted(OWN)), layers=st.integers(1, 3), width=SIZES, rows=SIZES, n=SIZES, seed=st.integers(0, 99))
def test_the_numbers_are_torchs(cell: str, layers: int, width: int, rows: int, n: int, seed: int) -> None:
    torch.manual_seed(seed)
    cells, embedding = OWN[cell](width, width, layers).double(), torch.randn(7, width, dtype=torch.float64)
    state = torch.randn(2 if cell == "lstm" else 1, layers, rows, width, dtype=torch.float64)
    tokens = torch.randint(0, 7, (rows, n))
    kept = state.clone()
    steps = RecurrentSteps(cell, cells, embedding)
    out, last = steps.along(tokens, state)
    right, ended = torchs_own(cells, embedding[tokens.mT], kept)
    torch.testing.assert_close(out, right, rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(last, ended, rtol=1e-12, atol=1e-12)
    assert torch.equal(state, kept), "the state that was given is somebody else's"
    steps.go_along = go_along  # as it is where torch cannot take it over
    for by_torch, by_python in zip((out, last), steps.along(tokens, state), strict=True):
        assert torch.equal(by_torch, by_python)


@pytest.mark.parametrize("cell", sorted(OWN))
def test_another_bias_is_another_answer(cell: str) -> None:
    torch.manual_seed(0)
    cells, embedding = OWN[cell](4, 4, 2), torch.randn(7, 4)
    state, tokens = torch.zeros(2 if cell == "lstm" else 1, 2, 3, 4), torch.randint(0, 7, (3, 5))
    out, _ = RecurrentSteps(cell, cells, embedding).along(tokens, state)
    with torch.no_grad():
        cells.bias_hh_l1 += 0.1
    assert (RecurrentSteps(cell, cells, embedding).along(tokens, state)[0] - out).abs().max() > 1e-3


def test_where_torch_cannot_take_it_over_a_function_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    unlocked.cache_clear()
    monkeypatch.setattr(parts_unlocked, "WITHOUT", (3, 0))
    assert unlocked(go_along) is go_along
    unlocked.cache_clear()
