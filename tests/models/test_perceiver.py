"""Both Perceivers against loops in numpy, their window in blocks, their cache, and what they refuse."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.testing import assert_close
from torch.utils._python_dispatch import TorchDispatchMode

from clearhead.attention import Attended, attend, attend_fused
from clearhead.errors import ConfigError, InputError
from clearhead.masks import course_down, course_up, strided_down, strided_places, strided_up, window
from clearhead.models import Cache, build_model, continue_greedily
from clearhead.models.parts.window_attention import attend_blocks, attend_nearby
from clearhead.models.perceiver import Perceiver, PerceiverConfig
from clearhead.models.reach import fill_randomly
from oracle import perceiver as oracle

VARIANTS = ["perceiver", "perceiver-causal"]
STYLES = ["course", "modern"]
ROTARY = {"rtol": 1e-5, "atol": 1e-5}  # the angles of rotary positions are worked out in float32, whatever the model
BOTH = pytest.mark.parametrize(("variant", "style"), [(variant, style) for variant in VARIANTS for style in STYLES])


def small(variant: str, style: str = "modern", seed: int = 0, **sizes: int) -> Perceiver:
    """A tiny model in float64 with weights all away from zero; 17 tokens are no multiple of its 6 latents."""
    settings = {"context": 17, "layers": 4, "heads": 3, "width": 12, "bottleneck": 6, **sizes}
    model = build_model({"kind": "perceiver", "variant": variant, "style": style, **settings}, vocab=11).double().eval()
    fill_randomly(model, seed)
    assert isinstance(model, Perceiver)
    return model


def some_tokens(*shape: int, seed: int = 1) -> torch.Tensor:
    return torch.randint(1, 11, shape, generator=torch.Generator().manual_seed(seed))


def random(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def wanted(model: Perceiver, tokens: torch.Tensor) -> torch.Tensor:
    config = model.config
    arrays = {name: weight.detach().numpy() for name, weight in model.state_dict().items()}
    extra = model.memory(tokens[None])[0].detach().numpy() if model.memory is not None else None
    stride = config.stride if config.all_seeing else None
    window = max(config.window, config.stride)
    found = oracle.logits(arrays, tokens.tolist(), config.heads, config.layers, config.modern, stride, extra, window)
    return torch.from_numpy(found)


@BOTH
@pytest.mark.parametrize("n", [1, 2, 3, 8, 17])
def test_agrees_with_loops_in_numpy(variant: str, style: str, n: int) -> None:
    model, tokens = small(variant, style), some_tokens(2, n)
    for row in range(2):
        assert_close(model(tokens)[row].detach(), wanted(model, tokens[row]), **ROTARY)


@pytest.mark.parametrize("variant", VARIANTS)
def test_agrees_with_loops_in_numpy_with_a_memory(variant: str) -> None:
    model, tokens = small(variant, memory=7), some_tokens(1, 9)
    assert_close(model(tokens)[0].detach(), wanted(model, tokens[0]), **ROTARY)


@pytest.mark.parametrize("window", [1, 4, 9, 17])
def test_agrees_with_loops_in_numpy_with_a_wider_window(window: int) -> None:
    model, tokens = small("perceiver-causal", window=window), some_tokens(1, 17)
    assert_close(model(tokens)[0].detach(), wanted(model, tokens[0]), **ROTARY)
    cache = Cache(torch.zeros(1, dtype=torch.long))
    assert_close(torch.cat([model(part, cache) for part in tokens.split([5, 1, 7, 4], dim=1)], dim=1), model(tokens))
    if window > 3:
        with pytest.raises(AssertionError):
            assert_close(model(tokens)[0].detach(), wanted(small("perceiver-causal"), tokens[0]), **ROTARY)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_oracle_rejects_the_other_design_and_a_forgotten_mask(variant: str) -> None:
    model, tokens = small(variant), some_tokens(1, 9)

    def all_seeing(q, k, v, mask):
        return attend(q, k, v).output

    *_, (x, _) = model.states(tokens, all_seeing)
    with pytest.raises(AssertionError):
        assert_close(model.head(model.last_norm(x))[0].detach(), wanted(model, tokens[0]), **ROTARY)
    with pytest.raises(AssertionError):
        assert_close(model(tokens)[0].detach(), wanted(small(variant, bottleneck=4), tokens[0]), **ROTARY)


def test_latents_stand_where_the_masks_say() -> None:
    course, causal = (PerceiverConfig(vocab=9, variant=variant, context=20, bottleneck=5) for variant in VARIANTS)
    assert (course.stride, causal.stride) == (1, 4)
    for n in range(1, 21):
        assert torch.equal(causal.ends(n), strided_places(n, 4))
        assert torch.equal(course.ends(n), torch.arange(min(n, 5)))
        places, ends = torch.arange(n), causal.ends(n)
        assert torch.equal(places <= ends[:, None], strided_down(n, 4))
        assert torch.equal(ends <= places[:, None], strided_up(n, 4)[:, : len(ends)])
        if n >= 5:
            assert torch.equal(places <= course.ends(n)[:, None], course_down(5, n))
            assert torch.equal(course.ends(n) <= places[:, None], course_up(n, 5))


@settings(deadline=None, max_examples=60)
@given(n=st.integers(1, 40), size=st.integers(1, 12), seed=st.integers(0, 9))
def test_a_window_in_blocks_is_a_window(n: int, size: int, seed: int) -> None:
    q, k, v = (random(2, 3, n, 5, seed=seed + place) for place in range(3))
    near, dense = attend_blocks(q, k, v, size), attend(q, k, v, window(n, size))
    assert_close(near.output, dense.output)
    assert_close(near.spread(near.weights, 0.0), dense.weights)
    assert_close(near.total, dense.scaled.masked_fill(~window(n, size), -torch.inf).logsumexp(-1))


@settings(deadline=None, max_examples=60)
@given(n=st.integers(1, 40), size=st.integers(1, 12), large=st.sampled_from([1.0, 30.0]), seed=st.integers(0, 9))
def test_latents_and_window_share_one_softmax(n: int, size: int, large: float, seed: int) -> None:
    others, mask = n // size, strided_up(n, size)
    q, k, v = random(2, 3, n, 5, seed=seed) * large, random(2, 3, others + n, 5, seed=7), random(2, 3, others + n, 5, seed=8)
    dense = attend(q, k, v, mask)
    looked = attend_nearby(attend, size, others, q, k, v, mask[:, :others])
    assert isinstance(looked, Attended)
    assert_close(looked.output, dense.output)
    assert_close(looked.weights, dense.weights)
    assert_close(looked.scaled[..., mask], dense.scaled[..., mask])
    assert_close(attend_nearby(attend_fused, size, others, q, k, v, mask[:, :others]), dense.output)
    if n > size:
        with pytest.raises(AssertionError):
            assert_close(attend_nearby(attend, size + 1, others, q, k, v, mask[:, :others]).output, dense.output)


def test_gradients_through_the_blocks_are_those_of_the_table() -> None:
    n, size, others = 23, 4, 5
    parts = [random(1, 2, n, 6).requires_grad_(), *(random(1, 2, others + n, 6, seed=s).requires_grad_() for s in (1, 2))]
    mask, weight = strided_up(n, size), random(1, 2, n, 6, seed=3)
    dense = torch.autograd.grad((attend(*parts, mask).output * weight).sum(), parts)
    blocks = torch.autograd.grad((attend_nearby(attend_fused, size, others, *parts, mask[:, :others]) * weight).sum(), parts)
    for one, other in zip(blocks, dense, strict=True):
        assert_close(one, other)


class Largest(TorchDispatchMode):
    """The number of cells in the largest tensor that any operation makes, forward or backward."""

    cells = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        for each in out if isinstance(out, tuple | list) else (out,):
            if isinstance(each, torch.Tensor):
                self.cells = max(self.cells, each.untyped_storage().nbytes() // each.element_size())
        return out


def largest_tensor(settings: dict, n: int) -> int:
    torch.manual_seed(0)
    model = build_model({"layers": 3, "heads": 1, "width": 8, "context": n, "style": "modern", **settings}, vocab=11)
    tokens = some_tokens(1, n)
    model.loss(tokens, tokens)  # what torch makes once and keeps is not counted
    with Largest() as largest:
        model.loss(tokens, tokens).backward()
    return largest.cells


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_tensor_is_as_large_as_tokens_by_tokens(variant: str) -> None:
    n = 1024
    assert largest_tensor({"kind": "perceiver", "variant": variant, "bottleneck": 64}, n) <= n * (64 + 1) < n * n / 8


def test_the_watch_sees_a_table_of_all_by_all() -> None:
    q = random(1, 1, 256, 4)
    with Largest() as largest:
        attend(q, q, q, window(256, 4))
    assert largest.cells >= 256 * 256


@BOTH
def test_a_longer_text_does_not_change_what_came_before(variant: str, style: str) -> None:
    model, tokens = small(variant, style, memory=7), some_tokens(2, 17)
    whole = model(tokens)
    for n in range(1, 17):
        assert_close(model(tokens[:, :n]), whole[:, :n])


@pytest.mark.parametrize("variant", VARIANTS)
def test_tokens_that_are_wanted_alone_have_the_states_of_a_whole_pass(variant: str) -> None:
    model, tokens, some = small(variant), some_tokens(2, 7), torch.tensor([0, 5, 6, 11])
    assert_close(model.final(tokens, wanted=some), model.final(tokens).flatten(0, 1)[some])


@BOTH
def test_looking_and_training_take_the_same_path(variant: str, style: str) -> None:
    model, tokens = small(variant, style), some_tokens(3, 17)
    for (one, _), (other, attended) in zip(model.states(tokens), model.states(tokens, attend), strict=True):
        assert_close(one, other)
        assert attended is not None
        assert_close(attended.weights.sum(-1), torch.ones(attended.weights.shape[:-1], dtype=torch.float64))
    shapes = [tuple(attended.weights.shape[2:]) for attended in model.trace(tokens)]
    m = 6 if variant == "perceiver" else 17 // 3
    assert shapes == [(m, 17), (m, m), (m, m), (17, m) if variant == "perceiver" else (17, m + 17)]


@BOTH
@pytest.mark.parametrize("pieces", [[1] * 17, [3, 1, 2, 11], [9, *[1] * 8], [17]])
def test_a_cache_changes_nothing_token_by_token(variant: str, style: str, pieces: list[int]) -> None:
    model, tokens = small(variant, style, memory=7), some_tokens(2, 17)
    cache = Cache(torch.zeros(2, dtype=torch.long))
    parts = [model(part, cache) for part in tokens.split(pieces, dim=1)]
    assert_close(torch.cat(parts, dim=1), model(tokens))


@BOTH
@settings(deadline=None, max_examples=10)
@given(
    lengths=st.lists(st.integers(1, 16), min_size=1, max_size=5), waist=st.sampled_from([1, 4, 6, 17]), seed=st.integers(0, 99)
)
def test_unequal_prompts_together_go_on_as_alone(variant: str, style: str, lengths: list[int], waist: int, seed: int) -> None:
    """Prompts shorter and longer than the waist, gone on with past it and, where the longest allows it, up to the context."""
    model = small(variant, style, memory=7, seed=seed, bottleneck=waist)
    prompts = [some_tokens(1, length, seed=seed + place)[0].tolist() for place, length in enumerate(lengths)]
    most = 17 - max(lengths) + 1
    together = continue_greedily(model, prompts, most=most, stop=1)
    assert together == [slowly(model, prompt, most, stop=1) for prompt in prompts]


def slowly(model: Perceiver, prompt: list[int], most: int, stop: int) -> list[int]:
    """One prompt alone, without a cache: the whole text anew for each token."""
    said: list[int] = []
    for _ in range(most):
        token = int(model(torch.tensor([prompt + said]))[0, -1].argmax())
        if token == stop:
            break
        said.append(token)
    return said


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_answer_ends_where_the_context_ends(variant: str) -> None:
    (said,) = continue_greedily(small(variant), [[2]], most=99, stop=-5)
    assert len(said) == 17
    with pytest.raises(InputError, match="17 tokens"):
        small(variant)(some_tokens(1, 18))


def test_between_two_latents_the_cache_leaves_the_middle_alone() -> None:
    model, cache = small("perceiver-causal"), Cache(torch.zeros(1, dtype=torch.long))
    counted = []
    for place in range(17):
        model(some_tokens(1, 1), cache)
        counted.append(cache.keys[1].shape[2] if 1 in cache.keys else 0)
        assert cache.keys[0].shape[2] == place + 1
    assert counted == [(place + 1) // 3 for place in range(17)]


def test_the_basis_starts_xavier_uniform_and_only_the_course_has_one() -> None:
    torch.manual_seed(0)
    model = Perceiver(PerceiverConfig(vocab=9, width=256, bottleneck=64))
    assert model.basis is not None
    limit = (6 / (64 + 256)) ** 0.5
    assert limit * 0.99 < model.basis.abs().max() <= limit
    assert model.basis.std().item() == pytest.approx(limit / 3**0.5, rel=0.02)
    assert Perceiver(PerceiverConfig(vocab=9, variant="perceiver-causal")).basis is None
    assert not any(weight is model.basis for weight in model.matrices())


@BOTH
def test_everything_learns(variant: str, style: str) -> None:
    torch.manual_seed(0)
    sizes = {"context": 12, "layers": 3, "heads": 2, "width": 16, "bottleneck": 4, "dropout": 0.0}
    model = build_model({"kind": "perceiver", "variant": variant, "style": style, **sizes}, vocab=11)
    fill_randomly(model, 0, spread=0.1)
    tokens = some_tokens(4, 12)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for _ in range(40):
        optimiser.zero_grad()
        loss = model.loss(tokens[:, :-1], tokens[:, 1:])
        loss.backward()
        assert all(weight.grad is not None for weight in model.parameters())
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0] / 2


def test_dropout_is_for_training_only() -> None:
    for variant in VARIANTS:
        model, tokens = small(variant, "course"), some_tokens(1, 9)
        assert_close(model(tokens), model(tokens))
        model.train()
        assert not torch.allclose(model(tokens), model(tokens))


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"variant": "oracular"}, "variants: perceiver, perceiver-causal"),
        ({"bottleneck": 0}, "from 1 to context=17"),
        ({"bottleneck": 18}, "from 1 to context=17"),
        ({"window": 18}, "from 0 to context=17"),
        ({"layers": 1}, "too few"),
        ({"heads": 5}, "heads that do"),
    ],
)
def test_a_config_that_cannot_be_is_refused(changes: dict, word: str) -> None:
    sizes = {"context": 17, "bottleneck": 6, "width": 12, "heads": 3, **changes}
    with pytest.raises(ConfigError, match=word):
        build_model({"kind": "perceiver", **sizes}, vocab=11)
