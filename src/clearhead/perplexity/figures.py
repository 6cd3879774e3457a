"""How well a model predicts a text: per token, per word, per character, and in bits a byte, over the very same bytes."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import torch

from clearhead.corpora import Vocabulary
from clearhead.errors import InputError
from clearhead.models.model import Model, Reader, logits_along, reader_of
from clearhead.perplexity.derivation import Piece, derived
from clearhead.perplexity.side_model import length_cost
from clearhead.progress import Shown, nobody

HELD = 1 << 17  # pieces that are held at once


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

    def add(self, piece: Piece, cost: float) -> None:
        """One more piece, and what the model asked for it."""
        self.tokens += piece.predicted is not None
        self.unknown += piece.unknown
        self.pieces += bool(piece.text)
        self.model += cost
        for name, nats in piece.charges.items() if self.charged else ():
            self.side[name] = self.side.get(name, 0.0) + nats

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


def priced(reader: Reader, vocabulary: Vocabulary, pieces: Iterable[Piece]) -> Iterator[tuple[Piece, float]]:
    """Each piece with the nats that the model asks for it; only so many are held at a time."""
    never, before, pieces = list(vocabulary.never_predicted), vocabulary.beginning, iter(pieces)
    while some := list(islice(pieces, HELD)):
        asked = torch.tensor([0 if piece.predicted is None else piece.predicted for piece in some], device="cpu")
        costs: list[float] = []
        for logits in logits_along(reader, [before, *(piece.fed for piece in some[:-1])]):  # (n, vocab)
            exact = logits.cpu().double()  # some devices have no doubles
            exact[:, never] = -math.inf
            wanted = asked[len(costs) : len(costs) + len(exact), None]
            costs += (exact.logsumexp(-1) - exact.gather(-1, wanted)[:, 0]).tolist()
        for piece, cost in zip(some, costs, strict=True):
            yield piece, 0.0 if piece.predicted is None else cost
        before = some[-1].fed


def measured(
    model: Model,
    vocabulary: Vocabulary,
    chunks: Iterable[str],
    charged: bool = True,
    keep: list[tuple[Piece, float]] | None = None,
    shown: Shown = nobody,
) -> Figures:
    """The figures of a text; `keep` takes up the priced pieces, for those who want to look at them."""
    figures = Figures(charged=charged)
    for number, (piece, cost) in enumerate(
        priced(reader_of(model), vocabulary, derived(vocabulary, figures.text.through(chunks)))
    ):
        figures.add(piece, cost)
        if keep is not None:
            keep.append((piece, cost))
        if number % HELD == 0:
            shown(figures.text.bytes, None)
    if figures.text.bytes == 0:
        raise InputError("the text is empty: there is nothing to predict.")
    if charged:
        figures.side["length"] = length_cost(figures.text.bytes)
    return figures


def nats_of(model: Model, vocabulary: Vocabulary, text: str) -> float:
    """−ln of the share of a text among all texts, model and side model together."""
    return measured(model, vocabulary, [text]).total
