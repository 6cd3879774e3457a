"""Salient spans: found by their looks, masked whole, with the context thinned out."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.corpora import IGNORE, BytePairVocabulary, CharacterVocabulary, SalientSpans
from clearhead.corpora.examples.salient_spans import SpanUnit, ordinary_words, salient_spans, units_of
from clearhead.errors import ConfigError


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("she sailed to Port Said with Ann B. Lee", ["Port Said", "Ann B. Lee"]),
        ("on 26 February 1840 in Łódź", ["26 February 1840", "Łódź"]),
        ("on June 4, 1931 Cleveland, Ohio fell", ["June 4, 1931", "Cleveland", "Ohio"]),
        ("in March 1970 and 1,200 of 12", ["March 1970", "1,200", "12"]),
        ("with Theresa May at the University of Basel", ["Theresa May", "University of Basel"]),
        ("of the Van der Berg family", ["Van der Berg"]),
        ("nothing to see here", []),
        ("the émigré Émile and Ødegård", ["Émile", "Ødegård"]),
        ("", []),
    ],
)
def test_what_is_salient(text: str, spans: list[str]) -> None:
    assert [text[start:end] for start, end in salient_spans(text)] == spans


def test_a_word_that_only_begins_sentences_is_no_name() -> None:
    documents = ["Although Ann left, Bo stayed."] * 12 + ["Bo saw Ann. Born in Kiel, she was born again."]
    ordinary = ordinary_words(documents)
    assert {"although", "born"} <= ordinary
    assert not {"ann", "bo"} & ordinary
    assert salient_spans(documents[0], ordinary)[0] == (9, 12)


@given(text=st.text(max_size=80))
def test_spans_are_in_order_and_never_overlap(text: str) -> None:
    ends = [place for span in salient_spans(text) for place in span]
    assert ends == sorted(ends)
    assert all(start < end for start, end in salient_spans(text))


@given(text=st.text(min_size=1, max_size=80))
@settings(deadline=None)
def test_units_put_together_are_the_document(text: str) -> None:
    class Spelled(CharacterVocabulary):
        def encode(self, text: str) -> list[int]:
            return [ord(character) for character in text]

    def unit(written: str, salient: bool) -> SpanUnit:
        return SpanUnit.of(Spelled(""), written, salient)

    spelled = [number for piece in units_of(unit, text, frozenset()) for number in piece.ids]
    assert "".join(map(chr, spelled)) == text


DOCUMENTS = [
    "Zoë Ångström was born in Łódź in 1931 and lives in Oslo, where Zoë Ångström paints.",
    "Born in Kiel, Jan Vos (4 May 1902) became a painter in Bergen.",
    "nothing salient in here at all",
]


@pytest.mark.parametrize("of", [lambda: CharacterVocabulary.of("".join(DOCUMENTS)), lambda: BytePairVocabulary.of(DOCUMENTS)])
def test_one_span_is_masked_and_stands_nowhere_else(of) -> None:
    vocabulary = of()
    source = SalientSpans(vocabulary, DOCUMENTS, dropout=0.0)
    masked = set()
    for epoch in range(60):
        context, span, loss = parts(source, vocabulary, 0, epoch)
        assert span not in context
        assert loss == span + "⁇"
        masked.add(span)
    assert masked == {"Zoë Ångström", "Łódź", "1931", "Oslo"}


def parts(source: SalientSpans, vocabulary, index: int, epoch: int) -> tuple[str, str, str]:
    """The context, the span, and what the loss is taken on."""
    example = source.draw(index, epoch, 0)
    before, after, span = vocabulary.decode(example.inputs).split("⁇")
    return before + "⁇" + after, span, vocabulary.decode(token for token in example.targets if token != IGNORE)


def test_without_dropout_the_context_is_the_rest_of_the_document() -> None:
    vocabulary = CharacterVocabulary.of("".join(DOCUMENTS))
    source = SalientSpans(vocabulary, DOCUMENTS, dropout=0.0)
    for epoch in range(20):
        context, span, _ = parts(source, vocabulary, 1, epoch)
        assert DOCUMENTS[1] in (context.replace("⁇", span), context.replace("⁇", f" {span}"))


def test_dropout_thins_the_context_and_leaves_the_order() -> None:
    vocabulary = CharacterVocabulary.of("".join(DOCUMENTS))
    source = SalientSpans(vocabulary, DOCUMENTS, dropout=1.0)
    lengths = []
    for epoch in range(200):
        context, _, _ = parts(source, vocabulary, 1, epoch)
        letters = iter(DOCUMENTS[1])
        assert all(letter in letters for letter in context if letter not in " ⁇")  # in, on an iterator, moves on
        lengths.append(len(context.split()))
    assert min(lengths) <= 1
    assert max(lengths) >= 9


def test_names_stay_apart_when_what_was_between_them_is_dropped() -> None:
    vocabulary = CharacterVocabulary.of("Ab (Cd, Ef) x")
    source = SalientSpans(vocabulary, ["Ab (Cd, Ef) x"], dropout=1.0)
    contexts = {parts(source, vocabulary, 0, epoch)[0] for epoch in range(300)}
    assert not any("AbCd" in context or "CdEf" in context or "AbEf" in context for context in contexts)
    assert any("Ab Cd" in context for context in contexts)


def test_where_nothing_is_salient_a_word_is_masked() -> None:
    vocabulary = CharacterVocabulary.of("".join(DOCUMENTS))
    source = SalientSpans(vocabulary, DOCUMENTS)
    assert {parts(source, vocabulary, 2, epoch)[1] for epoch in range(200)} == set(DOCUMENTS[2].split())


SPACED = ["Ab    (Cd,\tEf)   xy   Gh    ij", *DOCUMENTS]
VOCABULARIES = [CharacterVocabulary.of("".join(SPACED)), BytePairVocabulary.of([" Zoë Ångström born"] * 9, 300)]


@given(
    vocabulary=st.sampled_from(VOCABULARIES),
    block=st.integers(9, 60),
    epoch=st.integers(0, 50),
    index=st.integers(0, len(SPACED) - 1),
    dropout=st.floats(0, 1),
)
@settings(deadline=None, max_examples=200)
def test_an_example_fits_into_its_block(vocabulary, block: int, epoch: int, index: int, dropout: float) -> None:
    example = SalientSpans(vocabulary, SPACED, block, dropout).draw(index, epoch, 0)
    assert len(example.inputs) + 1 <= block
    assert example.inputs.count(1) == 2
    assert example.targets[-1] == 1


def test_blank_documents_are_left_out() -> None:
    assert len(SalientSpans(CharacterVocabulary.of("a"), ["", "  ", "a"])) == 1


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ConfigError, match="block"):
        SalientSpans(CharacterVocabulary.of("a"), ["a"], block=8)
    with pytest.raises(ConfigError, match="dropout"):
        SalientSpans(CharacterVocabulary.of("a"), ["a"], dropout=1.5)
