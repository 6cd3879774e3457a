"""Counting models: distributions, by the formulas, tuned on held-out training text, worse with a wrong formula."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.corpora.vocabularies.words import WordVocabulary
from clearhead.errors import InputError
from clearhead.perplexity.pair_counts import add_k, baselines, counted, kneser_ney, pairs_of, tuned_k, unigram, word_score
from oracle.kneser_ney import probability

PAIRS = st.lists(st.tuples(st.integers(0, 4), st.integers(1, 4)), min_size=1, max_size=40)  # nothing predicts 0, the start


@settings(deadline=None, max_examples=50)
@given(PAIRS)
def test_every_row_is_a_distribution_that_never_says_start(pairs: list[tuple[int, int]]) -> None:
    counts = counted(np.array(pairs), 5)
    for table in (unigram(counts, 0), add_k(counts, 0, 0.3), kneser_ney(counts, 0)):
        shares = np.exp(table)
        np.testing.assert_allclose(shares.sum(1), 1, rtol=1e-9)
        assert (shares[:, 0] == 0).all()


@settings(deadline=None, max_examples=50)
@given(PAIRS)
def test_kneser_ney_is_the_formula(pairs: list[tuple[int, int]]) -> None:
    shares = np.exp(kneser_ney(counted(np.array(pairs), 5), 0))
    for before in range(5):
        for word in range(1, 5):
            assert shares[before, word] == pytest.approx(probability(pairs, 5, 0, before, word), rel=1e-9)


def test_add_k_on_paper() -> None:
    counts = counted(np.array([(1, 2), (1, 2), (1, 3)]), 4)
    shares = np.exp(add_k(counts, 0, 0.5))
    assert shares[1].tolist() == pytest.approx([0, 0.5 / 4.5, 2.5 / 4.5, 1.5 / 4.5])
    assert shares[2].tolist() == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3])  # nothing known of it
    assert np.exp(unigram(counts, 0, 0.5))[3].tolist() == pytest.approx([0, 0.5 / 4.5, 2.5 / 4.5, 1.5 / 4.5])


def test_k_is_small_where_much_was_seen_and_large_where_little() -> None:
    chance = np.random.default_rng(0)
    repeated = np.tile([(1, 2), (2, 3), (3, 1)], (500, 1))
    noise = np.stack([chance.integers(1, 40, 300), chance.integers(1, 40, 300)], 1)
    assert tuned_k(repeated, 40, 0) < tuned_k(noise, 40, 0)


def test_the_score_with_and_without_the_unknown_word() -> None:
    table = np.log(np.array([[0, 0.5, 0.25, 0.25]] * 4) + 1e-300)
    score = word_score("even", table, np.array([(0, 1), (1, 2), (2, 2), (2, 3)]), unknown=1)
    assert score.perplexity == pytest.approx((2 * 4 * 4 * 4) ** 0.25)
    assert score.without_unknown == pytest.approx(4)


def test_baselines_by_name_from_sentences() -> None:
    vocabulary = WordVocabulary(["<s>", "</s>", "UUUNKKK", "a", "b"])
    pairs = pairs_of(vocabulary, [["a", "b"], ["b", "x"]] * 20)
    assert pairs[:3].tolist() == [[0, 3], [3, 4], [4, 1]]
    names = list(baselines(vocabulary, pairs))
    assert names[0] == "unigram"
    assert names[2] == "bigram, Kneser–Ney"
    with pytest.raises(InputError, match="empty"):
        pairs_of(vocabulary, [])
