"""How well a model predicts a text: per token, per word, per character, and in bits a byte, over the very same bytes."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cross_entropy

from clearhead.corpora import Vocabulary
from clearhead.errors import InputError
from clearhead.models.model import Model, Reader, made_along, reader_of
from clearhead.perplexity.derivation import Piece, TokenColumns, in_columns
from clearhead.perplexity.side_model import length_cost
from clearhead.progress import Shown, nobody

HELD = 1 << 19  # tokens that are held at once


@dataclass(slots=True)
class Counted:
    """A text on its way through: what it is made of, without keeping it."""

    bytes: int = 0
    characters: int = 0
    words: int = 0
    inside: bool = False  # a word that the last chunk ended in

    def through(self, chunks: Iterable[str]) -> Iterator[str]:
        """The chunks, counted."""
        for chunk in chunks:
            self.bytes += len(chunk.encode())
            self.characters += len(chunk)
            self.words += len(chunk.split()) - (self.inside and not chunk[0].isspace())
            self.inside = not chunk[-1].isspace()
            yield chunk


@dataclass(slots=True)
class Figures:
    """What a text costs under a model, in nats, and what it is made of."""

    text: Counted = field(default_factory=Counted)
    tokens: int = 0  # that the model predicted
    unknown: int = 0  # pieces that the vocabulary has no word for
    pieces: int = 0
    model: float = 0.0
    side: dict[str, float] = field(default_factory=dict)
    charged: bool = True

    def add(self, some: TokenColumns, costs: NDArray[np.float64]) -> None:
        """Some more tokens, and what the model asked for each."""
        self.tokens += int((some.predicted >= 0).sum())
        self.unknown += int(some.unknown.sum())
        self.pieces += len(some.texts) if isinstance(some.texts, str) else sum(map(bool, some.texts))
        self.model += float(costs.sum())
        for name, nats in some.charges.items() if self.charged else ():
            self.side[name] = self.side.get(name, 0.0) + float(nats.sum())

    @property
    def total(self) -> float:
        """All of it: model and side model, and how long the text is."""
        return self.model + sum(self.side.values())

    @property
    def bits_per_byte(self) -> float:
        """What can be compared between models, whatever their tokens are."""
        return self.total / math.log(2) / max(self.text.bytes, 1)

    def perplexity(self, of: int, nats: float | None = None) -> float:
        """exp of the nats for each of so many; the base of the logarithm cancels."""
        return math.exp(min((self.total if nats is None else nats) / max(of, 1), 700.0))

    def tree(self) -> dict[str, Any]:
        """As a program reads it."""
        return {
            "comparable": self.charged,
            "bits_per_byte": self.bits_per_byte,
            "perplexity_per_token": self.perplexity(self.tokens, self.model),
            "perplexity_per_word": self.perplexity(self.text.words),
            "perplexity_per_character": self.perplexity(self.text.characters),
            "bytes": self.text.bytes,
            "characters": self.text.characters,
            "words": self.text.words,
            "tokens": self.tokens,
            "unknown_share": self.unknown / max(self.pieces, 1),
            "model_bits": self.model / math.log(2),
            "side_bits": {name: nats / math.log(2) for name, nats in self.side.items()},
        }


def costs_along(
    reader: Reader, never: Sequence[int], fed: Sequence[int], asked: NDArray[np.int64], read: Callable[[float], None]
) -> NDArray[np.float64]:
    """The nats that a model asks for each token, having been fed those before it; none for what it cannot say."""
    wanted, costs = torch.from_numpy(asked.clip(min=0)), np.zeros(len(asked))
    unsaid = torch.tensor(never, dtype=torch.int64, device="cpu")

    def priced(places: Tensor, logits: Tensor) -> tuple[NDArray[np.int64], NDArray[np.floating]]:  # (n,) and (n, vocab)
        places, said = places.cpu(), logits.cpu().index_fill(1, unsaid, -math.inf)
        whole = said.to(torch.promote_types(said.dtype, torch.float32))  # half a float is too little for a price
        return places.numpy(), cross_entropy(whole, wanted[places], reduction="none").numpy()

    done = 0
    for places, some in made_along(reader, fed, priced):
        costs[places] = some
        done += len(places)
        read(min(done / len(asked), 1.0))
    return np.where(asked >= 0, costs, 0.0)


def measured(
    model: Model,
    vocabulary: Vocabulary,
    chunks: Iterable[str],
    charged: bool = True,
    keep: list[tuple[Piece, float]] | None = None,
    shown: Shown = nobody,
) -> Figures:
    """The figures of a text; `keep` takes up the priced pieces, for those who want to look at them."""
    figures, reader, before, told = Figures(charged=charged), reader_of(model), vocabulary.beginning, 0
    for some in in_columns(vocabulary, figures.text.through(chunks), HELD):
        counted, last = figures.text.bytes, told

        def read(share: float, last: int = last, counted: int = counted) -> None:
            shown(round(last + share * (counted - last)), None)

        fed = [before, *some.fed[:-1].tolist()]
        costs = costs_along(reader, list(vocabulary.never_predicted), fed, some.predicted, read)
        figures.add(some, costs)
        before, told = int(some.fed[-1]), counted
        if keep is not None:
            keep += zip(some.pieces(), costs.tolist(), strict=True)
    if figures.text.bytes == 0:
        raise InputError("the text is empty: there is nothing to predict.")
    if charged:
        figures.side["length"] = length_cost(figures.text.bytes)
    return figures


def token_costs(
    model: Model, vocabulary: Vocabulary, parts: Iterable[NDArray[np.int64]], read: Callable[[int], None]
) -> Iterator[float]:
    """The nats that a model asks for each part of a text that is tokens already, marks between documents among them."""
    reader, before, done = reader_of(model), vocabulary.beginning, 0
    for ids in parts:
        fed = [before, *ids[:-1].tolist()]
        yield float(costs_along(reader, [], fed, ids, lambda share: None).sum())
        before, done = int(ids[-1]), done + len(ids)
        read(done)


def nats_of(model: Model, vocabulary: Vocabulary, text: str) -> float:
    """−ln of the share of a text among all texts, model and side model together."""
    return measured(model, vocabulary, [text]).total
