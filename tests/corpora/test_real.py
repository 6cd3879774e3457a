"""The real corpora, where they are: counts, letters, leaks, checksums, and how many answers are salient spans."""

import hashlib
from pathlib import Path

import pytest

from clearhead.corpora import (
    BytePairVocabulary,
    CharacterVocabulary,
    Questions,
    SalientSpans,
    SpanCorruption,
    most_common_answer,
    read_birthplaces,
)
from clearhead.corpora.course import CharCorruptionDataset, NameDataset
from clearhead.corpora.examples.salient_spans import ordinary_words, salient_spans
from clearhead.corpora.store.catalogue import KNOWN
from oracle.corruption import faults_of

pytestmark = pytest.mark.real


def test_the_counts_and_the_three_leaks(real_data: Path) -> None:
    corpus = read_birthplaces(real_data / "birthplaces")
    assert (len(corpus.biographies), len(corpus.train), len(corpus.dev), len(corpus.test)) == (2937, 1997, 500, 437)
    assert corpus.dropped == 3
    asked = {question.text for question in (*corpus.dev, *corpus.test)}
    assert not asked & {question.text for question in corpus.train}
    assert all(question.answer is None for question in corpus.test)
    assert most_common_answer(corpus.train) == "London"
    assert sum(question.answer == "London" for question in corpus.dev) == 25


def test_our_characters_are_the_course_s(real_data: Path) -> None:
    text = (real_data / "birthplaces" / "wiki.txt").read_text(encoding="utf-8")
    dataset = CharCorruptionDataset(text, 128)
    vocabulary = CharacterVocabulary.of(read_birthplaces(real_data / "birthplaces").text)
    assert dataset.vocab_size == vocabulary.size == 256
    assert tuple(dataset.itos.values()) == vocabulary.itos
    names = NameDataset((real_data / "birthplaces" / "birth_places_train.tsv").read_text(encoding="utf-8"), dataset)
    assert len(names) == 2000
    for index in range(len(names)):
        written = "".join(names.itos[int(place)] for place in names[index][0])
        assert written.rstrip("□") == "⁇".join([*names.data[index].split("\t"), ""])


def test_every_biography_is_corrupted_as_the_course_says(real_data: Path) -> None:
    text = (real_data / "birthplaces" / "wiki.txt").read_text(encoding="utf-8")
    dataset = CharCorruptionDataset(text, 128)
    for index, line in enumerate(text.split("\n")):
        x, y = ("".join(dataset.itos[int(place)] for place in part) for part in dataset[index])
        assert faults_of(line, 128, "xcs224n", x, y) == []


def test_byte_pairs_spell_the_whole_corpus(real_data: Path) -> None:
    corpus = read_birthplaces(real_data / "birthplaces")
    vocabulary = BytePairVocabulary.of(corpus.biographies, 2048)
    assert vocabulary.size == 2048
    assert all(vocabulary.decode(vocabulary.encode(text)) == text for text in corpus.biographies)
    sources = SpanCorruption(vocabulary, corpus.biographies), SalientSpans(vocabulary, corpus.biographies)
    for source in (*sources, Questions(vocabulary, corpus.train)):
        assert all(len(source.draw(index, 0, 0).inputs) < 128 for index in range(len(source)))


def test_most_answers_are_salient_spans_found_by_looks_alone(real_data: Path) -> None:
    corpus = read_birthplaces(real_data / "birthplaces")
    ordinary = ordinary_words(corpus.biographies)
    found = 0
    for question in corpus.dev:
        name = question.text.removeprefix("Where was ").removesuffix(" born?")
        about = [line for line in corpus.biographies if line.startswith(name + ".")]
        spans = {line[start:end] for line in about for start, end in salient_spans(line, ordinary)}
        found += question.answer in spans
    assert found >= 0.9 * len(corpus.dev)


@pytest.mark.parametrize("name", ["birthplaces", "shakespeare", "ptb"])
def test_published_checksums_are_those_of_the_bytes_we_hold(name: str, real_data: Path) -> None:
    published = [file for file in KNOWN[name].files if file.sha256]
    assert published
    for file in published:
        content = (real_data / name / file.name).read_bytes()
        assert (len(content), hashlib.sha256(content).hexdigest()) == (file.size, file.sha256)
