"""What a corpus is to the rest of the house, and what a kind of corpus has to say for itself."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar, runtime_checkable

from clearhead.corpora.examples.example import Source
from clearhead.errors import ConfigError


class Corpus(Protocol):
    """What a run learns from; what it holds out is its own affair."""

    @property
    def name(self) -> str:
        """What people typed to get it."""
        ...

    def files(self) -> list[Path]:
        """Every file that it is read from; none where it is made on the spot."""
        ...

    def documents(self) -> Iterable[str]:
        """What a vocabulary is learned from."""
        ...

    def training_text(self) -> Iterable[str]:
        """What is learned from as text, in chunks; nothing that is held out."""
        ...

    def class_names(self) -> Sequence[str]:
        """What there is to tell apart, by number; none where nothing is classified."""
        ...


@runtime_checkable
class OfClasses(Protocol):
    """A corpus of things of several classes, which can be named."""

    def with_classes(self, names: tuple[str, ...]) -> "Corpus":
        """The same corpus, whose labels must mean these classes."""
        ...

    def whole(self) -> "Corpus":
        """The same corpus, all of it held out: a test set."""
        ...


@dataclass(frozen=True, kw_only=True)
class HeldOut:
    """What of a corpus is not learned from."""

    share: float = 0.1  # of a text its end, of reviews and pictures some by their content
    left_out: tuple[str, ...] = ()  # files whose text is cut out of a text that is learned from

    def __post_init__(self) -> None:
        if not 0 <= self.share < 1:
            raise ConfigError(f"held_out is a share from 0 to below 1; got {self.share}.")


AnyCorpus = TypeVar("AnyCorpus", bound=Corpus)
Learning = Callable[..., Source]
"""What there is to learn: a vocabulary, a corpus, the longest sequence and the objective's own options give examples."""


@dataclass(frozen=True, kw_only=True)
class CorpusKind(Generic[AnyCorpus]):
    """How a corpus of one kind is opened by name, what there is to learn from it, and how a few of it are shown."""

    open: Callable[[str, HeldOut], AnyCorpus]
    objectives: Mapping[str, Learning]
    show: Callable[[str, int, int], Sequence[str]] | None = None  # name, how many, seed: lines for people
    held_out: Learning | None = None  # examples of what is not learned from, to be looked at while a run learns
