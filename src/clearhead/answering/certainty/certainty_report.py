"""What `evaluate` says about certainty: two pictures and a page of words."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from clearhead.answering.answerer import Answerer
from clearhead.answering.certainty.abstention import LOWEST, PRECISION, REFUSED, Tried
from clearhead.answering.certainty.calibration import STRANGERS
from clearhead.answering.certainty.confidence import CONFIDENCE, FEWEST, Measured, keep, measure
from clearhead.answering.certainty.fairness_probe import probe_text
from clearhead.answering.certainty.kept_promises import bins_of, risk_coverage
from clearhead.pictures import Bar, coverage_curve, reliability
from clearhead.saving import write_whole

RELIABILITY, COVERAGE = "reliability.svg", "risk-coverage.svg"


def certainty_report(run: Answerer, strangers: float = STRANGERS) -> str:
    """Measure how sure a run may be on its dev questions, keep it in its folder with two pictures, and tell it."""
    if len(run.corpus.dev) < FEWEST:
        return f"nothing is said about certainty: that takes at least {FEWEST} dev questions."
    measured = measure(run, strangers)
    keep(measured, run.folder)
    draw(measured, run.folder)
    return report_text(measured, run.folder)


def draw(measured: Measured, folder: Path) -> None:
    """The reliability diagram and the risk–coverage curve of everybody asked about, each judged by the other half."""
    promises = measured.ways.promises
    bars = [Bar(each.low, each.high, each.count, each.promised, each.kept) for each in bins_of(promises)]
    write_whole(folder / RELIABILITY, reliability(bars, "How often answers are right, by how sure"))
    points = risk_coverage(promises)
    reached = [counts for sure, counts in zip(promises.sure, promises.counts, strict=True) if sure >= measured.confidence.level]
    chosen = min(points, key=lambda point: abs(point[0] - sum(reached))) if reached else None
    write_whole(folder / COVERAGE, coverage_curve(points, chosen, "Fewer answers, fewer wrong ones"))


def report_text(measured: Measured, folder: Path) -> str:
    """The page of words."""
    tree = measured.tree()
    ranks = "" if tree["auc"] is None else f"; a right answer is surer than one that is not in {tree['auc']:.1%} (AUC)"
    lines = [
        "",
        f"asked three ways (as typed, as a sentence, the name alone): {sum(measured.right)} of {len(measured.right)} right",
        f"how sure, where {measured.confidence.strangers:.0%} of those asked about are strangers (invented names of the same "
        f"style): off by {tree['ece']:.1%} on average (ECE, each half judged by what the other half taught); "
        f"the model's own shares by {tree['ece_uncalibrated']:.1%}{ranks}",
        f'"I don\'t know" below {measured.confidence.level:.2f}: the lowest level from {LOWEST:.2f} on with which, on one '
        f"half, {PRECISION:.0%} of the answers are right and {REFUSED:.0%} of the strangers get none. On the other half:",
        *tried_lines(measured.ways.tried),
        f"right, of names that stand in the corpus: {counted(tree['seen'])}; of names that do not: {counted(tree['unseen'])}",
        "",
        probe_text(measured.probe),
        "",
        f"drawn in {folder / RELIABILITY} and {folder / COVERAGE}; figures in {folder / CONFIDENCE}",
    ]
    return "\n".join(lines)


def tried_lines(tried: Sequence[Tried]) -> list[str]:
    """Each level on the half it was not chosen on."""
    return [
        f"  {each.level:.2f} on the {half}: {each.answered} of {each.total} answered, {each.precision:.1%} of them right; "
        f"{each.survived:.1%} of the right answers survive; {each.refused:.1%} of strangers refused; "
        f"with strangers counted {each.mixed:.1%} of the answers are right"
        for each, half in zip(tried, ("second half", "first half, the other way round"), strict=True)
    ]


def counted(score: dict[str, Any]) -> str:
    rate = f"{score['correct']} of {score['total']} ({score['accuracy']:.1%})"
    return rate if score["total"] else "dev asks about none"
