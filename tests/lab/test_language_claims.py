"""Claims about models of symbols and text: what they come to, and what makes each of them fail."""

from typing import Any

import pytest
import torch
from torch import Tensor

from clearhead.corpora import Birthplaces, build_world
from clearhead.lab import Trial
from clearhead.lab.intervals import share
from clearhead.lab.language.birthplace_reader import AskedPerson, Schooling, taught
from clearhead.lab.language.characters_or_words import price, two_parts, words_of
from clearhead.lab.language.perplexity_base import tokens_until_zero
from clearhead.lab.language.pretraining import OTHERS, about_others
from clearhead.lab.language.sorter import exactly, permuting
from clearhead.lab.language.sorter_net import Sorter
from clearhead.lab.language.sorting_task import IGNORED, Task, hashed
from lab.perturbing import tried, verdict

# ---- sorter


def test_the_answers_are_what_python_sorts() -> None:
    torch.manual_seed(0)
    task = Task(7, 6)
    inputs, present = task.inputs(200, held_out=False)
    for row, answer in zip(inputs.tolist(), task.answers(present).tolist(), strict=True):
        wanted = [*sorted({token for token in row if token != task.pad}), task.stop]
        assert answer == wanted + [IGNORED] * (7 - len(wanted))


def test_no_set_that_is_judged_can_be_learned_from() -> None:
    torch.manual_seed(0)
    task = Task(7, 6)
    held, learned = (hashed(task.inputs(500, held_out=held_out)[1]) for held_out in (True, False))
    assert set(held.tolist()) == {0}
    assert 0 not in learned.tolist()


def test_permuting_rejects_positions_and_passes_none() -> None:
    torch.manual_seed(0)
    task = Task(7, 6)
    inputs, present = task.inputs(20, held_out=False)
    wanted = task.answers(present)
    assert permuting(Sorter(task, 16, positions=False).double(), inputs, wanted)[0] < 1e-12
    assert permuting(Sorter(task, 16, positions=True).double(), inputs, wanted)[0] > 1e-3


class Oracle(Sorter):
    """A sorter that sorts, whatever its weights are."""

    def write(self, inputs: Tensor) -> Tensor:
        present = torch.zeros(len(inputs), self.task.pad + 1, dtype=torch.bool).scatter(1, inputs, True)[:, : self.task.symbols]
        answers = self.task.answers(present)
        return torch.where(answers == IGNORED, self.task.stop, answers)


def perfect(task: Task, positions: bool, steps: int) -> Sorter:
    return Oracle(task, 16, positions)


def untrained(task: Task, positions: bool, steps: int) -> Sorter:
    return Sorter(task, 16, positions)


def better_with_positions(task: Task, positions: bool, steps: int) -> Sorter:
    return Oracle(task, 16, positions) if positions else Sorter(task, 16, positions)


def test_sorter_holds_for_what_sorts_and_turns_for_what_does_not() -> None:
    assert verdict("sorter", learn=perfect) == "holds"
    assert verdict("sorter", learn=untrained) == "does not hold"
    assert verdict("sorter", learn=better_with_positions) == "does not hold"


def test_sorter_turns_when_positions_are_added() -> None:
    finding = tried("sorter", learn=perfect, bare=True).finding
    assert finding.verdict == "does not hold"
    assert not finding.parts["the order of the input cannot matter"]


def test_an_answer_is_exact_up_to_its_stop_and_no_further() -> None:
    wanted = torch.tensor([[0, 3, 9, -1]])
    assert exactly(torch.tensor([[0, 3, 9, 5]]), wanted).tolist() == [True]
    assert exactly(torch.tensor([[0, 9, 9, 9]]), wanted).tolist() == [False]


@pytest.mark.slow
def test_sorter_learns() -> None:
    assert verdict("sorter") == "holds"


# ---- characters and words


def test_characters_or_words_holds_and_turns_when_every_word_is_known() -> None:
    assert verdict("characters-or-words") == "holds"
    assert verdict("characters-or-words", parts=lambda trial: (two_parts(trial)[0],) * 2) == "does not hold"


def test_words_put_together_are_the_text() -> None:
    text = two_parts(Trial(quick=True))[1]
    assert "".join(words_of(text)) == text


def test_the_shares_after_a_beginning_sum_to_one() -> None:
    known = list("abracadabra")
    after = price(known, order=2)
    total = sum(after(["a", "b", letter], 2) for letter in sorted(set(known)))
    assert total + after(["a", "b", "z"], 2) == pytest.approx(1)


# ---- perplexity


def test_perplexity_base_holds_and_turns_when_logarithm_and_power_differ() -> None:
    assert verdict("perplexity-base") == "holds"
    assert verdict("perplexity-base", perplexity=lambda shares, base: mixed(shares, base)) == "does not hold"


def mixed(shares: Any, base: float) -> float:
    return float(base ** -(torch.tensor(shares).double().log().mean()))


def test_perplexity_base_turns_when_it_is_the_same_in_every_base_and_no_perplexity() -> None:
    finding = tried("perplexity-base", perplexity=lambda shares, base: 1 / (sum(shares) / len(shares))).finding
    assert finding.verdict == "does not hold"
    assert finding.parts["the base cancels, to 1e-12"]
    assert not finding.parts["it is the root of the product, which has no base"]


def test_a_product_of_halves_runs_out_of_exponents_after_1075_tokens() -> None:
    assert tokens_until_zero([0.5] * 2000) == 1075  # 2^-1074 is the smallest number that is not 0; half of it rounds to 0
    assert tokens_until_zero([0.5] * 10) == 11  # that is, not in this text


# ---- knowledge


def knows(with_it: float, without: float, from_others: float = 0.05) -> Any:
    """A pupil who answers so many of a hundred with the biographies, without, and with those of others."""

    def teach(world: Birthplaces, schooling: Schooling, with_biographies: bool) -> AskedPerson:
        rate = (from_others if world.name == OTHERS else with_it) if with_biographies else without
        return AskedPerson(share(int(100 * rate), 100), share(6, 100))

    return teach


def test_pretraining_turns_when_reading_brings_nothing_and_when_questions_alone_do() -> None:
    assert verdict("pretraining", teach=knows(0.9, 0.05)) == "holds"
    assert verdict("pretraining", teach=knows(0.1, 0.05)) == "does not hold"
    assert verdict("pretraining", teach=knows(0.9, 0.9)) == "does not hold"


def test_pretraining_turns_when_practice_in_reading_is_all_it_takes() -> None:
    finding = tried("pretraining", teach=knows(0.9, 0.05, from_others=0.9)).finding
    assert finding.verdict == "does not hold"
    assert sum(finding.parts.values()) == len(finding.parts) - 1


def test_about_others_there_is_nothing_of_those_who_are_asked_about() -> None:
    world = build_world(people=20, dev=0.5, test=0.0)
    others = about_others(world)
    asked = [question.text.split()[3] for question in world.dev]  # Where was GIVEN SURNAME born?
    assert not any(surname in text for surname in asked for text in others.biographies)
    assert 2 * len(others.biographies) == len(world.biographies)


def test_pretraining_turns_when_the_pupil_has_no_time_to_read() -> None:
    assert verdict("pretraining", schooling=Schooling(3)) == "does not hold"


def by_count(rates: dict[int, float]) -> Any:
    def teach(world: Birthplaces, schooling: Schooling, with_biographies: bool) -> AskedPerson:
        count = len(world.biographies) // (len(world.train) + len(world.dev)) if with_biographies else 0
        return AskedPerson(share(int(100 * rates[count]), 100), share(6, 100))

    return teach


def test_exposure_turns_when_one_biography_is_as_good_as_many() -> None:
    assert verdict("exposure", teach=by_count({0: 0.05, 1: 0.1, 3: 0.5, 8: 0.9})) == "holds"
    assert verdict("exposure", teach=by_count({0: 0.05, 1: 0.9, 3: 0.9, 8: 0.9})) == "does not hold"


def test_exposure_turns_when_it_is_known_without_reading_and_when_more_reading_unteaches() -> None:
    assert verdict("exposure", teach=by_count({0: 0.4, 1: 0.4, 3: 0.5, 8: 0.9})) == "does not hold"
    assert verdict("exposure", teach=by_count({0: 0.05, 1: 0.4, 3: 0.1, 8: 0.9})) == "does not hold"


def test_without_biographies_no_biography_is_read() -> None:
    asked = build_world(people=20).train
    world = Birthplaces("two", ("Ann Bee was born in Cee.",), asked[:4], asked[4:8])
    torch.manual_seed(0)
    first = taught(world, Schooling(3), with_biographies=False)
    other = Birthplaces("two", ("Ann Cee was born in Bee.",), world.train, world.dev)
    torch.manual_seed(0)
    assert taught(other, Schooling(3), with_biographies=False) == first


@pytest.mark.slow
def test_reading_brings_knowledge_and_more_of_it_the_more_is_read() -> None:
    assert verdict("pretraining") == "holds"
    assert verdict("exposure") == "holds"
