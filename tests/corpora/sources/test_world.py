"""The built-in world: the same from the same seed, fair splits, a baseline worth beating, knobs that do what they say."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.corpora import (
    CharacterVocabulary,
    WorldConfig,
    build_world,
    find_corpus,
    invent_people,
    most_common_answer,
    world_of,
)
from clearhead.corpora.sources.phrasings import PHRASINGS
from clearhead.errors import ClearheadError, ConfigError

worlds = st.builds(
    WorldConfig,
    seed=st.integers(0, 10**6),
    people=st.integers(20, 120),
    biographies_each=st.integers(1, 30),
    places=st.integers(2, 40),
    phrasings=st.integers(1, len(PHRASINGS)),
    sound=st.floats(0, 1),
)


def test_the_same_seed_is_the_same_world_and_another_is_another() -> None:
    assert build_world(3) == build_world(3)
    assert build_world(3).biographies != build_world(4).biographies


@given(config=worlds)
@settings(deadline=None, max_examples=60)
def test_train_dev_and_test_share_nobody_and_everybody_is_written_about(config: WorldConfig) -> None:
    world, people = world_of(config), invent_people(config)
    questions = [*world.train, *world.dev, *world.test]
    assert len({question.text for question in questions}) == len(questions) == len(people) == config.people
    assert world.dropped == 0
    assert len(world.biographies) == config.people * config.biographies_each
    for person in people:
        about = [biography for biography in world.biographies if person.name in biography]
        assert len(about) == config.biographies_each
        assert all(person.birthplace in biography for biography in about)
        assert person.home != person.birthplace


@given(config=worlds)
@settings(deadline=None, max_examples=60)
def test_every_answer_is_the_truth(config: WorldConfig) -> None:
    world = world_of(config)
    truth = {f"Where was {person.name} born?": person.birthplace for person in invent_people(config)}
    assert all(truth[question.text] == question.answer for question in (*world.train, *world.dev, *world.test))


@pytest.mark.parametrize("seed", range(12))
def test_the_most_common_place_answers_three_to_ten_percent(seed: int) -> None:
    world = build_world(seed)
    common = most_common_answer(world.train)
    for asked in (world.dev, world.test):
        assert 0.03 <= sum(question.answer == common for question in asked) / len(asked) <= 0.10


@pytest.mark.parametrize("seed", range(6))
def test_the_biographies_hold_every_letter_of_the_questions(seed: int) -> None:
    world = build_world(seed)
    vocabulary = CharacterVocabulary.of(world.text)
    assert all(0 not in vocabulary.encode(question.text) for question in (*world.train, *world.dev, *world.test))
    assert any(not biography.isascii() for biography in world.biographies)


def test_one_person_is_put_in_many_phrasings() -> None:
    world, people = build_world(0, people=20, biographies_each=len(PHRASINGS)), invent_people(WorldConfig(people=20))
    for person in people:
        about = [biography for biography in world.biographies if person.name in biography]
        assert len(set(about)) == len(PHRASINGS)


def test_one_phrasing_is_the_plain_case() -> None:
    world = build_world(0, people=20, biographies_each=1, phrasings=1)
    assert all(" was born in " in biography for biography in world.biographies)


def told_by_sound(sound: float) -> float:
    """How often the commonest birthplace among the train names of an origin is that of a dev person of that origin."""
    config = WorldConfig(people=2000, sound=sound)
    people = invent_people(config)
    train, dev = people[: config.train_people], people[config.train_people : config.train_people + config.dev_people]
    guess = {
        origin: Counter(person.birthplace for person in train if person.origin == origin).most_common(1)[0][0]
        for origin in {person.origin for person in people}
    }
    return sum(guess[person.origin] == person.birthplace for person in dev) / len(dev)


def test_how_a_name_sounds_tells_nothing_unless_asked_to() -> None:
    assert told_by_sound(0.0) <= 0.10  # the commonest of 30 places has 6.5 %; 500 people, σ = 1.1 points
    assert told_by_sound(1.0) >= 0.13  # each origin has six places of its own, so about a sixth


def test_names_of_an_origin_sound_alike() -> None:
    people = invent_people(WorldConfig(people=300))
    endings = {person.origin: set() for person in people}
    for person in people:
        endings[person.origin].add(person.last[-3:])
    seen = [ending for of_one in endings.values() for ending in of_one]
    assert len(endings) == 5
    assert len(set(seen)) == len(seen)


def test_a_world_is_found_by_name_and_knobs() -> None:
    assert find_corpus() == find_corpus("world") == build_world()
    assert find_corpus("world:people=50, biographies_each=1,sound=0.5,seed=7") == build_world(7, 50, 1, sound=0.5)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("world:folk=3", "knobs: seed, people"),
        ("world:people=many", "must be a number"),
        ("world:people", "must be a number"),
        ("world:people=0", "people >= 1"),
        ("wor", "neither"),
    ],
)
def test_a_name_that_means_nothing_is_refused(name: str, said: str) -> None:
    with pytest.raises(ClearheadError, match=said):
        find_corpus(name)


@pytest.mark.parametrize(
    "knobs",
    [
        {"people": 0},
        {"biographies_each": 0},
        {"places": 1},
        {"phrasings": 0},
        {"phrasings": 999},
        {"dev": 0.9, "test": 0.1},
        {"dev": -0.1},
        {"sound": 2.0},
        {"people": 1},
        {"people": 50, "places": 10**6},
    ],
)
def test_a_world_that_cannot_be_is_refused(knobs) -> None:
    with pytest.raises(ConfigError):
        build_world(0, **knobs)
