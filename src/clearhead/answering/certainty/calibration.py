"""From what a model says of its own answer to a probability that the answer is right.

Who asks may ask about a stranger, of whom the model has never read: then no answer is right. Two logistic regressions on the
same evidence: how likely the model has read of the person, learned from the people of the labelled questions against people
who never were; and how likely the answer is right where it has, learned from the labelled questions alone. With a share s of
strangers among those asked about

    P(right) = P(right | known) · (1 − s) k / ((1 − s) k + s (1 − k)),    k = P(known) where half are strangers.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clearhead.errors import MissingExtraError

Array = NDArray[np.float64]
Evidence = Sequence[Sequence[float]]
STRANGERS = 0.5  # the share of those asked about of whom the run has never read, unless told otherwise
LEAST = -30.0  # ln of what the model finds all but impossible
RIDGE = 1.0  # pull of the weights to 0


@dataclass(frozen=True, slots=True)
class Regression:
    """A logistic regression over evidence: its features less their mean, over their spread, times weights."""

    mean: list[float]
    spread: list[float]
    weights: list[float]
    offset: float

    def shares(self, evidence: Evidence) -> Array:
        """How likely each is: (n,)."""
        ways = len(self.weights) // 2  # what is weighed of each row: an earlier version knew fewer kinds of evidence
        standard = (features_of([row[:ways] for row in evidence]) - np.array(self.mean)) / np.array(self.spread)
        return logistic(standard @ np.array(self.weights) + self.offset)


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was learned: whether the model knows the person, and whether it is right about those it knows."""

    known: Regression
    right: Regression

    def probabilities(self, evidence: Evidence, strangers: float = STRANGERS) -> list[float]:
        """The probability that each answer is right where a share of those asked about are strangers."""
        if not len(evidence):
            return []
        known = self.known.shares(evidence)
        kept = (1 - strangers) * known
        among = kept / np.maximum(kept + strangers * (1 - known), 1e-300)
        return [float(each) for each in among * self.right.shares(evidence)]

    def tree(self) -> dict[str, Any]:
        """As it stands in confidence.json."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class WithoutStrangers:
    """What an earlier version learned, from labelled questions alone: it promises too much about strangers."""

    right: Regression

    def probabilities(self, evidence: Evidence, strangers: float = STRANGERS) -> list[float]:
        """The probability that each answer is right if nobody is a stranger."""
        return [float(each) for each in self.right.shares(evidence)] if len(evidence) else []


@dataclass(frozen=True, slots=True)
class OwnShares:
    """Nothing was learned: the model's own share of the answer to the question as typed, which may promise too much."""

    def probabilities(self, evidence: Evidence, strangers: float = STRANGERS) -> list[float]:
        """The share of each answer."""
        return [float(np.exp(min(each[0], 0.0))) for each in evidence]


Judge = Calibration | WithoutStrangers | OwnShares


def calibration_of(tree: dict[str, Any]) -> Calibration | WithoutStrangers:
    """A calibration as it was kept; KeyError, TypeError or ValueError where it is none."""
    if "known" in tree:
        return Calibration(Regression(**tree["known"]), Regression(**tree["right"]))
    slope = float(tree["slope"])
    weights = [slope * float(weight) for weight in tree["weights"]]
    return WithoutStrangers(Regression(tree["mean"], tree["spread"], weights, float(tree["offset"])))


def calibrated(evidence: Evidence, right: Sequence[bool], strangers: Evidence) -> Calibration:
    """Learn from answers that are known to be right or wrong, and from answers about people who never were."""
    of_the_known = regression(evidence, np.array(right, dtype=np.float64))
    if not len(strangers):
        return Calibration(always(of_the_known), of_the_known)
    rows, labels = [*evidence, *strangers], np.array([1.0] * len(evidence) + [0.0] * len(strangers))
    return Calibration(regression(rows, labels, balanced=True), of_the_known)


def always(like: Regression) -> Regression:
    """A regression that finds everybody known."""
    return Regression(like.mean, like.spread, [0.0] * len(like.weights), 30.0)


def regression(evidence: Evidence, labels: Array, balanced: bool = False) -> Regression:
    """Labels from evidence; `balanced`: both labels count as much as if they were as many."""
    rows = features_of(evidence)
    mean, spread = rows.mean(0), np.maximum(rows.std(0), 1e-6)
    counts = (
        np.where(labels > 0, len(labels) / (2 * labels.sum()), len(labels) / (2 * (1 - labels).sum())) if balanced else None
    )
    targets = labels if balanced else softened(labels)  # strangers can be made at will: those need no caution for being few
    offset, *weights = fit((rows - mean) / spread, targets, RIDGE, counts)
    return Regression(mean.tolist(), spread.tolist(), [float(weight) for weight in weights], float(offset))


def features_of(evidence: Evidence) -> Array:
    """The logarithms, bounded where the model finds something all but impossible, then the shares: (n, 2 · ways)."""
    logs = np.maximum(np.array(evidence, dtype=np.float64), LEAST)
    return np.hstack([logs, np.exp(logs)])


def softened(labels: Array) -> Array:
    """Platt's targets: never quite 0 or 1, the less so the fewer there are, so that few answers promise little."""
    positive, negative = labels.sum(), len(labels) - labels.sum()
    targets: Array = np.where(labels > 0, (positive + 1) / (positive + 2), 1 / (negative + 2))
    return targets


def fit(features: Array, targets: Array, ridge: float, counts: Array | None = None) -> Array:
    """The logistic regression of targets in [0, 1]: (1 + features,), the constant first, which no ridge pulls at.

    A target of 0.8 is a row that counts 0.8 as right and 0.2 as wrong; `counts` says how often each row counts.

    >>> fit(np.array([[0.0], [0.0], [1.0], [1.0]]), np.array([0.2, 0.2, 0.8, 0.8]), 0.0).round(4).tolist()
    [-1.3863, 2.7726]
    """
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise MissingExtraError("calibration needs scikit-learn; install it: pip install 'clearhead[train]'.") from error
    regression = LogisticRegression(C=1 / ridge if ridge else np.inf, solver="newton-cholesky", tol=1e-10)
    twice, labels = np.vstack([features, features]), np.repeat([1, 0], len(features))
    counted = np.ones(len(targets)) if counts is None else counts
    found = regression.fit(twice, labels, sample_weight=np.concatenate([counted * targets, counted * (1 - targets)]))
    return np.array([*found.intercept_, *found.coef_[0]])


def logistic(logits: Array) -> Array:
    return np.asarray(np.exp(-np.logaddexp(0, -logits)), dtype=np.float64)
