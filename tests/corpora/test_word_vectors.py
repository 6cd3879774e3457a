"""Word vectors from GloVe's text files."""

from pathlib import Path

import numpy as np
import pytest

from clearhead.corpora.word_vectors import read_vectors
from clearhead.errors import InputError


def written(tmp_path: Path, text: str) -> Path:
    (tmp_path / "glove.txt").write_text(text)
    return tmp_path / "glove.txt"


def test_vectors_are_put_in_the_order_of_the_words(tmp_path: Path) -> None:
    found = read_vectors(written(tmp_path, "b 3 4\nother 9 9\na 1 2\n"), ["a", "b", "new"], 2)
    assert found.vectors[:2].tolist() == [[1, 2], [3, 4]]
    assert found.missing == ("new",)
    assert np.isfinite(found.vectors).all()
    assert "2 of 3" in found.told("glove")
    assert "1 missing" in found.told("glove")


def test_missing_words_depend_on_the_seed_alone(tmp_path: Path) -> None:
    file = written(tmp_path, "a 1 2\nb 3 4\n")
    once, again, other = (read_vectors(file, ["a", "b", "x"], 2, seed).vectors[2] for seed in (1, 1, 2))
    assert (once == again).all()
    assert (once != other).any()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a 1 2\nb 3\n", r"glove.txt, line 2: .*2 numbers"),
        ("a 1 2 3\n", "line 1"),
        ("a 1 2\nb 3 x\n", "line 2"),
        ("a 1 2\nb 3 nan\n", "line 2"),
        ("c 1 2\n", "none of the 2 words"),
        ("", "empty"),
    ],
)
def test_a_broken_file_is_refused_with_its_line(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=told):
        read_vectors(written(tmp_path, text), ["a", "b"], 2)
