"""The course's four files: every letter kept, leaks dropped, and bad lines named."""

from pathlib import Path

import pytest

from clearhead.corpora import Question, most_common_answer, read_birthplaces
from clearhead.errors import InputError

FILES = {
    "wiki.txt": "Zoë Å. Born in Łódź.\n\nBo. Bo is from Oslo .\n",
    "birth_places_train.tsv": "Where was Zoë Å born?\tŁódź\nWhere was Bo born?\tOslo\nwhere  was Al born? \tOslo\n",
    "birth_dev.tsv": "Where was Al born?\tKiel\n",
    "birth_test_inputs.tsv": "Where was Bo born?\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_the_four_files_are_read_and_every_letter_is_kept(folder: Path) -> None:
    corpus = read_birthplaces(folder)
    assert corpus.biographies == ("Zoë Å. Born in Łódź.", "Bo. Bo is from Oslo .")
    assert corpus.train == (Question("Where was Zoë Å born?", "Łódź"),)
    assert corpus.dev == (Question("Where was Al born?", "Kiel"),)
    assert corpus.test == (Question("Where was Bo born?", None),)
    assert corpus.text == "Zoë Å. Born in Łódź.\nBo. Bo is from Oslo .\n"


def test_training_questions_that_dev_or_test_ask_too_are_dropped_and_counted(folder: Path) -> None:
    assert read_birthplaces(folder).dropped == 2


def test_the_test_questions_may_have_answers_or_be_missing(folder: Path) -> None:
    (folder / "birth_test_inputs.tsv").write_text("Where was Cy born?\tRome\n", encoding="utf-8")
    assert read_birthplaces(folder).test == (Question("Where was Cy born?", "Rome"),)
    (folder / "birth_test_inputs.tsv").unlink()
    assert read_birthplaces(folder).test == ()


def test_windows_line_ends_and_a_byte_order_mark_change_nothing(folder: Path) -> None:
    plain = read_birthplaces(folder)
    for name, text in FILES.items():
        (folder / name).write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert read_birthplaces(folder) == plain


def test_only_a_line_feed_ends_a_line(folder: Path) -> None:
    (folder / "wiki.txt").write_text("one\u2028still one\x85still\ntwo\n", encoding="utf-8")
    assert len(read_birthplaces(folder).biographies) == 2


@pytest.mark.parametrize("missing", ["wiki.txt", "birth_places_train.tsv", "birth_dev.tsv"])
def test_a_missing_file_is_named(folder: Path, missing: str) -> None:
    (folder / missing).unlink()
    with pytest.raises(InputError, match=f"missing: {missing}"):
        read_birthplaces(folder)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("birth_dev.tsv", b"Where was Al born?\tKiel\nWhere was Bo born?\n", "line 2"),
        ("birth_dev.tsv", b"\n\tKiel\n", "line 2"),
        ("birth_dev.tsv", b"Where?\tKiel\tOslo\n", "line 1"),
        ("birth_places_train.tsv", b"Where was Al born?\t \n", "line 1"),
        ("birth_places_train.tsv", b"\n\n", "empty"),
        ("birth_test_inputs.tsv", b"Where was Al born?\n\tKiel\n", "line 2"),
        ("wiki.txt", b"", "empty"),
        ("wiki.txt", b"one\ntwo\xff\n", "line 2"),
    ],
)
def test_a_bad_line_is_named_with_its_file(folder: Path, name: str, content: bytes, said: str) -> None:
    (folder / name).write_bytes(content)
    with pytest.raises(InputError, match=said) as caught:
        read_birthplaces(folder)
    assert name in str(caught.value)


def test_the_most_common_answer() -> None:
    asked = [Question("a", "Oslo"), Question("b", "Kiel"), Question("c", "Kiel"), Question("d", "Oslo"), Question("e")]
    assert most_common_answer(asked) == "Kiel"
    with pytest.raises(InputError, match="answers"):
        most_common_answer([Question("e")])
