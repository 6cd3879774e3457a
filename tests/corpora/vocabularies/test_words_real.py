"""The real treebank files, vectors and passages, where CLEARHEAD_DATA points at them."""

from pathlib import Path

import pytest

from clearhead.corpora.corpus import HeldOut
from clearhead.corpora.sources.running_text import find_text
from clearhead.corpora.sources.sentences import read_sentences
from clearhead.corpora.vocabularies.words import read_word_vocabulary
from clearhead.corpora.word_vectors import read_vectors

pytestmark = pytest.mark.real


def test_the_vocabulary_covers_what_it_is_said_to_cover(real_data: Path) -> None:
    vocabulary = read_word_vocabulary(real_data / "ptb/vocab.ptb.txt", 2000)
    assert not vocabulary.cased
    words = [word for sentence in read_sentences(real_data / "conll2000/train.txt") for word in sentence]
    known = sum(index != vocabulary.unknown for index in vocabulary.encode(" ".join(words)))
    assert known / len(words) == pytest.approx(0.829, abs=0.03)
    assert sum(1 for _ in read_sentences(real_data / "ptb/ptb-dev.txt")) > 4000
    (file,) = (real_data / "glove").glob("*.txt")
    assert len(read_vectors(file, vocabulary.words, 50).missing) == 83


def test_the_passage_stands_in_the_text_and_is_cut_out(real_data: Path) -> None:
    passage = real_data / "passages/shakespeare_for_perplexity.txt"
    text = find_text(str(real_data / "shakespeare/input.txt"), HeldOut(share=0.1, left_out=(str(passage),)))
    training = "".join(text.training())
    assert passage.read_text() not in training
    assert len(training) == text.boundary - len(passage.read_text())
    assert len("".join(text.validation())) == 111_539
