"""Sizes against a window pushed along place by place, and against torch's own layers; what is never seen; bad input."""

from typing import Any

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from torch import nn

from clearhead.errors import InputError
from clearhead.working import work
from oracle import sliding

pairs = st.tuples(st.integers(1, 4), st.integers(1, 4))


def problem(size: list[int], **options: Any) -> dict[str, Any]:
    return {"kind": "convolution", "given": {"input": size}, "options": options}


def answer(tree: dict[str, Any]) -> tuple[list[int], int]:
    values = work(tree).values
    return [int(str(cell)) for cell in values["size"].rows[0]], int(str(values["weights"].cell))


@settings(deadline=None, max_examples=150)
@given(st.integers(1, 12), pairs, pairs, st.tuples(st.integers(0, 3), st.integers(0, 3)), pairs)
def test_sizes_agree_with_a_window_pushed_along(
    length: int, kernel: tuple[int, int], stride: tuple[int, int], padding: tuple[int, int], dilation: tuple[int, int]
) -> None:
    lengths = (length, length + 2)
    places = [
        len(sliding.starts(n, k, s, p, d)) for n, k, s, p, d in zip(lengths, kernel, stride, padding, dilation, strict=True)
    ]
    options = {"kernel": list(kernel), "stride": list(stride), "padding": list(padding), "dilation": list(dilation)}
    tree = problem([2, *lengths], filters=3, **options)
    if 0 in places:
        with pytest.raises(InputError, match=r"options\.kernel does not fit"):
            work(tree)
        return
    assert answer(tree) == ([3, *places], 3 * (2 * kernel[0] * kernel[1] + 1))
    unseen = [sliding.unseen(n, k, s, p, d) for n, k, s, p, d in zip(lengths, kernel, stride, padding, dilation, strict=True)]
    told = [said for said in work(tree).observations if "never seen" in said]
    assert [int(said.split()[0]) for said in told] == [count for count in unseen if count]


def test_the_comparison_rejects_a_forgotten_dilation() -> None:
    got, _ = answer(problem([1, 9, 9], filters=1, kernel=3, dilation=2))
    assert got[1] == len(sliding.starts(9, 3, 1, 0, 2))
    assert got[1] != len(sliding.starts(9, 3, 1, 0, 1))


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 3), st.integers(1, 3), pairs, pairs, st.integers(0, 2), st.integers(1, 2), st.booleans())
def test_agrees_with_the_layers_of_torch(
    channels: int, filters: int, kernel: tuple[int, int], stride: tuple[int, int], padding: int, dilation: int, bias: bool
) -> None:
    layer = nn.Conv2d(channels, filters, kernel, stride, padding, dilation, bias=bias)
    options = {"kernel": list(kernel), "stride": list(stride), "padding": padding, "dilation": dilation}
    tree = problem([channels, 9, 8], filters=filters, bias=bias, **options)
    size = list(layer(torch.zeros(channels, 9, 8)).shape)
    assert answer(tree) == (size, sum(p.numel() for p in layer.parameters()))


@settings(deadline=None, max_examples=60)
@given(pairs, st.one_of(st.none(), pairs), st.integers(0, 2), st.sampled_from(["max", "average"]))
def test_poolings_agree_with_torch(kernel: tuple[int, int], stride: tuple[int, int] | None, padding: int, op: str) -> None:
    assume(padding <= min(kernel) // 2)  # torch allows no more
    layer = {"max": nn.MaxPool2d, "average": nn.AvgPool2d}[op](kernel, stride, padding)
    options = {"kernel": list(kernel), "padding": padding} | ({} if stride is None else {"stride": list(stride)})
    assert answer(problem([2, 9, 8], op=op, **options)) == (list(layer(torch.zeros(2, 9, 8)).shape), 0)


def test_the_arithmetic_is_shown() -> None:
    working = work(problem([3, 32, 30], filters=8, kernel=[3, 5], stride=[1, 2], padding=[1, 0], dilation=[2, 1]))
    size, weights = working.plan.step("size"), working.plan.step("weights")
    assert working.explain(size, 0, 0, str) == "as many as filters"
    assert working.explain(size, 0, 1, str) == "32 + 2·1 - (2·(3 - 1) + 1) + 1"
    assert working.explain(size, 0, 2, str) == "⌊(30 - 5) / 2⌋ + 1"
    assert working.explain(weights, 0, 0, str) == "8·(3·3·5 + 1)"


def test_what_does_not_divide_is_told() -> None:
    said = work(problem([1, 10, 10], filters=1, kernel=3, stride=[1, 3])).observations
    assert [sentence for sentence in said if "divide" in sentence] == [
        "Columns: the stride 3 does not divide 7, so the division is rounded down, and the last column lies in no window."
    ]
    assert "1 of the 10 columns of the input is never seen." in said


def test_padding_may_be_all_that_is_cut_off() -> None:
    said = work(problem([1, 4, 4], filters=1, kernel=3, stride=2, padding=1)).observations
    assert any("last row of the padded input" in sentence for sentence in said)
    assert not any("never seen" in sentence for sentence in said)


def test_a_long_stride_jumps_over_columns() -> None:
    said = work(problem([1, 7, 7], op="max", kernel=1, stride=3)).observations
    assert said[:2] == ["4 of the 7 rows of the input are never seen.", "4 of the 7 columns of the input are never seen."]


def test_a_chain_goes_on_with_the_size_before() -> None:
    layers = [{"filters": 4, "kernel": 3}, {"op": "max", "kernel": 2}, {"filters": 2, "kernel": [7, 7], "bias": False}]
    working = work(problem([1, 16, 16], layers=layers))
    assert [step.name for step in working.plan.steps] == [
        *(f"{n}{i}" for i in (1, 2, 3) for n in ("size", "weights")),
        "weights",
    ]
    assert [str(cell) for cell in working.values["size3"].rows[0]] == ["2", "1", "1"]
    assert str(working.values["weights"].cell) == str(40 + 0 + 2 * 4 * 49)


@pytest.mark.parametrize(
    ("size", "options", "says"),
    [
        ([1, 4], {"kernel": 2, "filters": 1}, "given.input: must be [channels, height, width]"),
        ([1, 4, 0], {"kernel": 2, "filters": 1}, "given.input: must be a whole number from 1"),
        ([1, 4, 4], {"filters": 1}, "options.kernel is missing"),
        ([1, 4, 4], {"kernel": 2}, "options.filters is missing"),
        ([1, 4, 4], {"kernel": [5, 1], "filters": 1}, "options.kernel does not fit: it reaches over 5 rows, but there are 4"),
        ([1, 4, 4], {"kernel": [1, 7], "filters": 1, "padding": 1}, "it reaches over 7 columns, but there are 4 + 2·1"),
        ([1, 4, 4], {"kernel": 2, "filters": 1, "stride": 0}, "options.stride: must be a whole number from 1"),
        ([1, 4, 4], {"kernel": [1, 2, 3], "filters": 1}, "options.kernel: must be one number or [height, width]"),
        ([1, 4, 4], {"kernel": "3x3", "filters": 1}, "options.kernel: must be a whole number"),
        ([1, 4, 4], {"kernel": 2, "op": "max", "filters": 3}, 'options.filters: op = "max" has no filters'),
        ([1, 4, 4], {"kernel": 2, "op": "median"}, "options.op: must be one of convolution, max, average"),
        (
            [1, 4, 4],
            {"layers": [{"filters": 1, "kernel": 3}, {"filters": 1, "kernel": 3}]},
            "options.layers[2].kernel does not fit",
        ),
        ([1, 4, 4], {"layers": [{"kernel": 1, "filters": 1}], "kernel": 2}, "options has both layers and kernel"),
        ([1, 4, 4], {"layers": [{"kernal": 1}]}, "options.layers: [1].kernal: unknown key; did you mean kernel?"),
    ],
)
def test_bad_input_is_told_by_its_key(size: list[int], options: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError) as told:
        work(problem(size, **options))
    assert says in str(told.value)
