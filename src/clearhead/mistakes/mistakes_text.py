"""A classifier's mistakes as lines of text."""

import textwrap
from collections.abc import Sequence

from clearhead.corpora.sources.digits import drawn
from clearhead.corpora.sources.review_labels import LIKING
from clearhead.mistakes.digit_errors import DigitErrors
from clearhead.mistakes.review_errors import Mistake, ReviewErrors
from clearhead.mistakes.word_pushes import Judged
from clearhead.wilson import wilson

WIDTH = 100
SHOWN = 5  # words of each side
LONGEST_SHOWN = 400  # characters of a review
SIDES = ("did not like it", "liked it")
CONFUSED = 8  # pairs of classes


def counted(errors: ReviewErrors | DigitErrors) -> str:
    """How many were right of what."""
    total, things = (errors.reviews, "reviews") if isinstance(errors, ReviewErrors) else (errors.pictures, "pictures")
    low, high = wilson(total - errors.wrong, total)
    which = f"held-out {things} of {errors.corpus}" if errors.held_out else f"{things} of {errors.corpus}, all of them,"
    return f"{total - errors.wrong:,} of {total:,} {which} right ({errors.accuracy:.1%}; 95 % between {low:.1%} and {high:.1%})"


def mistaken(errors: ReviewErrors | DigitErrors) -> str:
    """Which class was taken for which, the most frequent first."""
    return ", ".join(f"{label} as {verdict} ({often})" for often, label, verdict in errors.confused()[:CONFUSED])


def review_lines(errors: ReviewErrors) -> list[str]:
    lines = [f"{errors.run}: {counted(errors)}"]
    if errors.liking:
        lines.append(f"  taken for liked: {errors.confusion[0][1]:,}; taken for disliked: {errors.confusion[1][0]:,}")
    elif errors.wrong:
        lines.append(f"  mistaken most: {mistaken(errors)}")
    lines += [f"  {name}: {accuracy:.1%}" for name, accuracy in errors.baselines.items()]
    if errors.wrong:
        mistakes, right = errors.compared
        lines += ["", f"{'how often a reason holds':32}{f'{mistakes} wrong ones':>16}{f'{right} right ones':>18}"]
        lines += [f"  {share.name:30}{share.mistakes:>16.0%}{share.right:>18.0%}" for share in errors.shares]
        lines.append(
            "  A reason that holds as often for right ones explains little. Sarcasm cannot be detected and is not claimed."
        )
    for number, mistake in enumerate(errors.sample, 1):
        lines += ["", *mistake_lines(number, mistake, errors.names)]
    return lines


def headline(judged: Judged, names: Sequence[str]) -> str:
    """What it is, what the net says, and how sure it is of that."""
    if tuple(names) == LIKING:
        said = f"The writer {SIDES[judged.review.label]}; the net says: {SIDES[judged.verdict]}"
        return f"{said} (probability of liked {judged.probability:.2f})"
    sure = judged.chances[judged.verdict]
    return f"This is {names[judged.review.label]}; the net says: {names[judged.verdict]} ({sure:.2f})"


def mistake_lines(number: int, mistake: Mistake, names: Sequence[str]) -> list[str]:
    judged = mistake.judged
    text = " ".join(judged.review.text.replace("<br />", " ").split())
    lines = [
        f"{number}. {headline(judged, names)}",
        *push_lines(judged, "   "),
        *(line for reason in mistake.reasons for line in wrapped(f"{reason.name}: {reason.told}", "   ", "     ")),
    ]
    if not mistake.reasons:
        lines.append("   no computed reason holds")
    return lines + wrapped(textwrap.shorten(text, LONGEST_SHOWN, placeholder=" …"), "   | ", "   | ")


def push_lines(judged: Judged, before: str) -> list[str]:
    """The words that pushed most towards the verdict, and against it."""
    towards, against = strongest(judged)
    return [f"{before}pushed there:   {towards}", f"{before}pushed against: {against}"]


def wrapped(text: str, first: str, then: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=then)


def strongest(judged: Judged) -> tuple[str, str]:
    """The words that pushed most towards the verdict, and those that pushed most against; of each word its strongest place."""
    most: dict[str, float] = {}
    for place, push in sorted(zip(judged.places, judged.pushes, strict=True), key=lambda entry: abs(entry[1])):
        most[place.word] = push
    sign = 1 if judged.verdict == judged.towards else -1
    ranked = sorted(most.items(), key=lambda entry: -sign * entry[1])
    ends = ranked[:SHOWN], ranked[: -SHOWN - 1 : -1]
    kept = [[entry for entry in end if entry[1] * way * sign > 0] for end, way in zip(ends, (1, -1), strict=True)]
    towards, against = ("  ".join(f"{word} {push:+.2f}".replace("-", "−") for word, push in end) or "nothing" for end in kept)
    return towards, against


def digit_lines(errors: DigitErrors) -> list[str]:
    lines = [
        f"{errors.run}: {counted(errors)}",
        *(f"  {name}: {accuracy:.1%}" for name, accuracy in errors.baselines.items()),
    ]
    if errors.wrong:
        lines.append(f"  misread most: {mistaken(errors)}")
    for number, each in enumerate(errors.sample, 1):
        label, verdict = errors.names[each.label], errors.names[each.verdict]
        lines += ["", f"{number}. {label}, read as {verdict} ({each.sure:.2f}; for {label} {each.of_label:.2f})"]
        lines += [f"   {row}" for row in drawn(each.picture)]
    return lines
