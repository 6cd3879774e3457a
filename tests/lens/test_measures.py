"""Measures of heads worked on paper, against loops, and labels that can fail."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead import look
from clearhead.lens import Look
from clearhead.lens.measures.head_labels import labels_of

PREVIOUS = np.eye(6, k=-1)
PREVIOUS[0, 0] = 1
EVEN = np.tril(np.ones((6, 6))) / np.arange(1, 7)[:, None]
WORDS = ["a", "b", "c", "a", "b", "d"]


def test_measures_worked_on_paper() -> None:
    seen = look([PREVIOUS, EVEN], WORDS)
    one, two = seen.measures["1.1"], seen.measures["1.2"]
    assert (one.previous, one.itself, one.entropy, one.distance) == (1, 0, 0, 1)
    assert one.first == pytest.approx(1 / 5)  # only the second token looks at the first
    assert two.spread == pytest.approx(1)
    assert two.entropy == pytest.approx(np.mean([math.log2(n) for n in range(2, 7)]))
    assert two.previous == two.itself == pytest.approx(np.mean([1 / n for n in range(2, 7)]))
    assert two.same == pytest.approx((1 / 4 + 1 / 5) / 2)  # the second a and the second b
    assert two.after_same == pytest.approx((1 / 4 + 1 / 5) / 2)  # b after the first a, c after the first b


def loops(weights: list[list[float]]) -> tuple[float, float, float]:
    """Entropy, distance and share on itself by three plain loops, over the rows that see more than one place."""
    entropies, distances, own = [], [], []
    for i, row in enumerate(weights):
        if i == 0:
            continue
        entropies.append(-sum(w * math.log2(w) for w in row if w > 0))
        distances.append(sum(w * (i - j) for j, w in enumerate(row)))
        own.append(row[i])
    return sum(entropies) / len(own), sum(distances) / len(own), sum(own) / len(own)


@settings(max_examples=30)
@given(st.integers(2, 9), st.integers(0, 10**6))
def test_measures_agree_with_plain_loops(n: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    weights = np.tril(chance.random((n, n)) + 1e-3)
    weights /= weights.sum(-1, keepdims=True)
    found = look(weights, [str(k) for k in range(n)]).measures["1.1"]
    assert (found.entropy, found.distance, found.itself) == pytest.approx(loops(weights.tolist()), rel=1e-4)


def with_controls(own: np.ndarray, blank: np.ndarray, shuffled: np.ndarray) -> Look:
    one = look(own, WORDS)
    return replace(one, controls={"blank": [look(blank, WORDS)], "shuffled": [look(shuffled, WORDS)]})


def test_a_label_holds_where_it_stands_out() -> None:
    labels = labels_of(with_controls(PREVIOUS, EVEN, PREVIOUS))["1.1"]
    assert [label.name for label in labels if label.holds] == ["previous token"]
    assert "blank model 29%" in str(labels[0])


def test_a_label_fails_where_a_blank_model_does_the_same() -> None:
    labels = labels_of(with_controls(PREVIOUS, PREVIOUS, PREVIOUS))["1.1"]
    assert not any(label.holds for label in labels)
    assert "a blank model does the same" in str(labels[0])
    even = labels_of(with_controls(EVEN, EVEN, EVEN))["1.1"]
    assert even[0].name == "broad"
    assert not any(label.holds for label in even)


def test_a_label_about_words_fails_where_shuffled_words_do_the_same() -> None:
    looking = np.tril(np.full((6, 6), 0.01))
    looking[3] = [0.0, 1.0, 0.0, 0.0, 0, 0]  # the second a looks at the b after the first
    looking[4] = [0.0, 0.0, 1.0, 0.0, 0.0, 0]  # the second b at the c after the first
    looking /= looking.sum(-1, keepdims=True)
    name = "after the same token"
    kept = next(each for each in labels_of(with_controls(looking, EVEN, EVEN))["1.1"] if each.name == name)
    lost = next(each for each in labels_of(with_controls(looking, EVEN, looking))["1.1"] if each.name == name)
    assert kept.holds
    assert not lost.holds
    assert lost.failed == "it does the same on shuffled words"


def test_parts_of_letters_are_not_the_same_token() -> None:
    """Bytes of a letter are all called `·`; they are different tokens."""
    letters = look(EVEN, ["·", "·", "語", "·", "·", "京"]).measures["1.1"]
    assert math.isnan(letters.same)
    assert math.isnan(letters.after_same)
