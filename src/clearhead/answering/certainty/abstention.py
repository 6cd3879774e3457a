"""The level below which "I don't know" is the answer, chosen on one half of everybody asked about and tried on the other."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from random import Random

from clearhead.answering.certainty.calibration import STRANGERS, Calibration, Evidence, calibrated
from clearhead.answering.certainty.kept_promises import Promises

PRECISION = 0.9  # of the answers that are given, so many shall be right, strangers counted
REFUSED = 0.94  # of strangers so many where the level is chosen: some above the 90 % that must hold elsewhere
LOWEST = 0.5  # what is more likely wrong than right is no answer


@dataclass(frozen=True, slots=True)
class Tried:
    """A level and what it did to people who had no part in choosing it."""

    level: float
    answered: int
    total: int
    precision: float  # right ones among the answered, of the labelled questions
    mixed: float  # right ones among the answered, strangers counted by their share
    survived: float  # answered ones among the right
    refused: float  # of strangers

    def tree(self) -> dict[str, float]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Ways:
    """Both ways round: for each person the probability by what was learned from the other half, and how the levels did."""

    promises: Promises
    tried: tuple[Tried, Tried]
    learned: tuple[Calibration, Calibration]  # from the first half, and from the second

    @property
    def level(self) -> float:
        """The default: chosen on the first half, tried on the second."""
        return self.tried[0].level


def level_for(promises: Promises) -> float:
    """The lowest level with enough right answers at or above it and enough strangers below it; 1 where there is none.

    >>> level_for(Promises([0.9, 0.8, 0.6, 0.1], [True, True, True, False], []))
    0.6
    >>> level_for(Promises([0.9, 0.2], [False, False], [0.1]))
    1.0
    """
    ranked = sorted(zip(promises.sure, promises.hit, promises.counts, strict=True), reverse=True)
    level, kept, given = 1.0, 0.0, 0.0
    for place, (probability, is_right, counts) in enumerate(ranked, 1):
        kept, given = kept + counts * is_right, given + counts
        last_of_ties = place == len(ranked) or ranked[place][0] < probability
        if last_of_ties and kept >= PRECISION * given - 1e-12:
            level = probability
    if promises.strangers:
        edge = sorted(promises.strangers)[math.ceil(REFUSED * len(promises.strangers)) - 1]
        level = max(level, math.nextafter(edge, math.inf))
    return min(max(level, LOWEST), 1.0)


def halves(total: int, seed: int = 0) -> tuple[list[int], list[int]]:
    """The places of two halves, drawn by chance."""
    order = Random(f"halves/{seed}").sample(range(total), total)
    return sorted(order[: total // 2]), sorted(order[total // 2 :])


def both_ways(evidence: Evidence, right: Sequence[bool], strangers: Evidence, share: float = STRANGERS) -> Ways:
    """Learn and choose on one half of the questions and of the strangers, try on the other; then the other way round."""
    of_questions, of_strangers = halves(len(evidence)), halves(len(strangers))
    sure, unknown = [0.0] * len(evidence), [0.0] * len(strangers)
    tried, taught = [], []
    for here, there in ((0, 1), (1, 0)):
        asked, names = of_questions[here], of_strangers[here]
        learned = calibrated([evidence[i] for i in asked], [right[i] for i in asked], [strangers[i] for i in names])
        taught.append(learned)
        by_half = []
        for half in (here, there):
            places, people = of_questions[half], of_strangers[half]
            of_known = learned.probabilities([evidence[i] for i in places], share)
            of_unknown = learned.probabilities([strangers[i] for i in people], share)
            by_half.append(Promises(of_known, [right[i] for i in places], of_unknown, share))
        chosen, outside = by_half
        tried.append(try_level(level_for(chosen), outside))
        for place, probability in zip(of_questions[there], outside.known, strict=True):
            sure[place] = probability
        for place, probability in zip(of_strangers[there], outside.strangers, strict=True):
            unknown[place] = probability
    return Ways(Promises(sure, list(right), unknown, share), (tried[0], tried[1]), (taught[0], taught[1]))


def try_level(level: float, promises: Promises) -> Tried:
    """What a level does to these answers and these strangers."""
    answered = [is_right for probability, is_right in zip(promises.known, promises.right, strict=True) if probability >= level]
    given = [
        (hit, counts) for sure, hit, counts in zip(promises.sure, promises.hit, promises.counts, strict=True) if sure >= level
    ]
    whole = sum(counts for _, counts in given)
    return Tried(
        level=level,
        answered=len(answered),
        total=len(promises.right),
        precision=share(sum(answered), len(answered)),
        mixed=sum(counts for hit, counts in given if hit) / whole if whole else 0.0,
        survived=share(sum(answered), sum(promises.right)),
        refused=share(sum(probability < level for probability in promises.strangers), len(promises.strangers)),
    )


def share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
