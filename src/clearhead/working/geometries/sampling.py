"""Keys of varying length, drawn: what has no closed form, from a seeded stream that is the same on every machine."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Setting:
    """Orthonormal means, one value a key; the key in row a is (1 + γ) times its mean, γ normal with this variance."""

    values: tuple[tuple[float, ...], ...]
    a: int
    b: int
    strength: float
    variance: float


@dataclass(frozen=True, slots=True)
class Spread:
    """Averages over the draws."""

    share_deviation: float  # standard deviation of a's share between the two
    one: float  # mean distance of the output from the average of the two values, with one head
    two: float  # the same with two heads


@lru_cache(maxsize=16)
def sampled(setting: Setting, draws: int, seed: int) -> Spread:
    stream = random.Random(seed)
    deviation = math.sqrt(setting.variance)
    shares, one, two = [], [], []
    for _ in range(draws):
        gamma = stream.gauss(0.0, deviation)
        shares.append(share(setting.strength * gamma))
        one.append(distance(setting, one_head(setting, gamma)))
        two.append(distance(setting, two_heads(setting, gamma)))
    middle = math.fsum(shares) / draws
    around = math.fsum((s - middle) ** 2 for s in shares) / draws
    return Spread(math.sqrt(around), math.fsum(one) / draws, math.fsum(two) / draws)


def share(x: float) -> float:
    """1 / (1 + e^-x), for any size of x."""
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def weighted(setting: Setting, scores: dict[int, float]) -> list[float]:
    """The output of one head; keys that are not named score 0."""
    top = max(0.0, *scores.values())
    powers = [math.exp(scores.get(i, 0.0) - top) for i in range(len(setting.values))]
    whole = math.fsum(powers)
    return [
        math.fsum(p * value[c] for p, value in zip(powers, setting.values, strict=True)) / whole
        for c in range(len(setting.values[0]))
    ]


def one_head(setting: Setting, gamma: float) -> list[float]:
    return weighted(setting, {setting.a: setting.strength * (1 + gamma), setting.b: setting.strength})


def two_heads(setting: Setting, gamma: float) -> list[float]:
    first = weighted(setting, {setting.a: setting.strength * (1 + gamma)})
    second = weighted(setting, {setting.b: setting.strength})
    return [(x + y) / 2 for x, y in zip(first, second, strict=True)]


def distance(setting: Setting, output: Sequence[float]) -> float:
    pairs = zip(setting.values[setting.a], setting.values[setting.b], strict=True)
    return math.dist(output, [(x + y) / 2 for x, y in pairs])
