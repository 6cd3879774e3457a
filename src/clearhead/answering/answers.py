"""Answers of a model to questions, and how good they are."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from clearhead.corpora import Question, Vocabulary, most_common_answer, prompt
from clearhead.errors import InputError
from clearhead.models import GPT, continue_greedily
from clearhead.wilson import wilson

LONGEST_ANSWER = 32  # tokens of an answer at most


@dataclass(frozen=True, slots=True)
class Score:
    """How many of how many were right."""

    correct: int
    total: int

    @property
    def accuracy(self) -> float:
        return self.correct / self.total if self.total else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share lies with 95 % certainty, were other questions asked: Wilson's interval."""
        return wilson(self.correct, self.total)

    def tree(self) -> dict[str, float]:
        """As it stands in figures.json."""
        return {**asdict(self), "accuracy": self.accuracy}


def answer(model: GPT, vocabulary: Vocabulary, questions: Sequence[Question], batch: int = 128) -> list[str]:
    """The model's answer to each question, in their order, on one line each."""
    prompts = [prompt(vocabulary, question.text) for question in questions]
    said = continue_greedily(model, prompts, LONGEST_ANSWER, stop=vocabulary.mask, pad=vocabulary.pad, batch=batch)
    return [" ".join(vocabulary.decode(ids).split()) for ids in said]


def score(answers: Sequence[str], questions: Sequence[Question]) -> Score:
    """Count the answers that are the right one, letter by letter."""
    if len(answers) != len(questions):
        raise InputError(f"each question needs one answer: {len(questions)} questions, {len(answers)} answers.")
    return Score(sum(given == question.answer for given, question in zip(answers, questions, strict=True)), len(questions))


def labelled(questions: Sequence[Question]) -> bool:
    """Whether every answer is known."""
    return bool(questions) and all(question.answer is not None for question in questions)


def baseline(train: Sequence[Question], asked: Sequence[Question]) -> tuple[str, Score]:
    """The most common answer of the training questions, and its score when everybody is given it."""
    everybody = most_common_answer(train)
    return everybody, score([everybody] * len(asked), asked)
