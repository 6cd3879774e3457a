"""Whether probabilities keep their word, and what refusing the least certain answers saves."""

from collections.abc import Sequence
from dataclasses import dataclass

BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers whose probability lies in one tenth: how many, how sure on average, how many of them right."""

    low: float
    high: float
    count: int
    promised: float
    kept: float


def bins_of(probabilities: Sequence[float], right: Sequence[bool], bins: int = BINS) -> list[Bin]:
    """The answers by their probability; tenths that hold none are left out.

    >>> [(each.count, each.promised, each.kept) for each in bins_of([0.5, 0.5, 1.0], [True, False, True])]
    [(2, 0.5, 0.5), (1, 1.0, 1.0)]
    """
    held: list[list[tuple[float, bool]]] = [[] for _ in range(bins)]
    for probability, is_right in zip(probabilities, right, strict=True):
        held[min(int(probability * bins), bins - 1)].append((probability, is_right))
    return [
        Bin(
            number / bins,
            (number + 1) / bins,
            len(answers),
            sum(probability for probability, _ in answers) / len(answers),
            sum(is_right for _, is_right in answers) / len(answers),
        )
        for number, answers in enumerate(held)
        if answers
    ]


def calibration_error(bins: Sequence[Bin]) -> float:
    """The expected calibration error: how far promise and truth lie apart, averaged over the answers.

    >>> calibration_error([Bin(0.8, 0.9, 3, 0.8, 0.5), Bin(0.2, 0.3, 1, 0.25, 0.25)])
    0.225
    """
    total = sum(each.count for each in bins)
    return round(sum(each.count * abs(each.promised - each.kept) for each in bins) / total, 12) if total else 0.0


def risk_coverage(probabilities: Sequence[float], right: Sequence[bool]) -> list[tuple[float, float]]:
    """(share of the questions answered, share of those answers that are wrong), as the level falls; equal ones go together.

    >>> risk_coverage([0.9, 0.6, 0.6, 0.1], [True, True, False, False])
    [(0.25, 0.0), (0.75, 0.3333333333333333), (1.0, 0.5)]
    """
    ranked = sorted(zip(probabilities, right, strict=True), key=lambda each: -each[0])
    points, wrong = [], 0
    for place, (probability, is_right) in enumerate(ranked, 1):
        wrong += not is_right
        if place == len(ranked) or ranked[place][0] < probability:
            points.append((place / len(ranked), wrong / place))
    return points
