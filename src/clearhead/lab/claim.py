"""The shape of every claim: one sentence, one small experiment, and a verdict that follows from the numbers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Trial:
    """How an experiment is to be done: the same trial gives the same numbers (times apart)."""

    seed: int = 0
    quick: bool = False  # smaller, as each claim says


@dataclass(frozen=True, slots=True)
class Interval:
    """A number that was sampled, and where its true value lies with 95 % certainty."""

    value: float
    low: float
    high: float


Number: TypeAlias = float | int | str | Interval | Sequence[float] | Sequence[Interval]
"""What a finding may say: a number, an interval, several of them, or words such as a sample of text."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What an experiment found. The verdict is made from it and from nothing else."""

    numbers: Mapping[str, Number]
    parts: Mapping[str, bool]  # each thing that the claim says, and whether the numbers bear it out
    picture: str  # SVG
    when: str = ""  # a condition that was found, without which the claim would not hold

    @property
    def verdict(self) -> str:
        """holds, does not hold, or holds when …

        >>> Finding({}, {"it falls": True, "it stops": False}, "").verdict
        'does not hold'
        >>> Finding({}, {"it falls": True}, "", when="the sun shines").verdict
        'holds when the sun shines'
        """
        if not all(self.parts.values()):
            return "does not hold"
        return f"holds when {self.when}" if self.when else "holds"


Experiment: TypeAlias = Callable[..., Finding]
"""A function of a trial; its other arguments are the parts of the experiment that can be exchanged, each with a default."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Something said about attention or nets that can be tried again."""

    name: str
    sentence: str
    quick: str  # what --quick makes smaller
    experiment: Experiment


@dataclass(frozen=True, slots=True)
class LabReport:
    """A claim that was rerun."""

    claim: Claim
    trial: Trial
    finding: Finding
    seconds: float

    def json(self) -> dict[str, Any]:
        """As design.md says: name, claim, verdict, numbers, seconds."""
        return {
            "name": self.claim.name,
            "claim": self.claim.sentence,
            "verdict": self.finding.verdict,
            "numbers": {name: plain(number) for name, number in self.finding.numbers.items()},
            "seconds": round(self.seconds, 2),
        }


def plain(number: Number) -> Any:
    """A number as JSON has it; an interval has three, under their names.

    >>> plain([Interval(0.5, 0.25, 0.75)])
    [{'value': 0.5, 'low': 0.25, 'high': 0.75}]
    """
    if isinstance(number, Interval):
        return {"value": number.value, "low": number.low, "high": number.high}
    if isinstance(number, str | int | float):
        return number
    return [plain(each) for each in number]
