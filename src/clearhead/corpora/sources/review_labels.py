"""Labels as people write them, and the classes that they mean: liked or not, stars, or a few names of somebody's own."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from clearhead.errors import InputError

LIKING = ("disliked", "liked")
LIKED = {"0": 0, "1": 1, "neg": 0, "pos": 1, "negative": 0, "positive": 1, "disliked": 0, "liked": 1}
STARS: dict[str, int | None] = {"1": 0, "2": 0, "3": None, "4": 1, "5": 1}  # the middle neither praises nor blames
STARRED = re.compile(r"([1-5])(?:\.0)?(?: stars?)?")
MOST = 100  # classes
FEWEST = 2  # reviews of a class: a name that stands there once is a slip


@dataclass(frozen=True, slots=True)
class Labelling:
    """The classes by name, in the order of a net's outputs."""

    names: tuple[str, ...]
    starred: bool = False  # whether 1 is one star, and no yes

    def of(self, label: str, where: str) -> int | None:
        """The class of a label as it was written; None: it says neither, as three stars do."""
        whole = plain(label)
        if whole in self.names:
            return self.names.index(whole)
        if self.names == LIKING and label in LIKED and not self.starred:
            return LIKED[label]
        if self.names == LIKING and whole in STARS and self.starred:
            return STARS[whole]
        known = "0 (disliked) or 1 (liked), or one to five stars" if self.names == LIKING else f"one of {', '.join(self.names)}"
        raise InputError(f"{where}: a label must be {known}; got {label[:40]!r}.")


def labelling(path: Path, labels: Iterable[tuple[int, str]], liking: bool = False) -> Labelling:
    """What the labels of a whole file mean; each comes with its line. `liking`: they must mean disliked and liked.

    Two kinds of words for liked and disliked; else one to five stars, where some have four or five; else each label is a class.
    """
    counts: dict[str, int] = {}
    lines: dict[str, int] = {}
    for number, label in labels:
        counts[label] = counts.get(label, 0) + 1
        lines.setdefault(label, number)
        if len(counts) > MOST:
            strange = f"over {MOST} different labels, such as {label[:40]!r}"
            raise InputError(f"{path}: {strange}; is that column the label?")
    if set(counts) <= set(LIKED):
        return Labelling(LIKING)
    stars = {plain(label) for label in counts}
    if stars <= set(STARS) and (liking or stars & {"4", "5"}):
        return Labelling(LIKING, starred=True)
    if liking:
        return Labelling(LIKING)
    slips = [label for label, count in counts.items() if not label or (count < FEWEST and label not in LIKED)]
    if slips:
        raise InputError(
            f"{path}, line {lines[slips[0]]}: a label must be 0 (disliked) or 1 (liked), one to five stars, or the name of a "
            f"class that {FEWEST} reviews have at least; got {slips[0][:40]!r}."
        )
    return Labelling(in_order(stars if len(stars) == len(counts) else counts))


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Numbers by their size, other names by the alphabet.

    >>> in_order(["10", "9", "-1"]), in_order(["neutral", "bad"])
    (('-1', '9', '10'), ('bad', 'neutral'))
    """
    listed = sorted(names)
    return tuple(sorted(listed, key=float) if all(is_number(each) for each in listed) else listed)


def is_number(label: str) -> bool:
    return re.fullmatch(r"-?\d+(?:\.\d+)?", label) is not None


def plain(label: str) -> str:
    """Stars as their number; any other label as it is.

    >>> plain("4.0"), plain("1 star"), plain("sports")
    ('4', '1', 'sports')
    """
    found = STARRED.fullmatch(label)
    return found[1] if found else label


def is_label(cell: str) -> bool:
    """Whether it is a label by its looks alone."""
    return cell in LIKED or STARRED.fullmatch(cell) is not None
