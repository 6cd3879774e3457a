"""The deep averaging network against plain loops: logits, loss, pads, dropout of words, and a refusal of what cannot be."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from clearhead.errors import ConfigError
from clearhead.models import Averaging, AveragingConfig, build_model
from clearhead.models.reach import fill_randomly
from oracle import averaging as oracle

VOCAB = 13


def net(layers: int = 2, pairs: int = 17, seed: int = 0, **options) -> Averaging:
    config = AveragingConfig(vocab=VOCAB, width=5, hidden=7, layers=layers, pairs=pairs, **options)
    model = Averaging(config).double().eval()
    fill_randomly(model, seed)
    return model


def test_worked_on_paper() -> None:
    model = Averaging(AveragingConfig(vocab=4, width=2, layers=0)).double().eval()
    with torch.no_grad():
        model.embedding.weight.copy_(torch.tensor([[9, 9], [2, 0], [0, 4], [4, -1]]))
        model.head.weight.copy_(torch.tensor([[1, 10]]))
        model.head.bias.fill_(0.5)
    assert model(torch.tensor([[1, 2, 3, 0]])).tolist() == [[0, 12.5]]  # average (2, 1): 2 + 10 + ½; the first class has 0


@given(
    tokens=st.lists(st.integers(1, VOCAB - 1), min_size=1, max_size=9),
    layers=st.integers(0, 3),
    pairs=st.sampled_from([0, 17]),
    pads=st.integers(0, 3),
)
def test_agrees_with_plain_loops_whatever_pads_follow(tokens: list[int], layers: int, pairs: int, pads: int) -> None:
    model = net(layers, pairs)
    got = model(torch.tensor([tokens + [0] * pads]))[0, 1].item()
    assert got == pytest.approx(oracle.logit(oracle.weights_of(model), tokens), abs=1e-12)


def test_the_loss_is_the_mean_cross_entropy() -> None:
    model, texts, labels = net(), [[3, 1, 4], [5, 9, 2]], [1, 0]
    wanted = oracle.cross_entropy([oracle.logit(oracle.weights_of(model), text) for text in texts], labels)
    assert model.loss(torch.tensor(texts), torch.tensor(labels)[:, None]).item() == pytest.approx(wanted, abs=1e-12)


def test_of_three_classes_each_has_a_logit_and_their_shares_are_one() -> None:
    model = net(classes=3)
    assert model.head.weight.shape == (3, 7)
    shares = model.chances(torch.tensor([[3, 1, 4], [5, 9, 2]]))
    torch.testing.assert_close(shares.sum(-1), torch.ones(2, dtype=torch.float64))
    loss = model.loss(torch.tensor([[3, 1, 4], [5, 9, 2]]), torch.tensor([[2], [0]]))
    assert loss.item() == pytest.approx(-(shares[0, 2].log() + shares[1, 0].log()).item() / 2)


def test_the_order_of_words_counts_only_where_there_are_pairs() -> None:
    texts = torch.tensor([[1, 2, 3, 4], [4, 3, 2, 1]])
    with_pairs, without = net(pairs=997)(texts), net(pairs=0)(texts)
    assert with_pairs[0, 1] != with_pairs[1, 1]
    torch.testing.assert_close(without[0], without[1])


def test_words_are_dropped_in_training_only_and_the_average_is_over_those_that_stay() -> None:
    model = net(layers=0, pairs=0, word_dropout=0.5, dropout=0.0)
    tokens = torch.tensor([[3, 7]])
    still = {round(model(tokens)[0, 1].item(), 9) for _ in range(20)}
    torch.manual_seed(0)
    model.train()
    shaken = {round(model(tokens)[0, 1].item(), 9) for _ in range(200)}
    kept = ([3, 7], [3], [7], [])
    assert len(still) == 1
    assert shaken == {round(oracle.logit(oracle.weights_of(model), tokens), 9) for tokens in kept}


def test_a_text_without_words_has_an_average_of_zero() -> None:
    model = net()
    assert model(torch.tensor([[0]]))[0, 1].item() == pytest.approx(oracle.logit(oracle.weights_of(model), []), abs=1e-12)


def test_its_tables_learn_by_rows_and_reach_the_loss() -> None:
    model = net()
    model.loss(torch.tensor([[1, 2]]), torch.tensor([[1]])).backward()
    assert [table.grad.is_sparse for table in model.tables()] == [True, True]
    assert sorted(set(model.embedding.weight.grad.coalesce().indices()[0].tolist())) == [1, 2]


@pytest.mark.parametrize("wrong", [{"width": 0}, {"layers": -1}, {"word_dropout": 1.0}, {"dropout": -0.1}, {"pairs": -1}])
def test_a_setting_that_cannot_be_is_refused(wrong: dict) -> None:
    with pytest.raises(ConfigError):
        build_model({"kind": "averaging", **wrong}, VOCAB)
