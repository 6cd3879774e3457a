"""A classifier's mistakes as lines of text."""

import textwrap

from clearhead.corpora.sources.digits import drawn
from clearhead.mistakes.digit_errors import DigitErrors
from clearhead.mistakes.review_errors import Mistake, ReviewErrors
from clearhead.mistakes.word_pushes import Judged

WIDTH = 100
SHOWN = 5  # words of each side
LONGEST_SHOWN = 400  # characters of a review
SIDES = ("did not like it", "liked it")


def review_lines(errors: ReviewErrors) -> list[str]:
    lines = [
        f"{errors.run}: {errors.reviews - errors.wrong:,} of {errors.reviews:,} held-out reviews of {errors.corpus} right "
        f"({errors.accuracy:.1%})",
        f"  taken for liked: {errors.taken_for_liked:,}; taken for disliked: {errors.taken_for_disliked:,}",
        *(f"  {name}: {accuracy:.1%}" for name, accuracy in errors.baselines.items()),
    ]
    if errors.wrong:
        mistakes, right = errors.compared
        lines += ["", f"{'how often a reason holds':32}{f'{mistakes} wrong ones':>16}{f'{right} right ones':>18}"]
        lines += [f"  {share.name:30}{share.mistakes:>16.0%}{share.right:>18.0%}" for share in errors.shares]
        lines.append(
            "  A reason that holds as often for right ones explains little. Sarcasm cannot be detected and is not claimed."
        )
    for number, mistake in enumerate(errors.sample, 1):
        lines += ["", *mistake_lines(number, mistake)]
    return lines


def mistake_lines(number: int, mistake: Mistake) -> list[str]:
    judged = mistake.judged
    towards, against = strongest(judged)
    text = " ".join(judged.review.text.replace("<br />", " ").split())
    lines = [
        f"{number}. The writer {SIDES[judged.review.label]}; the net says: {SIDES[judged.verdict]} "
        f"(probability of liked {judged.probability:.2f})",
        f"   pushed there:   {towards}",
        f"   pushed against: {against}",
        *(line for reason in mistake.reasons for line in wrapped(f"{reason.name}: {reason.told}", "   ", "     ")),
    ]
    if not mistake.reasons:
        lines.append("   no computed reason holds")
    return lines + wrapped(textwrap.shorten(text, LONGEST_SHOWN, placeholder=" …"), "   | ", "   | ")


def wrapped(text: str, first: str, then: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=then)


def strongest(judged: Judged) -> tuple[str, str]:
    """The words that pushed most towards the verdict, and those that pushed most against; of each word its strongest place."""
    most: dict[str, float] = {}
    for place, push in sorted(zip(judged.places, judged.pushes, strict=True), key=lambda entry: abs(entry[1])):
        most[place.word] = push
    sign = 1 if judged.verdict else -1
    ranked = sorted(most.items(), key=lambda entry: -sign * entry[1])
    ends = ranked[:SHOWN], ranked[: -SHOWN - 1 : -1]
    kept = [[entry for entry in end if entry[1] * way * sign > 0] for end, way in zip(ends, (1, -1), strict=True)]
    towards, against = ("  ".join(f"{word} {push:+.2f}".replace("-", "−") for word, push in end) or "nothing" for end in kept)
    return towards, against


def digit_lines(errors: DigitErrors) -> list[str]:
    lines = [
        f"{errors.run}: {errors.pictures - errors.wrong:,} of {errors.pictures:,} held-out digits of {errors.corpus} right "
        f"({errors.accuracy:.1%})",
        *(f"  {name}: {accuracy:.1%}" for name, accuracy in errors.baselines.items()),
    ]
    if errors.wrong:
        pairs = ", ".join(f"{label} as {verdict} ({often})" for often, label, verdict in errors.confused()[:8])
        lines.append(f"  misread most: {pairs}")
    for number, each in enumerate(errors.sample, 1):
        lines += ["", f"{number}. {each.label}, read as {each.verdict} ({each.sure:.2f}; for {each.label} {each.of_label:.2f})"]
        lines += [f"   {row}" for row in drawn(each.picture)]
    return lines
