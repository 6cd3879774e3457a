"""Span corruption, sentence by sentence of the course's description."""

from math import sqrt
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.corpora import IGNORE, CharacterVocabulary, SpanCorruption
from clearhead.corpora.examples.example import Example
from clearhead.corpora.examples.span_corruption import SMALLEST_BLOCK, masked_size, split
from clearhead.errors import ConfigError
from oracle.corruption import faults_of, sizes

LETTERS = "abcdefghijklmnopqrstuvwxyzé ÅÐ."
VOCABULARY = CharacterVocabulary.of(LETTERS)
documents = st.text(st.sampled_from(LETTERS), min_size=1, max_size=150)
editions = st.sampled_from(["xcs224n", "cs224n"])


def padded(example: Example, block: int) -> tuple[str, str]:
    """An example as the course lays it out: with pads, the last token is an input too."""
    whole = [example.inputs[0], *(0 if token == IGNORE else token for token in example.targets)]
    text = VOCABULARY.decode(whole + [0] * (block - len(whole)))
    return text[:-1], text[1:]


@given(document=documents, block=st.integers(SMALLEST_BLOCK, 160), edition=editions, seed=st.integers(0, 10**6))
@settings(deadline=None, max_examples=300)
def test_every_example_is_what_the_course_describes(document: str, block: int, edition, seed: int) -> None:
    example = SpanCorruption(VOCABULARY, [document], block, edition).draw(0, 0, seed)
    assert faults_of(document, block, edition, *padded(example, block)) == []
    assert example.inputs[1:] == example.targets[:-1]


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ("spa⁇e⁇m egg⁇□□□", "pa⁇e⁇m egg⁇□□□□"),  # masked is no part of what lies between
        ("spa⁇gs⁇m eg□□□□", "pa⁇gs⁇m eg□□□□□"),  # no third mark
        ("spa⁇gs⁇m eg⁇□□□", "spa⁇gs⁇m eg⁇□□□"),  # not moved
        ("spa⁇gs⁇m eg⁇□□", "pa⁇gs⁇m eg⁇□□□"),  # too short
        ("spa⁇□gs⁇m eg⁇□□", "pa⁇□gs⁇m eg⁇□□□"),  # a pad inside
        ("s⁇⁇p⁇□□□□□□□□□□", "⁇⁇p⁇□□□□□□□□□□□"),  # cut to 2
    ],
)
def test_the_checker_rejects(x: str, y: str) -> None:
    assert faults_of("spam eggs", 16, "xcs224n", "spa⁇gs⁇m eg⁇□□□", "pa⁇gs⁇m eg⁇□□□□") == []
    assert faults_of("spam eggs", 16, "xcs224n", x, y) != []


def test_the_checker_rejects_a_document_that_stays_too_long() -> None:
    whole = "abcdefg⁇⁇hijklmn⁇"  # 14 of a block of 17: ⌊3/4·17⌋ is 12
    assert faults_of("abcdefghijklmn", 17, "xcs224n", whole[:-1], whole[1:]) != []


@pytest.mark.parametrize(("edition", "longest"), [("xcs224n", 96), ("cs224n", 112)])
def test_every_length_is_possible(edition, longest: int) -> None:
    source = SpanCorruption(VOCABULARY, ["ab" * 100], 128, edition)
    lengths = {sizes(*padded(source.draw(0, epoch, 7), 128))[0] for epoch in range(8000)}
    assert lengths == set(range(4, longest + 1))


def test_a_short_document_is_cut_to_every_length_it_has() -> None:
    source = SpanCorruption(VOCABULARY, ["abcdefg"], 128)
    assert {sizes(*padded(source.draw(0, epoch, 7), 128))[0] for epoch in range(300)} == {4, 5, 6, 7}


@pytest.mark.parametrize("length", [4, 5, 6, 7, 8, 31, 64, 96])
def test_a_quarter_is_masked_on_average(length: int) -> None:
    random, draws = Random(5), 4000
    masked = [masked_size(length, random) for _ in range(draws)]
    # Sizes lie within 1 … length/2, so their standard deviation is at most a quarter of the length.
    assert abs(sum(masked) / draws - length / 4) <= 5 * (length / 4) / sqrt(draws)
    assert min(masked) >= 1
    assert length == 4 or len(set(masked)) > 1


def test_a_quarter_is_masked_on_average_of_whole_examples() -> None:
    source = SpanCorruption(VOCABULARY, ["ab" * 100], 128)
    shares = [masked / length for length, masked in (sizes(*padded(source.draw(0, e, 3), 128)) for e in range(4000))]
    assert abs(sum(shares) / 4000 - 1 / 4) <= 5 * (1 / 4) / sqrt(4000)


def test_the_span_may_stand_anywhere() -> None:
    starts = {len(split(list(range(8)), 8, Random(seed)).prefix) for seed in range(500)}
    assert starts == set(range(8))


@pytest.mark.parametrize("document", ["a", "ab", "abc"])
def test_a_document_shorter_than_four_stays_whole(document: str) -> None:
    example = SpanCorruption(VOCABULARY, [document], 16).draw(0, 0, 1)
    assert faults_of(document, 16, "xcs224n", *padded(example, 16)) == []
    assert sizes(*padded(example, 16)) == (len(document), 1)


def test_empty_documents_are_left_out() -> None:
    assert len(SpanCorruption(VOCABULARY, ["", "abcd", ""], 16)) == 1


def test_no_loss_is_taken_on_a_character_outside_the_vocabulary() -> None:
    example = SpanCorruption(VOCABULARY, ["漢字漢字漢字"], 16).draw(0, 0, 1)
    assert set(example.targets) <= {IGNORE, VOCABULARY.mask}
    assert 0 in example.inputs


def test_the_loss_may_be_taken_on_the_span_alone() -> None:
    example = SpanCorruption(VOCABULARY, ["abcdefgh"], 16, loss="span").draw(0, 0, 1)
    second = [place for place, token in enumerate(example.inputs) if token == VOCABULARY.mask][1]
    assert set(example.targets[:second]) == {IGNORE}
    assert IGNORE not in example.targets[second:]


@pytest.mark.parametrize(("block", "edition"), [(8, "xcs224n"), (0, "xcs224n"), (64, "cs229")])
def test_what_cannot_be_is_refused(block: int, edition) -> None:
    with pytest.raises(ConfigError):
        SpanCorruption(VOCABULARY, ["abcd"], block, edition)


@given(block=st.integers(SMALLEST_BLOCK, 400), edition=editions)
def test_the_longest_document_and_its_marks_always_fit(block: int, edition) -> None:
    source = SpanCorruption(VOCABULARY, ["a" * block], block, edition)
    assert source.longest + source.edition.marks <= block
