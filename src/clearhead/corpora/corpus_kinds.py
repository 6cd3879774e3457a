"""Every kind of corpus by name: a new one is one file in `kinds/` and one line here."""

from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clearhead.corpora.corpus import CorpusKind

WORLD, SMALL_REVIEWS, SMALL_DIGITS = "world", "small-reviews", "small-digits"


@dataclass(frozen=True, slots=True)
class Entry:
    """The module whose KIND is the kind, read when it is needed; and what of the kind is built in, with a line on each."""

    module: str
    built_in: dict[str, str] = field(default_factory=dict)


CORPORA: dict[str, Entry] = {
    "birthplaces": Entry(
        "clearhead.corpora.kinds.birthplaces",
        {WORLD: "invented people, places and biographies, made on the spot from a seed"},
    ),
    "text": Entry("clearhead.corpora.kinds.texts"),
    "sentences": Entry("clearhead.corpora.kinds.word_sentences"),
    "reviews": Entry(
        "clearhead.corpora.kinds.labelled_reviews",
        {SMALL_REVIEWS: "invented film reviews, half of them liked it, for train sentiment"},
    ),
    "digits": Entry(
        "clearhead.corpora.kinds.digit_pictures",
        {SMALL_DIGITS: "1,797 handwritten digits that come with scikit-learn, for train digits"},
    ),
}

BUILT_IN: dict[str, str] = {name: what for entry in CORPORA.values() for name, what in entry.built_in.items()}
"""The names of everything that needs no file."""


def corpus_kind(name: str) -> "CorpusKind[Any]":
    """A kind of corpus by its name in the table."""
    kind: CorpusKind[Any] = import_module(CORPORA[name].module).KIND
    return kind


def kind_of_built_in(name: str) -> "CorpusKind[Any]":
    """The kind that has this built-in corpus."""
    return corpus_kind(next(kind for kind, entry in CORPORA.items() if name in entry.built_in))
