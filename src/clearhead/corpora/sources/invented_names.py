"""Invented names: each origin has its own sounds, places have theirs."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from clearhead.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Origin:
    """How the names of one invented people sound: syllables are an onset, a vowel and a coda; surnames end alike."""

    name: str
    onsets: tuple[str, ...]
    vowels: tuple[str, ...]
    codas: tuple[str, ...]
    endings: tuple[str, ...]


def sounds(name: str, onsets: str, vowels: str, codas: str, endings: str) -> Origin:
    """An origin written in four lists; `-` stands for nothing."""
    parts = [tuple(part.replace("-", "") for part in listed.split()) for listed in (onsets, vowels, codas, endings)]
    return Origin(name, *parts)


ORIGINS = (
    sounds("Skarn", "br gr h k sk t th v", "a e i ø å", "- k ld n nd r rk", "ersund arik evald ogard"),
    sounds("Telmari", "c d l m n r s v", "a e i o é", "- - l n r", "ello ari ino essa"),
    sounds("Quor", "ch k p q t tl x y", "a e i u", "- c l n tl", "oa uaq izin anec"),
    sounds("Zemny", "b d j l m s v z ž š", "a e i o u", "- k l n r v", "ević ovna enko ský"),
    sounds("Ushan", "b d h j k m n r s", "aa a i u ee", "- m n r sh", "awala apur udeen ani"),
)
PLACE_ONSETS = ("B", "Br", "C", "D", "F", "G", "H", "L", "M", "N", "P", "R", "S", "St", "T", "W")
PLACE_VOWELS = ("a", "e", "i", "o", "u", "ai", "ou")
PLACE_CODAS = ("l", "m", "n", "r", "s", "lt", "nt", "rk")
PLACE_ENDINGS = ("ford", "mere", "holm", "by", "stow", "wick", "ton", "den", "port", "bridge")
PLACE_FIRSTS = ("Port", "New", "Upper", "Saint", "Old")
ENOUGH_MISSES = 1000
SECOND_WORD = 0.2  # how many places have one of those words in front


def syllables(origin: Origin, count: int, random: Random) -> str:
    """Some syllables of an origin; inside a word a coda would pile up consonants, so only the last has one."""
    opened = "".join(random.choice(origin.onsets) + random.choice(origin.vowels) for _ in range(count))
    return opened + random.choice(origin.codas)


def given_name(origin: Origin, random: Random) -> str:
    return syllables(origin, 2, random).capitalize()


def surname(origin: Origin, random: Random) -> str:
    opened = "".join(random.choice(origin.onsets) + random.choice(origin.vowels) for _ in range(random.randint(1, 2)))
    return (opened + random.choice(origin.onsets) + random.choice(origin.endings)).capitalize()


def place_name(random: Random) -> str:
    stem = random.choice(PLACE_ONSETS) + random.choice(PLACE_VOWELS) + random.choice(PLACE_CODAS)
    first = random.choice(PLACE_FIRSTS) + " " if random.random() < SECOND_WORD else ""
    return first + stem + random.choice(PLACE_ENDINGS)


def distinct(make: Callable[[Random], str], count: int, random: Random) -> list[str]:
    """So many different names, in the order of their making."""
    names: dict[str, None] = {}
    missed = 0  # in a row: so many mean that there are hardly any more
    while len(names) < count and missed < ENOUGH_MISSES:
        before = len(names)
        names.setdefault(make(random))
        missed = 0 if len(names) > before else missed + 1
    if len(names) < count:
        raise ConfigError(f"the syllables make only {len(names)} different names or so; {count} were asked for. Ask for fewer.")
    return list(names)
