"""Words as the treebank course counts them, and sentences from its file formats."""

from pathlib import Path

import pytest

from clearhead.corpora import load_vocabulary
from clearhead.corpora.examples.sentence_examples import SentenceExamples
from clearhead.corpora.sources.sentences import read_sentences
from clearhead.corpora.vocabularies.words import WordVocabulary, folded, read_word_vocabulary
from clearhead.errors import InputError

WORDS = ["the", "<s>", "</s>", "UUUNKKK", "DGDGDGDG", "DG.DG", "DGDGDGDGDG", "(", "30-year"]


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("The", "the"),
        ("1987", "DGDGDGDG"),
        ("3.5", "DG.DG"),
        ("12,345", "DGDGDGDGDG"),
        ("30-year", "30-year"),  # a word with letters keeps its digits
        ("40-year", "UUUNKKK"),
        ("-LRB-", "("),
        ("<s>", "UUUNKKK"),  # a text cannot forge a mark
        ("Zoë", "UUUNKKK"),
    ],
)
def test_each_word_has_one_canonical_form(written: str, canonical: str) -> None:
    assert WordVocabulary(WORDS).canonical(written) == canonical


def test_case_is_kept_where_the_vocabulary_has_it() -> None:
    cased = WordVocabulary([*WORDS, "The"])
    assert cased.cased
    assert cased.canonical("The") == "The"
    assert cased.canonical("THE") == "UUUNKKK"


def test_a_saved_vocabulary_is_read_back(tmp_path: Path) -> None:
    WordVocabulary(WORDS).save(tmp_path / "tokenizer.json")
    assert load_vocabulary(tmp_path).encode("The 1987 x") == [0, 4, 3]


def test_the_first_words_of_a_file_with_counts(tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_text("".join(f"{word:10}\t7\t0.1\n" for word in WORDS))
    assert read_word_vocabulary(tmp_path / "vocab.txt", 4).words == tuple(WORDS[:4])
    with pytest.raises(InputError, match="99 words"):
        read_word_vocabulary(tmp_path / "vocab.txt", 99)
    (tmp_path / "gap.txt").write_text("the\n\n<s>\n")
    with pytest.raises(InputError, match="line 2"):
        read_word_vocabulary(tmp_path / "gap.txt", 3)


PTB = "-DOCSTART-\t X\n\nMay\tMD\nwant\tVB\n\na\tDT\n"
CONLL = "May MD B-NP\nwant VB I-NP\n\n\na DT O\n"
PLAIN = "May want\na\n"


@pytest.mark.parametrize("text", [PTB, CONLL, PTB.replace("\n", "\r\n")])
def test_sentences_of_columns(text: str, tmp_path: Path) -> None:
    (tmp_path / "file.txt").write_bytes(text.encode())
    assert list(read_sentences(tmp_path / "file.txt")) == [["May", "want"], ["a"]]


def test_sentences_one_a_line(tmp_path: Path) -> None:
    (tmp_path / "file.txt").write_text("may want to move\na little\n")
    assert list(read_sentences(tmp_path / "file.txt")) == [["may", "want", "to", "move"], ["a", "little"]]


@pytest.mark.parametrize(
    ("content", "told"),
    [(b"May MD B-NP\nwant VB\n", "line 2"), (b"May MD\n\xff\xfe NN\n", "line 2"), (b"", "empty")],
)
def test_a_broken_file_is_refused_with_its_line(content: bytes, told: str, tmp_path: Path) -> None:
    (tmp_path / "file.txt").write_bytes(content)
    with pytest.raises(InputError, match=told) as error:
        list(read_sentences(tmp_path / "file.txt"))
    assert "file.txt" in str(error.value)


def test_a_sentence_as_an_example_has_its_marks() -> None:
    example = SentenceExamples(WordVocabulary(WORDS), [["The", "1987"]]).draw(0, 0, 0)
    assert (example.inputs, example.targets) == ([1, 0, 4], [0, 4, 2])


def test_folding_leaves_words_alone() -> None:
    assert [folded(word) for word in ("a1", "1/2", "-3")] == ["a1", "DG/DG", "-DG"]
