"""What a run knows about its own certainty: measured once on its dev questions, kept in its folder."""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from clearhead.answering.answerer import Answerer
from clearhead.answering.certainty.abstention import Ways, both_ways, halves, share
from clearhead.answering.certainty.calibration import STRANGERS, Calibration, WithoutStrangers, calibration_of
from clearhead.answering.certainty.fairness_probe import Probe, probe
from clearhead.answering.certainty.kept_promises import Promises, bins_of, calibration_error, ranking, risk_coverage
from clearhead.answering.certainty.name_origins import unseen_by_origin
from clearhead.answering.name_index import NameIndex, index_for, invented_names
from clearhead.answering.question_forms import DOUBTS, SURPRISES, WAYS, Heard, asking_of, hear
from clearhead.corpora.sources.named_birthplaces import is_world
from clearhead.corpora.sources.phrasings import QUESTION
from clearhead.errors import ClearheadError, InputError
from clearhead.saving import write_whole
from clearhead.training.folders.run_folder import CHECKPOINTS
from clearhead.training.steps.checkpoints import latest

CONFIDENCE = "confidence.json"
FEWEST = 4  # dev questions: two in each half
INVENTED = (200, 500)  # names at least and at most in each half of the strangers
EACH_ORIGIN = 30  # names that the probe asks about
FEATURES = 2 * (len(WAYS) + len(DOUBTS) + SURPRISES)  # what a calibration weighs: shares and their logarithms


@dataclass(frozen=True, slots=True)
class Confidence:
    """How sure a run may be: from evidence to a probability, and the level below which it does not know."""

    checkpoint: str
    level: float
    calibration: Calibration | WithoutStrangers
    data: str = ""  # fingerprint of what it was learned from; empty: an earlier version did not say
    strangers: float = STRANGERS  # the share of strangers that the level was chosen for


@dataclass(frozen=True, slots=True)
class Measured:
    """The confidence of a run and everything that was found on the way."""

    confidence: Confidence
    ways: Ways
    seen: list[bool]  # whether the name of each dev question stands in the corpus
    raw: Promises  # the share that the model itself gives each of its answers
    probe: Probe

    @property
    def right(self) -> Sequence[bool]:
        """Whether each dev question was answered rightly."""
        return self.ways.promises.right

    def tree(self) -> dict[str, Any]:
        """As it stands in confidence.json."""
        bins = bins_of(self.ways.promises)
        tried = self.ways.tried[0]
        total = len(halves(len(self.ways.promises.strangers))[1])
        return {
            "checkpoint": self.confidence.checkpoint,
            "data": self.confidence.data,
            "level": self.confidence.level,
            "strangers": self.confidence.strangers,
            "calibration": asdict(self.confidence.calibration),
            "tried": [tried.tree() for tried in self.ways.tried],
            "ece": calibration_error(bins),
            "ece_uncalibrated": calibration_error(bins_of(self.raw)),
            "auc": ranking(self.ways.promises),
            "auc_uncalibrated": ranking(self.raw),
            "reliability": [asdict(each) for each in bins],
            "risk_coverage": risk_coverage(self.ways.promises),
            "seen": accuracy(self.right, self.seen),
            "unseen": accuracy(self.right, [not seen for seen in self.seen]),
            "invented": {"refused": round(tried.refused * total), "total": total, "rate": tried.refused},
            "probe": self.probe.tree(),
        }


def accuracy(right: Sequence[bool], counted: Sequence[bool]) -> dict[str, float]:
    """The score of some of the questions."""
    chosen = [each for each, counts in zip(right, counted, strict=True) if counts]
    return {"correct": sum(chosen), "total": len(chosen), "accuracy": share(sum(chosen), len(chosen))}


def cannot_learn(run: Answerer) -> str:
    """Why it cannot be learned here and now how sure a run may be; empty: it can."""
    try:
        dev = len(run.corpus.dev)
    except ClearheadError:
        return "its corpus is not here"
    if run.changed_data:
        return f"its corpus has changed: {run.changed_data}"
    return "" if dev >= FEWEST else f"that takes {FEWEST} dev questions, and {run.corpus.name} has {dev}"


def measure(run: Answerer, strangers: float = STRANGERS) -> Measured:
    """Ask a run its dev questions and about people who never were, and learn from that how sure it may be."""
    index = index_for(run.folder, run.corpus)
    dev = hear(run.model, run.vocabulary, [asking_of(question.text) for question in run.corpus.dev])
    right = [heard.answer == question.answer for heard, question in zip(dev, run.corpus.dev, strict=True)]
    least, most = INVENTED
    half = min(most, max(least, len(dev)))
    unknown = asked_about(run, invented_names(run.corpus, index, 2 * half))
    ways = both_ways([heard.evidence for heard in dev], right, [heard.evidence for heard in unknown], strangers)
    learned = ways.learned[0]
    own = [[math.exp(heard.evidence[0]) for heard in people] for people in (dev, unknown)]
    return Measured(
        confidence=Confidence(checkpoint_of(run.folder), ways.level, learned, fingerprint_of(run), strangers),
        ways=ways,
        seen=[heard.asking.name in index for heard in dev],
        raw=Promises(own[0], right, own[1], strangers),
        probe=probed(run, index, learned, ways.level, strangers),
    )


def probed(run: Answerer, index: NameIndex, learned: Calibration, level: float, strangers: float) -> Probe:
    """The fairness probe of a run."""
    names = unseen_by_origin(index, is_world(run.recipe.corpus), EACH_ORIGIN)
    origins = [origin for origin, listed in names.items() for _ in listed]
    heard = asked_about(run, [name for listed in names.values() for name in listed])
    sure = learned.probabilities([each.evidence for each in heard], strangers)
    return probe(origins, [each.answer for each in heard], [each < level for each in sure])


def asked_about(run: Answerer, names: Sequence[str]) -> list[Heard]:
    """The trained question about each name."""
    return hear(run.model, run.vocabulary, [asking_of(QUESTION.format(name=name)) for name in names])


def checkpoint_of(folder: Path) -> str:
    """The number of the checkpoint that answers."""
    checkpoint, _ = latest(folder / CHECKPOINTS)
    return checkpoint.name if checkpoint else ""


def fingerprint_of(run: Answerer) -> str:
    """Of the data of a run."""
    return run.data.fingerprint if run.data else ""


def keep(measured: Measured, folder: Path) -> None:
    write_whole(folder / CONFIDENCE, json.dumps(measured.tree(), indent=1, ensure_ascii=False) + "\n")


def kept_confidence(run: Answerer) -> Confidence | None:
    """The confidence in a run folder, if it is that of the last checkpoint, and learned from the data of the run."""
    try:
        tree = json.loads((run.folder / CONFIDENCE).read_text(encoding="utf-8"))
        kept = Confidence(
            checkpoint=str(tree["checkpoint"]),
            level=float(tree["level"]),
            calibration=calibration_of(tree["calibration"]),
            data=str(tree.get("data", "")),
            strangers=float(tree.get("strangers", STRANGERS)),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    of_this_data = kept.data in ("", fingerprint_of(run))
    return kept if of_this_data and kept.checkpoint == checkpoint_of(run.folder) else None


def is_earlier(kept: Confidence) -> bool:
    """Whether an earlier version learned it, by asking otherwise: to be learned anew where the corpus is here."""
    return not isinstance(kept.calibration, Calibration) or len(kept.calibration.known.weights) != FEATURES


def learned_confidence(run: Answerer, note: Callable[[str], None]) -> Confidence:
    """Measure how sure a run may be, and keep it in its folder where that can be written."""
    note(f"learning from {len(run.corpus.dev)} dev questions how sure this run may be: once, kept in {run.folder / CONFIDENCE}")
    measured = measure(run)
    try:
        keep(measured, run.folder)
    except InputError as error:
        note(f"not kept: {error}")
    return measured.confidence
