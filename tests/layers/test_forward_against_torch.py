"""Random modules with a straight-line forward: shapes, weights and the line of the break equal torch's."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from clearhead.layers import analyse, read_input
from clearhead.layers.values.axis_sizes import BATCH, digits
from clearhead.layers.values.tensors import Tensor
from oracle import torch_forwards
from oracle.torch_forwards import Forward

PLENTY: dict[str, Any] = {"deadline": None, "suppress_health_check": list(HealthCheck)}
MAY_BE_OPEN = ("layout in memory", "batch size", "is not followed", "take apart")


def symbolic(shape: tuple[int, ...]) -> tuple[Any, ...]:
    return tuple(size if abs(size) < BATCH // 2 else (digits(size)[1], digits(size)[0], 0) for size in shape)


def assert_agreement(net: Forward) -> str:
    """Agreement with torch, or an honest "not known"; says which it was."""
    got = analyse(net.source, read_input(net.input))
    if got.input.whole:  # an embedding takes the input: we read token ids, torch was given decimals
        assert net.break_line is not None
        return "token ids"
    if got.unknown is not None:
        assert any(words in got.unknown.why for words in MAY_BE_OPEN), f"{got.unknown}\n{net.source}"
        return "not known"
    if net.not_a_multiple:
        return "hangs on the batch"
    line = None if got.broken is None else getattr(got.broken.at.call, "lineno", got.broken.line)
    assert line == net.break_line, f"{got.broken and got.broken.why}\n{net.input}\n{net.source}\nline {net.break_line}"
    assert got.weights == net.weights
    if net.break_line is not None:
        return "breaks"
    last = got.rows[-1].output if got.rows else None
    if net.output is not None and isinstance(last, Tensor) and "y = x" not in net.source.splitlines()[-2]:
        assert symbolic(last.shape) == net.output, net.source
    return "runs"


@given(torch_forwards.forwards())
@settings(max_examples=200, **PLENTY)
def test_two_hundred_random_forwards_agree_with_torch(net: Forward) -> None:
    assert_agreement(net)


@pytest.mark.slow
@given(torch_forwards.forwards(longest=10))
@settings(max_examples=2000, **PLENTY)
def test_thousands_of_random_forwards_agree_with_torch(net: Forward) -> None:
    assert_agreement(net)
