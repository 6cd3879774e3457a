"""What `clearhead perplexity` says: a table for each file, two runs side by side where that is fair, and the reasons."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clearhead.perplexity.passages import Priced, Reasons, price, reasons
from clearhead.progress import Bar, unseen
from clearhead.training.folders.runs import Run

ROWS = {
    "perplexity_per_token": "perplexity a token (model alone, its own tokens)",
    "perplexity_per_word": "perplexity a word",
    "perplexity_per_character": "perplexity a character",
    "bits_per_byte": "bits a byte",
}
NOT_COMPARABLE = "NOT COMPARABLE between models: what a vocabulary cannot say is not charged, so knowing less looks cheaper."


@dataclass(frozen=True, slots=True)
class RunOnFile:
    """One run on one file."""

    name: str
    priced: Priced
    why: Reasons | None


@dataclass(frozen=True, slots=True)
class FileReport:
    """One file under one run or two."""

    file: Path
    sides: list[RunOnFile]
    charged: bool

    def tree(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "file": str(self.file),
            "comparable": self.charged,
            "runs": [
                {"run": side.name, **side.priced.figures.tree(), "seen_in_training": side.priced.seen, **why_tree(side.why)}
                for side in self.sides
            ],
        }

    def text(self) -> str:
        """As a person reads it."""
        figures = [side.priced.figures for side in self.sides]
        counts = figures[0].text
        lines = [f"{self.file}: {counts.words:,} words, {counts.characters:,} characters, {counts.bytes:,} bytes"]
        lines.append(row("", [side.name for side in self.sides]))
        trees = [each.tree() for each in figures]
        lines += [row(name, [number(tree[key]) for tree in trees]) for key, name in ROWS.items()]
        lines.append(row("tokens", [f"{tree['tokens']:,}" for tree in trees]))
        lines.append(row("unknown tokens", [f"{tree['unknown_share']:.1%}" for tree in trees]))
        lines.append(row("model, bits", [f"{tree['model_bits']:,.0f}" for tree in trees]))
        for name in dict.fromkeys(name for tree in trees for name in tree["side_bits"]):
            told = [f"{tree['side_bits'][name]:,.0f}" if name in tree["side_bits"] else "–" for tree in trees]
            lines.append(row(f"side model, {name}, bits", told))
        lines += [f"  {line}" for line in self.verdict()]
        for side in self.sides:
            lines += why_lines(side)
        return "\n".join(lines)

    def verdict(self) -> list[str]:
        """Which run is better, where that can be said, and every warning."""
        lines = [side.priced.warning for side in self.sides if side.priced.warning]
        if not self.charged:
            lines.append(NOT_COMPARABLE)
        elif len(self.sides) == 2:
            first, second = (side.priced.figures.tree()["bits_per_byte"] for side in self.sides)
            better, worse = (0, 1) if first <= second else (1, 0)
            low, high = min(first, second), max(first, second)
            lines.append(
                f"{self.sides[better].name} needs {1 - low / high:.1%} fewer bits than {self.sides[worse].name} "
                f"for the same {self.sides[0].priced.figures.text.bytes:,} bytes."
            )
        return [f"! {line}" if line in (NOT_COMPARABLE, *(s.priced.warning for s in self.sides)) else line for line in lines]


def row(name: str, cells: Sequence[str]) -> str:
    return f"  {name:50}" + "".join(f"{cell:>18}" for cell in cells)


def number(x: float) -> str:
    """
    >>> number(3.14159), number(1234567.0)
    ('3.142', '1.23e+06')
    """
    return f"{x:.3f}" if x < 10_000 else f"{x:.3g}"


def why_lines(side: RunOnFile) -> list[str]:
    """The reasons of one run, in lines."""
    why = side.why
    if why is None:
        return []
    away = "the training text is not here" if why.distance is None else f"{why.distance:.2f} bits a word (KL of unigrams)"
    dear = ", ".join(f"{name} ×{times} {bits:.0f}" for name, times, bits in why.dearest)
    lines = [
        f"  why, for {side.name}:",
        f"    unknown tokens {why.unknown:.1%}; distance to the training text: {away}",
        f"    most bits go on: {dear}",
        "    prepared first (another text, so its bits tell what the step takes away, not a better model):",
        f"      {'':24}{'per token':>11}{'unknown':>9}{'bits':>10}{'per original byte':>19}",
    ]
    for step in why.steps:
        tree, bits = step.figures.tree(), step.figures.total / math.log(2)
        lines.append(
            f"      {step.name:24}{tree['perplexity_per_token']:>11.2f}{tree['unknown_share']:>9.1%}"
            f"{bits:>10,.0f}{bits / why.original:>19.3f}"
        )
    return lines


def why_tree(why: Reasons | None) -> dict[str, Any]:
    """The reasons as JSON."""
    if why is None:
        return {}
    steps = {step.name: step.figures.tree() for step in why.steps}
    dear = [{"token": name, "times": times, "bits": bits} for name, times, bits in why.dearest]
    return {"why": {"unknown_share": why.unknown, "distance_bits_per_word": why.distance, "dearest": dear, "steps": steps}}


def report_on(runs: Sequence[Run], file: Path, charged: bool, why: bool, bar: Bar = unseen) -> FileReport:
    """One file under one run or two."""
    sides = [RunOnFile(run.folder.name, price(run, file, charged, bar), reasons(run, file) if why else None) for run in runs]
    return FileReport(file, sides, charged)
