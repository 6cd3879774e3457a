"""Texts of any length in chunks: held-out end, passages cut out, ids in a mapped file."""

import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearhead.corpora import CharacterVocabulary
from clearhead.corpora.corpus import HeldOut
from clearhead.corpora.examples.text_windows import TextWindows
from clearhead.corpora.sources.running_text import RunningText, between, find_text, without
from clearhead.corpora.text_files import files_like, find_file, read_chunks, read_lines
from clearhead.corpora.vocabularies.encoded_text import encoded
from clearhead.errors import ConfigError, InputError
from clearhead.training import named_recipe, open_run, start_run


def cut(text: str, sizes: list[int]) -> list[str]:
    """The text in chunks of these sizes, again and again."""
    chunks, place, turn = [], 0, 0
    while place < len(text):
        size = sizes[turn % len(sizes)]
        chunks.append(text[place : place + size])
        place, turn = place + size, turn + 1
    return chunks


SIZES = st.lists(st.integers(1, 5), min_size=1, max_size=4)


@given(st.text("ab\n", max_size=30), SIZES, st.integers(0, 35), st.integers(0, 35))
def test_between_is_a_slice(text: str, sizes: list[int], start: int, end: int) -> None:
    assert "".join(between(cut(text, sizes), start, end)) == text[start:end]


@given(st.text("ab", max_size=20), st.text("ab", max_size=20), SIZES)
def test_a_passage_is_cut_out_wherever_the_chunks_end(before: str, after: str, sizes: list[int]) -> None:
    passage = "xyzzy"
    assert "".join(without(cut(before + passage + after, sizes), passage)) == before + after


def test_characters_that_go_from_one_chunk_into_the_next(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("Zoë – ā\r\nb", newline="")
    assert "".join(read_chunks(tmp_path / "t.txt", size=1)) == "Zoë – ā\r\nb"
    assert list(read_lines(tmp_path / "t.txt")) == [(1, "Zoë – ā"), (2, "b")]


def test_wrong_encoding_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_bytes(b"one\ntwo\nZo\xeb\n")
    with pytest.raises(InputError, match=r"t.txt, line 3: .*UTF-8.*0xeb"):
        list(read_chunks(tmp_path / "t.txt"))
    with pytest.raises(InputError, match="there is no such file"):
        find_file(str(tmp_path / "nowhere.txt"))


def test_a_file_without_lines_is_not_read_whole_by_lines(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("ok\n" + "a" * 3_000_000)
    with pytest.raises(InputError, match=r"t.txt, line 2: .*longer"):
        list(read_lines(tmp_path / "t.txt"))


def test_the_last_tenth_is_held_out_and_a_passage_left_out(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("abcdefghijklmnopqrst")
    (tmp_path / "p.txt").write_text("def")
    text = find_text(str(tmp_path / "t.txt"), HeldOut(share=0.1, left_out=(str(tmp_path / "p.txt"),)))
    assert ("".join(text.training()), "".join(text.validation())) == ("abcghijklmnopqr", "st")
    with pytest.raises(ConfigError, match="held_out"):
        HeldOut(share=1.0)


def test_a_pattern_stands_for_the_files_that_fit_it_and_a_name_for_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLEARHEAD_DATA", str(tmp_path))
    assert files_like("passages/*.txt") == []
    (tmp_path / "passages").mkdir()
    for name in ("b.txt", "a.txt", "c.md"):
        (tmp_path / "passages" / name).write_text("x")
    assert files_like("passages/*.txt") == ["passages/a.txt", "passages/b.txt"]
    assert files_like("nowhere.txt") == ["nowhere.txt"]


def test_a_run_keeps_the_files_that_were_there_when_it_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEARHEAD_DATA", str(tmp_path))
    (tmp_path / "shakespeare").mkdir()
    (tmp_path / "shakespeare" / "input.txt").write_text("to be or not to be, that is the question\n" * 20)
    told: list[str] = []
    sizes = ["model.width=8", "model.lanes=2", "model.context=8", "training.batch=16"]
    assert start_run(named_recipe("characters-gru", sizes), tmp_path / "first", told.append).recipe.text.left_out == ()
    (tmp_path / "passages").mkdir()
    (tmp_path / "passages" / "some_shakespeare.txt").write_text("not to be, that")
    assert "not to be, that" in "".join(open_run(tmp_path / "first").corpus.training())
    run = start_run(named_recipe("characters-gru", sizes), tmp_path / "second", told.append)
    assert run.recipe.text.left_out == ("passages/some_shakespeare.txt",)
    assert "not to be, that" not in "".join(open_run(tmp_path / "second").corpus.training())
    assert told == ["cut out of the training text: passages/some_shakespeare.txt"]


def test_a_long_file_is_never_whole_in_memory(tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text("all work and no play\n" * 400_000)  # 8 MB
    text = RunningText(str(tmp_path / "long.txt"), 8_400_000, 8_400_000)
    vocabulary = CharacterVocabulary.of("all work and no play\n")
    tracemalloc.start()
    ids = encoded(text.training(), vocabulary)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(ids) == 8_400_000
    assert vocabulary.decode(ids[:8].tolist()) == "all work"
    assert peak < 12_000_000  # a chunk of 0.25 MB and its list of ids, not 8 MB of text and 67 MB of ids


def test_windows_are_pieces_of_the_text() -> None:
    ids = np.arange(50, dtype=np.uint16)
    windows = TextWindows(ids, 8)
    for index in range(len(windows)):
        example = windows.draw(index, 0, 3)
        assert example.targets == [token + 1 for token in example.inputs]
        assert len(example.inputs) == 8
    assert windows.draw(1, 0, 3) == windows.draw(1, 0, 3) != windows.draw(1, 1, 3)
    with pytest.raises(InputError, match="longer text"):
        TextWindows(ids, 50)
