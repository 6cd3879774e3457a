"""Attention from token to token, also where it goes through latents."""

import pytest
import torch
from torch.testing import assert_close

from clearhead.answering.token_attention import composed, token_maps
from clearhead.models import build_model
from clearhead.models.reach import fill_randomly

SIZES = {"context": 12, "layers": 4, "heads": 2, "width": 8, "style": "modern"}
MODELS = {
    "vanilla": {"kind": "gpt"},
    "perceiver": {"kind": "perceiver", "variant": "perceiver", "bottleneck": 5},
    "perceiver that sees all": {"kind": "perceiver", "variant": "perceiver", "bottleneck": 12},
    "perceiver-causal": {"kind": "perceiver", "variant": "perceiver-causal", "bottleneck": 4},
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("n", [1, 2, 7, 12])
def test_every_map_shares_out_one_whole_among_the_tokens_that_are_seen(name: str, n: int) -> None:
    model = build_model({**SIZES, **MODELS[name]}, vocab=9).double().eval()
    fill_randomly(model, seed=3)
    maps = token_maps(model, [(7 * place) % 9 for place in range(n)])
    assert len(maps) == (4 if name == "vanilla" else 1)
    for _, weights in maps:
        assert weights.shape == (n, n)
        assert_close(weights.sum(1), torch.ones(n, dtype=torch.float64))
        assert bool((weights.triu(1) == 0).all())
        assert bool((weights >= 0).all())


def test_what_comes_by_way_of_a_latent_is_what_the_latent_looked_at() -> None:
    torch.manual_seed(0)
    down, among, up = (torch.rand(rows, columns).softmax(1) for rows, columns in ((3, 5), (3, 3), (5, 3 + 5)))
    wanted = torch.zeros(5, 5)
    for t in range(5):
        for j in range(5):
            by_latents = sum(up[t, a] * among[a, b] * down[b, j] for a in range(3) for b in range(3))
            wanted[t, j] = by_latents + up[t, 3 + j]
    assert_close(composed([down, among, up]), wanted)
    with pytest.raises(AssertionError):
        assert_close(composed([down, up]), wanted)
