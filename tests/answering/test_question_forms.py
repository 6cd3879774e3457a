"""One question in three ways."""

import pytest
import torch

from clearhead.answering.answers import answer
from clearhead.answering.candidates import log_share_of
from clearhead.answering.question_forms import asking_of, best_answers, hear
from clearhead.corpora import CharacterVocabulary, Question
from clearhead.errors import InputError
from clearhead.models import GPT, GPTConfig

BORN = {"Ada": "Oslo", "Bo": "Bonn", "Cy": "Nice", "Di": "Kiel"}
QUESTIONS = [Question(f"Where was {name} born?", place) for name, place in BORN.items()]
LETTERS = CharacterVocabulary.of("".join(f"{each.text}{each.answer}" for each in QUESTIONS) + " in")


def taught(texts: list[tuple[str, str]], steps: int = 150) -> GPT:
    """A tiny model that has learned to say the second of each pair after the first."""
    torch.manual_seed(0)
    model = GPT(GPTConfig(vocab=LETTERS.size, context=48, layers=2, heads=2, width=32, style="modern"))
    optimiser = torch.optim.AdamW(model.parameters(), lr=0.005)
    for _ in range(steps):
        for prompt, said in texts:
            start, rest = LETTERS.encode(prompt), [*LETTERS.encode(said), LETTERS.mask]
            ids = [*start, *[LETTERS.mask] * (1 if prompt.endswith("?") else 2), *rest]
            targets = torch.tensor([[-1] * (len(ids) - len(rest) - 1) + ids[-len(rest) :]])
            model.loss(torch.tensor([ids[:-1]]), targets).backward()
        optimiser.step()
        optimiser.zero_grad()
    return model.eval()


@pytest.fixture(scope="module")
def reader() -> GPT:
    """It has read a sentence about everybody and never met a question."""
    return taught([(f"{name} was born in", place) for name, place in BORN.items()])


def test_what_the_question_does_not_bring_up_the_sentence_does(reader: GPT) -> None:
    right = [question.answer for question in QUESTIONS]
    assert answer(reader, LETTERS, QUESTIONS) != right
    assert best_answers(reader, LETTERS, QUESTIONS) == right


def test_another_form_is_answered_as_typed(reader: GPT) -> None:
    others = [*QUESTIONS[:2], Question("Where is Cy from?")]
    assert best_answers(reader, LETTERS, others) == answer(reader, LETTERS, others)


def test_each_answer_is_weighed_in_all_three_ways_and_the_likeliest_comes_first(reader: GPT) -> None:
    twins = [Question("Where was Ada Bo born?"), *QUESTIONS]
    for heard in hear(reader, LETTERS, [asking_of(question.text) for question in twins]):
        name = heard.asking.name
        first, last = name.split()[0], name.split()[-1]
        turned = "Bo Ada" if name == "Ada Bo" else name
        ways = [f"Where was {name} born?", f"{name} was born in", name]
        doubts = [f"Where was {first} born?", f"Where was {last} born?", f"{turned} was born in"]
        assert all(len(each.evidence) == 6 for each in heard.weighed)
        for way, text in enumerate([*ways, *doubts]):
            ids = [*LETTERS.encode(text), *[LETTERS.mask] * (1 if text.endswith("?") else 2)]
            wanted = log_share_of(reader, LETTERS, [ids] * len(heard.weighed), [each.answer for each in heard.weighed])
            assert [each.evidence[way] for each in heard.weighed] == pytest.approx(wanted, abs=1e-4)
        totals = [sum(each.evidence[:3]) for each in heard.weighed]  # doubts choose no answer
        assert totals == sorted(totals, reverse=True)
        assert len({each.answer for each in heard.weighed}) == len(totals)


def test_a_question_that_leaves_no_room_is_refused(reader: GPT) -> None:
    with pytest.raises(InputError, match="ask a shorter one"):
        best_answers(reader, LETTERS, [Question(f"Where was {'Ada ' * 20}born?")])


def test_no_questions_have_no_answers(reader: GPT) -> None:
    assert best_answers(reader, LETTERS, []) == []
