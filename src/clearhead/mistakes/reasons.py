"""Why an average of words may have gone wrong on a review: reasons that can be computed, each with its numbers.

Sarcasm cannot be detected this way, and is not claimed. Nor does a reason prove anything by itself: how often it holds for
reviews that were judged rightly is counted beside it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from clearhead.corpora.sources.review_labels import LIKING
from clearhead.mistakes.word_pushes import Judged, softmax, verdict_of

BORDER = 0.15  # so far from one half a probability is near the border
MIXED = 0.4  # share of the words that stand in sentences which, alone, read the other way
REACH = 4  # words that a negation reaches over
NEGATIONS = {"not", "no", "never", "nothing", "nobody", "none", "neither", "nor", "cannot", "without", "hardly", "barely"}
STOP = re.compile(r"[.,;:!?()<]")
FULL_STOP = re.compile(r"[.<]")
NAMES = ("near the border", "mixed sentiment", "negation scope", "opening against ending")

Reread = Callable[[Sequence[int]], Sequence[float]]
"""The whole net's logits of some of a text's words, by their numbers."""


@dataclass(frozen=True, slots=True)
class Reason:
    name: str
    told: str


def reasons_of(judged: Judged, reread: Reread, names: Sequence[str] = LIKING) -> list[Reason]:
    """Every reason that holds, in the order of NAMES; `names` are those of the classes."""
    tests = (
        near_the_border(judged, names),
        mixed(judged, reread, names),
        negated(judged, reread, names),
        opening_against_ending(judged, reread, names),
    )
    return [Reason(name, told) for name, told in zip(NAMES, tests, strict=True) if told]


def side(logits: Sequence[float], names: Sequence[str]) -> str:
    """
    >>> side([0.0, 1.1], ["disliked", "liked"])
    'liked (0.75)'
    """
    verdict = verdict_of(logits)
    return f"{names[verdict]} ({softmax(logits)[verdict]:.2f})"


def near_the_border(judged: Judged, names: Sequence[str]) -> str:
    (first, most), (second, next_most) = sorted(enumerate(judged.chances), key=lambda each: -each[1])[:2]
    if most - next_most > 2 * BORDER:
        return ""
    return f"{names[first]} has {most:.2f} and {names[second]} {next_most:.2f}, within {2 * BORDER:.1f} of each other"


def mixed(judged: Judged, reread: Reread, names: Sequence[str]) -> str:
    """Whether much of it stands in sentences that, each read alone, say something else than the whole."""
    against = [sentence for sentence in sentences(judged) if verdict_of(reread(sentence)) != judged.verdict]
    words, n = sum(map(len, against)), len(judged.places)
    if words < MIXED * max(n, 1):
        return ""
    other = names[1 - judged.verdict] if len(names) == 2 else "otherwise"
    return f"{words / n:.0%} of its words stand in sentences that alone read {other}"


def sentences(judged: Judged) -> Iterator[range]:
    """The words of each sentence, by their numbers."""
    places, text, start = judged.places, judged.review.text, 0
    for number in range(1, len(places) + 1):
        last, here = places[number - 1], places[number] if number < len(places) else None
        if here is None or last.word in "!?" or FULL_STOP.search(text[last.end : here.start]):
            yield range(start, number)
            start = number


def negated(judged: Judged, reread: Reread, names: Sequence[str]) -> str:
    """Whether the verdict turns once every negation is left out with the words that it reaches over."""
    stretches = list(negations(judged))
    left_out = {number for stretch in stretches for number in stretch}
    rest = [number for number in range(len(judged.places)) if number not in left_out]
    if not stretches or not rest:
        return ""
    logits = reread(rest)
    if verdict_of(logits) == judged.verdict:
        return ""
    shown = "; ".join(" ".join(judged.places[number].word for number in stretch) for stretch in stretches[:3])
    return f"without its {len(stretches)} negated stretches ({shown}) it would say {side(logits, names)}"


def negations(judged: Judged) -> Iterator[range]:
    """Each negation with the words that it reaches over, as far as the next stop."""
    places, text = judged.places, judged.review.text
    for number, place in enumerate(places):
        if place.word not in NEGATIONS and not place.word.endswith("n't"):
            continue
        end = number + 1
        while end < len(places) and end - number <= REACH and not STOP.search(text[places[end - 1].end : places[end].end]):
            end += 1
        yield range(number, end)


def opening_against_ending(judged: Judged, reread: Reread, names: Sequence[str]) -> str:
    """Whether the first third says what the whole does, and the last third the opposite."""
    n = len(judged.places)
    if n < 9:
        return ""
    opening, ending = reread(range(n // 3)), reread(range(n - n // 3, n))
    if verdict_of(opening) == verdict_of(ending) or verdict_of(opening) != judged.verdict:
        return ""
    first, last = side(opening, names), side(ending, names)
    return f"its first third alone reads {first}, its last third {last}; an average cannot tell which counts"
