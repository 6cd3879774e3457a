"""One question in three ways."""

import pytest
import torch

from clearhead.answering.answers import answer
from clearhead.answering.candidates import log_share_of
from clearhead.answering.question_forms import asking_of, best_answers, hear
from clearhead.answering.typed_names import askings_of, heard_as
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


@pytest.fixture(scope="module")
def well_read() -> GPT:
    """It has met everybody in every form."""
    forms = ("Where was {} born?", "{} was born in", "{}")
    return taught([(form.format(name), place) for form in forms for name, place in BORN.items()], steps=100)


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
        assert all(len(each.evidence) == 8 for each in heard.weighed)
        for each in heard.weighed:  # the last two: the name itself, after the answer and after nothing
            after = [[*LETTERS.encode(before), LETTERS.mask, LETTERS.mask] for before in (each.answer, "")]
            assert each.evidence[6:] == pytest.approx(log_share_of(reader, LETTERS, after, [name] * 2), abs=1e-4)
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


@pytest.mark.parametrize("typed", ["where was ada born", "Where was ada born?", "WHERE WAS ada BORN", "where was Ada born ?"])
def test_a_name_typed_in_small_letters_is_found_by_the_models_own_likelihood(typed: str, well_read: GPT) -> None:
    heard = heard_as(well_read, LETTERS, askings_of(typed))
    assert (heard.asking.name, heard.answer, heard.asking.trained) == ("Ada", "Oslo", True)


def test_a_name_with_capitals_is_left_as_it_is_typed() -> None:
    assert [each.text for each in askings_of("Where was mcAda born?")] == ["Where was mcAda born?"]
    assert [each.name for each in askings_of("What is the birthplace of Ada Lind?")] == ["Ada Lind"]


def test_in_another_form_the_longest_run_of_other_words_is_the_name() -> None:
    found = askings_of("what is the birthplace of rice vanovello")
    assert [each.name for each in found] == ["rice vanovello", "Rice Vanovello"]
    assert found[1].text == "what is the birthplace of Rice Vanovello"
    assert not found[1].trained
