"""Steps as the file has them, with those that repeat over time written out: s[t] for t in 1..3 are s1, s2 and s3."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from clearhead.errors import InputError

LOOP = re.compile(
    r"\s*(?P<name>[^\W\d][\w\u0300-\u036f]*)\s*\[\s*(?P<letter>[^\W\d]\w*)\s*\]\s+for\s+(?P<again>[^\W\d]\w*)\s+in\s+(?P<first>\d{1,4})\s*\.\.\s*(?P<last>\d{1,4})\s*"
)
NAME = re.compile(r"[^\W\d][\w\u0300-\u036f]*")  # with marks: C̃ has no letter of its own
MOST_STEPS = 400


@dataclass(frozen=True, slots=True)
class StepLine:
    """One named step: its formula as written, and the letters of its loop with their numbers."""

    name: str
    formula: str
    indices: dict[str, int] = field(default_factory=dict)
    family: str = ""  # the name without its number
    key: str = ""  # as the file has it


@dataclass(frozen=True, slots=True)
class Loop:
    key: str
    formula: str
    name: str
    letter: str
    first: int
    last: int

    @property
    def times(self) -> tuple[str, int, int]:
        return self.letter, self.first, self.last


def lines_of(steps: Mapping[str, str]) -> list[StepLine]:
    """Every step in the order it is worked; loops that stand together and run alike go through time side by side."""
    found: list[StepLine] = []
    entries = [entry_of(key, formula) for key, formula in steps.items()]
    for times, group in groupby(entries, key=lambda entry: entry.times if isinstance(entry, Loop) else None):
        if times is None:
            found += [entry for entry in group if isinstance(entry, StepLine)]
            continue
        together = [entry for entry in group if isinstance(entry, Loop)]
        for t in range(times[1], times[2] + 1):
            found += [StepLine(f"{loop.name}{t}", loop.formula, {loop.letter: t}, loop.name, loop.key) for loop in together]
        if len(found) > MOST_STEPS:
            break
    if len(found) > MOST_STEPS:
        raise InputError(f"steps: more than {MOST_STEPS} of them; nobody works so many by hand")
    return found


def entry_of(key: str, formula: str) -> StepLine | Loop:
    if NAME.fullmatch(key):
        return StepLine(key, formula, key=key)
    match = LOOP.fullmatch(key)
    if match is None:
        raise InputError(
            f'steps: {key[:60]!r} is no name; a step is called by letters, digits and _, or repeats: "h[t] for t in 1..3"'
        )
    if match["letter"] != match["again"]:
        raise InputError(f"steps: {key!r} repeats over {match['again']}, but the step is {match['name']}[{match['letter']}]")
    first, last = int(match["first"]), int(match["last"])
    if not first <= last:
        raise InputError(f"steps: {key!r} goes from {first} to {last}, which is backwards")
    return Loop(key, formula, match["name"], match["letter"], first, last)


def earlier(line: StepLine) -> Iterator[tuple[str, str]]:
    """Names of this loop's last turn, each with the one before it: what is taken by mistake."""
    for t in line.indices.values():
        if t >= 2:
            yield f"{line.family}{t - 1}", f"{line.family}{t - 2}"
