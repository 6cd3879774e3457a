"""What a model is to the rest of the house: something to train; and then a reader of texts, or a judge of what it is shown."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

import torch
from torch import Tensor, nn

from clearhead.errors import InputError

TOGETHER = 1024  # tokens that are read at once

T = TypeVar("T")
Made = Callable[[Tensor, Tensor], T]  # what somebody makes of the logits, (n, vocab), at some places of a text, (n,)


class ModelConfig(Protocol):
    """A frozen dataclass of sizes; those that the data settles (`vocab`, `classes`) are filled in when a run starts."""


class Model(nn.Module):
    """What the loop trains: a loss, and which weights are of a special kind."""

    @property
    def block(self) -> int:
        """The longest sequence that it takes; 0 for one that looks no further back than a word."""
        return 0

    @property
    def device(self) -> torch.device:
        """Where it computes: inputs are made there, or brought there."""
        return next(self.parameters()).device

    def loss(self, inputs: Tensor, targets: Tensor) -> Tensor:
        """Mean loss over the targets that count (not negative)."""
        raise NotImplementedError

    def matrices(self) -> list[nn.Parameter]:
        """Weights that are maps from vectors to vectors: what Muon is for."""
        return []

    def tables(self) -> list[nn.Parameter]:
        """Weights whose gradient is sparse: a step touches a few rows only."""
        return []

    def row_states(self) -> dict[str, int]:
        """Buffers with a state for each row of a batch, carried from one batch to the next, and the axis of the rows."""
        return {}

    def compilable(self) -> list[nn.Module]:
        """The parts that are worth compiling, each by itself."""
        return []


class Family(NamedTuple):
    """A family of models: the config, a frozen dataclass, and the model that is built from one."""

    config: type[Any]
    model: type[Model]


class Reader(Protocol):
    """A trained model going along a text: it remembers what it needs of the text so far, and no more."""

    def read(self, tokens: Sequence[int]) -> Tensor:
        """Logits for what follows each of the next tokens: (n, vocab)."""
        ...


@runtime_checkable
class LongReader(Protocol):
    """A reader that has a faster way through a long text than token after token."""

    def read_long(self, tokens: Sequence[int], make: Made[T]) -> Iterator[T]:
        """What is made of the logits of `read`, up to rounding, at some places after others, in any order.

        It is made where the logits are, several at once on several threads. What is said of a place for the last time holds.
        Afterwards the reader stands where `read` would.
        """
        ...


def made_along(reader: Reader, tokens: Sequence[int], make: Made[T]) -> Iterator[T]:
    """What is made of the logits for what follows each of many tokens, as `LongReader` gives it."""
    if isinstance(reader, LongReader):
        yield from reader.read_long(tokens, make)
        return
    for start in range(0, len(tokens), TOGETHER):
        yield make_from(start, reader.read(tokens[start : start + TOGETHER]), make)


def make_from(start: int, logits: Tensor, make: Made[T]) -> T:
    """What is made of logits that follow one another from a place on."""
    return make(torch.arange(start, start + len(logits), device=logits.device), logits)


class LanguageModel(Model):
    """A model that says what follows in a text."""

    def reader(self) -> Reader:
        """A reader at the start of a text."""
        raise NotImplementedError

    def sight(self, n: int) -> Tensor:
        """Which of n tokens move the logits at which place, as declared, and held by the tests: (n, n)."""
        raise NotImplementedError


class Classifier(Model):
    """A model that says which class each thing is of."""

    def chances(self, inputs: Tensor) -> Tensor:
        """How likely it finds each class: inputs (rows, n) give (rows, classes)."""
        raise NotImplementedError


def reader_of(model: Model) -> Reader:
    """A reader of a model that is no longer learning."""
    if not isinstance(model, LanguageModel):
        raise InputError(f"a {type(model).__name__} does not predict text; take a run of a language model.")
    model.eval()
    return model.reader()
