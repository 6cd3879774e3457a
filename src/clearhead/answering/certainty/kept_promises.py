"""Whether probabilities keep their word, and what refusing the least certain answers saves."""

from collections.abc import Sequence
from dataclasses import dataclass

BINS = 10


@dataclass(frozen=True, slots=True)
class Promises:
    """How sure answers are, where it is known which are right; and how sure those about strangers, which never are."""

    known: Sequence[float]
    right: Sequence[bool]
    strangers: Sequence[float]
    share: float = 0.5  # of strangers among those asked about

    @property
    def sure(self) -> list[float]:
        """Of everybody: the labelled questions, then the strangers."""
        return [*self.known, *self.strangers]

    @property
    def hit(self) -> list[bool]:
        """Whether each answer is right."""
        return [*self.right, *[False] * len(self.strangers)]

    @property
    def counts(self) -> list[float]:
        """What each counts, 1 in sum, so that strangers have their share; all alike where there are no strangers."""
        of_strangers = self.share if self.strangers else 0.0
        each = [(1 - of_strangers) / len(self.known)] * len(self.known) if self.known else []
        return [*each, *[of_strangers / max(1, len(self.strangers))] * len(self.strangers)]


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers whose probability lies in one tenth: how many, how sure on average, how many of them right."""

    low: float
    high: float
    count: int
    promised: float
    kept: float
    part: float  # of everybody asked about


def bins_of(promises: Promises, bins: int = BINS) -> list[Bin]:
    """The answers by their probability; tenths that hold none are left out.

    >>> [(each.count, each.promised, each.kept) for each in bins_of(Promises([0.5, 0.5, 1.0], [True, False, True], []))]
    [(2, 0.5, 0.5), (1, 1.0, 1.0)]
    """
    held: list[list[tuple[float, bool, float]]] = [[] for _ in range(bins)]
    for probability, is_right, counts in zip(promises.sure, promises.hit, promises.counts, strict=True):
        held[min(int(probability * bins), bins - 1)].append((probability, is_right, counts))
    found = []
    for number, answers in enumerate(held):
        part = sum(counts for _, _, counts in answers)
        if part > 0:
            promised = sum(counts * probability for probability, _, counts in answers) / part
            kept = sum(counts for _, is_right, counts in answers if is_right) / part
            found.append(Bin(number / bins, (number + 1) / bins, len(answers), promised, kept, part))
    return found


def calibration_error(bins: Sequence[Bin]) -> float:
    """The expected calibration error: how far promise and truth lie apart, averaged over those asked about.

    >>> calibration_error([Bin(0.8, 0.9, 3, 0.8, 0.5, 0.75), Bin(0.2, 0.3, 1, 0.25, 0.25, 0.25)])
    0.225
    """
    total = sum(each.part for each in bins)
    return round(sum(each.part * abs(each.promised - each.kept) for each in bins) / total, 12) if total else 0.0


def ranking(promises: Promises) -> float | None:
    """The AUC: how often a right answer is surer than one that is not, ties counting half; None where one kind is missing.

    >>> ranking(Promises([0.9, 0.9, 0.6], [True, False, False], [0.6, 0.95]))  # ½ + 1 of ⅙ each, 1 + 0 of ¼ each
    0.6
    """
    answers = list(zip(promises.sure, promises.hit, promises.counts, strict=True))
    right = [(sure, counts) for sure, hit, counts in answers if hit]
    wrong = [(sure, counts) for sure, hit, counts in answers if not hit]
    pairs = sum(counts for _, counts in right) * sum(counts for _, counts in wrong)
    if not pairs:
        return None
    won = sum(a * b * ((sure > other) + (sure == other) / 2) for sure, a in right for other, b in wrong)
    return round(won / pairs, 12)


def risk_coverage(promises: Promises) -> list[tuple[float, float]]:
    """(share of those asked about who get an answer, share of those answers that are wrong), as the level falls.

    Equally sure ones go together.

    >>> risk_coverage(Promises([0.9, 0.6, 0.6, 0.1], [True, True, False, False], []))
    [(0.25, 0.0), (0.75, 0.3333333333333333), (1.0, 0.5)]
    """
    ranked = sorted(zip(promises.sure, promises.hit, promises.counts, strict=True), key=lambda each: -each[0])
    points, wrong, given = [], 0.0, 0.0
    for place, (probability, is_right, counts) in enumerate(ranked, 1):
        wrong, given = wrong + counts * (not is_right), given + counts
        if (place == len(ranked) or ranked[place][0] < probability) and given > 0:
            points.append((min(given, 1.0), wrong / given))
    return points
