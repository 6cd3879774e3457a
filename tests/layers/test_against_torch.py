"""Random nets: shapes and weights equal torch's, and a net breaks exactly where torch breaks."""

from dataclasses import replace
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clearhead.layers import analyse, read_input
from clearhead.layers.values.axis_sizes import BATCH, digits
from oracle import torch_nets
from oracle.torch_nets import Net, Verdict

PLENTY = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
}


def symbolic(shape: tuple[int, ...]) -> tuple[Any, ...]:
    """Our shape in the oracle's words: a size that hangs on N is (multiple, rest, 0)."""
    return tuple(size if abs(size) < BATCH // 2 else (digits(size)[1], digits(size)[0], 0) for size in shape)


def straight(size: tuple[int, int, int]) -> bool:
    """Whether a size is a·N + b; at small batches `⌊N/2⌋` may look so, but not with the same b for both."""
    slope, rest, remainder = size
    return remainder == 0 and slope > 0 and rest <= 0


def assert_agreement(net: Net) -> None:
    got = analyse(net.source, replace(read_input(net.input), whole=net.whole))
    if got.input.whole and not net.whole:  # an embedding takes the input: we read token ids, torch was given decimals
        assert net.verdict.break_at is not None
        assert any(layer.startswith("nn.Embedding") for layer in net.layers[: net.verdict.break_at + 1])
        return
    if got.unknown is not None and "an empty map" in got.unknown.why:
        return
    if got.unknown is not None:  # only where a size hangs on the batch in a way that is no multiple of N
        assert any(isinstance(size, tuple) and not straight(size) for shape in net.verdict.shapes for size in shape), net.source
        return
    where = None if got.broken is None else got.broken.line - 3
    assert where == net.verdict.break_at, f"{got.broken and got.broken.why}\n{net.input}\n{net.source}\n{net.verdict}"
    if net.verdict.made:
        outputs = [row.output[0] if isinstance(row.output, tuple) else row.output for row in got.rows]
        assert [symbolic(each.shape) for each in outputs] == net.verdict.shapes, net.source
        assert got.weights == net.verdict.weights, net.source


@given(torch_nets.nets())
@settings(max_examples=200, **PLENTY)
def test_two_hundred_random_nets_agree_with_torch(net: Net) -> None:
    assert_agreement(net)


@pytest.mark.slow
@given(torch_nets.nets(longest=10))
@settings(max_examples=5000, **PLENTY)
def test_thousands_of_random_nets_agree_with_torch(net: Net) -> None:
    assert_agreement(net)


SIDES = st.integers(100, 4000)
WINDOWS = st.tuples(st.integers(1, 11), st.integers(1, 5), st.integers(0, 5), st.integers(1, 4), st.booleans())


@given(SIDES, SIDES, st.lists(st.tuples(st.sampled_from(["conv", "max", "transposed"]), WINDOWS), min_size=1, max_size=8))
@settings(max_examples=150, **PLENTY)
def test_large_shapes_agree_with_meta_tensors(height: int, width: int, steps: list[tuple[str, Any]]) -> None:
    """Sizes that no test could hold in memory: torch's meta tensors have shapes and no numbers."""
    layers = []
    for kind, (kernel, stride, padding, dilation, ceil) in steps:
        if kind == "conv":
            layers.append(f"nn.Conv2d(512, 512, {kernel}, {stride}, {padding}, {dilation}, groups=64, bias={ceil})")
        elif kind == "max":
            layers.append(f"nn.MaxPool2d({kernel}, {stride}, {min(padding, kernel // 2)}, ceil_mode={ceil})")
        else:
            layers.append(f"nn.ConvTranspose2d(512, 512, {kernel}, {stride}, {min(padding, kernel // 2)}, {stride - 1})")
    source = f"nn.Sequential({', '.join(layers)})"
    got = analyse(source, read_input(f"512x{height}x{width}"))
    with torch.device("meta"):
        net = eval(source, {"nn": torch.nn})
        value = torch.empty(2, 512, height, width)
    try:
        shape = tuple(net(value).shape)
    except RuntimeError:
        assert got.broken is not None
        return
    assert got.broken is None, f"{got.broken.why if got.broken else ''}\n{source}"
    assert got.rows[-1].output.shape[1:] == shape[1:]
    assert got.weights == sum(parameter.numel() for parameter in net.parameters())


@pytest.mark.parametrize(
    "verdict",
    [
        Verdict([(torch_nets.symbolic([(7, 3), (11, 3)]))], 12, None, True),
        Verdict([(torch_nets.symbolic([(7, 4), (11, 4)]))], 13, None, True),
        Verdict([], 12, 0, True),
    ],
)
def test_the_comparison_rejects_a_wrong_shape_weight_or_break(verdict: Verdict) -> None:
    layer = ["nn.Linear(2, 4)"]
    right = Verdict([(torch_nets.symbolic([(7, 4), (11, 4)]))], 12, None, True)
    assert_agreement(Net(layer, "Nx2", False, right))
    with pytest.raises(AssertionError):
        assert_agreement(Net(layer, "Nx2", False, verdict))
