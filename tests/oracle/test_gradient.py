"""The oracles of the gradient problems, against cases worked on paper."""

from math import log

import pytest

from oracle import decoder, gradient, sliding


def test_two_equal_logits_cost_one_bit() -> None:
    assert gradient.cross_entropy([3.0, 3.0], [0, 1]) == pytest.approx(log(2))


def test_a_linear_recurrence() -> None:
    assert gradient.rnn([1, 2], y=1, w=0.5, a=1, g="identity") == pytest.approx((2.5 - 1) ** 2 / 2)


def test_slopes_of_a_square() -> None:
    assert gradient.slopes(lambda x: x[0] ** 2 + 3 * x[1], [2.0, 5.0]) == pytest.approx([4, 3])


def test_a_decoder_without_differences_is_uniform() -> None:
    zeros = [[0.0, 0.0], [0.0, 0.0]]
    table = decoder.probabilities([[1.0, 0], [0, 1]], [0, 1], [(zeros, zeros, zeros)], None)
    assert decoder.loss(table, [0, 1], 1, "next") == pytest.approx(log(2))


def test_a_window_of_two_on_five_cells() -> None:
    assert sliding.starts(5, kernel=2, stride=2, padding=0, dilation=1) == [0, 2]
    assert sliding.unseen(5, kernel=2, stride=2, padding=0, dilation=1) == 1
