"""The oracle itself, against cases worked on paper."""

from math import log

import pytest

from oracle import attention as oracle


def test_one_query_two_keys() -> None:
    q, k, v = [[2.0, 0, 0, 0]], [[log(3), 0, 0, 0], [0.0, 0, 0, 0]], [[8.0], [4.0]]
    assert oracle.scaled(q, k)[0] == pytest.approx([log(3), 0])  # 2·ln 3 / √4
    assert oracle.weights(q, k)[0] == pytest.approx([3 / 4, 1 / 4])  # e^(ln 3) : e^0 = 3 : 1
    assert oracle.attend(q, k, v)[0] == pytest.approx([7])  # ¾·8 + ¼·4


def test_twice_the_temperature_is_half_the_logarithm() -> None:
    assert oracle.row_weights([log(9), 0], [True, True], 2) == pytest.approx([3 / 4, 1 / 4])


def test_at_zero_the_visible_maxima_share() -> None:
    assert oracle.row_weights([5, 2, 2, 1], [False, True, True, True], 0) == [0, 1 / 2, 1 / 2, 0]


def test_two_heads_are_two_attentions_side_by_side() -> None:
    turned = [[0.0, 1], [1, 0]]
    one = [[1.0, 0], [0, 1]]
    x = [[0.0, 8], [0, 4]]  # the first column says nothing, so head 1 averages
    # Head 1 mixes column 1 (all 0); head 2: scores 8·8, 8·4 differ by 32, so 8 wins but for e^-32; the map out swaps them.
    got = oracle.several_heads(x, x, (one, one, one, turned), heads=2)
    assert got[0] == pytest.approx([8, 0])


def test_causal_queries_stand_at_the_end() -> None:
    assert oracle.causal(2, 3) == [[True, True, False], [True, True, True]]
