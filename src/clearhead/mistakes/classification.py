"""What a classifier says of something new: a text, a picture, or a file of either."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch

from clearhead.corpora.sources.picture_files import fitted, read_picture
from clearhead.corpora.sources.review_labels import LIKING
from clearhead.corpora.sources.reviews import words_of
from clearhead.corpora.vocabularies.class_names import LabelVocabulary
from clearhead.errors import InputError
from clearhead.models import Classifier
from clearhead.training.folders.runs import Run

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@torch.no_grad()
def verdict_on(run: Run, thing: "str | Path | ArrayLike") -> dict[str, float]:
    """How likely a classifier finds each class, by name."""
    if not isinstance(run.model, Classifier):
        raise InputError(f"{run.folder} tells no classes apart; take a run of a classifier, such as sentiment or digits.")
    inputs = pixels_of(thing) if isinstance(run.vocabulary, LabelVocabulary) else ids_of(run, thing)
    (chances,) = run.model.eval().chances(torch.tensor([inputs], device=run.model.device)).tolist()
    return dict(zip(class_names(run), chances, strict=True))


def class_names(run: Run) -> tuple[str, ...]:
    """The names of the classes of a run, in the order of its model's."""
    if isinstance(run.vocabulary, LabelVocabulary):
        return run.vocabulary.names
    return run.recipe.vocabulary.names or LIKING


def ids_of(run: Run, thing: "str | Path | ArrayLike") -> list[int]:
    """The words of a text, or of a text file."""
    if isinstance(thing, Path):
        thing = thing.read_text(encoding="utf-8")
    if not isinstance(thing, str):
        raise InputError(f"{run.folder} judges texts; got {type(thing).__name__}.")
    return run.vocabulary.encode(" ".join(words_of(thing))) or [run.vocabulary.pad]


def pixels_of(thing: "str | Path | ArrayLike") -> list[int]:
    """A grey picture, light on dark, brought to 32×32: an array of numbers from 0 to 255, or a picture file."""
    array = read_picture(Path(thing)) if isinstance(thing, str | Path) else np.asarray(thing)
    if array.ndim != 2 or not np.issubdtype(array.dtype, np.number) or not np.isfinite(array).all():
        raise InputError(f"a picture is a table of numbers, rows by columns; got {array.ndim} dimensions of {array.dtype}.")
    if array.min() < 0 or array.max() > 255:
        raise InputError(f"a pixel lies from 0 to 255; got {array.min():g} to {array.max():g}.")
    flat: list[int] = fitted(array[None].astype(np.uint8), "the picture").reshape(-1).tolist()
    return flat
