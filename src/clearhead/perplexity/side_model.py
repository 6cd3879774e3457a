"""The side model: what a language model leaves out of a text is charged here, so that together they give every byte a price.

It learns while it reads (each thing costs by how often it came before in this very text), so it favours nobody: an Adaptive
is a distribution at every moment, whatever it has seen.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

MOST = 100_000  # different things that one Adaptive remembers: its memory does not grow with the file
END = 256  # after the last byte of a spelled word


Base = Callable[[str], float]
"""ln of a share: finite, and over all strings the shares sum to at most 1."""


class Adaptive:
    """P(x) = (times seen + strength · base(x)) / (all seen + strength): a distribution if the base is one."""

    def __init__(self, base: Base, strength: float = 1.0) -> None:
        self.base, self.strength = base, strength
        self.seen: Counter[str] = Counter()
        self.total = 0

    def cost(self, x: str) -> float:
        """−ln P(x), and x has been seen once more."""
        times, of_base = self.seen.get(x, 0), math.log(self.strength) + self.base(x)
        weight = math.log(times + math.exp(of_base)) if times else of_base  # a long string's share may be below any float
        cost = math.log(self.total + self.strength) - weight
        if times or len(self.seen) < MOST:
            self.seen[x] += 1
            self.total += 1
        return cost


def fixed(shares: dict[str, float], rest: Base = lambda x: -math.inf) -> Base:
    """A base with fixed shares for some things; what they leave goes to the rest."""
    left = math.log(max(1 - sum(shares.values()), 1e-300))
    return lambda x: math.log(shares[x]) if x in shares else left + rest(x)


def one_character(text: str) -> float:
    """One UTF-8 character at 1/256 a byte; its first byte tells how many there are, so this is at most 1 in all."""
    return -len(text.encode("utf-8", "surrogatepass")) * math.log(256)


def spelled_out(text: str) -> float:
    """Any string at all: before each byte, and at the end, one half for going on or stopping.

    >>> math.exp(spelled_out("")), round(math.exp(spelled_out("a")) * 1024, 12)
    (0.5, 1.0)
    """
    size = len(text.encode("utf-8", "surrogatepass"))
    return -(size + 1) * math.log(2) - size * math.log(256)


class Spelling:
    """How words are spelled, learned from a list of words: each byte by the two before it, mixed with shorter pasts."""

    STRENGTH = 4.0

    def __init__(self, words: Iterable[str]) -> None:
        self.counts: list[defaultdict[bytes, Counter[int]]] = [defaultdict(Counter) for _ in range(3)]
        for word in words:
            for form in {word, word.capitalize()}:
                self.learn(form.encode())

    def learn(self, word: bytes) -> None:
        for place, byte in enumerate([*word, END]):
            for order, counts in enumerate(self.counts):
                counts[word[max(0, place - order) : place]][byte] += 1

    def __call__(self, word: str) -> float:
        """ln of the share of a word with its end; over all byte strings the shares sum to 1."""
        spelled, total = word.encode("utf-8", "surrogatepass"), 0.0
        for place, byte in enumerate([*spelled, END]):
            share = 1 / 257
            for order, counts in enumerate(self.counts):
                seen = counts.get(spelled[max(0, place - order) : place])
                if seen is not None:
                    share = (seen[byte] + self.STRENGTH * share) / (seen.total() + self.STRENGTH)
            total += math.log(share)
        return total


def length_cost(size: int) -> float:
    """−ln of the share that texts of so many bytes get: 1 / ((n + 1)(n + 2)), which over all n sums to 1.

    It is the same for every model, so it never decides a comparison.
    """
    return math.log(size + 1) + math.log(size + 2)
