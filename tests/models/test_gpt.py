"""The GPT against loops in numpy, its laws, its cache, and what it refuses."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.autograd import grad
from torch.nn.functional import cross_entropy
from torch.testing import assert_close

from clearhead.attention import attend
from clearhead.errors import ConfigError, InputError, ShapeError
from clearhead.models import GPT, Cache, GPTConfig, build_model, continue_greedily
from clearhead.models.parts.phrase_memory import PhraseMemory, row_numbers
from oracle import gpt as oracle

STYLES = ["course", "modern"]


def small(style: str, memory: int = 0, seed: int = 0, **sizes: int) -> GPT:
    """A tiny model in float64 with weights all away from zero, so that every part takes part."""
    torch.manual_seed(seed)
    config = {"vocab": 11, "context": 17, "layers": 2, "heads": 3, "width": 12, "style": style, "memory": memory, **sizes}
    model = GPT(GPTConfig(**config)).double().eval()
    with torch.no_grad():
        for weight in model.parameters():
            weight.normal_(std=0.4)
    return model


def arrays(model: GPT) -> dict:
    return {name: weight.numpy() for name, weight in model.state_dict().items()}


def some_tokens(*shape: int, seed: int = 1) -> torch.Tensor:
    return torch.randint(1, 11, shape, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("memory", [0, 7])
def test_agrees_with_loops_in_numpy(style: str, memory: int) -> None:
    model, tokens = small(style, memory), some_tokens(2, 5)
    for row in range(2):
        extra = model.memory(tokens)[row].detach().numpy() if model.memory is not None else None
        wanted = oracle.logits(arrays(model), tokens[row].tolist(), 3, 2, style == "modern", extra)
        assert_close(model(tokens)[row].detach(), torch.from_numpy(wanted))


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("memory", [0, 7])
@pytest.mark.parametrize("layers", [1, 2])
def test_the_logits_after_the_last_token_are_those_of_a_whole_pass(style: str, memory: int, layers: int) -> None:
    model, tokens = small(style, memory, layers=layers), some_tokens(3, 6)
    tokens[0, :2] = 0  # a prompt of four tokens among two of six
    cache, whole = Cache(torch.tensor([2, 0, 0])), Cache(torch.tensor([2, 0, 0]))
    assert_close(model.following(tokens, cache), model(tokens, whole)[:, -1])
    assert_close(model.following(tokens[1:]), model(tokens[1:])[:, -1])
    more = some_tokens(3, 2, seed=5)
    assert_close(model.following(more, cache), model(more, whole)[:, -1])  # the cache is as full as after a whole pass


@pytest.mark.parametrize("style", STYLES)
def test_rows_of_a_cache_go_on_as_if_each_had_been_read_alone(style: str) -> None:
    model, tokens, more = small(style, memory=7), some_tokens(3, 5), some_tokens(4, 3, seed=2)
    cache = Cache(torch.zeros(3, dtype=torch.long))
    model(tokens, cache)
    chosen = torch.tensor([2, 0, 2, 1])
    wanted = model(torch.cat([tokens[chosen], more], dim=1))[:, -3:]
    assert_close(model(more, cache.rows(chosen)), wanted)
    assert_close(model(more, cache.rows(chosen)), wanted)  # what was taken from the cache has not changed it


@pytest.mark.parametrize("style", STYLES)
def test_the_oracle_rejects_a_model_that_sees_the_future(style: str) -> None:
    model, tokens = small(style), some_tokens(1, 5)

    def all_seeing(q, k, v, mask):
        return attend(q, k, v).output

    *_, (x, _) = model.states(tokens, all_seeing)
    seeing = model.head(model.last_norm(x))[0].detach()
    wanted = torch.from_numpy(oracle.logits(arrays(model), tokens[0].tolist(), 3, 2, style == "modern"))
    with pytest.raises(AssertionError):
        assert_close(seeing, wanted)


@pytest.mark.parametrize("style", STYLES)
def test_looking_and_training_take_the_same_path(style: str) -> None:
    model, tokens = small(style, memory=7), some_tokens(3, 5)
    fused = [x for x, _ in model.states(tokens)]
    looking = list(model.states(tokens, attend))
    for one, (other, attended) in zip(fused, looking, strict=True):
        assert_close(one, other)
        assert attended is not None
        assert_close(attended.weights.sum(-1), torch.ones(3, 3, 5, dtype=torch.float64))
    assert [attended.weights.shape for attended in model.trace(tokens)] == [(3, 3, 5, 5)] * 2


@pytest.mark.parametrize("style", STYLES)
def test_the_future_cannot_change_the_past(style: str) -> None:
    model, tokens = small(style, memory=7), some_tokens(1, 6)
    other = tokens.clone()
    other[0, 4:] = (other[0, 4:] + 1) % 11
    assert_close(model(tokens)[:, :4], model(other)[:, :4])
    assert not torch.allclose(model(tokens)[:, 4:], model(other)[:, 4:])


@pytest.mark.parametrize("style", STYLES)
def test_loss_is_the_mean_over_targets_that_count(style: str) -> None:
    model, tokens = small(style), some_tokens(1, 5)
    targets = torch.tensor([[-1, 3, -1, 4, 1]])
    wanted = oracle.mean_loss(model(tokens)[0].detach().numpy(), targets[0].tolist())
    assert model.loss(tokens, targets).item() == pytest.approx(wanted)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("layers", [1, 2])
def test_tokens_that_are_wanted_alone_have_the_states_of_a_whole_pass(style: str, layers: int) -> None:
    model, tokens, wanted = small(style, layers=layers), some_tokens(3, 5), torch.tensor([0, 3, 8, 14])
    assert_close(model.final(tokens, wanted=wanted), model.final(tokens).flatten(0, 1)[wanted])


@pytest.mark.parametrize("style", STYLES)
def test_weights_learn_the_same_where_only_wanted_tokens_are_worked_out(style: str) -> None:
    model, inputs, targets = small(style, memory=7), some_tokens(3, 5), some_tokens(3, 5, seed=2)
    targets[torch.tensor([[1, 1, 1, 0, 0], [1, 1, 0, 0, 1], [1, 1, 1, 1, 1]], dtype=torch.bool)] = -1
    everywhere = cross_entropy(model(inputs).flatten(0, 1), targets.flatten(), ignore_index=-1)
    weights = list(model.parameters())
    for quick, slow in zip(grad(model.loss(inputs, targets), weights), grad(everywhere, weights), strict=True):
        assert_close(quick.to_dense(), slow.to_dense())


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("pieces", [[1, 1, 1, 1, 1, 1], [3, 1, 2], [6]])
def test_a_cache_changes_nothing_token_by_token(style: str, pieces: list[int]) -> None:
    model, tokens = small(style, memory=7), some_tokens(2, 6)
    cache = Cache(torch.zeros(2, dtype=torch.long))
    parts = [model(part, cache) for part in tokens.split(pieces, dim=1)]
    assert_close(torch.cat(parts, dim=1), model(tokens))


@pytest.mark.parametrize("style", STYLES)
@settings(deadline=None, max_examples=20)
@given(lengths=st.lists(st.integers(1, 9), min_size=1, max_size=5), seed=st.integers(0, 99))
def test_unequal_prompts_together_are_answered_as_alone(style: str, lengths: list[int], seed: int) -> None:
    model = small(style, memory=7, seed=seed)
    prompts = [some_tokens(1, length, seed=seed + place)[0].tolist() for place, length in enumerate(lengths)]
    together = continue_greedily(model, prompts, most=7, stop=1)
    assert together == [slowly(model, prompt, most=7, stop=1) for prompt in prompts]


def slowly(model: GPT, prompt: list[int], most: int, stop: int) -> list[int]:
    """One prompt alone, without a cache: the whole text anew for each token."""
    said: list[int] = []
    for _ in range(most):
        token = int(model(torch.tensor([prompt + said]))[0, -1].argmax())
        if token == stop:
            break
        said.append(token)
    return said


def test_an_answer_ends_where_the_context_ends() -> None:
    model = small("modern")
    (said,) = continue_greedily(model, [[2] * 15], most=9, stop=-5)
    assert len(said) == 3  # 15 + 2 tokens fit in, and the last answer token need not


def test_dropout_is_for_training_only() -> None:
    model, tokens = small("course"), some_tokens(1, 5)
    assert_close(model(tokens), model(tokens))
    model.train()
    assert not torch.allclose(model(tokens), model(tokens))


def test_the_sizes_of_the_course() -> None:
    config = GPTConfig(vocab=256)
    assert (config.layers, config.heads, config.width, config.context, config.dropout) == (4, 8, 256, 128, 0.1)
    counted = sum(weight.numel() for weight in GPT(config).parameters())
    block = 4 * (256 * 256 + 256) + (256 * 1024 + 1024) + (1024 * 256 + 256) + 2 * 2 * 256
    assert counted == 256 * 256 + 128 * 256 + 4 * block + 2 * 256 + 256 * 256


def test_what_a_modern_block_adds_starts_at_zero() -> None:
    model = GPT(GPTConfig(vocab=11, style="modern"))
    tokens = some_tokens(1, 5)
    for x, _ in model.states(tokens):
        assert_close(x, model.embedding(tokens))
    assert_close(model(tokens), torch.zeros(1, 5, 11))


def test_matrices_are_what_muon_is_for() -> None:
    model = small("course", memory=7)
    names = {name for name, weight in model.named_parameters() if any(weight is matrix for matrix in model.matrices())}
    assert len(names) == 2 * 6
    assert all(name.startswith("blocks.") and name.endswith(".weight") for name in names)
    assert len(model.tables()) == 2


def test_a_row_of_the_memory_belongs_to_the_last_tokens_alone() -> None:
    tokens = torch.tensor([[5, 6, 7, 8], [9, 6, 7, 8], [0, 0, 7, 8]])
    pairs = row_numbers(tokens, 2, 1_000_003)
    assert pairs[0, 3] == pairs[1, 3] == pairs[2, 3]
    triples = row_numbers(tokens, 3, 1_000_003)
    assert triples[0, 3] == triples[1, 3] != triples[2, 3]
    assert triples[2, 3] == row_numbers(torch.tensor([[7, 8]]), 3, 1_000_003)[0, 1]  # pads stand before the start


def test_rows_are_spread_evenly() -> None:
    tokens = torch.randint(0, 2000, (1, 20_000), generator=torch.Generator().manual_seed(0))
    counts = torch.bincount(row_numbers(tokens, 2, 97)[0], minlength=97)
    assert counts.min() > 100
    assert counts.max() < 320


def test_a_memory_is_written_only_where_it_is_read() -> None:
    memory = PhraseMemory(rows=50, width=3, reach=3)
    memory(torch.tensor([[4, 5]])).sum().backward()
    for table in memory.tables:
        assert table.grad is not None
        assert table.grad.is_sparse
        assert table.grad.coalesce().indices().shape[1] <= 2


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"heads": 5}, "heads that do"),
        ({"style": "baroque"}, "styles"),
        ({"style": "modern", "heads": 4, "width": 12}, "even"),
        ({"layers": 0}, "layers"),
        ({"dropout": 1.0}, "dropout"),
        ({"memory": 5, "reach": 1}, "reach"),
    ],
)
def test_a_config_that_cannot_be_is_refused(changes: dict, word: str) -> None:
    with pytest.raises(ConfigError, match=word):
        GPTConfig(**{"vocab": 11, "width": 12, "heads": 3, **changes})


def test_tokens_that_do_not_fit_are_refused() -> None:
    model = small("modern")
    with pytest.raises(InputError, match="17 tokens"):
        model(some_tokens(1, 18))
    with pytest.raises(ShapeError, match="batch"):
        model(some_tokens(4))
    with pytest.raises(InputError, match="prompt"):
        continue_greedily(model, [[]], most=3, stop=1)


@pytest.mark.parametrize(
    ("settings", "word"),
    [({"kind": "magic"}, "kinds"), ({"kind": "gpt", "depth": 3}, "takes"), ({"kind": "gpt", "layers": "two"}, "int")],
)
def test_a_model_that_is_not_in_the_table_is_refused(settings: dict, word: str) -> None:
    with pytest.raises(ConfigError, match=word):
        build_model(settings, vocab=11)
