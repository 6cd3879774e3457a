"""Sentences of words: a token a line with its tags, or a sentence a line."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from clearhead.corpora.text_files import find_file, read_lines
from clearhead.errors import InputError

DOCUMENT = "-DOCSTART-"


def read_sentences(path: Path) -> Iterator[list[str]]:
    """Sentences of a file with one token a line (PTB: tabs, CoNLL: spaces), a blank line after each; or one a line.

    The first line tells: a file of columns has two or three on every line, a tag in the second.
    """
    columns = 0
    sentence: list[str] = []
    for number, line in read_lines(path):
        parts = line.split()
        if not columns and parts:
            tag = parts[1] if len(parts) > 1 else ""
            columns = len(parts) if len(parts) in (2, 3) and (parts[0] == DOCUMENT or not tag.islower()) else 1
        if columns == 1:
            if parts:
                yield parts
        elif not parts or parts[0] == DOCUMENT:
            if sentence:
                yield sentence
            sentence = []
        elif len(parts) != columns:
            raise InputError(
                f"{path}, line {number}: {columns} columns were expected, as on the first line; got {line[:60]!r}."
            )
        else:
            sentence.append(parts[0])
    if sentence:
        yield sentence


@dataclass(frozen=True, slots=True)
class Sentences:
    """A corpus of sentences, by the name of its file."""

    name: str

    def files(self) -> list[Path]:
        return [find_file(self.name)]

    def documents(self) -> Iterator[str]:
        return (" ".join(words) for words in self.training())

    def training_text(self) -> Iterator[str]:
        return (" ".join(words) + " " for words in self.training())

    def class_names(self) -> tuple[str, ...]:
        return ()

    def training(self) -> Iterator[list[str]]:
        return read_sentences(find_file(self.name))
