"""The kinds take what people have: large logits, log-probabilities, labels of ±1, any net, "same", and actual numbers."""

import math
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional as F

from clearhead import work
from clearhead.errors import InputError
from clearhead.working.render import render

RNG = np.random.default_rng(9)
ACTIVATIONS = {"sigmoid": torch.sigmoid, "tanh": torch.tanh, "relu": torch.relu, "identity": lambda x: x}


def table(*shape: int) -> Any:
    return RNG.integers(-2, 3, shape)


def names_of(working: Any) -> list[str]:
    return [step.name for step in working.steps]


@pytest.mark.parametrize("z", [[1000, 999, 0], [-5000, -5001], [10**12, 0], [700, 700]])
def test_large_logits_have_their_maximum_subtracted(z: list[int]) -> None:
    working = work(kind="softmax", z=z)
    assert names_of(working) == ["shifted", "exponentials", "sum", "probabilities"]
    wanted = torch.softmax(torch.tensor(z, dtype=torch.float64), 0).tolist()
    assert working["probabilities"].tolist() == pytest.approx(wanted, rel=1e-12, abs=1e-300)
    assert max(working["shifted"].tolist()) == 0


def test_the_maximum_is_subtracted_where_it_is_asked_for_and_rounded_steps_survive() -> None:
    working = work(kind="softmax", z=[-9, -9, -10], shift=True, temperature=2, round=2)
    assert names_of(working) == ["scaled", "shifted", "exponentials", "sum", "probabilities"]
    assert working["probabilities"].tolist() == [0.38, 0.38, 0.23]


def test_a_share_that_only_looks_like_nothing_is_said() -> None:
    assert any("Number 2 gets a share that is not 0" in words for words in work(kind="softmax", z=[0, -5000]).observations)
    assert not any("not 0 but" in words for words in work(kind="softmax", z=[0, 1]).observations)


@given(logs=st.lists(st.integers(-30, 0), min_size=1, max_size=6), base=st.sampled_from(["e", 2, 10]))
@settings(deadline=None, max_examples=30)
def test_perplexity_from_log_probabilities(logs: list[int], base: Any) -> None:
    working = work(kind="perplexity", log_probabilities=[f"{x}/10" for x in logs], base=base)
    wanted = (math.e if base == "e" else base) ** (-sum(logs) / 10 / len(logs))
    assert working["perplexity"].tolist() == pytest.approx(wanted, rel=1e-12)


def test_log_probabilities_and_probabilities_agree() -> None:
    logs = work(kind="perplexity", log_probabilities=[-1, -2, -3, -2], base=2)
    assert logs["perplexity"] == work(kind="perplexity", probabilities=["1/2", "1/4", "1/8", "1/4"], base=2)["perplexity"]
    with pytest.raises(InputError, match="probability above 1"):
        work(kind="perplexity", log_probabilities=[1])
    with pytest.raises(InputError, match="give one of them"):
        work(kind="perplexity", log_probabilities=[-1], probabilities=[1])


@pytest.mark.parametrize("penalty", [{}, {"penalty": "l2", "lambda_": 2}])
def test_a_label_of_minus_one_is_the_class_zero(penalty: dict[str, Any]) -> None:
    parts = {"kind": "gradient", "of": "logistic", "x": [1, 2], "w": ["1/2", -1], "rate": 1, **penalty}
    minus, zero = work(**parts, y=-1), work(**parts, y=0)
    for name in ("loss", "d_w", "new_w"):
        assert minus[name] == zero[name]
    assert minus["t"].tolist() == 0
    assert "t is 0" in str(minus)


@pytest.mark.parametrize("layers", [1, 2, 3, 4])
@pytest.mark.parametrize("g", ACTIVATIONS)
@pytest.mark.parametrize("biases", ["all", "none", "first"])
def test_a_net_of_any_depth_against_autograd(layers: int, g: str, biases: str) -> None:
    widths = [2, *([2] * (layers - 1)), 3]
    parts: dict[str, Any] = {"x": table(2), "y": [0, 1, 0]}
    for k in range(1, layers + 1):
        parts[f"W{k}"] = table(widths[k - 1], widths[k])
        if biases == "all" or (biases == "first" and k == 1):
            parts[f"b{k}"] = table(widths[k])
    working = work(kind="gradient", of="network", g=g, rate="1/10", **parts)
    leaves = {name: torch.tensor(np.array(value), dtype=torch.float64, requires_grad=True) for name, value in parts.items()}
    h = leaves["x"]
    for k in range(1, layers + 1):
        h = h @ leaves[f"W{k}"] + leaves.get(f"b{k}", torch.zeros(()))
        h = ACTIVATIONS[g](h) if k < layers else h
    loss = -(leaves["y"].detach() * torch.log_softmax(h, 0)).sum()
    loss.backward()  # type: ignore[no-untyped-call]
    assert working["loss"].tolist() == pytest.approx(loss.item(), rel=1e-12)
    for name, leaf in leaves.items():
        if name != "y":
            assert leaf.grad is not None
            assert np.allclose(np.asarray(working[f"d_{name}"]), leaf.grad.numpy(), rtol=1e-11, atol=1e-12), name
        if name[0] in "Wb":
            assert np.allclose(np.asarray(working[f"new_{name}"]), (leaf - leaf.grad / 10).detach().numpy())  # type: ignore[operator]
    for form in ("text", "latex", "html"):
        assert render(working, form)


def test_nets_that_do_not_fit_are_named() -> None:
    good = {"kind": "gradient", "of": "network", "x": [1, 2], "y": [1, 0], "W1": [[1, 0], [0, 1]]}
    for parts, words in (
        ({"b2": [1, 1]}, "given.b2 has no W2"),
        ({"W3": [[1, 0], [0, 1]]}, "given.W2 is missing"),
        ({"W1": [[1], [0]]}, "W1 has 1 columns and given.y has 2"),
        ({"g": "gelu"}, "given.g: must be one of"),
    ):
        with pytest.raises(InputError, match=words):
            work(**{**good, **parts})


@pytest.mark.parametrize(("kernel", "stride", "dilation"), [(3, 1, 1), (5, 2, 1), ([3, 1], 1, 2), (1, 3, 1), (2, 1, 2)])
def test_same_padding_keeps_the_size(kernel: Any, stride: int, dilation: int) -> None:
    working = work(
        kind="convolution", input=[1, 11, 8], filters=4, kernel=kernel, stride=stride, padding="same", dilation=dilation
    )
    assert working["size"].tolist() == [4, math.ceil(11 / stride), math.ceil(8 / stride)]


def test_same_padding_of_an_even_kernel_is_refused() -> None:
    with pytest.raises(InputError, match="odd kernel"):
        work(kind="convolution", input=[1, 8, 8], filters=1, kernel=2, padding="same")


@given(data=st.data())
@settings(deadline=None, max_examples=30)
def test_a_convolution_of_actual_numbers_against_torch(data: st.DataObject) -> None:
    channels, stride = data.draw(st.integers(1, 2)), data.draw(st.integers(1, 2))
    padding, dilation = data.draw(st.integers(0, 2)), data.draw(st.integers(1, 2))
    image, filter_, shift = table(channels, 5, 4), table(channels, 2, 2), data.draw(st.integers(-2, 2))
    working = work(
        kind="convolution",
        image=image[0] if channels == 1 else image,
        filter=filter_[0] if channels == 1 else filter_,
        shift=shift,
        stride=stride,
        padding=padding,
        dilation=dilation,
    )
    wanted = F.conv2d(
        torch.tensor(image, dtype=torch.float64)[None],
        torch.tensor(filter_, dtype=torch.float64)[None],
        torch.tensor([shift], dtype=torch.float64),
        stride=stride,
        padding=padding,
        dilation=dilation,
    )[0, 0]
    assert working["output"].tolist() == wanted.tolist()
    for i, j in working["output"].places():
        told = working.explain(working.plan.step("output"), i, j, str)
        assert eval(told.replace("·", "*")) == wanted[i, j]  # our own sums of whole numbers


@pytest.mark.parametrize("op", ["max", "average"])
@pytest.mark.parametrize(("kernel", "stride", "padding"), [(2, None, 0), (3, 1, 1), (2, 1, 0)])
def test_a_pooling_of_actual_numbers_against_torch(op: str, kernel: int, stride: int | None, padding: int) -> None:
    image = table(2, 4, 5)
    options = {"kernel": kernel, "padding": padding} | ({"stride": stride} if stride else {})
    working = work(kind="convolution", op=op, image=image, **options)
    pool = F.max_pool2d if op == "max" else F.avg_pool2d
    wanted = pool(torch.tensor(image, dtype=torch.float64)[None], kernel, stride or kernel, padding)[0]
    for channel in (1, 2):
        assert working[f"output{channel}"].tolist() == pytest.approx(wanted[channel - 1].numpy())


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"filter": [[1, 1, 1]]}, "the window reaches over 3"),
        ({"filter": [[[1]], [[1]]]}, "1 channels and given.filter 2"),
        ({}, "given.filter is missing"),
        ({"filter": [[1]], "kernel": 2}, "options.kernel has no place"),
        ({"op": "max"}, "options.kernel is missing"),
        ({"op": "max", "kernel": 1, "filter": [[1]]}, "a pooling has no filter"),
        ({"filter": [[1]], "input": [1, 2, 2]}, "both input and image"),
        ({"filter": [[1]], "layers": [{"kernel": 1, "op": "max"}]}, "one layer is worked"),
    ],
)
def test_numbers_that_do_not_fit_are_named(parts: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        work(kind="convolution", image=[[1, 2], [3, 4]], **parts)
