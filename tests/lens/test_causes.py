"""What is left out is really out, what is brought over really comes, and everything is as before afterwards."""

import pytest
import torch
from torch.testing import assert_close

from clearhead.errors import InputError
from clearhead.heads import merge_heads, split_heads
from clearhead.lens.capture.recording import recorded
from clearhead.lens.causes.causal_trace import Region, Traced, regions_of, sites_of, trace
from clearhead.lens.causes.interventions import Change, changed
from clearhead.lens.causes.traced_run import renamed
from clearhead.lens.show.trace_text import strongest
from clearhead.models.gpt import Block
from lens.models_to_look_at import KINDS, TOKENS, model_of

ALL = pytest.mark.parametrize("kind", KINDS)
CLOSE = {"atol": 1e-5, "rtol": 1e-4}


def logits(kind: str, **change: object) -> torch.Tensor:
    model = model_of(kind)
    with torch.no_grad(), changed(model, Change(**change)):  # type: ignore[arg-type]
        return model(torch.tensor([TOKENS]))


@ALL
def test_a_head_left_out_is_a_head_whose_columns_of_the_projection_are_zero(kind: str) -> None:
    model = model_of(kind)
    block = model.blocks[1]
    assert isinstance(block, Block)
    with torch.no_grad():
        block.attention.projection.weight[:, 4:8] = 0  # head 2 of 3, 4 wide
        wanted = model(torch.tensor([TOKENS]))
    assert_close(logits(kind, without=("2.2",)), wanted, **CLOSE)
    assert not torch.allclose(logits(kind), wanted, atol=1e-3)


@ALL
def test_a_block_left_out_is_a_block_that_adds_nothing(kind: str) -> None:
    model = model_of(kind)
    block = model.blocks[1]
    assert isinstance(block, Block)
    with torch.no_grad():
        for layer in (block.attention.projection, block.narrow):
            layer.weight.zero_()
            if layer.bias is not None:
                layer.bias.zero_()
        wanted = model(torch.tensor([TOKENS]))
    assert_close(logits(kind, without=("2",)), wanted, **CLOSE)
    assert_close(logits(kind, without=("2.attention", "2.feed-forward")), wanted, **CLOSE)


def test_the_memory_left_out_is_a_memory_of_zeros() -> None:
    model = model_of("gpt modern")
    assert model.memory is not None
    with torch.no_grad():
        for table in model.memory.tables:
            table.zero_()
        wanted = model(torch.tensor([TOKENS]))
    assert_close(logits("gpt modern", without=("memory",)), wanted, **CLOSE)


@ALL
def test_temperature_one_changes_nothing_and_zero_lets_the_maximum_take_all(kind: str) -> None:
    assert_close(logits(kind, temperature=1.0), logits(kind), **CLOSE)
    model = model_of(kind)
    with changed(model, Change(temperature=0.0)):
        for call in recorded(model, TOKENS):
            top = call.weights().amax(-1)
            assert bool(((top == 1) | (top <= 0.5)).all())  # one takes all, or several share equally
            assert_close(call.weights() @ call.v, call.output, **CLOSE)


def test_the_temperature_of_one_head_leaves_the_others_as_they_are() -> None:
    model = model_of("gpt course")
    before = recorded(model, TOKENS)[0].weights()
    with changed(model, Change(temperature=0.0, heads=("1.2",))):
        after = recorded(model, TOKENS)[0].weights()
    assert torch.equal(after[:, [0, 2]], before[:, [0, 2]])
    assert bool((after[:, 1].amax(-1) == 1).all())


@ALL
def test_afterwards_everything_is_as_before(kind: str) -> None:
    model = model_of(kind)
    before = model(torch.tensor([TOKENS])).detach()
    with pytest.raises(RuntimeError), changed(model, Change(("1", "2.1"), 0.5)):
        raise RuntimeError
    assert torch.equal(model(torch.tensor([TOKENS])).detach(), before)


@pytest.mark.parametrize("part", ["4", "0.1", "1.4", "1.0", "memory", "", "x", "1.attention.2", "-1", "1.mlp", "²"])
def test_what_is_not_there_cannot_be_left_out(part: str) -> None:
    with (
        pytest.raises(InputError, match=r"heads 1\.1 to 3\.3; blocks 1 to 3"),
        changed(model_of("gpt course"), Change((part,))),
    ):
        pass


# ---- tracing

FIRST, SECOND = [3, 7, 1, 9, 2, 5], [3, 7, 4, 8, 2, 5]


def chance_of(kind: str, text: list[int], answer: int) -> float:
    with torch.no_grad():
        return float(model_of(kind)(torch.tensor([text]))[0, -1].softmax(-1)[answer])


@ALL
def test_all_of_the_other_text_brings_all_of_its_answer(kind: str) -> None:
    traced = trace(model_of(kind), FIRST, SECOND, [1], [6])
    assert traced.own == pytest.approx(chance_of(kind, FIRST, 1), rel=1e-4)
    assert traced.other == pytest.approx(chance_of(kind, FIRST, 6), rel=1e-4)
    assert traced.all_other == pytest.approx(chance_of(kind, SECOND, 6), rel=1e-4)
    everywhere = [region.name for region in traced.regions].index("everywhere")
    last = f"state after block {len(model_of(kind).blocks)}"
    assert float(traced.brought()[traced.sites.index(last), everywhere]) == pytest.approx(1, abs=1e-3)


def test_tokens_and_memory_together_are_the_other_text() -> None:
    """With the memory left out, the tokens are all there is: they bring everything."""
    model = model_of("gpt modern")
    with changed(model, Change(("memory",))):
        traced = trace(model, FIRST, SECOND, [1], [6])
    names = [region.name for region in traced.regions]
    assert float(traced.brought()[traced.sites.index("token"), names.index("whole name")]) == pytest.approx(1, abs=1e-3)


def test_a_part_that_hears_nothing_brings_nothing() -> None:
    """At the first block the last token's own embedding is the same in both texts."""
    traced = trace(model_of("gpt course"), FIRST, SECOND, [1], [6])
    names = [region.name for region in traced.regions]
    assert float(traced.brought()[traced.sites.index("token"), names.index("last token")]) == pytest.approx(0, abs=1e-4)
    assert float(traced.brought()[traced.sites.index("attention 1"), names.index("last token")]) != pytest.approx(0, abs=1e-4)


def test_texts_of_unequal_length_are_lined_up_from_their_ends() -> None:
    regions = {region.name: region.places for region in regions_of([3, 7, 1, 9, 2, 5], [3, 7, 4, 2, 5])}
    assert regions["whole name"] == (2, 3)
    assert regions["between"] == (4,)
    traced = trace(model_of("gpt course"), [3, 7, 1, 9, 2, 5], [3, 7, 4, 2, 5], [1], [6])
    assert traced.brought().isfinite().all()
    with pytest.raises(InputError, match="the same"):
        regions_of([1, 2], [1, 2])
    with pytest.raises(InputError, match="same answer"):
        trace(model_of("gpt course"), FIRST, SECOND, [1, 2], [1, 2])


def test_what_differs_is_called_a_name_only_where_it_is_one() -> None:
    traced = trace(model_of("gpt course"), FIRST, SECOND, [1], [6])
    assert renamed(traced, (1, 2, 3)) is traced
    assert [each.name for each in renamed(traced, (2,)).regions][:3] == ["what differs", "the last of it", "between"]


def test_the_strongest_parts_are_told_in_a_line() -> None:
    regions = (Region("whole name", (1,)), Region("last token", (2,)), Region("everywhere", (0, 1, 2)))
    come = torch.tensor([[0.05, 0.0, 0.9], [0.5, 0.1, 0.9], [0.0, 0.7, 0.9], [1.0, 1.0, 1.0]])
    traced = Traced(("token", "memory", "attention 1", "state after block 1"), regions, 1.0, 0.0, 1.0, 1 - come, come)
    assert strongest(traced) == "by itself most comes along with: attention 1 at last token 0.70; memory at whole name 0.50"


def test_every_part_of_a_model_is_a_site() -> None:
    assert [site.name for site in sites_of(model_of("gpt modern"))][:5] == [
        "token", "memory", "attention 1", "feed-forward 1", "state after block 1",
    ]  # fmt: skip
    assert torch.equal(merge_heads(split_heads(torch.ones(2, 4), 2)), torch.ones(2, 4))
