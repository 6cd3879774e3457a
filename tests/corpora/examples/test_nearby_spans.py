"""Spans with the words near them: what may be asked, and that the answer is never given away."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.corpora import IGNORE, CharacterVocabulary, NearbySpans
from clearhead.errors import ConfigError

DOCUMENTS = (
    "Ada Lind. Ada Lind is a weaver born in Marrow on 4 May 1931, who moved to Port Vale and wrote for The Heron.",
    "Bo Quill (born 1950 in Tarn) is a judge.",
    "Nothing here stands out at all.",
)
VOCABULARY = CharacterVocabulary.of("".join(DOCUMENTS))


def parts(source: NearbySpans, index: int, epoch: int) -> tuple[str, str]:
    """What an example gives, and what it asks for."""
    example = source.draw(index, epoch, seed=3)
    asked = [target for target in example.targets if target != IGNORE]
    given_part = example.inputs[: len(example.inputs) + 1 - len(asked)]
    assert example.inputs[len(given_part) :] == asked[:-1]  # what is asked for stands at the end, and only there is loss
    return VOCABULARY.decode(given_part), VOCABULARY.decode(asked)


@settings(deadline=None)
@given(index=st.integers(0, 1), epoch=st.integers(0, 200), swapped=st.sampled_from([0.0, 0.5, 1.0]))
def test_an_example_asks_for_a_name_of_its_document_and_does_not_tell_it(index: int, epoch: int, swapped: float) -> None:
    source = NearbySpans(VOCABULARY, DOCUMENTS, first=1.0, swapped=swapped)
    known, asked = parts(source, index, epoch)
    anchor = ("Ada Lind", "Bo Quill")[index]
    assert asked.endswith("⁇")
    assert asked[:-1] in {"Marrow", "Port Vale", "The Heron", "Tarn"}
    assert asked[:-1] not in known
    assert anchor in known
    assert known.count("⁇") == 2


def test_every_name_is_asked_for_and_those_near_the_start_more_often() -> None:
    source = NearbySpans(VOCABULARY, DOCUMENTS, reach=120, first=1.0)
    counts: dict[str, int] = {}
    for epoch in range(300):
        _, asked = parts(source, 0, epoch)
        counts[asked[:-1]] = counts.get(asked[:-1], 0) + 1
    assert set(counts) == {"Marrow", "Port Vale", "The Heron"}
    assert counts["Marrow"] > counts["Port Vale"] > counts["The Heron"]


def test_numbers_are_asked_for_where_that_is_wanted() -> None:
    source = NearbySpans(VOCABULARY, DOCUMENTS, first=1.0, numbers=True)
    assert "1950⁇" in {parts(source, 1, epoch)[1] for epoch in range(50)}


def test_documents_with_nothing_to_ask_are_left_out() -> None:
    assert len(NearbySpans(VOCABULARY, DOCUMENTS)) == 2


def test_the_same_numbers_draw_the_same_example() -> None:
    source = NearbySpans(VOCABULARY, DOCUMENTS)
    assert source.draw(0, 1, 2) == source.draw(0, 1, 2)
    assert len({str(source.draw(0, epoch, 2)) for epoch in range(20)}) > 5


def test_an_example_fits_into_its_block() -> None:
    source = NearbySpans(VOCABULARY, DOCUMENTS, block=16)
    assert all(len(source.draw(index, epoch, 0).inputs) < 16 for index in range(2) for epoch in range(40))


def test_shares_that_cannot_be_are_refused() -> None:
    with pytest.raises(ConfigError, match="shares"):
        NearbySpans(VOCABULARY, DOCUMENTS, first=1.5)
