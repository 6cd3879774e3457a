"""Byte-pair encoding by hand: count neighbouring pairs, merge the most frequent, count again."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from clearhead.errors import InputError
from clearhead.exact.expressions import finite, total_of
from clearhead.exact.matrices import Matrix, number, vector
from clearhead.exact.notation import named
from clearhead.exact.order import largest
from clearhead.working.fields import read_names, read_vector, read_whole
from clearhead.working.kinds.kind import Kind
from clearhead.working.problem import Problem
from clearhead.working.rules.products import sum_of_products
from clearhead.working.rules.rule import Rule, Show, Slip, Term
from clearhead.working.steps import Labels, Plan, Step

TEMPLATE = """\
kind = "bpe"
title = "Two merges of byte-pair encoding"

[given]
words = ["low", "lower", "newest", "widest"]
counts = [5, 2, 6, 3]          # how often each word comes

[options]
merges = 2                     # how many pairs are merged
"""
LONGEST, MOST_WORDS, MOST_MERGES = 40, 50, 20
Spelling = tuple[str, ...]
"""A word as the tokens it is made of now."""


@dataclass(frozen=True, slots=True)
class PairCounts(Rule):
    """How often each pair of neighbours comes: in each word so many times, times how often the word comes."""

    times: tuple[tuple[int, ...], ...]  # a row for each pair, a number for each word

    def __call__(self, *inputs: Matrix) -> Matrix:
        counts = [finite(cell) for cell in inputs[0].rows[0]]
        return vector([total_of(n * count for n, count in zip(row, counts, strict=True)) for row in self.times])

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, 0, word),), Fraction(n)) for word, n in enumerate(self.times[j]) if n]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        pairs = [(Fraction(n), count) for n, count in zip(self.times[j], inputs[0].rows[0], strict=True) if n]
        return sum_of_products(tuple(n for n, _ in pairs), tuple(count for _, count in pairs), show)


@dataclass(frozen=True, slots=True)
class MostFrequent(Rule):
    """The place of the largest count, counted from 1; of several the first."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        return number(Fraction(largest(inputs[0].rows[0])[0] + 1))

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        best = largest(inputs[0].rows[0])[0]
        return f"the largest is {show(inputs[0].rows[0][best])}, number {best + 1} of the pairs"

    def slips(self, *needs: str) -> Iterator[Slip]:
        def last(counts: Matrix) -> Matrix:
            return number(Fraction(largest(counts.rows[0])[-1] + 1))

        yield Slip("order", last, "of several pairs that come equally often the first is merged")


@dataclass(frozen=True, slots=True)
class TokenCount(Rule):
    """How many tokens each word is now, added up over the words with their counts."""

    lengths: tuple[int, ...]

    def __call__(self, *inputs: Matrix) -> Matrix:
        return number(total_of(n * finite(count) for n, count in zip(self.lengths, inputs[0].rows[0], strict=True)))

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, 0, word),), Fraction(n)) for word, n in enumerate(self.lengths)]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return sum_of_products(tuple(Fraction(n) for n in self.lengths), inputs[0].rows[0], show)


def plan(problem: Problem) -> Plan:
    words, counts = problem.require("words", "counts")
    require_words(words, counts)
    spelt: list[Spelling] = [tuple(word) for word in words]
    steps: list[Step] = []
    value: Matrix = counts
    for merge in range(1, problem.option("merges", 1) + 1):
        pairs = pairs_of(spelt)
        if not pairs:
            raise InputError(f"options.merges: after {merge - 1} every word is one token, and nothing is left to merge")
        rule = PairCounts(tuple(tuple(count_of(pair, word) for word in spelt) for pair in pairs))
        best = pairs[largest(rule(value).rows[0])[0]]
        spelt = [merged(word, best) for word in spelt]
        labels: Labels = tuple(" ".join(pair) for pair in pairs)
        steps += [counted_step(merge, rule, labels), merge_step(merge, best, spelt)]
    steps.append(tokens_step(spelt))
    return Plan(
        kind="bpe",
        title=problem.title,
        given={"counts": counts},
        labels={"counts": ((), tuple(words))},
        steps=tuple(steps),
        answer=tuple(step.name for step in steps if step.name.startswith("merge")),
        observe=lambda working: [f"After the merges: {', '.join(' '.join(word) for word in spelt)}."],
        marks=problem.marks,
    )


def require_words(words: Labels, counts: Matrix) -> None:
    if len(words) != counts.shape[1]:
        raise InputError(f"given.words has {len(words)} words and given.counts {counts.shape[1]} numbers; each word needs one")
    if len(words) > MOST_WORDS or any(not 1 <= len(word) <= LONGEST for word in words):
        raise InputError(f"given.words: at most {MOST_WORDS} words of 1 to {LONGEST} letters can be worked")


def pairs_of(spelt: list[Spelling]) -> list[tuple[str, str]]:
    """Every pair of neighbours, in the order in which they first come."""
    return list(dict.fromkeys((a, b) for word in spelt for a, b in pairwise(word)))


def count_of(pair: tuple[str, str], word: Spelling) -> int:
    return sum((a, b) == pair for a, b in pairwise(word))


def merged(word: Spelling, pair: tuple[str, str]) -> Spelling:
    """The word with the pair as one token, from left to right.

    >>> merged(("a", "a", "a"), ("a", "a"))
    ('aa', 'a')
    """
    found: list[str] = []
    for token in word:
        if found and (found[-1], token) == pair:
            found[-1] += token
        else:
            found.append(token)
    return tuple(found)


def counted_step(merge: int, rule: PairCounts, labels: Labels) -> Step:
    return Step(
        name=f"pairs{merge}",
        formula="how often each pair comes",
        latex=r"\text{how often each pair comes}",
        symbol=named(f"pairs{merge}"),
        why="Every pair of neighbours inside a word, as often as the word comes.",
        needs=("counts",),
        rule=rule,
        columns=labels,
    )


def merge_step(merge: int, best: tuple[str, str], spelt: list[Spelling]) -> Step:
    now = ", ".join(" ".join(word) for word in spelt)
    return Step(
        name=f"merge{merge}",
        formula=f"the place of the most frequent pair in pairs{merge}",
        latex=r"\arg\max " + named(f"pairs{merge}"),
        symbol=named(f"merge{merge}"),
        why=f"{best[0]} and {best[1]} become {''.join(best)}; the words are now {now}.",
        needs=(f"pairs{merge}",),
        rule=MostFrequent(),
    )


def tokens_step(spelt: list[Spelling]) -> Step:
    return Step(
        name="tokens",
        formula="the tokens of all words",
        latex=r"\text{the tokens of all words}",
        symbol=named("tokens"),
        why="How long the text is now: the tokens of each word, as often as it comes.",
        needs=("counts",),
        rule=TokenCount(tuple(len(word) for word in spelt)),
    )


KIND = Kind(
    given={"words": read_names, "counts": read_vector},
    options={"merges": read_whole(1, MOST_MERGES)},
    template=TEMPLATE,
    plan=plan,
)
