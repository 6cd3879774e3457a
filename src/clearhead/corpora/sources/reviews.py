"""Texts with a label, liked it or not, or a class of one's own: read one at a time, and split by their words."""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path

from clearhead.corpora.corpus_kinds import SMALL_REVIEWS
from clearhead.corpora.sources.invented_reviews import invent_reviews
from clearhead.corpora.sources.review_labels import LIKING, Labelling, labelling
from clearhead.corpora.sources.review_tables import TABLES, read_records
from clearhead.corpora.store.store_folder import data_folder, places_meant
from clearhead.corpora.text_files import read_chunks, read_lines
from clearhead.errors import InputError

WORD = re.compile(r"<br ?/?>|([^\W\d_]+(?:['’][^\W\d_]+)*|\d+|[!?])")


@dataclass(frozen=True, slots=True)
class Review:
    """What somebody wrote, and the number of its class: liked it (1) or not (0), where nothing else was named."""

    text: str
    label: int


@dataclass(frozen=True, slots=True)
class Place:
    """A word of a text as the net reads it, and where it stands."""

    word: str
    start: int
    end: int


def places_of(text: str) -> list[Place]:
    """The words of a text: letters with apostrophes inside, numbers, ! and ?; in small letters.

    >>> [place.word for place in places_of("I DON’T<br />know!")]
    ['i', "don't", 'know', '!']
    """
    found = (match for match in WORD.finditer(text) if match[1])
    return [Place(match[1].lower().replace("’", "'"), *match.span(1)) for match in found]


def words_of(text: str) -> list[str]:
    """The same words without their places, about four times faster."""
    return " ".join(filter(None, WORD.findall(text))).lower().replace("’", "'").split()


@dataclass(frozen=True, slots=True)
class Reviews:
    """A corpus of reviews by name, split in two; a review that stands there twice falls on one side both times."""

    name: str
    share: float = 0.2  # of the reviews that are held out
    classes: tuple[str, ...] = ()  # the names that labels must mean; none: as the labels themselves say

    def files(self) -> list[Path]:
        return [] if self.name == SMALL_REVIEWS else files_of_reviews(find_reviews(self.name))

    def documents(self) -> Iterator[str]:
        return (" ".join(words_of(review.text)) for review in self.training())

    def training_text(self) -> Iterator[str]:
        return (f"{review.text}\n" for review in self.training())

    def class_names(self) -> tuple[str, ...]:
        if self.classes or self.name == SMALL_REVIEWS:
            return self.classes or LIKING
        return opened_reviews(find_reviews(self.name)).labelling.names

    def with_classes(self, names: tuple[str, ...]) -> "Reviews":
        """The same reviews, whose labels must mean these classes."""
        return replace(self, classes=names)

    def whole(self) -> "Reviews":
        """The same reviews, all of them held out: a test set."""
        return replace(self, share=1.0)

    def everything(self) -> Iterator[Review]:
        if self.name == SMALL_REVIEWS:
            return (Review(*pair) for pair in invent_reviews())
        return read_reviews(self.name, self.classes)

    def training(self) -> Iterator[Review]:
        return (review for review in self.everything() if not self.holds_out(review))

    def validation(self) -> Iterator[Review]:
        return (review for review in self.everything() if self.holds_out(review))

    def holds_out(self, review: Review) -> bool:
        """By its words alone: neither the order of the file nor the seed of a run decides."""
        digest = hashlib.sha256(" ".join(words_of(review.text)).encode("utf-8", "replace")).digest()
        return int.from_bytes(digest[:8], "big") < self.share * 2**64


Written = Iterator[tuple[str, str, str]]
"""Where something stands, its label as written, and the text."""


@dataclass(frozen=True, slots=True)
class OpenedReviews:
    """Reviews that were found, and what their labels mean."""

    labelling: Labelling
    read: Callable[[], Written]


def read_reviews(name: str, classes: tuple[str, ...] = ()) -> Iterator[Review]:
    """The reviews of a table, of a pair of files, or of a folder with either; of the classes that are named, if any are."""
    found = opened_reviews(find_reviews(name), Labelling(classes) if classes else None)
    return (
        Review(text, known) for where, label, text in found.read() if (known := found.labelling.of(label, where)) is not None
    )


def find_reviews(name: str) -> Path:
    """The file or folder that a name means, in the data folder where it is a known name, or here."""
    for path in places_meant(name):
        if path.is_file() or path.is_dir():
            return path
    raise InputError(f"{name}: there are no reviews of this name, here or in {data_folder()}; try: {SMALL_REVIEWS}")


def files_of_reviews(path: Path) -> list[Path]:
    """Every file that reviews are read from."""
    return [path] if path.is_file() else sorted(each for each in path.rglob("*") if each.is_file())


def opened_reviews(path: Path, known: Labelling | None = None) -> OpenedReviews:
    """A table; a folder with one; NAME.neg and NAME.pos with a review a line; or a folder for each class, a review a file."""
    if path.is_file():
        return opened_table(path, known)
    tables = sorted(each for each in path.iterdir() if each.name.endswith(TABLES))
    if len(tables) == 1:
        return opened_table(tables[0], known)
    if tables:
        raise InputError(f"{path} holds {len(tables)} tables; name one of them: {tables[0]}")
    sides = [sorted(path.glob(f"*.{side}")) for side in ("neg", "pos")]
    if [len(side) for side in sides] == [1, 1]:
        return OpenedReviews(known or Labelling(LIKING), lambda: chain.from_iterable(read_side(side[0]) for side in sides))
    for inside in (path, path / "train", path / "aclImdb" / "train"):
        folders = class_folders(inside)
        if folders:
            names = (
                LIKING if [each.name for each in folders] == ["neg", "pos"] else tuple(each.name.lower() for each in folders)
            )
            read = partial(read_class_folders, folders)
            return OpenedReviews(known or Labelling(names), read)
    raise InputError(
        f"{path}: reviews were expected: one table ({', '.join(TABLES)}), one .neg and one .pos file, or a folder of .txt "
        "files for each class, such as neg and pos."
    )


def opened_table(path: Path, known: Labelling | None) -> OpenedReviews:
    """A table, one review a record; what its labels mean is said by all of them together."""
    names = known.names if known is not None else ()
    labels = ((number, label) for number, label, _ in read_records(path, names))
    liking = known is not None and known.names == LIKING
    meant = known if known is not None and not liking else labelling(path, labels, liking)
    return OpenedReviews(meant, partial(read_table, path, names))


def read_table(path: Path, names: tuple[str, ...]) -> Written:
    return ((f"{path}, line {number}", label, text) for number, label, text in read_records(path, names))


def read_side(path: Path) -> Written:
    label = path.suffix.removeprefix(".")
    return ((f"{path}, line {number}", label, line) for number, line in read_lines(path) if line.strip())


def class_folders(folder: Path) -> list[Path]:
    """The folders of .txt files in a folder, two at least; of neg, pos and others neg and pos alone."""
    inside = sorted(each for each in folder.iterdir() if each.is_dir() and any(each.glob("*.txt"))) if folder.is_dir() else []
    liking = [each for each in inside if each.name in ("neg", "pos")]
    return liking if len(liking) == 2 else inside if len(inside) > 1 else []


def read_class_folders(folders: Sequence[Path]) -> Written:
    for folder in folders:
        for path in sorted(folder.glob("*.txt")):
            yield str(path), folder.name.lower(), "".join(read_chunks(path))
