"""Why an average of words may have gone wrong on a review: reasons that can be computed, each with its numbers.

Sarcasm cannot be detected this way, and is not claimed. Nor does a reason prove anything by itself: how often it holds for
reviews that were judged rightly is counted beside it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from clearhead.mistakes.word_pushes import Judged, sigmoid

BORDER = 0.15  # so far from one half a probability is near the border
MIXED = 0.4  # share of the words that stand in sentences which, alone, read the other way
REACH = 4  # words that a negation reaches over
NEGATIONS = {"not", "no", "never", "nothing", "nobody", "none", "neither", "nor", "cannot", "without", "hardly", "barely"}
STOP = re.compile(r"[.,;:!?()<]")
FULL_STOP = re.compile(r"[.<]")
NAMES = ("near the border", "mixed sentiment", "negation scope", "opening against ending")

Reread = Callable[[Sequence[int]], float]
"""The whole net's logit of some of a review's words, by their numbers."""


@dataclass(frozen=True, slots=True)
class Reason:
    name: str
    told: str


def reasons_of(judged: Judged, reread: Reread) -> list[Reason]:
    """Every reason that holds, in the order of NAMES."""
    tests = (near_the_border(judged), mixed(judged, reread), negated(judged, reread), opening_against_ending(judged, reread))
    return [Reason(name, told) for name, told in zip(NAMES, tests, strict=True) if told]


def side(logit: float) -> str:
    """
    >>> side(1.1)
    'liked (0.75)'
    """
    return f"{'liked' if logit > 0 else 'disliked'} ({sigmoid(logit):.2f})"


def near_the_border(judged: Judged) -> str:
    if abs(judged.probability - 0.5) > BORDER:
        return ""
    return f"the probability of liked is {judged.probability:.2f}, within {BORDER} of one half"


def mixed(judged: Judged, reread: Reread) -> str:
    """Whether much of it stands in sentences that, each read alone, say the opposite of the whole."""
    against = [sentence for sentence in sentences(judged) if (reread(sentence) > 0) != (judged.logit > 0)]
    words, n = sum(map(len, against)), len(judged.places)
    if words < MIXED * max(n, 1):
        return ""
    return f"{words / n:.0%} of its words stand in sentences that alone read {'disliked' if judged.verdict else 'liked'}"


def sentences(judged: Judged) -> Iterator[range]:
    """The words of each sentence, by their numbers."""
    places, text, start = judged.places, judged.review.text, 0
    for number in range(1, len(places) + 1):
        last, here = places[number - 1], places[number] if number < len(places) else None
        if here is None or last.word in "!?" or FULL_STOP.search(text[last.end : here.start]):
            yield range(start, number)
            start = number


def negated(judged: Judged, reread: Reread) -> str:
    """Whether the verdict turns once every negation is left out with the words that it reaches over."""
    stretches = list(negations(judged))
    left_out = {number for stretch in stretches for number in stretch}
    rest = [number for number in range(len(judged.places)) if number not in left_out]
    if not stretches or not rest:
        return ""
    logit = reread(rest)
    if (logit > 0) == (judged.logit > 0):
        return ""
    shown = "; ".join(" ".join(judged.places[number].word for number in stretch) for stretch in stretches[:3])
    return f"without its {len(stretches)} negated stretches ({shown}) it would say {side(logit)}"


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


def opening_against_ending(judged: Judged, reread: Reread) -> str:
    """Whether the first third says what the whole does, and the last third the opposite."""
    n = len(judged.places)
    if n < 9:
        return ""
    opening, ending = reread(range(n // 3)), reread(range(n - n // 3, n))
    if (opening > 0) == (ending > 0) or (opening > 0) != (judged.logit > 0):
        return ""
    return f"its first third alone reads {side(opening)}, its last third {side(ending)}; an average cannot tell which counts"
