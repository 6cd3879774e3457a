"""The course's published interface, used as its notebooks and tests use it."""

import random
from types import SimpleNamespace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.utils.data import DataLoader

from clearhead.corpora.course import CharCorruptionDataset, NameDataset
from clearhead.errors import ClearheadError, InputError
from oracle.corruption import faults_of, sizes

TEXT = "Zoë Å. Born in Łódź, she left.\nBo is from Oslo, where was he?\nabc\n\nWhere nobody was born.\n"
QUESTIONS = "Where was Zoë born?\tŁódź\nWhere was Bo born?\tOslo\n"


def read(dataset: CharCorruptionDataset | NameDataset, ids: torch.Tensor) -> str:
    return "".join(dataset.itos[int(index)] for index in ids)


def test_the_vocabulary_is_the_course_s() -> None:
    dataset = CharCorruptionDataset("ba\nc", 16)
    assert dataset.stoi == {"\u25a1": 0, "\u2047": 1, "\n": 2, "a": 3, "b": 4, "c": 5}
    assert dataset.itos == {index: character for character, index in dataset.stoi.items()}
    assert (dataset.vocab_size, dataset.block_size, dataset.PAD_CHAR, dataset.MASK_CHAR) == (6, 16, "□", "⁇")


@given(block=st.integers(9, 140), index=st.integers(0, 5), edition=st.sampled_from(["xcs224n", "cs224n"]))
@settings(deadline=None, max_examples=150)
def test_every_pair_is_what_the_course_describes(block: int, index: int, edition) -> None:
    dataset = CharCorruptionDataset(TEXT, block, edition)
    x, y = dataset[index]
    assert x.dtype == y.dtype == torch.long
    assert x.shape == y.shape == (block - 1,)
    assert faults_of(TEXT.split("\n")[index], block, edition, read(dataset, x), read(dataset, y)) == []


def test_it_is_as_long_as_the_text_has_lines() -> None:
    assert len(CharCorruptionDataset(TEXT, 128)) == len(TEXT.split("\n")) == 6


def test_an_empty_line_is_marks_and_pads() -> None:
    dataset = CharCorruptionDataset(TEXT, 16)
    assert read(dataset, dataset[3][0]) == "⁇⁇⁇" + "□" * 12


def test_two_draws_differ_and_a_seed_repeats_them() -> None:
    dataset = CharCorruptionDataset(TEXT, 128)
    random.seed(1)
    first = [dataset[0][0].tolist() for _ in range(8)]
    random.seed(1)
    assert [dataset[0][0].tolist() for _ in range(8)] == first
    assert len({tuple(drawn) for drawn in first}) > 4


def test_every_length_is_possible_here_too() -> None:
    dataset = CharCorruptionDataset("ab" * 60, 16)
    random.seed(0)
    drawn = [sizes(*(read(dataset, part) for part in dataset[0])) for _ in range(600)]
    assert {length for length, _ in drawn} == set(range(4, 13))


def test_a_question_looks_as_the_course_prints_it() -> None:
    dataset = NameDataset(CharCorruptionDataset(TEXT, 48), QUESTIONS)
    x, y = dataset[1]
    assert read(dataset, x) == "Where was Bo born?⁇Oslo⁇" + "□" * 23
    assert read(dataset, y) == "□" * 17 + "⁇Oslo⁇" + "□" * 24
    assert x.dtype == y.dtype == torch.long
    assert x.shape == y.shape == (47,)


def test_the_two_arguments_come_in_either_order_or_by_name() -> None:
    pretraining = CharCorruptionDataset(TEXT, 64)
    for dataset in (
        NameDataset(pretraining, QUESTIONS),
        NameDataset(QUESTIONS, pretraining),
        NameDataset(data=QUESTIONS, pretraining_dataset=pretraining),
    ):
        assert len(dataset) == 2
        assert dataset.stoi == pretraining.stoi
        assert dataset.itos == pretraining.itos
        assert (dataset.vocab_size, dataset.block_size) == (pretraining.vocab_size, 64)
        assert (dataset.PAD_CHAR, dataset.MASK_CHAR) == ("□", "⁇")
        assert read(dataset, dataset[0][0]).startswith("Where was Zoë born?⁇Łódź⁇□")


def test_any_object_with_the_published_attributes_will_do() -> None:
    published = CharCorruptionDataset(TEXT, 64)
    other = SimpleNamespace(stoi=published.stoi, itos=published.itos, block_size=40)
    assert NameDataset(other, QUESTIONS)[0][0].shape == (39,)


def test_a_letter_that_the_pretraining_text_has_not_is_a_pad() -> None:
    dataset = NameDataset(CharCorruptionDataset(TEXT, 48), "Where was 漢⁇ born?\tOslo\n")
    x, y = dataset[0]
    assert read(dataset, x).startswith("Where was □□ born?⁇Oslo⁇□")
    assert read(dataset, y).startswith("□" * 17 + "⁇Oslo⁇□")


def test_a_corpus_that_holds_the_marks_itself_is_taken() -> None:
    dataset = CharCorruptionDataset("spam ⁇ eggs □ ham", 16)
    assert dataset.vocab_size == 2 + len(set("spam eggs ham"))
    assert read(dataset, dataset[0][0]).count("⁇") == 3


def test_a_data_loader_batches_them() -> None:
    pretraining = CharCorruptionDataset(TEXT, 64)
    x, y = next(iter(DataLoader(pretraining, batch_size=6)))
    assert x.shape == y.shape == (6, 63)
    assert sum(1 for _ in NameDataset(pretraining, QUESTIONS)) == 2  # iteration stops by itself


@pytest.mark.parametrize("line", ["Where was Bo born?", "a\tb\tc", "W" * 60 + "\tOslo"])
def test_a_question_that_cannot_be_used_is_one_clear_error(line: str) -> None:
    with pytest.raises(InputError, match="question 0"):
        NameDataset(CharCorruptionDataset(TEXT, 48), line + "\n")[0]


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ClearheadError, match="either order"):
        NameDataset(QUESTIONS, QUESTIONS)
    with pytest.raises(ClearheadError, match="block"):
        CharCorruptionDataset(TEXT, 4)
