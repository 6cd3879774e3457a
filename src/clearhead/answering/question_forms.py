"""One question asked in three ways: as it was typed, as the beginning of a sentence, and with the name alone.

A model that knows where somebody was born says the same each time; one that makes it up does not. And it needs the whole
name: an answer that is as likely after the first name, after the last, or after the name turned round goes by their sound.
And it knows the name: having read of somebody it is less surprised at the name, from the answer as well as from nothing.
These doubts and surprises tell how sure an answer is, never which.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from clearhead.answering.answers import answer
from clearhead.answering.candidates import LONGEST_ANSWER, candidates, log_share_of
from clearhead.corpora import Question, Vocabulary
from clearhead.corpora.examples.salient_spans import salient_spans
from clearhead.corpora.sources.phrasings import QUESTION
from clearhead.errors import InputError
from clearhead.models import GPT

TRAINED = re.compile(r"Where was (.+) born\?")
OPENERS = frozenset({"did", "how", "in", "is", "please", "tell", "the", "was", "what", "when", "where", "which", "who", "why"})
SENTENCE = "{name} was born in"
SURPRISES = 2  # at the name: after the answer, and after nothing
ROOM = 4  # tokens that must be left for an answer
Form = Callable[["Asking"], tuple[str, int]]  # what a model is given, and how many marks after it


@dataclass(frozen=True, slots=True)
class Asking:
    """A question and the name it is about."""

    text: str
    name: str
    trained: bool  # whether it has the form that questions were trained in


WAYS: tuple[Form, ...] = (
    lambda asking: (asking.text, 1),
    lambda asking: (SENTENCE.format(name=asking.name), 2),
    lambda asking: (asking.name, 2),
)
DOUBTS: tuple[Form, ...] = (
    lambda asking: (QUESTION.format(name=asking.name.split()[0]), 1),
    lambda asking: (QUESTION.format(name=asking.name.split()[-1]), 1),
    lambda asking: (SENTENCE.format(name=" ".join(reversed(asking.name.split()))), 2),
)


@dataclass(frozen=True, slots=True)
class Weighed:
    """An answer and how likely the model finds it: ln of its share in each of the three ways, then under each doubt.

    Two more tell how it knows the name: ln of the share of the name itself, said after the answer, and after nothing.
    """

    answer: str
    evidence: tuple[float, ...]

    @property
    def total(self) -> float:
        return sum(self.evidence[: len(WAYS)])


@dataclass(frozen=True, slots=True)
class Heard:
    """What a model says to a question: the answer that the three ways together find likeliest, then the others."""

    asking: Asking
    weighed: list[Weighed]

    @property
    def answer(self) -> str:
        return self.weighed[0].answer

    @property
    def evidence(self) -> tuple[float, ...]:
        return self.weighed[0].evidence


def asking_of(text: str) -> Asking:
    """A typed question; the name is what stands in the trained form, or else the longest run of capitalised words.

    >>> asking_of("Where was Ada Lind born?").name, asking_of("What is the birthplace of Ada Lind?").name
    ('Ada Lind', 'Ada Lind')
    """
    text = " ".join(text.split())
    if not text:
        raise InputError('the question is empty; ask for instance "Where was Ada Lind born?".')
    form = TRAINED.fullmatch(text)
    if form:
        return Asking(text, form[1], trained=True)
    spans = [text[start:end] for start, end in salient_spans(text, OPENERS)]
    names = [span for span in spans if not span[0].isdigit()]
    return Asking(text, max(names, key=lambda name: len(name.split()), default=text.rstrip("?!. ") or text), trained=False)


def hear(
    model: GPT, vocabulary: Vocabulary, askings: Sequence[Asking], longest: int = LONGEST_ANSWER, doubting: bool = True
) -> list[Heard]:
    """Ask a model: the question as typed and the sentence bring answers up, all three ways weigh each of them."""
    forms = [[spoken(vocabulary, *form(asking)) for asking in askings] for form in (*WAYS, *(DOUBTS if doubting else ()))]
    for asking, *prompts in zip(askings, *forms, strict=True):
        require_room(asking, max(len(each) for each in prompts), model.config.context)
    found = zip(*(candidates(model, vocabulary, prompts, longest=longest) for prompts in forms[:2]), strict=True)
    listed = [list(dict.fromkeys(each.answer for each in (*first, *second))) for first, second in found]
    owners = [place for place, each in enumerate(listed) for _ in each]
    answers = [text for each in listed for text in each]
    said = [([prompts[place] for place in owners], answers) for prompts in forms]
    if doubting:
        names = [askings[place].name for place in owners]
        said += [([spoken(vocabulary, known, 2) for known in before], names) for before in (answers, [""] * len(answers))]
    evidence = [log_share_of(model, vocabulary, fitting(model, vocabulary, prompts, texts), texts) for prompts, texts in said]
    weighed: list[list[Weighed]] = [[] for _ in askings]
    for place, text, *shares in zip(owners, answers, *evidence, strict=True):
        weighed[place].append(Weighed(text, tuple(shares)))
    return [Heard(asking, sorted(each, key=lambda one: -one.total)) for asking, each in zip(askings, weighed, strict=True)]


def spoken(vocabulary: Vocabulary, text: str, marks: int) -> list[int]:
    """A prompt: a text and the marks after it, one after a question, two after the beginning of a sentence."""
    return [*vocabulary.encode(text), *[vocabulary.mask] * marks]


def best_answers(model: GPT, vocabulary: Vocabulary, questions: Sequence[Question], longest: int = LONGEST_ANSWER) -> list[str]:
    """The answer of a model that has read sentences to each question: the best of three ways, or as typed in another form."""
    askings = [asking_of(question.text) for question in questions]
    if not all(asking.trained for asking in askings):
        return answer(model, vocabulary, questions)
    return [heard.answer for heard in hear(model, vocabulary, askings, longest, doubting=False)]


def require_room(asking: Asking, tokens: int, context: int) -> None:
    if tokens + ROOM > context:
        raise InputError(
            f"the question {asking.text[:40]!r}… takes {tokens} tokens, and the model sees {context} with the answer; "
            "ask a shorter one."
        )


def fitting(model: GPT, vocabulary: Vocabulary, prompts: Sequence[list[int]], answers: Sequence[str]) -> list[list[int]]:
    """The prompts without what would not fit before a very long answer: their ends stay."""
    room = [model.config.context - len(vocabulary.encode(answer)) for answer in answers]
    return [prompt[-max(1, left) :] for prompt, left in zip(prompts, room, strict=True)]
