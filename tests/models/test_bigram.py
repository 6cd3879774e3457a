"""The neural bigram: by hand in numpy, by autograd, and each distinct word worked out once."""

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from clearhead.errors import ConfigError
from clearhead.models import Bigram, BigramConfig, build_model
from clearhead.models.bigram_by_hand import BigramWeights, forward, loss_and_gradient


def random_bigram(seed: int) -> Bigram:
    torch.manual_seed(seed)
    model = Bigram(BigramConfig(vocab=7, width=3, hidden=5)).double()
    for weight in model.parameters():
        torch.nn.init.normal_(weight)
    return model


def by_hand(model: Bigram) -> BigramWeights:
    numbers = {name: weight.detach().numpy().copy() for name, weight in model.named_parameters()}
    return BigramWeights(
        numbers["embedding.weight"],
        numbers["hidden.weight"].T,
        numbers["hidden.bias"],
        numbers["head.weight"].T,
        numbers["head.bias"],
    )


@pytest.mark.parametrize("seed", range(5))
def test_the_gradient_by_hand_is_the_gradient_of_autograd(seed: int) -> None:
    model = random_bigram(seed)
    inputs, targets = torch.randint(0, 7, (2, 11))
    loss = model.loss(inputs[None], targets[None])
    loss.backward()
    value, gradient = loss_and_gradient(by_hand(model), inputs.numpy(), targets.numpy())
    assert value == pytest.approx(loss.item(), rel=1e-12)
    for got, weight in (
        (gradient.E, model.embedding.weight),
        (gradient.W1.T, model.hidden.weight),
        (gradient.b1, model.hidden.bias),
        (gradient.W2.T, model.head.weight),
        (gradient.b2, model.head.bias),
    ):
        np.testing.assert_allclose(got, weight.grad.numpy(), rtol=1e-9, atol=1e-12)


def test_the_gradient_by_hand_is_that_of_small_differences() -> None:
    weights = by_hand(random_bigram(1))
    inputs, targets = np.array([0, 3, 3]), np.array([1, 2, 6])
    _, gradient = loss_and_gradient(weights, inputs, targets)
    for name in ("E", "W1", "b1", "W2", "b2"):
        numbers = getattr(weights, name)
        place = tuple(size // 2 for size in numbers.shape)
        sides = []
        for step in (1e-6, -1e-6):
            numbers[place] += step
            sides.append(loss_and_gradient(weights, inputs, targets)[0])
            numbers[place] -= step
        assert getattr(gradient, name)[place] == pytest.approx((sides[0] - sides[1]) / 2e-6, abs=1e-8)


def test_a_forgotten_sigmoid_derivative_would_be_seen() -> None:
    weights = by_hand(random_bigram(2))
    inputs, targets = np.array([0, 3]), np.array([1, 2])
    _, gradient = loss_and_gradient(weights, inputs, targets)
    _, h, y_hat = forward(weights, inputs)
    y_hat[np.arange(2), targets] -= 1
    wrong = ((y_hat / 2) @ weights.W2.T).sum(0)
    assert not np.allclose(gradient.b1, wrong)
    assert np.allclose(gradient.b1, ((y_hat / 2) @ weights.W2.T * h * (1 - h)).sum(0))


def test_working_each_word_out_once_changes_nothing() -> None:
    model = random_bigram(3)
    inputs, targets = torch.randint(0, 7, (2, 4, 6))
    targets[0, 3:] = -1
    counted = targets >= 0
    wanted = cross_entropy(model(inputs)[counted], targets[counted])
    torch.testing.assert_close(model.loss(inputs, targets), wanted)


def test_sizes_that_cannot_be_are_refused() -> None:
    with pytest.raises(ConfigError, match="hidden"):
        build_model({"kind": "bigram", "hidden": 0}, 5)
    with pytest.raises(ConfigError, match="dropout"):
        build_model({"kind": "bigram", "dropout": 1.0}, 5)
