"""Recurrent models: one step by the formulas, and a state that goes on from batch to batch."""

import math

import numpy as np
import pytest
import torch

from clearhead.errors import ConfigError
from clearhead.models import Recurrent, RecurrentConfig, build_model
from clearhead.training import TrainConfig
from clearhead.training.steps.loop import train
from clearhead.training.steps.streams import Lanes


def recurrent(cell: str, **sizes: int) -> Recurrent:
    torch.manual_seed(1)
    return Recurrent(RecurrentConfig(vocab=9, cell=cell, **{"layers": 2, "width": 5, "context": 4, "lanes": 3, **sizes}))


def test_a_plain_cell_worked_out_by_loops() -> None:
    model = recurrent("rnn", layers=1).double()
    tokens = [2, 7, 1]
    logits, _ = model(torch.tensor([tokens]))
    weights = {name: weight.detach().tolist() for name, weight in model.named_parameters()}
    h = [0.0] * 5
    for place, token in enumerate(tokens):
        x = weights["embedding.weight"][token]
        h = [
            math.tanh(
                weights["cells.bias_ih_l0"][i]
                + weights["cells.bias_hh_l0"][i]
                + sum(weights["cells.weight_ih_l0"][i][j] * x[j] + weights["cells.weight_hh_l0"][i][j] * h[j] for j in range(5))
            )
            for i in range(5)
        ]
        wanted = [weights["head.bias"][v] + sum(weights["head.weight"][v][i] * h[i] for i in range(5)) for v in range(9)]
        assert logits[0, place].tolist() == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
def test_a_text_in_pieces_is_the_text_as_a_whole(cell: str) -> None:
    model = recurrent(cell)
    tokens = torch.randint(0, 9, (2, 11))
    whole, last = model(tokens)
    first, state = model(tokens[:, :4])
    second, end = model(tokens[:, 4:], state)
    torch.testing.assert_close(torch.cat([first, second], 1), whole)
    torch.testing.assert_close(end, last)
    fresh, _ = model(tokens[:, 4:])
    assert not torch.allclose(fresh, second)  # the state did matter


@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
def test_the_state_is_carried_and_errors_are_not(cell: str) -> None:
    model = recurrent(cell)
    first, second = torch.randint(0, 9, (2, 3, 4))
    model.loss(first, first)
    _, state = model(first)
    torch.testing.assert_close(model.carried, state)
    loss = model.loss(second, second)
    loss.backward()
    assert not model.carried.requires_grad
    unseen = [token for token in range(9) if token not in second]
    assert (model.embedding.weight.grad[unseen] == 0).all()  # words of the batch before get no gradient


def test_rows_go_on_from_batch_to_batch_round_the_ring() -> None:
    stream = Lanes(np.arange(20, dtype=np.uint16), lanes=2, block=6)
    first, second = stream.next(), stream.next()
    assert first.inputs.tolist() == [[0, 1, 2, 3, 4, 5], [10, 11, 12, 13, 14, 15]]
    assert first.targets.tolist() == [[1, 2, 3, 4, 5, 6], [11, 12, 13, 14, 15, 16]]
    assert second.inputs.tolist() == [[6, 7, 8, 9, 10, 11], [16, 17, 18, 19, 0, 1]]
    position = stream.position
    third = stream.next().inputs
    stream.go_to(position)
    assert torch.equal(stream.next().inputs, third)


@pytest.mark.parametrize("cell", ["gru", "lstm"])
def test_a_resumed_run_ends_in_the_same_weights_and_state(cell: str, tmp_path) -> None:
    ids = np.random.default_rng(0).integers(0, 9, 200).astype(np.uint16)
    config = TrainConfig(tokens=12 * 10, batch=12, save_every=3, warmup=0.0, decay="none")
    whole = recurrent(cell)
    train(whole, Lanes(ids, 3, 4), config, tmp_path / "whole")
    train(
        recurrent(cell),
        Lanes(ids, 3, 4),
        TrainConfig(tokens=12 * 4, batch=12, save_every=3, warmup=0.0, decay="none"),
        tmp_path / "parts",
    )
    parts = recurrent(cell)
    train(parts, Lanes(ids, 3, 4), config, tmp_path / "parts")
    for (name, one), (_, other) in zip(whole.state_dict().items(), parts.state_dict().items(), strict=True):
        assert torch.equal(one, other), name
    assert "carried" in whole.state_dict()


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ConfigError, match="rnn, gru, lstm"):
        build_model({"kind": "recurrent", "cell": "gur"}, 5)
    with pytest.raises(ConfigError, match="lanes × context"):
        recurrent("gru").loss(torch.zeros(2, 4, dtype=torch.long), torch.zeros(2, 4, dtype=torch.long))
