"""Overlap with the training text, distance to it, and the named steps of preparing."""

from collections import Counter
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearhead.perplexity.derivation import Piece
from clearhead.perplexity.overlap import distance, overlap, plain_words
from clearhead.perplexity.passages import dearest
from clearhead.perplexity.text_preparation import STEPS

STORY = "it was a dark and stormy night and the rain fell in torrents except at occasional intervals"


def test_a_text_overlaps_itself_and_not_another() -> None:
    assert overlap([STORY], ["so " + STORY.upper() + "!"]) == 1
    assert overlap([STORY], ["call me ishmael some years ago never mind how long precisely"]) == 0
    assert overlap(["too short"], [STORY]) == 0
    assert 0 < overlap([STORY], [STORY[:45]]) < 0.5


@given(st.text("ab ,1\n", max_size=40), st.integers(1, 5))
def test_words_do_not_depend_on_the_chunks(text: str, size: int) -> None:
    assert list(plain_words(text[i : i + size] for i in range(0, len(text), size))) == list(plain_words([text]))


def test_the_distance_is_kl_with_half_a_count() -> None:
    near, far = Counter("aab"), Counter("aaz")
    training = Counter("aaaabb")
    wanted = 2 / 3 * log2((2 / 3) / (4.5 / 7)) + 1 / 3 * log2((1 / 3) / (2.5 / 7))
    assert distance(near, training) == pytest.approx(wanted)
    assert distance(far, training) > distance(near, training)


def test_tokens_smaller_than_words_are_put_together() -> None:
    pieces = [(Piece(1, 1, letter), log2(8)) for letter in "ab ab c"]
    assert [(name, times) for name, times, _ in dearest(pieces, of_words=False)] == [("ab", 2), ("c", 1)]
    assert ("a", 2) in [(name, times) for name, times, _ in dearest(pieces, of_words=True)]


@pytest.mark.parametrize(
    ("step", "before", "after"),
    [
        ("lower-casing", "The CAT", "the cat"),
        ("letters without marks", "Māori café", "Maori cafe"),
        ("plain punctuation", "“so” – (yes)", '"so" - ,yes,'),
        ("numbers folded", "1250 and 7", "3333 and 3"),
        ("speaker lines dropped", "FIRST:\nHail.\nNow: go\n", "Hail.\nNow: go\n"),
    ],
)
def test_each_step_does_what_its_name_says(step: str, before: str, after: str) -> None:
    assert STEPS[step](before) == after
