"""The exam's net: its sizes, its sums in plain loops, its twin, and pictures moved in training alone."""

import numpy as np
import pytest
import torch

from clearhead.errors import ConfigError, ShapeError
from clearhead.models import ConvNet, ConvNetConfig, build_model, twin_of
from oracle.convnet import logits as oracle_logits


def pictures(rows: int, seed: int = 0) -> torch.Tensor:
    return torch.from_numpy(np.random.default_rng(seed).integers(0, 256, (rows, 1024)))


def net(pooling: str = "average", **options) -> ConvNet:
    torch.manual_seed(3)
    return ConvNet(ConvNetConfig(classes=10, pooling=pooling, **options)).double().eval()


def test_the_sizes_are_the_exams() -> None:
    x, shapes, weights = torch.zeros(1, 1, 32, 32, dtype=torch.float64), [], []
    for layer in net().net:
        x = layer(x)
        if not isinstance(layer, torch.nn.ReLU):
            shapes.append(tuple(x.shape[1:]))
            weights.append(sum(weight.numel() for weight in layer.parameters()))
    assert shapes == [(8, 28, 28), (8, 7, 7), (16, 6, 6), (16, 3, 3), (144,), (10,)]
    assert weights == [208, 0, 2064, 0, 0, 1450]


@pytest.mark.parametrize("pooling", ["average", "max"])
def test_agrees_with_plain_loops(pooling: str) -> None:
    model, given = net(pooling), pictures(1)
    conv1, conv2, linear = model.net[0], model.net[3], model.net[7]
    arrays = [each.detach().numpy() for layer in (conv1, conv2, linear) for each in (layer.weight, layer.bias)]
    wanted = oracle_logits(given[0].numpy().reshape(32, 32), *arrays, average=pooling == "average")
    np.testing.assert_allclose(model(given)[0].detach().numpy(), wanted, atol=1e-12)


def test_the_oracle_tells_the_poolings_apart() -> None:
    assert not torch.allclose(net("average")(pictures(1)), net("max")(pictures(1)))


def test_the_twin_says_exactly_the_same_and_has_neither_pooling_nor_linear_layer() -> None:
    model = net()
    twin, given = twin_of(model), pictures(5)
    torch.testing.assert_close(twin(given), model(given))
    kinds = {type(layer).__name__ for layer in twin.net}
    assert kinds == {"Conv2d", "ReLU", "Flatten"}
    assert sum(weight.numel() for weight in twin.parameters()) == 208 + (8 * 8 * 16 + 8) + 2064 + (16 * 16 * 4 + 16) + 1450


def test_max_pooling_has_no_twin() -> None:
    with pytest.raises(ConfigError, match="average"):
        twin_of(net("max"))


def test_pictures_are_moved_in_training_only() -> None:
    model, given = net(shift=2.0, turn=10.0, zoom=0.1), pictures(2)
    assert torch.equal(model(given), model(given))
    model.train()
    assert not torch.equal(model(given), model(given))


def test_a_shift_moves_by_at_most_so_many_pixels() -> None:
    model = net(shift=2.0).train()
    dot = torch.zeros(200, 1, 32, 32, dtype=torch.float64)
    dot[:, 0, 16, 16] = 1
    torch.manual_seed(0)
    moved = model.moved(dot)
    assert moved[:, :, 14:19, 14:19].sum().item() == pytest.approx(200)  # nothing lost, nothing further away
    assert len({tuple(each.flatten().topk(1).indices.tolist()) for each in moved}) > 10


@pytest.mark.parametrize("wrong", [{"pooling": "median"}, {"shift": -1.0}, {"zoom": 1.0}])
def test_a_setting_that_cannot_be_is_refused(wrong: dict) -> None:
    with pytest.raises(ConfigError):
        build_model({"kind": "convnet", **wrong}, 10)


def test_pictures_of_another_size_are_refused() -> None:
    with pytest.raises(ShapeError, match="32×32"):
        net()(torch.zeros(2, 784))
