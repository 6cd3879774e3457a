"""Vocabularies: the course's ids, losslessness, files, and text that nobody expected."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.corpora import BytePairVocabulary, CharacterVocabulary, load_vocabulary
from clearhead.errors import ConfigError, InputError

CORPUS = ["Zoë was born in Ålborg.", "Where was Zoë born? In Ålborg, in 1931.", "Born in Łódź, he sails."] * 5
BYTE_PAIRS = BytePairVocabulary.of(CORPUS, 300)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


def test_the_course_counts_pad_mask_and_then_the_sorted_characters() -> None:
    vocabulary = CharacterVocabulary.of("banana\nÅ")
    assert vocabulary.itos == ("\u25a1", "\u2047", "\n", "a", "b", "n", "Å")
    assert (vocabulary.pad, vocabulary.mask, vocabulary.size) == (0, 1, 7)
    assert vocabulary.encode("ban\nÅ") == [4, 3, 5, 2, 6]


@given(text=texts)
def test_characters_read_back_what_they_know(text: str) -> None:
    vocabulary = CharacterVocabulary.of(text)
    known = text.replace("□", "").replace("⁇", "")
    assert vocabulary.decode(vocabulary.encode(known)) == known


@given(text=texts)
def test_an_unknown_character_keeps_its_place_as_a_pad(text: str) -> None:
    vocabulary = CharacterVocabulary.of("abc")
    ids = vocabulary.encode(text)
    assert len(ids) == len(text)
    assert all(index == 0 for index, character in zip(ids, text, strict=True) if character not in "abc")


@pytest.mark.parametrize("vocabulary", [CharacterVocabulary.of("□a⁇b"), BYTE_PAIRS])
def test_no_text_can_forge_a_mask(vocabulary: CharacterVocabulary | BytePairVocabulary) -> None:
    assert 1 not in vocabulary.encode("a□⁇b")


@given(text=texts)
@settings(deadline=None)
def test_byte_pairs_are_lossless_on_any_text(text: str) -> None:
    ids = BYTE_PAIRS.encode(text)
    assert BYTE_PAIRS.decode(ids) == text
    assert not {0, 1} & set(ids)
    assert all(index < BYTE_PAIRS.size for index in ids)


def test_byte_pairs_survive_a_lone_surrogate() -> None:
    assert BYTE_PAIRS.decode(BYTE_PAIRS.encode("a\ud800b")) == "a\ufffdb"


def test_byte_pairs_show_pads_and_masks() -> None:
    assert BYTE_PAIRS.decode([*BYTE_PAIRS.encode("Zoë"), 1, 1, *BYTE_PAIRS.encode(" born"), 0, 0]) == "Zoë⁇⁇ born□□"


def test_byte_pairs_are_learned_alike_each_time(tmp_path: Path) -> None:
    BYTE_PAIRS.save(tmp_path / "one.json")
    BytePairVocabulary.of(CORPUS, 300).save(tmp_path / "two.json")
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    assert len(BYTE_PAIRS.encode(" was born in")) < len(" was born in")


@pytest.mark.parametrize("vocabulary", [CharacterVocabulary.of("".join(CORPUS)), BYTE_PAIRS])
def test_a_saved_vocabulary_is_read_back_from_its_file_or_its_run_folder(
    vocabulary: CharacterVocabulary | BytePairVocabulary, tmp_path: Path
) -> None:
    vocabulary.save(tmp_path / "run" / "tokenizer.json")
    for place in (tmp_path / "run", tmp_path / "run" / "tokenizer.json"):
        again = load_vocabulary(place)
        assert type(again) is type(vocabulary)
        assert again.size == vocabulary.size
        assert again.encode("Zoë ⁇ 漢 in Łódź") == vocabulary.encode("Zoë ⁇ 漢 in Łódź")
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["tokenizer.json"]


@pytest.mark.parametrize("content", ["", "[1, 2]", "{}", '{"model": {}}', '{"kind": "characters"}', "{"])
def test_a_damaged_file_is_one_clear_error(content: str, tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text(content)
    with pytest.raises(InputError, match=r"tokenizer\.json"):
        load_vocabulary(tmp_path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere"):
        load_vocabulary(tmp_path / "nowhere.json")


def test_sizes_and_letters_that_cannot_be_are_refused() -> None:
    with pytest.raises(ConfigError, match="258"):
        BytePairVocabulary.of(CORPUS, 100)
    with pytest.raises(ConfigError, match="distinct"):
        CharacterVocabulary("aa")


def test_byte_pairs_without_marks_are_refused_and_those_of_others_are_taken(tmp_path: Path) -> None:
    from tokenizers import Tokenizer
    from tokenizers.models import BPE

    Tokenizer(BPE(vocab={"a": 0}, merges=[])).save(str(tmp_path / "tokenizer.json"))
    with pytest.raises(InputError, match="a token that ends a text"):
        load_vocabulary(tmp_path)
    Tokenizer(BPE(vocab={"a": 0, "<|endoftext|>": 1}, merges=[])).save(str(tmp_path / "tokenizer.json"))
    other = load_vocabulary(tmp_path)
    assert (other.encode("aa"), other.pad, other.beginning, other.size) == ([0, 0], 1, 1, 2)
