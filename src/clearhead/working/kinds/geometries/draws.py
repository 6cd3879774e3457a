"""Keys of varying length, drawn: what has no closed form, from a seeded stream that is the same on every machine.

With m = ½(v_a + v_b), u = v_a − m and r = Σ (v_i − m) over the other keys, every output of a head that gives weights α_a, α_b
and α to each other key lies (α_a − α_b) u + α r away from m: two numbers a draw, however many and wide the values are.
"""

import math
import random
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class VaryingKeys:
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


Off = tuple[float, float]
"""How far an output lies from m: its parts along u and along r."""


@lru_cache(maxsize=16)
def sampled(setting: VaryingKeys, draws: int, seed: int) -> Spread:
    """What so many draws give on average; the same seed gives the same."""
    stream = random.Random(seed)
    deviation = math.sqrt(setting.variance)
    uu, ur, rr = products(setting)
    shares: list[float] = []
    one: list[float] = []
    two: list[float] = []
    for _ in range(draws):
        gamma = stream.gauss(0.0, deviation)
        shares.append(share(setting.strength * gamma))
        for found, (u, r) in ((one, one_head(setting, gamma)), (two, two_heads(setting, gamma))):
            found.append(math.sqrt(max(u * u * uu + 2 * u * r * ur + r * r * rr, 0.0)))
    middle = math.fsum(shares) / draws
    around = math.fsum((s - middle) ** 2 for s in shares) / draws
    return Spread(math.sqrt(around), math.fsum(one) / draws, math.fsum(two) / draws)


def products(setting: VaryingKeys) -> tuple[float, float, float]:
    """u·u, u·r and r·r."""
    columns = list(zip(*setting.values, strict=True))
    middles = [(column[setting.a] + column[setting.b]) / 2 for column in columns]
    u = [column[setting.a] - m for column, m in zip(columns, middles, strict=True)]
    r = [math.fsum(column) - len(column) * m for column, m in zip(columns, middles, strict=True)]  # v_a + v_b − 2m is 0
    return dot(u, u), dot(u, r), dot(r, r)


def dot(x: list[float], y: list[float]) -> float:
    return math.fsum(a * b for a, b in zip(x, y, strict=True))


def share(x: float) -> float:
    """1 / (1 + e^-x), for any size of x."""
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def weights(setting: VaryingKeys, score_a: float, score_b: float) -> tuple[float, float, float]:
    """What key a, key b and each of the others, which score 0, are given."""
    top = max(score_a, score_b, 0.0)
    a, b, other = math.exp(score_a - top), math.exp(score_b - top), math.exp(-top)
    whole = a + b + (len(setting.values) - 2) * other
    return a / whole, b / whole, other / whole


def one_head(setting: VaryingKeys, gamma: float) -> Off:
    a, b, other = weights(setting, setting.strength * (1 + gamma), setting.strength)
    return a - b, other


def two_heads(setting: VaryingKeys, gamma: float) -> Off:
    a1, b1, other1 = weights(setting, setting.strength * (1 + gamma), 0.0)
    a2, b2, other2 = weights(setting, 0.0, setting.strength)
    return (a1 - b1 + a2 - b2) / 2, (other1 + other2) / 2
