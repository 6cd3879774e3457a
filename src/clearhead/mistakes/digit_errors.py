"""Digits that a convolutional net misread: how many, which for which, and what they look like."""

import random
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from clearhead.corpora.sources.digits import Digits
from clearhead.errors import InputError
from clearhead.mistakes.classification import class_names
from clearhead.mistakes.review_errors import most_confused
from clearhead.models.convnet import ConvNet
from clearhead.training.folders.runs import Run
from clearhead.wilson import wilson

AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Misread:
    """One picture (32, 32), what it is, what the net says and how sure it is of either."""

    picture: NDArray[np.uint8]
    label: int
    verdict: int
    sure: float  # of the verdict
    of_label: float


@dataclass(frozen=True, slots=True)
class DigitErrors:
    """What there is to say of a run over digits."""

    run: str
    corpus: str
    confusion: NDArray[np.int64]  # (classes, classes): row the digit, column the verdict
    names: tuple[str, ...]  # of the classes
    sample: tuple[Misread, ...]
    baselines: dict[str, float]
    held_out: bool = True  # by the run itself; else a test set that somebody named

    @property
    def pictures(self) -> int:
        return int(self.confusion.sum())

    @property
    def wrong(self) -> int:
        return self.pictures - int(self.confusion.trace())

    @property
    def accuracy(self) -> float:
        return 1 - self.wrong / self.pictures

    def confused(self) -> list[tuple[int, str, str]]:
        """(how often, class, verdict), the most frequent first."""
        return most_confused(self.confusion.tolist(), self.names)

    def tree(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "run": self.run,
            "corpus": self.corpus,
            "accuracy": self.accuracy,
            "interval": list(wilson(self.pictures - self.wrong, self.pictures)),
            "held_out": self.pictures,
            "classes": list(self.names),
            "baselines": self.baselines,
            "confusion": self.confusion.tolist(),
            "sample": [
                {"label": each.label, "verdict": each.verdict, "sure": each.sure, "of_label": each.of_label}
                for each in self.sample
            ],
        }


@torch.no_grad()
def digit_errors(run: Run, count: int, seed: int, baselines: dict[str, float], held_out: bool = True) -> DigitErrors:
    """Read every picture that was held out."""
    model = run.model
    assert isinstance(run.corpus, Digits)
    assert isinstance(model, ConvNet)
    pictures = run.corpus.validation()
    if not len(pictures.labels):
        raise InputError(f"{run.folder} holds no pictures out; train it with some held out.", "(--set held_out=0.2)")
    flat = torch.from_numpy(pictures.pixels.reshape(len(pictures.labels), -1))
    chances = torch.cat(
        [model(flat[start : start + AT_ONCE].to(model.device)).softmax(-1).cpu() for start in range(0, len(flat), AT_ONCE)]
    ).numpy()  # (pictures, classes)
    verdicts = chances.argmax(1)
    confusion = np.zeros((chances.shape[1],) * 2, np.int64)
    np.add.at(confusion, (pictures.labels, verdicts), 1)
    wrong = np.flatnonzero(verdicts != pictures.labels).tolist()
    chosen = random.Random(f"errors/{seed}").sample(wrong, min(count, len(wrong)))
    sample = []
    for place in chosen:
        label, verdict = int(pictures.labels[place]), int(verdicts[place])
        sure, of_label = float(chances[place, verdict]), float(chances[place, label])
        sample.append(Misread(pictures.pixels[place], label, verdict, sure, of_label))
    return DigitErrors(str(run.folder), run.corpus.name, confusion, class_names(run), tuple(sample), baselines, held_out)
