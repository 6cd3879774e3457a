"""The level below which "I don't know" is the answer, chosen on one half of the questions and tried on the other."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from random import Random

from clearhead.answering.certainty.calibration import Calibration, Evidence, calibrated

PRECISION = 0.9  # of the answers that are given, so many shall be right
REFUSED = 0.94  # of invented names so many where the level is chosen: some above the 90 % that must hold elsewhere


@dataclass(frozen=True, slots=True)
class Tried:
    """A level and what it did to questions that had no part in choosing it."""

    level: float
    answered: int
    total: int
    precision: float  # right ones among the answered
    survived: float  # answered ones among the right
    refused: float  # of invented names

    def tree(self) -> dict[str, float]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Ways:
    """Both ways round: for each question the probability by what was learned from the other half, and how the levels did."""

    probabilities: list[float]
    tried: tuple[Tried, Tried]
    by_precision: tuple[Tried, Tried]  # the same with levels that look at precision alone, for comparison
    learned: tuple[Calibration, Calibration]  # from the first half, and from the second

    @property
    def level(self) -> float:
        """The default: chosen on the first half, tried on the second."""
        return self.tried[0].level


def level_for(probabilities: Sequence[float], right: Sequence[bool], invented: Sequence[float]) -> float:
    """The lowest level with enough right answers at or above it and enough invented names below it; 1 where there is none.

    >>> level_for([0.9, 0.8, 0.3, 0.1], [True, True, True, False], [])
    0.3
    >>> level_for([0.9, 0.2], [False, False], [])
    1.0
    """
    ranked = sorted(zip(probabilities, right, strict=True), reverse=True)
    level, kept = 1.0, 0
    for place, (probability, is_right) in enumerate(ranked, 1):
        kept += is_right
        last_of_ties = place == len(ranked) or ranked[place][0] < probability
        if last_of_ties and kept >= PRECISION * place:
            level = probability
    if invented:
        edge = sorted(invented)[math.ceil(REFUSED * len(invented)) - 1]
        level = max(level, math.nextafter(edge, math.inf))
    return min(level, 1.0)


def halves(total: int, seed: int = 0) -> tuple[list[int], list[int]]:
    """The places of two halves, drawn by chance."""
    order = Random(f"halves/{seed}").sample(range(total), total)
    return sorted(order[: total // 2]), sorted(order[total // 2 :])


def both_ways(evidence: Evidence, right: Sequence[bool], tuning: Evidence, fresh: Evidence) -> Ways:
    """Learn and choose on one half of the questions and the `tuning` names; try on the other half and the `fresh` names."""
    first, second = halves(len(evidence))
    probabilities = [0.0] * len(evidence)
    tried: list[Tried] = []
    by_precision: list[Tried] = []
    taught: list[Calibration] = []
    for here, there in ((first, second), (second, first)):
        learned = calibrated([evidence[i] for i in here], [right[i] for i in here], tuning)
        taught.append(learned)
        chosen = learned.probabilities([evidence[i] for i in here])
        labels = [right[i] for i in here]
        outside = learned.probabilities([evidence[i] for i in there])
        for place, probability in zip(there, outside, strict=True):
            probabilities[place] = probability
        for levels, below in ((tried, learned.probabilities(tuning)), (by_precision, [])):
            level = level_for(chosen, labels, below)
            levels.append(try_level(level, outside, [right[i] for i in there], learned.probabilities(fresh)))
    return Ways(probabilities, (tried[0], tried[1]), (by_precision[0], by_precision[1]), (taught[0], taught[1]))


def try_level(level: float, probabilities: Sequence[float], right: Sequence[bool], invented: Sequence[float]) -> Tried:
    """What a level does to these answers and these invented names."""
    answered = [is_right for probability, is_right in zip(probabilities, right, strict=True) if probability >= level]
    return Tried(
        level=level,
        answered=len(answered),
        total=len(right),
        precision=share(sum(answered), len(answered)),
        survived=share(sum(answered), sum(right)),
        refused=share(sum(probability < level for probability in invented), len(invented)),
    )


def share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
