"""The names of a corpus: an index that is kept in the run folder, and invented names of the same style.

The index tells a person whether a name was ever read. It never decides whether an answer is given.
"""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

from clearhead.answering.question_forms import asking_of
from clearhead.corpora import Birthplaces
from clearhead.corpora.examples.salient_spans import ordinary_words, salient_spans
from clearhead.corpora.sources.biographies import same
from clearhead.errors import InputError
from clearhead.saving import write_whole

NAMES = "names.json"
LONGEST_TITLE = 60  # characters
TRIES = 50  # draws for each invented name that is wanted


@dataclass(frozen=True, slots=True)
class NameIndex:
    """Every name of the biographies, and the numbers of the biographies where it stands."""

    places: dict[str, list[int]]

    def __contains__(self, name: str) -> bool:
        return same(name) in self.places

    def lines(self, name: str) -> list[int]:
        return self.places.get(same(name), [])

    def save(self, folder: Path) -> None:
        write_whole(folder / NAMES, json.dumps({"names": self.places}, ensure_ascii=False, indent=0) + "\n")


def index_of(biographies: Sequence[str]) -> NameIndex:
    """The names of biographies: runs of capitalised words, every part of two words or more of a longer run too,
    and what stands before a full stop near the start, as encyclopedias begin.
    """
    ordinary = ordinary_words(biographies)
    places: dict[str, list[int]] = {}
    for number, biography in enumerate(biographies):
        for name in sorted(set(names_in(biography, ordinary))):
            places.setdefault(name, []).append(number)
    return NameIndex(places)


def names_in(biography: str, ordinary: frozenset[str]) -> Iterator[str]:
    """The names of one biography, in the one spelling that is compared."""
    for stop in re.finditer(r"\. ", biography[:LONGEST_TITLE]):  # "Leo C. Gray, Jr.. Leo Gray was …" has full stops inside
        yield same(biography[: stop.start()])
    for start, end in salient_spans(biography, ordinary):
        words = same(biography[start:end]).split()
        if words[0][0].isdigit():
            continue
        yield " ".join(words)
        for first in range(len(words)):
            yield from (" ".join(words[first:last]) for last in range(first + 2, len(words) + 1))


def kept_index(folder: Path) -> NameIndex | None:
    """The index in a run folder; None where there is none that can be read."""
    try:
        tree = json.loads((folder / NAMES).read_text(encoding="utf-8"))
        return NameIndex({str(name): [int(place) for place in places] for name, places in tree["names"].items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def index_for(folder: Path, corpus: Birthplaces) -> NameIndex:
    """The index in a run folder; made of the corpus, and kept there where that can be written, if there is none."""
    index = kept_index(folder)
    if index is None:
        index = index_of(corpus.biographies)
        with suppress(InputError):  # a folder that cannot be written is as good to read
            index.save(folder)
    return index


def invented_names(corpus: Birthplaces, index: NameIndex, count: int, seed: int = 0) -> list[str]:
    """People who never were: the first names of one, the last name of another, together nowhere in the corpus."""
    asked = [asking_of(question.text) for part in (corpus.train, corpus.dev, corpus.test) for question in part]
    known = [asking.name.split() for asking in asked if asking.trained and " " in asking.name]
    text = same(" ".join(corpus.biographies))
    random, names = Random(f"invented/{seed}"), dict[str, None]()
    for _ in range(count * TRIES if known else 0):
        name = " ".join([*random.choice(known)[:-1], random.choice(known)[-1]])
        if name not in index and same(name) not in text:
            names.setdefault(name)
        if len(names) == count:
            break
    return list(names)
