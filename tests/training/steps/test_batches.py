"""Batches: nothing is lost, little is padded, and any position can be gone back to."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.corpora import IGNORE, Example
from clearhead.errors import ConfigError, InputError
from clearhead.training import Batches, Interleaved
from clearhead.training.steps.batches import epoch_tokens, padded


class Numbered:
    """Example i holds the number i + 1 as often as its length says."""

    def __init__(self, lengths: list[int]) -> None:
        self.lengths = lengths

    def __len__(self) -> int:
        return len(self.lengths)

    def draw(self, index: int, epoch: int, seed: int) -> Example:
        return Example([index + 1] * self.lengths[index], [epoch] * self.lengths[index])


sources = st.lists(st.integers(1, 20), min_size=1, max_size=30).map(Numbered)


def same(one, other) -> bool:
    return torch.equal(one.inputs, other.inputs) and torch.equal(one.targets, other.targets) and one.tokens == other.tokens


@settings(deadline=None)
@given(source=sources, tokens=st.integers(1, 60), seed=st.integers(0, 5))
def test_a_pool_as_large_as_the_source_holds_each_example_once(source: Numbered, tokens: int, seed: int) -> None:
    batches = Batches(source, tokens, seed, pool=len(source))
    seen: list[int] = []
    while batches.position[0] == 0:
        batch = batches.next()
        seen += batch.inputs[:, 0].tolist()
        assert batch.inputs.numel() <= max(tokens, batch.inputs.shape[1])  # only a batch of one may be too long
        assert batch.tokens == int((batch.inputs > 0).sum())
    assert sorted(seen) == list(range(1, len(source) + 1))


@settings(deadline=None)
@given(source=sources, steps=st.integers(0, 20))
def test_any_position_can_be_gone_back_to(source: Numbered, steps: int) -> None:
    def stream() -> Interleaved:
        return Interleaved([Batches(source, 40, 1, pool=7), Batches(source, 30, 2, pool=5)], [0.8, 0.2])

    first = stream()
    for _ in range(steps):
        first.next()
    position = first.position
    wanted = [first.next() for _ in range(4)]
    second = stream()
    second.go_to(position)
    assert all(same(second.next(), batch) for batch in wanted)


def test_the_seed_decides() -> None:
    source = Numbered([3, 5, 2, 9, 4, 4, 7])
    one, again, other = (Batches(source, 12, seed, pool=7) for seed in (1, 1, 2))
    assert all(same(one.next(), again.next()) for _ in range(9))
    assert not all(same(one.next(), other.next()) for _ in range(9))


def test_little_is_padding() -> None:
    lengths = torch.randint(5, 60, (500,), generator=torch.Generator().manual_seed(0)).tolist()
    batches = Batches(Numbered(lengths), 1024, 0, pool=500)
    real = whole = 0
    while batches.position[0] == 0:
        batch = batches.next()
        real, whole = real + batch.tokens, whole + batch.inputs.numel()
    assert real / whole > 0.9


def test_shares_are_shares_of_the_tokens() -> None:
    stream = Interleaved([Batches(Numbered([5] * 9), 20, 0), Batches(Numbered([9] * 9), 18, 0, frozen=("memory",))], [3, 1])
    counts = {(): 0, ("memory",): 0}
    for _ in range(400):
        batch = stream.next()
        counts[batch.frozen] += batch.tokens
    assert counts[()] / sum(counts.values()) == pytest.approx(0.75, abs=0.01)


def test_no_loss_is_taken_on_padding() -> None:
    batch = padded([Example([5, 6, 7], [6, 7, 1]), Example([8], [1])])
    assert batch.inputs.tolist() == [[5, 6, 7], [8, 0, 0]]
    assert batch.targets.tolist() == [[6, 7, 1], [1, IGNORE, IGNORE]]
    assert batch.tokens == 4


def test_tokens_of_an_epoch() -> None:
    assert epoch_tokens(Numbered([3, 5, 2]), seed=0) == 10


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(InputError, match="empty"):
        Batches(Numbered([]), 10, 0)
    with pytest.raises(ConfigError, match="token"):
        Batches(Numbered([1]), 0, 0)
    with pytest.raises(ConfigError, match="share"):
        Interleaved([Batches(Numbered([1]), 5, 0)], [0.0])
