"""Tables of labelled texts as people have them: commas, semicolons, tabs or bars, with a line of names or without one."""

import csv
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from clearhead.corpora.sources.review_labels import is_label
from clearhead.corpora.text_files import read_lines
from clearhead.errors import InputError

LABEL_NAMES = ("label", "sentiment", "stars", "rating", "class", "category", "polarity", "emotion", "topic", "target", "score")
TEXT_NAMES = ("text", "review", "content", "comment", "body", "sentence", "tweet", "message")
TABLES = (".csv", ".csv.gz", ".tsv", ".tsv.gz")
MARKS = ",;\t|"
PEEKED = 50  # records by which a table without names is understood
LONGEST_LABEL = 40  # characters

Record = list[str]


@dataclass(frozen=True, slots=True)
class Layout:
    """How a table is written: what stands between cells, how many there are, which are label and text, names or none."""

    mark: str
    cells: int
    label_at: int
    text_at: int
    named: bool


def read_records(path: Path, known: Collection[str] = ()) -> Iterator[tuple[int, str, str]]:
    """Line, label (in small letters) and text of each record; line ends inside quotes are allowed.

    A first line that names a label and a text column says which is which. Without one, the column whose cells are labels
    everywhere is the label, or else the one whose few values come again and again; the longest of the others is the text.
    `known` are labels by their names, if there are such.
    """
    layout = layout_of(path, known)
    for number, record in records_of(path, layout.mark):
        if number == 1 and layout.named:
            continue
        if len(record) != layout.cells:
            raise InputError(f"{path}, line {number}: {layout.cells} columns were expected; got {len(record)}.")
        yield number, record[layout.label_at].strip().lower().removeprefix("\ufeff"), record[layout.text_at]


def records_of(path: Path, mark: str) -> Iterator[tuple[int, Record]]:
    """The records of a table with the line that each begins on; empty lines are left out."""
    every = (f"{line}\n" for _, line in read_lines(path))
    bare = mark == "\t"  # quotes mean nothing between tabs
    records = csv.reader(every, "excel-tab", quoting=csv.QUOTE_NONE) if bare else csv.reader(every, delimiter=mark, strict=True)
    number = 1
    try:
        for record in records:
            if record:
                yield number, record
            number = records.line_num + 1
    except csv.Error as error:
        raise InputError(f"{path}, line {records.line_num}: this is not a table; {error}.") from error


def layout_of(path: Path, known: Collection[str] = ()) -> Layout:
    """How a table is written, by its first records."""
    marks = "\t" if ".tsv" in path.suffixes else MARKS
    for mark in marks:
        first = peeked(path, mark)
        if first and len(first[0]) > 1 and (named(path, mark, first[0], False) or len({len(each) for each in first}) == 1):
            layout = named(path, mark, first[0], True) or nameless(mark, first, known)
            if layout is not None:
                return layout
    start = next(records_of(path, marks[0]), (1, []))[1]
    raise InputError(f"{path}, line 1: a label and a text were expected, or a line of their names; got {start[:3]}.")


def peeked(path: Path, mark: str) -> list[Record]:
    """The first records as this mark divides them; by another it may be no table, so only what comes before an error."""
    found: list[Record] = []
    try:
        found.extend(record for _, record in islice(records_of(path, mark), PEEKED))
    except InputError as error:
        if not isinstance(error.__cause__, csv.Error):
            raise
    return found


def named(path: Path, mark: str, first: Record, strict: bool) -> Layout | None:
    """By a line of names; None where the first line is none. Strictly, both must be there."""
    names = [cell.strip().removeprefix("\ufeff").lower() for cell in first]
    if not any(name in names for name in (*LABEL_NAMES, *TEXT_NAMES)):
        return None
    places = [next((names.index(each) for each in known if each in names), None) for known in (LABEL_NAMES, TEXT_NAMES)]
    for place, known in zip(places, (LABEL_NAMES, TEXT_NAMES), strict=True):
        if place is None and strict:
            listed = " or ".join(known[:4])
            raise InputError(f"{path}, line 1: a column named {listed} was expected; got {', '.join(first)[:80]!r}.")
    label_at, text_at = places
    return Layout(mark, len(first), label_at or 0, text_at or 0, named=True)


def nameless(mark: str, first: Sequence[Record], known: Collection[str]) -> Layout | None:
    """By what the cells hold; None where no column looks like labels."""
    width = len(first[0])
    columns = [[record[place].strip().lower() for record in first] for place in range(width)]
    labels = [place for place in range(width) if all(is_label(cell) or cell in known for cell in columns[place])]
    label_at = labels[0] if labels else few_valued(columns)
    if label_at is None:
        return None
    others = [place for place in range(width) if place != label_at]
    return Layout(mark, width, label_at, max(others, key=lambda place: sum(map(len, columns[place]))), named=False)


def few_valued(columns: Sequence[Sequence[str]]) -> int | None:
    """The column of the fewest values, each short and all together at most half as many as there are records."""
    sizes = {
        place: len(set(cells))
        for place, cells in enumerate(columns)
        if all(0 < len(cell) <= LONGEST_LABEL for cell in cells) and 2 <= len(set(cells)) <= len(cells) / 2
    }
    return min(sizes, key=lambda place: (sizes[place], place), default=None)
