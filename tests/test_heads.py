"""Heads: worked on paper, laws, then the oracle; self- and cross-attention, what is done to q and k, a cache."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn
from torch.testing import assert_close

from clearhead.attention import Attending, attend, attend_fused
from clearhead.errors import ConfigError, ShapeError
from clearhead.heads import MultiHeadAttention, merge_heads, split_heads
from clearhead.masks import all_of, causal, padding, perceiver_ar
from oracle.attention import several_heads

generator = torch.Generator()


@pytest.fixture(autouse=True)
def same_numbers_each_time() -> None:
    generator.manual_seed(7)
    torch.manual_seed(7)


def random(*shape: int) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=generator)


def attention(width: int, heads: int, bias: bool = False) -> MultiHeadAttention:
    return MultiHeadAttention(width, heads, bias).double()


def maps(module: MultiHeadAttention) -> tuple[list[list[float]], ...]:
    """W_Q, W_K, W_V and W_O as a person writes them, x W: a Linear holds the transpose."""
    return tuple(m.weight.mT.tolist() for m in (module.query, module.key, module.value, module.projection))


# ---- worked on paper


def test_each_head_takes_a_slice_of_the_width() -> None:
    x = torch.tensor([[1, 2, 3, 4], [5, 6, 7, 8]])
    assert split_heads(x, 2).tolist() == [[[1, 2], [5, 6]], [[3, 4], [7, 8]]]


def test_two_heads_that_look_at_different_keys_worked_on_paper() -> None:
    module = attention(2, 2)
    for linear in (module.query, module.key, module.value, module.projection):
        linear.weight.data = torch.eye(2, dtype=torch.float64)
    source = torch.tensor([[100.0, 0], [0, 100]], dtype=torch.float64)
    x, attended = module(torch.ones(1, 2, dtype=torch.float64), source)
    assert attended is not None
    assert_close(attended.weights[:, 0], torch.eye(2, dtype=torch.float64))  # head 1 finds key 1, head 2 key 2
    assert_close(x, torch.full((1, 2), 100.0, dtype=torch.float64))


# ---- laws


@given(st.integers(1, 4), st.integers(1, 5), st.integers(1, 5), st.integers(1, 3))
@settings(deadline=None)
def test_merging_undoes_splitting(heads: int, n: int, head_width: int, batch: int) -> None:
    x = torch.arange(batch * n * heads * head_width).reshape(batch, n, heads * head_width)
    assert split_heads(x, heads).shape == (batch, heads, n, head_width)
    assert torch.equal(merge_heads(split_heads(x, heads)), x)


def test_a_sequence_does_not_see_the_others_of_its_batch() -> None:
    module, x = attention(6, 3), random(2, 5, 6)
    assert_close(module(x, mask="causal")[0][1], module(x[1], mask="causal")[0])


def test_a_padded_sequence_gives_what_it_gives_alone() -> None:
    module, x = attention(6, 3), random(2, 5, 6)
    got, attended = module(x, mask=all_of(causal(5), padding([5, 2], 5)))
    assert_close(got[1, :2], module(x[1, :2], mask="causal")[0])
    assert attended is not None
    assert attended.weights.shape == (2, 3, 5, 5)
    assert bool((attended.weights[1, :, :, 2:] == 0).all())


@pytest.mark.parametrize("mask", [None, "causal", all_of(causal(5), padding([5, 2], 5))])
@pytest.mark.parametrize("bias", [False, True])
def test_fused_equals_shown_and_so_do_its_gradients(mask: Tensor | None, bias: bool) -> None:
    module, x = attention(6, 2, bias), random(2, 5, 6)

    def run(attending: Attending) -> tuple[Tensor, tuple[Tensor, ...]]:
        got, attended = module(x, mask=mask, attending=attending)
        assert (attended is None) == (attending is attend_fused)
        return got, torch.autograd.grad(got.square().sum(), tuple(module.parameters()))

    (shown, wanted), (fused, came) = run(attend), run(attend_fused)
    assert_close(fused, shown)
    for a, b in zip(came, wanted, strict=True):
        assert_close(a, b)


def test_turn_comes_after_the_split_and_before_attending() -> None:
    module, x = attention(6, 2), random(2, 5, 6)
    met = []

    def turn(q: Tensor, k: Tensor) -> tuple[Tensor, Tensor]:
        met.append((tuple(q.shape), tuple(k.shape)))
        return nn.functional.rms_norm(q, (3,)), nn.functional.rms_norm(k, (3,))

    _, attended = module(x, random(2, 7, 6), turn=turn)
    assert met == [((2, 2, 5, 3), (2, 2, 7, 3))]
    assert attended is not None
    assert bool((attended.scaled.abs() <= 3**0.5).all())  # two vectors of length √3, over √3


@pytest.mark.slow
def test_the_fused_path_compiles_into_one_graph() -> None:
    module, x = attention(6, 2), random(2, 5, 6)
    compiled = torch.compile(
        lambda x, mask: module(x, mask=mask, attending=attend_fused)[0], fullgraph=True, backend="aot_eager"
    )
    for mask in (None, "causal", causal(5), all_of(causal(5), padding([5, 2], 5))):
        assert_close(compiled(x, mask), module(x, mask=mask)[0])


class Cache:
    """Every key and value so far."""

    def __init__(self) -> None:
        self.k = self.v = torch.zeros(2, 2, 0, 3, dtype=torch.float64)

    def __call__(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        self.k, self.v = torch.cat([self.k, k], -2), torch.cat([self.v, v], -2)
        return self.k, self.v


@pytest.mark.parametrize("attending", [attend, attend_fused])
@pytest.mark.parametrize("pieces", [[1, 1, 1, 1, 1], [3, 2], [2, 1, 2]])
def test_piece_by_piece_with_a_cache_gives_what_all_at_once_gives(attending: Attending, pieces: list[int]) -> None:
    module, x, cache = attention(6, 2), random(2, 5, 6), Cache()
    parts = [module(part, mask="causal", attending=attending, remember=cache)[0] for part in x.split(pieces, dim=1)]
    assert_close(torch.cat(parts, dim=1), module(x, mask="causal")[0])


# ---- the oracle


@pytest.mark.parametrize("temperature", [1, 0.3])
def test_agrees_with_plain_loops(temperature: float) -> None:
    module, x, source, mask = attention(6, 3), random(5, 6), random(7, 6), perceiver_ar(5, 7)
    got, _ = module(x, source, mask=mask, attending=lambda q, k, v, m: attend(q, k, v, m, temperature))
    wanted = several_heads(x.tolist(), source.tolist(), maps(module), 3, mask.tolist(), temperature)
    assert_close(got, torch.tensor(wanted, dtype=torch.float64))


def test_the_comparison_rejects_heads_in_another_order_averaged_or_unsplit() -> None:
    module, x = attention(6, 3), random(5, 6)
    right = torch.tensor(several_heads(x.tolist(), x.tolist(), maps(module), 3), dtype=torch.float64)
    q, k, v = (split_heads(m(x), 3) for m in (module.query, module.key, module.value))
    heads = attend(q, k, v).output
    assert_close(module.projection(merge_heads(heads)), right)
    wrong = {
        "another order": merge_heads(heads.flip(0)),
        "averaged": heads.mean(0).repeat(1, 3),
        "heads and tokens mixed up": heads.reshape(5, 6),
        "one head": attend(module.query(x), module.key(x), module.value(x)).output,
    }
    for name, merged in wrong.items():
        assert not torch.allclose(module.projection(merged), right, atol=1e-3), name


# ---- what is refused


@pytest.mark.parametrize(("width", "heads"), [(6, 4), (6, 0), (6, -1), (0, 1)])
def test_heads_that_do_not_divide_the_width_are_refused(width: int, heads: int) -> None:
    with pytest.raises(ConfigError, match=f"heads={heads} must divide width={width}; heads that do:"):
        MultiHeadAttention(width, heads)


def test_shapes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ShapeError, match="4 heads, width 6"):
        split_heads(random(5, 6), 4)
    with pytest.raises(ShapeError, match=r"x must be \(..., n, 6\): it is \(2, 5, 7\)"):
        attention(6, 2)(random(2, 5, 7))
    with pytest.raises(ShapeError, match="source must be"):
        attention(6, 2)(random(2, 5, 6), random(6))
