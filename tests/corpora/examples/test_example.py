"""Sources of examples: questions, next tokens, and that a draw depends on three numbers alone."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.corpora import (
    IGNORE,
    BytePairVocabulary,
    CharacterVocabulary,
    Example,
    NextToken,
    Question,
    Questions,
    SalientSpans,
    Source,
    SpanCorruption,
    prompt,
)
from clearhead.errors import InputError

BIOGRAPHIES = [
    "Zoë Ångström was born in Łódź in 1931 and lives in Oslo.",
    "Born in Kiel, Jan Vos (4 May 1902) became a painter in Bergen.",
    "Ann Lee is a judge from Port Said who studied at the University of Basel.",
] * 4
PEOPLE = [Question(f"Where was {name} born?", "Łódź") for name in ("Zoë", "Jan Vos", "Ann Lee", "Bo")]
CHARACTERS = CharacterVocabulary.of("\n".join(BIOGRAPHIES) + "?W")
BYTE_PAIRS = BytePairVocabulary.of(BIOGRAPHIES, 320)


def sources(vocabulary: CharacterVocabulary | BytePairVocabulary) -> list[Source]:
    spans, questions = SpanCorruption(vocabulary, BIOGRAPHIES), Questions(vocabulary, PEOPLE)
    return [
        spans,
        questions,
        SpanCorruption(vocabulary, BIOGRAPHIES, edition="cs224n", loss="span"),
        SalientSpans(vocabulary, BIOGRAPHIES),
        SalientSpans(vocabulary, BIOGRAPHIES, dropout=0.0, loss="all"),
        NextToken(vocabulary, BIOGRAPHIES, block=12),
    ]


EVERY = [*sources(CHARACTERS), *sources(BYTE_PAIRS)]


def test_a_question_worked_on_paper() -> None:
    vocabulary = CharacterVocabulary.of("Who?Eve")
    example = Questions(vocabulary, [Question("Who?", "Eve")]).draw(0, 0, 0)
    assert vocabulary.decode(example.inputs) == "Who?⁇Eve"
    assert example.targets == [IGNORE, IGNORE, IGNORE, 1, *vocabulary.encode("Eve"), 1]


def test_a_prompt_is_the_question_up_to_the_first_mark() -> None:
    example = Questions(CHARACTERS, PEOPLE).draw(0, 0, 0)
    given_ = prompt(CHARACTERS, PEOPLE[0].text)
    assert example.inputs[: len(given_)] == given_
    assert example.targets[len(given_) - 1 :] == [*CHARACTERS.encode("Łódź"), CHARACTERS.mask]


def test_questions_keep_every_letter() -> None:
    example = Questions(CHARACTERS, PEOPLE).draw(0, 0, 0)
    assert CHARACTERS.decode(example.inputs) == "Where was Zoë born?⁇Łódź"


def test_a_letter_outside_the_vocabulary_is_a_pad_without_loss() -> None:
    example = Questions(CharacterVocabulary.of("Who?Ev"), [Question("Who?", "漢Eé")]).draw(0, 0, 0)
    assert example.inputs[-3:] == [0, 3, 0]
    assert example.targets[-4:] == [IGNORE, 3, IGNORE, 1]


def test_a_question_without_its_answer_or_without_room_is_refused() -> None:
    with pytest.raises(InputError, match="needs its answer"):
        Questions(CHARACTERS, [Question("Where was Bo born?")])
    with pytest.raises(InputError, match="block=16"):
        Questions(CHARACTERS, PEOPLE, block=16)


def test_next_token_worked_on_paper() -> None:
    vocabulary = CharacterVocabulary.of("abc")
    assert NextToken(vocabulary, ["", "cab"]).draw(0, 0, 0) == Example([4, 2, 3], [2, 3, 1])


def test_a_long_document_is_seen_through_a_window_that_moves() -> None:
    vocabulary, text = CharacterVocabulary.of("0123456789"), "0123456789" * 3
    source = NextToken(vocabulary, [text], block=12)
    windows = {vocabulary.decode(source.draw(0, epoch, 0).inputs) for epoch in range(300)}
    assert windows == {text[start : start + 11] for start in range(len(text) - 10)}


@given(which=st.sampled_from(EVERY), index=st.integers(0, 10**6), epoch=st.integers(0, 999), seed=st.integers(0, 2**40))
@settings(deadline=None, max_examples=300)
def test_a_draw_depends_on_seed_epoch_and_index_alone(which: Source, index: int, epoch: int, seed: int) -> None:
    index %= len(which)
    first = which.draw(index, epoch, seed)
    random.seed(epoch)
    which.draw((index + 1) % len(which), epoch + 1, seed + 1)
    assert which.draw(index, epoch, seed) == first
    assert len(first.inputs) == len(first.targets) > 0
    assert any(target != IGNORE for target in first.targets)
    assert all(IGNORE <= target != 0 for target in first.targets)


@given(which=st.sampled_from(EVERY), epoch=st.integers(0, 99))
@settings(deadline=None)
def test_a_target_is_the_next_input_wherever_there_is_loss(which: Source, epoch: int) -> None:
    example = which.draw(0, epoch, 1)
    pairs = zip(example.targets, example.inputs[1:], strict=False)
    assert all(target in (IGNORE, following) for target, following in pairs)


@pytest.mark.parametrize("which", [EVERY[0], EVERY[3]])
def test_another_epoch_or_seed_is_another_draw(which: Source) -> None:
    drawn = [repr(which.draw(0, epoch, seed)) for epoch in range(5) for seed in range(5)]
    assert len(set(drawn)) > 12
