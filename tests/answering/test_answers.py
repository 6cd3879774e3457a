"""Answers, scores, the baseline and the interval."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.answering.answers import Score, answer, baseline, labelled, score
from clearhead.corpora import CharacterVocabulary, Question
from clearhead.errors import InputError
from clearhead.models import GPT, GPTConfig

QUESTIONS = [Question("Where was A born?", "Oslo"), Question("Where was B born?", "Bonn"), Question("C?", "Oslo")]


def test_only_the_right_letters_count() -> None:
    assert score(["Oslo", "Bonn", "oslo"], QUESTIONS) == Score(2, 3)
    assert score(["Oslo ", "Bon", ""], QUESTIONS) == Score(0, 3)
    assert Score(2, 3).tree() == {"correct": 2, "total": 3, "accuracy": pytest.approx(2 / 3)}
    with pytest.raises(InputError, match="3 questions, 1 answers"):
        score(["Oslo"], QUESTIONS)


def test_the_baseline_gives_everybody_the_most_common_training_answer() -> None:
    assert baseline(QUESTIONS, QUESTIONS[1:]) == ("Oslo", Score(1, 2))


def test_unlabelled_questions_are_known_as_such() -> None:
    assert labelled(QUESTIONS)
    assert not labelled([*QUESTIONS, Question("D?")])
    assert not labelled([])


def test_seventy_five_of_seventy_five_may_still_miss_one_in_twenty() -> None:
    low, high = Score(75, 75).interval
    assert (round(low, 3), high) == (0.951, 1.0)
    assert Score(0, 75).interval == (0.0, pytest.approx(1 - low))


@settings(deadline=None, max_examples=60)
@given(total=st.integers(1, 400), data=st.data())
def test_the_ends_of_the_interval_are_the_shares_that_the_count_would_just_not_refute(total: int, data: st.DataObject) -> None:
    """Wilson's own definition: at each end the count lies 1.96 standard deviations from what that end would lead to expect."""
    right = data.draw(st.integers(0, total))
    for end in Score(right, total).interval:
        if 0 < end < 1:
            assert abs(right - total * end) == pytest.approx(1.959964 * (total * end * (1 - end)) ** 0.5, rel=1e-6, abs=1e-6)


def test_a_model_that_has_learned_its_questions_answers_them() -> None:
    vocabulary = CharacterVocabulary.of("".join(f"{each.text}{each.answer}" for each in QUESTIONS))
    torch.manual_seed(0)
    model = GPT(GPTConfig(vocab=vocabulary.size, context=32, layers=1, heads=2, width=32, style="modern"))
    optimiser = torch.optim.AdamW(model.parameters(), lr=0.01)
    for _ in range(120):
        for each in QUESTIONS:
            ids = [*vocabulary.encode(each.text), 1, *vocabulary.encode(each.answer), 1]
            model.loss(torch.tensor([ids[:-1]]), torch.tensor([ids[1:]])).backward()
        optimiser.step()
        optimiser.zero_grad()
    assert answer(model, vocabulary, QUESTIONS) == ["Oslo", "Bonn", "Oslo"]
    assert answer(model, vocabulary, QUESTIONS[::-1], batch=2) == ["Oslo", "Bonn", "Oslo"]
    assert answer(model, vocabulary, []) == []
