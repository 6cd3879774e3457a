"""Reviews with a label, liked it or not: read one at a time, and split so that nothing held out is ever learned from."""

import csv
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from clearhead.corpora.corpus_kinds import SMALL_REVIEWS
from clearhead.corpora.sources.invented_reviews import invent_reviews
from clearhead.corpora.store.store_folder import data_folder
from clearhead.corpora.text_files import read_chunks, read_lines
from clearhead.errors import InputError

WORD = re.compile(r"<br ?/?>|([^\W\d_]+(?:['’][^\W\d_]+)*|\d+|[!?])")
LABELS = {"0": 0, "1": 1, "neg": 0, "pos": 1, "negative": 0, "positive": 1}
STARS: dict[str, int | None] = {"1": 0, "2": 0, "3": None, "4": 1, "5": 1}  # the middle neither praises nor blames
STARRED = re.compile(r"([1-5])(?:\.0)?(?: stars?)?")
LABEL_NAMES, TEXT_NAMES = ("label", "sentiment", "stars", "rating"), ("text", "review")
TABLES = (".csv", ".csv.gz", ".tsv", ".tsv.gz")


@dataclass(frozen=True, slots=True)
class Review:
    """What somebody wrote, and whether they liked it (1) or not (0)."""

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

    def files(self) -> list[Path]:
        return [] if self.name == SMALL_REVIEWS else files_of_reviews(find_reviews(self.name))

    def documents(self) -> Iterator[str]:
        return (" ".join(words_of(review.text)) for review in self.training())

    def training_text(self) -> Iterator[str]:
        return (f"{review.text}\n" for review in self.training())

    def class_names(self) -> tuple[str, ...]:
        return ("disliked", "liked")

    def everything(self) -> Iterator[Review]:
        return (Review(*pair) for pair in invent_reviews()) if self.name == SMALL_REVIEWS else read_reviews(self.name)

    def training(self) -> Iterator[Review]:
        return (review for review in self.everything() if not self.holds_out(review))

    def validation(self) -> Iterator[Review]:
        return (review for review in self.everything() if self.holds_out(review))

    def holds_out(self, review: Review) -> bool:
        """By its words alone: neither the order of the file nor the seed of a run decides."""
        digest = hashlib.sha256(" ".join(words_of(review.text)).encode("utf-8", "replace")).digest()
        return int.from_bytes(digest[:8], "big") < self.share * 2**64


def read_reviews(name: str) -> Iterator[Review]:
    """The reviews of a table, of a pair of files, or of a folder with either."""
    path = find_reviews(name)
    return read_table(path) if path.is_file() else read_folder(path)


def find_reviews(name: str) -> Path:
    """The file or folder that a name means, here or in the data folder."""
    for path in (Path(name), data_folder() / name):
        if path.is_file() or path.is_dir():
            return path
    raise InputError(f"{name}: there are no reviews of this name, here or in {data_folder()}; try: {SMALL_REVIEWS}")


def files_of_reviews(path: Path) -> list[Path]:
    """Every file that reviews are read from."""
    return [path] if path.is_file() else sorted(each for each in path.rglob("*") if each.is_file())


def read_folder(folder: Path) -> Iterator[Review]:
    """One table; or NAME.neg and NAME.pos with a review a line; or folders neg and pos with a review a file."""
    tables = sorted(path for path in folder.iterdir() if path.name.endswith(TABLES))
    if len(tables) == 1:
        return read_table(tables[0])
    if tables:
        raise InputError(f"{folder} holds {len(tables)} tables; name one of them: {tables[0]}")
    sides = [sorted(folder.glob(f"*.{side}")) for side in ("neg", "pos")]
    if [len(side) for side in sides] == [1, 1]:
        return chain.from_iterable(read_side(side[0], label) for label, side in enumerate(sides))
    for inside in (folder, folder / "train", folder / "aclImdb" / "train"):
        both = [inside / "neg", inside / "pos"]
        if all(side.is_dir() for side in both):
            return chain.from_iterable(read_side_folder(side, label) for label, side in enumerate(both))
    raise InputError(
        f"{folder}: reviews were expected: one table ({', '.join(TABLES)}), one .neg and one .pos file, or folders neg and pos."
    )


def read_side(path: Path, label: int) -> Iterator[Review]:
    return (Review(line, label) for _, line in read_lines(path) if line.strip())


def read_side_folder(folder: Path, label: int) -> Iterator[Review]:
    return (Review("".join(read_chunks(path)), label) for path in sorted(folder.glob("*.txt")))


def read_table(path: Path) -> Iterator[Review]:
    """A table, one review a record; its labels are 0 and 1 in some words, or, where there are others, one to five stars."""
    starred = any(label not in LABELS for _, label, _ in read_records(path))
    for number, label, text in read_records(path):
        known = stars_of(path, number, label) if starred else LABELS[label]
        if known is not None:
            yield Review(text, known)


def read_records(path: Path) -> Iterator[tuple[int, str, str]]:
    """Line, label and text of each record, line ends inside quotes allowed: cells between commas, semicolons or tabs.

    A first line that names a label and a text column says which is which; without one, the first cell that is a label is the
    label, and the longest of the others the text.
    """
    lines = (f"{line}\n" for _, line in read_lines(path))
    first = next(lines, "")
    mark = delimiter_of(path, first)
    every = chain([first], lines)
    bare = mark == "\t"  # quotes mean nothing between tabs
    records = csv.reader(every, "excel-tab", quoting=csv.QUOTE_NONE) if bare else csv.reader(every, delimiter=mark, strict=True)
    try:
        header = [name.strip().removeprefix("\ufeff") for name in next(records, [])]
        names = [name.lower() for name in header]
        headless = not any(name in names for name in (*LABEL_NAMES, *TEXT_NAMES))
        if headless:
            label_at, text_at = columns_of(path, header)
            yield 1, header[label_at].lower(), header[text_at]
        else:
            label_at, text_at = column_of(path, names, LABEL_NAMES), column_of(path, names, TEXT_NAMES)
        number = records.line_num + 1
        for record in records:
            if len(record) != len(header) and record:
                raise InputError(f"{path}, line {number}: {len(header)} columns were expected; got {len(record)}.")
            if record:
                yield number, record[label_at].strip().lower(), record[text_at]
            number = records.line_num + 1
    except csv.Error as error:
        raise InputError(f"{path}, line {records.line_num}: this is not a table; {error}.") from error


def delimiter_of(path: Path, first: str) -> str:
    """What stands between the cells: a tab in a .tsv file, else the first of , ; and tab that shows a label or its name."""
    if ".tsv" in path.suffixes:
        return "\t"
    for mark in ",;\t":
        cells = [cell.strip().lower() for cell in first.rstrip("\n").replace('"', "").split(mark)]
        if len(cells) > 1 and any(cell in LABEL_NAMES or is_label(cell) for cell in cells):
            return mark
    return ","


def is_label(cell: str) -> bool:
    return cell in LABELS or STARRED.fullmatch(cell) is not None


def columns_of(path: Path, first: list[str]) -> tuple[int, int]:
    """Where label and text stand in a table without names."""
    cells = [cell.lower() for cell in first]
    at = next((place for place, cell in enumerate(cells) if is_label(cell)), None)
    if at is None or len(first) < 2:
        raise InputError(f"{path}, line 1: a label and a text were expected, or a line of their names; got {first[:3]}.")
    return at, max((place for place in range(len(first)) if place != at), key=lambda place: len(first[place]))


def column_of(path: Path, header: list[str], names: tuple[str, ...]) -> int:
    for name in names:
        if name in header:
            return header.index(name)
    raise InputError(f"{path}, line 1: a column named {' or '.join(names)} was expected; got {', '.join(header)[:80]!r}.")


def stars_of(path: Path, number: int, label: str) -> int | None:
    """1 for four and five stars, 0 for one and two, None for three."""
    found = STARRED.fullmatch(label)
    if found is None:
        raise InputError(
            f"{path}, line {number}: a label must be 0 (disliked) or 1 (liked), or one to five stars; got {label[:40]!r}."
        )
    return STARS[found[1]]
