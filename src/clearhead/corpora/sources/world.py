"""The built-in world: invented people, places and biographies, so that a blank machine has an experiment with known truth."""

from dataclasses import dataclass
from functools import partial
from random import Random

from clearhead.corpora.sources.biographies import Birthplaces, Question, without_leaks
from clearhead.corpora.sources.invented_names import ORIGINS, distinct, given_name, place_name, surname
from clearhead.corpora.sources.phrasings import OCCUPATIONS, PHRASINGS, QUESTION
from clearhead.errors import ConfigError

FLATNESS = 12  # place number k is as common as 1/(k + FLATNESS): of 30 places the first has 6.5 %
GIVEN_EACH = 16  # given names an origin has; they are shared, a surname almost never is
YEARS = range(1820, 1990)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who never was, and everything that is known of them."""

    given: str
    last: str
    origin: str  # whose sounds the name has
    birthplace: str
    home: str  # another place, which a biography may mention too
    year: int
    occupation: str

    @property
    def name(self) -> str:
        return f"{self.given} {self.last}"


@dataclass(frozen=True, kw_only=True)
class WorldConfig:
    """How large and how hard a world is; the same config is the same world, letter by letter."""

    seed: int = 0
    people: int = 300
    biographies_each: int = 5  # one each is the hard case: a fact met in one phrasing is hard to ask for in another
    places: int = 30
    phrasings: int = len(PHRASINGS)  # how many ways of putting it there are
    dev: float = 0.25  # share of the people whom the dev questions are about
    test: float = 0.15
    sound: float = 0.0  # share of the people born where their name sounds like; 0: the name tells nothing

    def __post_init__(self) -> None:
        if min(self.people, self.biographies_each) < 1 or self.places < 2:
            raise ConfigError(
                "a world needs people >= 1, biographies_each >= 1 and places >= 2; "
                f"got {self.people}, {self.biographies_each}, {self.places}."
            )
        if not 1 <= self.phrasings <= len(PHRASINGS):
            raise ConfigError(f"phrasings must lie between 1 and {len(PHRASINGS)}; got {self.phrasings}.")
        if min(self.dev, self.test) < 0 or self.dev + self.test >= 1 or not 0 <= self.sound <= 1:
            raise ConfigError(
                "dev and test are shares that leave some people to train on, sound one from 0 to 1; "
                f"got dev={self.dev}, test={self.test}, sound={self.sound}."
            )
        if min(self.dev_people, self.train_people) < 1:
            raise ConfigError(f"people={self.people} leaves nobody to train on or to ask about; take more.")

    @property
    def dev_people(self) -> int:
        return round(self.people * self.dev)

    @property
    def test_people(self) -> int:
        return round(self.people * self.test)

    @property
    def train_people(self) -> int:
        return self.people - self.dev_people - self.test_people


def build_world(
    seed: int = WorldConfig.seed,
    people: int = WorldConfig.people,
    biographies_each: int = WorldConfig.biographies_each,
    *,
    places: int = WorldConfig.places,
    phrasings: int = WorldConfig.phrasings,
    dev: float = WorldConfig.dev,
    test: float = WorldConfig.test,
    sound: float = WorldConfig.sound,
) -> Birthplaces:
    """The biographies of everybody, and questions about train, dev and test people; `WorldConfig` says what each number is."""
    return world_of(
        WorldConfig(
            seed=seed,
            people=people,
            biographies_each=biographies_each,
            places=places,
            phrasings=phrasings,
            dev=dev,
            test=test,
            sound=sound,
        )
    )


def world_of(config: WorldConfig) -> Birthplaces:
    """The world of a config; the answers of its test questions are known too."""
    people = invent_people(config)
    random = Random(f"biographies/{config.seed}")
    biographies = [text for person in people for text in biographies_of(person, config, random)]
    random.shuffle(biographies)
    questions = [Question(QUESTION.format(name=person.name), person.birthplace) for person in people]
    first, second = config.train_people, config.train_people + config.dev_people
    return without_leaks("world", biographies, questions[:first], questions[first:second], questions[second:])


def invent_people(config: WorldConfig) -> list[Person]:
    """Everybody: first those of the training questions, then those of dev, then those of test."""
    random = Random(f"people/{config.seed}")
    places = distinct(place_name, config.places, random)
    given = {origin.name: distinct(partial(given_name, origin), GIVEN_EACH, random) for origin in ORIGINS}
    last = {origin.name: distinct(partial(surname, origin), config.people, random) for origin in ORIGINS}
    births = [
        place
        for size in (config.train_people, config.dev_people, config.test_people)
        for place in shared_out(places, size, random)
    ]
    people = []
    for number, birthplace in enumerate(births):
        place = random.randrange(len(ORIGINS))
        origin = ORIGINS[place].name
        if random.random() < config.sound:
            birthplace = random.choice(places[place :: len(ORIGINS)] or places)
        home = random.choice([other for other in places if other != birthplace])
        year, occupation = random.choice(YEARS), random.choice(OCCUPATIONS)
        people.append(Person(random.choice(given[origin]), last[origin][number], origin, birthplace, home, year, occupation))
    return people


def shared_out(places: list[str], size: int, random: Random) -> list[str]:
    """Birthplaces for so many people, each place as often as its share says (largest remainders first), in random order."""
    weights = [1 / (rank + FLATNESS) for rank in range(len(places))]
    exact = [size * weight / sum(weights) for weight in weights]
    counts = [int(share) for share in exact]
    by_remainder = sorted(range(len(places)), key=lambda rank: (counts[rank] - exact[rank], rank))
    for rank in by_remainder[: size - sum(counts)]:
        counts[rank] += 1
    births = [place for place, count in zip(places, counts, strict=True) for _ in range(count)]
    random.shuffle(births)
    return births


def biographies_of(person: Person, config: WorldConfig, random: Random) -> list[str]:
    """What is written about one person: each time another phrasing, as long as there are enough."""
    rounds = -(-config.biographies_each // config.phrasings)
    chosen = [text for _ in range(rounds) for text in random.sample(PHRASINGS[: config.phrasings], config.phrasings)]
    return [put(phrasing, person) for phrasing in chosen[: config.biographies_each]]


def put(phrasing: str, person: Person) -> str:
    """One phrasing with one person in it."""
    article = "an" if person.occupation[0] in "aeiou" else "a"
    written = phrasing.format(
        name=person.name,
        last=person.last,
        place=person.birthplace,
        home=person.home,
        year=person.year,
        job=person.occupation,
        article=article,
    )
    return written[0].upper() + written[1:]
