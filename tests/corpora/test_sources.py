"""Sources of examples: questions, next tokens, mixtures, and that a draw depends on three numbers alone."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.corpora import (
    IGNORE,
    BytePairVocabulary,
    CharacterVocabulary,
    Example,
    Mixed,
    NextToken,
    Question,
    Questions,
    SalientSpans,
    Source,
    SpanCorruption,
    prompt,
)
from clearhead.errors import ConfigError, InputError

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
        Mixed([spans, questions], [0.8, 0.2]),
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


class Counting:
    """A source that tells which of its examples was drawn."""

    def __init__(self, size: int, name: int) -> None:
        self.size, self.name = size, name

    def __len__(self) -> int:
        return self.size

    def draw(self, index: int, epoch: int, seed: int) -> Example:
        return Example([self.name, index], [epoch, seed])


@given(sizes=st.lists(st.integers(1, 30), min_size=2, max_size=4), shares=st.data())
def test_a_mixture_is_one_pass_over_its_first_source_and_gets_through_the_others(sizes: list[int], shares) -> None:
    weights = shares.draw(st.lists(st.sampled_from([0.1, 0.2, 0.5, 1.0]), min_size=len(sizes), max_size=len(sizes)))
    mixture = Mixed([Counting(size, name) for name, size in enumerate(sizes)], weights)
    epochs = 4
    drawn = [mixture.draw(index, epoch, 0) for epoch in range(epochs) for index in range(len(mixture))]
    for name, size in enumerate(sizes):
        counts = Counter(example.inputs[1] for example in drawn if example.inputs[0] == name)
        assert max(counts.values()) - min([counts[index] for index in range(size)]) <= 1
        expected = epochs * sizes[0] * weights[name] / weights[0]
        assert abs(counts.total() - expected) <= epochs or counts.total() == epochs
    assert Counter(example.inputs[1] for example in drawn if example.inputs[0] == 0) == dict.fromkeys(range(sizes[0]), epochs)
    keys = [(example.inputs[0], example.inputs[1], example.targets[0]) for example in drawn]
    assert len(set(keys)) == len(keys)


def test_a_mixture_is_spread_evenly() -> None:
    mixture = Mixed([Counting(80, 0), Counting(7, 1)], [0.8, 0.2])
    names = [mixture.draw(index, 0, 0).inputs[0] for index in range(len(mixture))]
    assert len(names) == 100
    assert all(sum(names[start : start + 10]) == 2 for start in range(0, 100, 10))


@pytest.mark.parametrize(
    ("parts", "shares"), [([], []), ([Counting(3, 0)], [0.5, 0.5]), ([Counting(3, 0)], [0.0]), ([Counting(0, 0)], [1.0])]
)
def test_a_mixture_that_cannot_be_is_refused(parts: list[Source], shares: list[float]) -> None:
    with pytest.raises(ConfigError):
        Mixed(parts, shares)
