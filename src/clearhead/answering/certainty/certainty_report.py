"""What `evaluate` says about certainty: two pictures and a page of words."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from clearhead.answering.answerer import Answerer
from clearhead.answering.certainty.abstention import PRECISION, REFUSED, Tried
from clearhead.answering.certainty.confidence import CONFIDENCE, FEWEST, Measured, keep, measure
from clearhead.answering.certainty.fairness_probe import probe_text
from clearhead.answering.certainty.kept_promises import bins_of, risk_coverage
from clearhead.pictures import Bar, coverage_curve, reliability
from clearhead.saving import write_whole

RELIABILITY, COVERAGE = "reliability.svg", "risk-coverage.svg"


def certainty_report(run: Answerer) -> str:
    """Measure how sure a run may be on its dev questions, keep it in its folder with two pictures, and tell it."""
    if len(run.corpus.dev) < FEWEST:
        return f"nothing is said about certainty: that takes at least {FEWEST} dev questions."
    measured = measure(run)
    keep(measured, run.folder)
    draw(measured, run.folder)
    return report_text(measured, run.folder)


def draw(measured: Measured, folder: Path) -> None:
    """The reliability diagram and the risk–coverage curve of the dev questions, each judged by the other half."""
    sure, right = measured.ways.probabilities, measured.right
    bars = [Bar(**asdict(each)) for each in bins_of(sure, right)]
    write_whole(folder / RELIABILITY, reliability(bars, "How often answers are right, by how sure"))
    answered = [is_right for each, is_right in zip(sure, right, strict=True) if each >= measured.confidence.level]
    chosen = (len(answered) / len(right), 1 - sum(answered) / len(answered)) if answered else None
    write_whole(folder / COVERAGE, coverage_curve(risk_coverage(sure, right), chosen, "Fewer answers, fewer wrong ones"))


def report_text(measured: Measured, folder: Path) -> str:
    """The page of words."""
    tree = measured.tree()
    lines = [
        "",
        f"asked three ways (as typed, as a sentence, the name alone): {sum(measured.right)} of {len(measured.right)} right",
        f"how sure: off by {tree['ece']:.1%} on average (ECE, each half of dev judged by what the other half taught); "
        f"the model's own shares by {tree['ece_uncalibrated']:.1%}",
        f'"I don\'t know" below {measured.confidence.level:.2f}: the lowest level on one half of dev with {PRECISION:.0%} '
        f"precision and {REFUSED:.0%} of invented names of the same style below it. On the other half and other such names:",
        *tried_lines(measured.ways.tried),
        f"{PRECISION:.0%} precision alone would give:",
        *tried_lines(measured.ways.by_precision),
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
        f"{each.survived:.1%} of the right answers survive; {each.refused:.1%} of invented names refused"
        for each, half in zip(tried, ("second half", "first half, the other way round"), strict=True)
    ]


def counted(score: dict[str, Any]) -> str:
    rate = f"{score['correct']} of {score['total']} ({score['accuracy']:.1%})"
    return rate if score["total"] else "dev asks about none"
