"""A text of any length, read in chunks: what stands in memory at a time does not grow with the file."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from clearhead.corpora.corpus import HeldOut
from clearhead.corpora.sources.named_birthplaces import WORLD, find_corpus, is_world
from clearhead.corpora.text_files import find_file, read_chunks


@dataclass(frozen=True, slots=True)
class RunningText:
    """A text split in two: what is learned from, without the passages that are left out, and the end that is held out."""

    name: str
    characters: int
    boundary: int  # characters before the held-out end
    left_out: tuple[str, ...] = ()  # passages
    beside: tuple[Path, ...] = ()  # the files that hold them

    def chunks(self) -> Iterator[str]:
        """The whole text."""
        if is_world(self.name):
            yield from (f"{biography}\n" for biography in find_corpus(self.name).biographies)
        else:
            yield from read_chunks(find_file(self.name))

    def files(self) -> list[Path]:
        return [*([] if is_world(self.name) else [find_file(self.name)]), *self.beside]

    def documents(self) -> Iterator[str]:
        """As everybody counts characters: those of the whole text; nothing else is taken from its end."""
        return self.chunks()

    def training_text(self) -> Iterator[str]:
        return self.training()

    def class_names(self) -> tuple[str, ...]:
        return ()

    def training(self) -> Iterator[str]:
        """The text before the boundary, without what is left out."""
        chunks = between(self.chunks(), 0, self.boundary)
        for passage in self.left_out:
            chunks = without(chunks, passage)
        return chunks

    def validation(self) -> Iterator[str]:
        """The held-out end, whole."""
        return between(self.chunks(), self.boundary, self.characters)


def find_text(name: str = WORLD, held_out: HeldOut = HeldOut()) -> RunningText:  # noqa: B008  (it is frozen)
    """The text that a name means, its last part held out."""
    beside = tuple(find_file(each) for each in held_out.left_out)
    passages = tuple("".join(read_chunks(file)) for file in beside)
    characters = sum(map(len, RunningText(name, 0, 0).chunks()))
    return RunningText(name, characters, characters - round(characters * held_out.share), passages, beside)


def between(chunks: Iterable[str], start: int, end: int) -> Iterator[str]:
    """Characters `start` up to `end` of chunks.

    >>> "".join(between(["abc", "def"], 2, 5))
    'cde'
    """
    seen = 0
    for chunk in chunks:
        part = chunk[max(start - seen, 0) : max(end - seen, 0)]
        seen += len(chunk)
        if part:
            yield part
        if seen >= end:
            return


def occurs(chunks: Iterable[str], passage: str) -> bool:
    """Whether a passage stands in chunks, also where it goes from one into the next.

    >>> occurs(["to be or n", "ot to be"], " or not"), occurs(["to be"], "not")
    (True, False)
    """
    before = ""
    for chunk in chunks:
        if passage in before + chunk:
            return True
        before = (before + chunk)[-(len(passage) - 1) :] if len(passage) > 1 else ""
    return False


def without(chunks: Iterable[str], passage: str) -> Iterator[str]:
    """Chunks with every occurrence of a passage cut out, also where it goes from one chunk into the next.

    >>> "".join(without(["to be or n", "ot to be"], " or not"))
    'to be to be'
    """
    waiting = ""
    for chunk in chunks:
        waiting = (waiting + chunk).replace(passage, "")
        keep = len(passage) - 1  # so many characters may be the start of one that goes on
        if len(waiting) > keep:
            yield waiting[: len(waiting) - keep]
            waiting = waiting[len(waiting) - keep :]
    if waiting:
        yield waiting
