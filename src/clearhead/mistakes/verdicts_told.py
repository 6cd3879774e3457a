"""`clearhead classify`: something new to a classifier, the class with how sure it is, and the words that pushed it there."""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clearhead.corpora.sources.digits import drawn
from clearhead.corpora.sources.picture_files import SIDE, SUFFIXES, read_picture
from clearhead.corpora.sources.reviews import Review
from clearhead.corpora.text_files import read_chunks, read_lines
from clearhead.corpora.vocabularies.class_names import LabelVocabulary
from clearhead.corpora.vocabularies.words import WordVocabulary
from clearhead.errors import InputError
from clearhead.mistakes.classification import class_names, pixels_of, verdict_on
from clearhead.mistakes.mistakes_text import push_lines
from clearhead.mistakes.word_pushes import Judged, doubled, judged
from clearhead.models import Classifier
from clearhead.models.averaging import Averaging
from clearhead.training.folders.runs import Run, trained

INPUT = "-"  # what comes in by a pipe
SHOWN = 4  # other classes


@dataclass(frozen=True, slots=True)
class Verdict:
    """How likely each class is, the likeliest first; and what it was judged by."""

    chances: dict[str, float]
    judged: Judged | None = None  # of a text
    picture: NDArray[np.uint8] | None = None  # (32, 32), as the net saw it
    known: tuple[int, int] | None = None  # words that stand in the vocabulary, and all words

    @property
    def name(self) -> str:
        """The likeliest class."""
        return next(iter(self.chances))

    def tree(self) -> dict[str, Any]:
        """As JSON."""
        tree: dict[str, Any] = {"class": self.name, "probability": self.chances[self.name], "chances": self.chances}
        if self.judged is not None:
            pushes = zip(self.judged.places, self.judged.pushes, strict=True)
            tree["towards"] = self.name if len(self.chances) > 2 else None
            tree["words"] = [
                {"word": place.word, "start": place.start, "end": place.end, "push": push} for place, push in pushes
            ]
        return tree


def classified(folder: Path, thing: str, lines: bool, as_json: bool) -> Iterator[str]:
    """What `clearhead classify` prints, a line or more at a time."""
    run = trained(folder)
    if not isinstance(run.model, Classifier):
        raise InputError(f"{folder} tells no classes apart; take a run of a classifier, such as sentiment or digits.")
    if not lines:
        verdict = verdict_of_thing(run, thing)
        yield json.dumps(verdict.tree(), ensure_ascii=False) if as_json else "\n".join(verdict_lines(verdict, class_names(run)))
        return
    for text in texts_of(run, thing):
        verdict = verdict_of_text(run, text)
        told = f"{verdict.name}\t{verdict.chances[verdict.name]:.4f}\t{text}"
        yield json.dumps({**verdict.tree(), "text": text}, ensure_ascii=False) if as_json else told


def verdict_of_thing(run: Run, thing: str) -> Verdict:
    """A text, a file of one, a picture file, or what comes in by a pipe."""
    if not isinstance(run.vocabulary, LabelVocabulary):
        return verdict_of_text(run, text_of(thing))
    if thing == INPUT:
        pixels = read_picture(BytesIO(sys.stdin.buffer.read()), "what came in")
    elif Path(thing).is_file():
        pixels = read_picture(Path(thing))
    else:
        raise InputError(f"{thing[:80]}: a picture file was expected ({', '.join(SUFFIXES)}); there is none.")
    seen = np.array(pixels_of(pixels), np.uint8).reshape(SIDE, SIDE)
    return Verdict(ranked(verdict_on(run, seen)), picture=seen)


def verdict_of_text(run: Run, text: str) -> Verdict:
    """The classes of a text, and what each of its words pushed."""
    model, vocabulary = run.model, run.vocabulary
    if not isinstance(model, Averaging) or not isinstance(vocabulary, WordVocabulary):
        return Verdict(ranked(verdict_on(run, text)))
    found = judged(doubled(model), vocabulary, Review(text, 0))
    ids = vocabulary.encode(" ".join(place.word for place in found.places))
    known = sum(token != vocabulary.unknown for token in ids)
    return Verdict(ranked(dict(zip(class_names(run), found.chances, strict=True))), found, known=(known, len(ids)))


def ranked(chances: dict[str, float]) -> dict[str, float]:
    return dict(sorted(chances.items(), key=lambda each: -each[1]))


def text_of(thing: str) -> str:
    """The text itself, that of a file, or what comes in by a pipe."""
    if thing == INPUT:
        return sys.stdin.buffer.read().decode("utf-8", "replace")
    if is_file(thing):
        return "".join(read_chunks(Path(thing)))
    if " " not in thing.strip() and Path(thing).suffix in (".txt", ".md", ".csv", ".tsv", ".gz"):
        raise InputError(f"{thing}: there is no such file; a text of several words can be typed as it is.")
    if not thing.strip():
        raise InputError('there is nothing to judge; type a text, for instance "a film full of wit".')
    return thing


def texts_of(run: Run, thing: str) -> Iterator[str]:
    """A text a line."""
    if isinstance(run.vocabulary, LabelVocabulary):
        raise InputError(f"{run.folder} reads pictures, one at a time; lines are for texts.", "(--lines)")
    if is_file(thing):
        return (line for _, line in read_lines(Path(thing)) if line.strip())
    return (line for line in text_of(thing).splitlines() if line.strip())


def is_file(thing: str) -> bool:
    try:
        return Path(thing).is_file()
    except (OSError, ValueError):  # a long text is no name of a file
        return False


def verdict_lines(verdict: Verdict, names: tuple[str, ...]) -> list[str]:
    """For people."""
    others = [f"{name} {chance:.2f}" for name, chance in list(verdict.chances.items())[1 : SHOWN + 1]]
    lines = [f"{verdict.name} ({verdict.chances[verdict.name]:.2f}; {', '.join(others)})"]
    if verdict.judged is not None:
        lines += push_lines(verdict.judged, "")
    if verdict.known is not None:
        known, words = verdict.known
        if not known:
            lines.append("note: it has never read any of these words, so this says nothing about the text")
        elif known < words:
            lines.append(f"note: {words - known} of its {words} words stand outside the vocabulary and count alike")
    if verdict.picture is not None:
        lines += ["as the net saw it:", *drawn(verdict.picture)]
    return lines
