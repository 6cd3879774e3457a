"""Questions as people type them: without capitals, without a question mark. Each is put in every likely spelling of its name.

Which spelling is meant, is left to the model: the one whose answer it finds likeliest. No index of names has a say.
"""

import re
from collections.abc import Sequence

from clearhead.answering.question_forms import OPENERS, TRAINED, Asking, Heard, asking_of, hear
from clearhead.corpora import Vocabulary
from clearhead.corpora.examples.salient_spans import PARTICLES
from clearhead.corpora.sources.phrasings import QUESTION
from clearhead.models import GPT

LOOSE = re.compile(r"where\s+(?:was|is|were)\s+(.+?)\s+born\s*[?!.]*", re.IGNORECASE)
WORDS = (
    """a an about and birth birthplace born city come comes do does for from i know me of origin place say to town were you"""
)
NO_NAMES = OPENERS | frozenset(WORDS.split())
PART = re.compile(r"[^\s\-'’]+")


def askings_of(text: str) -> list[Asking]:
    """What may be meant: the question as typed where its name has capitals, else one for each spelling of the name."""
    typed = asking_of(text)
    form = TRAINED.fullmatch(typed.text) or LOOSE.fullmatch(typed.text)
    if form is not None:
        names = [form[1]] if has_capital(form[1]) else spellings(form[1])
        return [Asking(QUESTION.format(name=name), name, trained=True) for name in names]
    if has_capital(typed.name) and typed.name != typed.text.rstrip("?!. "):
        return [typed]
    run = longest_run(typed.text)
    return [Asking(typed.text.replace(run, name), name, trained=False) for name in spellings(run)] if run else [typed]


def spellings(name: str) -> list[str]:
    """A name as typed, with capitals, and with small words such as "van" left small.

    >>> spellings("anna van der berg-lind")
    ['anna van der berg-lind', 'Anna Van Der Berg-Lind', 'Anna van der Berg-Lind']
    """
    titled = PART.sub(lambda part: part[0][0].upper() + part[0][1:], name)
    small = " ".join(word.lower() if word.lower() in PARTICLES else word for word in titled.split(" "))
    return list(dict.fromkeys([name, titled, small]))


def has_capital(name: str) -> bool:
    return name != name.lower()


def longest_run(text: str) -> str:
    """The longest run of words that are not those of questions; the last of several."""
    runs: list[list[str]] = [[]]
    for word in text.rstrip("?!. ").split():
        if word.lower().strip("?!.,") in NO_NAMES:
            runs.append([])
        else:
            runs[-1].append(word)
    longest = max(len(run) for run in runs)
    return " ".join([run for run in runs if len(run) == longest][-1])


def heard_as(model: GPT, vocabulary: Vocabulary, askings: Sequence[Asking]) -> Heard:
    """What a model says to the spelling whose answer it finds likeliest."""
    return max(hear(model, vocabulary, askings), key=lambda heard: heard.weighed[0].total)
