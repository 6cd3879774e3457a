"""Why one passage is harder than another: what is unknown in it, which tokens cost most, how far it is from the training text,
and what each step of preparing it would change."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from clearhead.corpora.text_files import read_chunks
from clearhead.corpora.vocabularies.words import WordVocabulary
from clearhead.errors import InputError
from clearhead.perplexity.derivation import Piece
from clearhead.perplexity.figures import Figures, measured
from clearhead.perplexity.overlap import distance, overlap, plain_words
from clearhead.perplexity.text_preparation import STEPS
from clearhead.progress import Bar, unseen
from clearhead.training.folders.runs import Run

MOST_EXPLAINED = 200_000  # characters of a file that the reasons are looked for in
DEAREST = 8
WARN = 0.05  # share of runs found in the training text from which on a warning is given


@dataclass(frozen=True, slots=True)
class Priced:
    """A file under a run: its figures, and whether the run has read it before."""

    file: Path
    figures: Figures
    seen: float | None  # share of its runs of words that stand in the training text; None: that text is not here

    @property
    def warning(self) -> str:
        if self.seen is None:
            return f"{self.file.name}: the training text is not here, so it is not known whether this file stands in it."
        if self.seen > WARN:
            return (
                f"{self.file.name}: {self.seen:.0%} of its runs of 8 words stand in the training text: seen before, too cheap."
            )
        return ""


@dataclass(frozen=True, slots=True)
class PreparedText:
    """A way of preparing the text, and the figures of what comes out."""

    name: str
    figures: Figures


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why a passage costs what it costs."""

    unknown: float  # share of its tokens
    dearest: list[tuple[str, int, float]]  # token, times, bits in all
    distance: float | None  # KL of its words from the training text's, bits a word
    steps: list[PreparedText]  # first the text as it is, last all steps together
    original: int  # bytes of the text as it is


def training_chunks(run: Run) -> Iterable[str] | None:
    """The text that a run learned from, if it is still there and the same."""
    try:
        return None if run.changed_data else run.corpus.training_text()
    except InputError:
        return None


def price(run: Run, file: Path, charged: bool = True, bar: Bar = unseen) -> Priced:
    """A file under a run, read twice in chunks: once for its price, once to see whether it was trained on."""
    size = None if file.suffix == ".gz" else file.stat().st_size
    with bar(f"{file.name} under {run.folder.name}", "bytes") as shown:
        figures = measured(
            run.model,
            run.vocabulary,
            read_chunks(file),
            charged,
            shown=lambda done, total, remark="": shown(done, size, remark),
        )
    try:
        training = training_chunks(run)
        seen = None if training is None else overlap(read_chunks(file), training)
    except InputError:
        seen = None
    return Priced(file, figures, seen)


def reasons(run: Run, file: Path) -> Reasons:
    """Why a file (its first part, if it is long) costs what it costs."""
    text = beginning_of(file)
    kept: list[tuple[Piece, float]] = []
    as_is = measured(run.model, run.vocabulary, [text], keep=kept)
    try:
        training = training_chunks(run)
        away = None if training is None else distance(Counter(plain_words([text])), Counter(plain_words(training)))
    except InputError:
        away = None
    steps, prepared = [PreparedText("as it is", as_is)], text
    for name, change in STEPS.items():
        steps.append(PreparedText(name, measured(run.model, run.vocabulary, [change(text) or " "])))
        prepared = change(prepared) or " "
    steps.append(PreparedText("all of these", measured(run.model, run.vocabulary, [prepared])))
    return Reasons(
        as_is.unknown / max(as_is.pieces, 1),
        dearest(kept, isinstance(run.vocabulary, WordVocabulary)),
        away,
        steps,
        as_is.text.bytes,
    )


def beginning_of(file: Path) -> str:
    text = ""
    for chunk in read_chunks(file):
        text += chunk
        if len(text) >= MOST_EXPLAINED:
            break
    return text[:MOST_EXPLAINED]


def dearest(kept: Iterable[tuple[Piece, float]], of_words: bool) -> list[tuple[str, int, float]]:
    """The tokens on which most bits go, side model included; tokens smaller than words are put together to words."""
    bits: defaultdict[str, float] = defaultdict(float)
    times: Counter[str] = Counter()
    name, cost_of_word = "", 0.0
    for piece, cost in [*kept, (Piece(None, 0, " "), 0.0)]:
        if name.strip() and (of_words or piece.text[:1].isspace()):
            bits[name.strip()] += cost_of_word
            times[name.strip()] += 1
            name, cost_of_word = "", 0.0
        name += piece.text
        cost_of_word += (cost + sum(piece.charges.values())) / math.log(2)
    most = sorted(bits, key=lambda name: -bits[name])[:DEAREST]
    return [(name, times[name], bits[name]) for name in most]
