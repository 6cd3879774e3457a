"""Reports and the list of claims as text."""

import textwrap
from collections.abc import Mapping, Sequence
from itertools import zip_longest

from clearhead.lab.claim import Interval, LabReport, Number

WIDE = 110
NAMED = 56  # the widest that the names of numbers may stand beside them
TIE = "\N{NO-BREAK SPACE}"


def listing(claims: Mapping[str, str]) -> str:
    """One claim a line: its name and what it says."""
    width = max(map(len, claims))
    return "".join(f"{name:{width}}  {sentence}\n" for name, sentence in claims.items())


def told(report: LabReport) -> str:
    """The claim, the numbers, what each part of it came to, and the verdict."""
    claim, finding, trial = report.claim, report.finding, report.trial
    width = min(NAMED, max(map(len, finding.numbers), default=0))
    lines = [*textwrap.wrap(f"{claim.name}: {claim.sentence}", WIDE), ""]
    for name, number in finding.numbers.items():
        lines += beside(textwrap.wrap(name, width), wrapped(written(number), WIDE - width - 4), width)
    lines += ["", *(f"  {'yes' if holds else 'no ':3} {part}" for part, holds in finding.parts.items()), ""]
    how = f"quick: {claim.quick}" if trial.quick else "in full"
    lines += [*textwrap.wrap(f"verdict: {finding.verdict}", WIDE), f"(seed {trial.seed}, {report.seconds:.1f} s, {how})"]
    return "\n".join(lines) + "\n"


def beside(names: Sequence[str], numbers: Sequence[str], width: int) -> list[str]:
    """Two columns of lines."""
    return [f"  {name:{width}}  {number}".rstrip() for name, number in zip_longest(names, numbers, fillvalue="")]


def wrapped(text: str, width: int) -> list[str]:
    """Lines of at most that width; a number stays with what it is give or take, and no line begins with a dot.

    >>> wrapped("0.5 ± 0.1 · 0.6 ± 0.2", 14)
    ['0.5 ± 0.1 ·', '0.6 ± 0.2']
    """
    tied = text.replace(" ± ", f"{TIE}±{TIE}").replace(" · ", f"{TIE}· ")
    return [line.replace(TIE, " ") for line in textwrap.wrap(tied, width)]


def written(number: Number) -> str:
    """A number for a reader: five digits, an interval in brackets, several in a row.

    >>> written(Interval(0.98765, 0.98, 0.99)), written([1, 2.0, 1e-9]), written(4096)
    ('0.98765 (0.98 to 0.99)', '1 · 2 · 1e-09', '4,096')
    """
    if isinstance(number, str):
        return number
    if isinstance(number, Interval):
        return f"{written(number.value)} ({written(number.low)} to {written(number.high)})"
    if isinstance(number, Sequence):
        return " · ".join(give_or_take(each) if isinstance(each, Interval) else written(each) for each in number)
    return f"{number:,}" if isinstance(number, int) else f"{number + 0.0:.5g}"  # −0 is 0


def give_or_take(interval: Interval) -> str:
    """An interval in a row of them: the value, and half of its width.

    >>> give_or_take(Interval(0.5, 0.41, 0.59))
    '0.5 ± 0.09'
    """
    return f"{interval.value:.4g} ± {(interval.high - interval.low) / 2:.2g}"
