"""From what a model says of its own answer to a probability that the answer is right.

Two logistic regressions. The first weighs the ways of asking, by the shares and by their logarithms, with right answers on one
side and wrong ones and answers about invented people on the other: what tells knowing from making up. The second (Platt's)
turns that one number into a probability, on the labelled questions alone, so that it is right as often as it says.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clearhead.errors import MissingExtraError

Array = NDArray[np.float64]
Evidence = Sequence[Sequence[float]]
LEAST = -30.0  # ln of what the model finds all but impossible
RIDGE = 1.0  # pull of the weights of the first regression to 0


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was learned: how each way of asking counts, and how their sum becomes a probability."""

    mean: list[float]  # of the features, as their spread and their weights
    spread: list[float]
    weights: list[float]
    slope: float
    offset: float

    def probabilities(self, evidence: Evidence) -> list[float]:
        """The probability that each answer is right."""
        if not len(evidence):
            return []
        return [float(each) for each in logistic(self.slope * self.scores(evidence) + self.offset)]

    def scores(self, evidence: Evidence) -> Array:
        """The one number of each answer: (n,)."""
        standard = (features_of(evidence) - np.array(self.mean)) / np.array(self.spread)
        return np.asarray(standard @ np.array(self.weights), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class OwnShares:
    """Nothing was learned: the model's own share of the answer to the question as typed, which may promise too much."""

    def probabilities(self, evidence: Evidence) -> list[float]:
        """The share of each answer."""
        return [float(np.exp(min(each[0], 0.0))) for each in evidence]


def calibrated(evidence: Evidence, right: Sequence[bool], invented: Evidence) -> Calibration:
    """Learn from answers that are known to be right or wrong, and from answers about people who never were."""
    rows = features_of([*evidence, *invented])
    labels = np.array([*right, *[False] * len(invented)], dtype=np.float64)
    mean, spread = rows.mean(0), np.maximum(rows.std(0), 1e-6)
    _, *weights = fit((rows - mean) / spread, softened(labels), RIDGE)
    blank = Calibration(mean.tolist(), spread.tolist(), [float(weight) for weight in weights], 1.0, 0.0)
    known = softened(np.array(right, dtype=np.float64))
    offset, slope = fit(blank.scores(evidence)[:, None], known, RIDGE / 10)
    return Calibration(blank.mean, blank.spread, blank.weights, max(float(slope), 1e-3), float(offset))


def features_of(evidence: Evidence) -> Array:
    """The logarithms, bounded where the model finds something all but impossible, then the shares: (n, 2 · ways)."""
    logs = np.maximum(np.array(evidence, dtype=np.float64), LEAST)
    return np.hstack([logs, np.exp(logs)])


def softened(labels: Array) -> Array:
    """Platt's targets: never quite 0 or 1, the less so the fewer there are, so that few answers promise little."""
    positive, negative = labels.sum(), len(labels) - labels.sum()
    targets: Array = np.where(labels > 0, (positive + 1) / (positive + 2), 1 / (negative + 2))
    return targets


def fit(features: Array, targets: Array, ridge: float) -> Array:
    """The logistic regression of targets in [0, 1]: (1 + features,), the constant first, which no ridge pulls at.

    A target of 0.8 is a row that counts 0.8 as right and 0.2 as wrong.

    >>> fit(np.array([[0.0], [0.0], [1.0], [1.0]]), np.array([0.2, 0.2, 0.8, 0.8]), 0.0).round(4).tolist()
    [-1.3863, 2.7726]
    """
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise MissingExtraError("calibration needs scikit-learn; install it: pip install 'clearhead[train]'.") from error
    regression = LogisticRegression(C=1 / ridge if ridge else np.inf, solver="newton-cholesky", tol=1e-10)
    twice, labels = np.vstack([features, features]), np.repeat([1, 0], len(features))
    found = regression.fit(twice, labels, sample_weight=np.concatenate([targets, 1 - targets]))
    return np.array([*found.intercept_, *found.coef_[0]])


def logistic(logits: Array) -> Array:
    return np.asarray(np.exp(-np.logaddexp(0, -logits)), dtype=np.float64)
