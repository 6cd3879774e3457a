"""Question examples: `question ⁇ answer ⁇`, with loss from the first ⁇ on."""

from collections.abc import Iterable

from clearhead.corpora.examples.example import Example, shifted
from clearhead.corpora.sources.biographies import Question
from clearhead.corpora.vocabularies.vocabulary import Vocabulary
from clearhead.errors import InputError


class Questions:
    """Each question with its answer; nothing in it is random."""

    def __init__(self, vocabulary: Vocabulary, questions: Iterable[Question], block: int = 128) -> None:
        self._examples = [asked(vocabulary, question, block) for question in questions]

    def __len__(self) -> int:
        return len(self._examples)

    def draw(self, index: int, epoch: int, seed: int) -> Example:
        return self._examples[index]


def prompt(vocabulary: Vocabulary, text: str) -> list[int]:
    """What a model is given to answer: the question and the first ⁇; the answer follows, up to the second."""
    return [*vocabulary.encode(text), vocabulary.mask]


def asked(vocabulary: Vocabulary, question: Question, block: int) -> Example:
    """One question as an example that fits into the block."""
    if question.answer is None:
        raise InputError(f"a question to learn from needs its answer; this one has none: {question.text[:60]!r}.")
    before = prompt(vocabulary, question.text)
    whole = [*before, *vocabulary.encode(question.answer), vocabulary.mask]
    if len(whole) > block:
        raise InputError(f"{question.text[:60]!r} and its answer need {len(whole)} tokens; block={block} is too small.")
    return shifted(whole, first_target=len(before) - 1)
