"""Recurrent models of text: a plain RNN, a GRU or an LSTM whose state is carried from one stretch of text to the next."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, dropout

from clearhead.errors import ConfigError
from clearhead.masks import causal
from clearhead.models.model import TOGETHER, Family, LanguageModel
from clearhead.models.parts.recurrent_steps import states_along

Cell = Literal["rnn", "gru", "lstm"]
CELLS: dict[str, type[nn.RNN] | type[nn.GRU] | type[nn.LSTM]] = {"rnn": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}

LANES, SHORTEST_STRETCH = 256, 256  # stretches of a long text that are read side by side, and the tokens of one at least
READ_IN = 64  # tokens before a stretch from which on it is read in, at first
FORGOTTEN = 1e-4  # so far may two states be apart that are taken for the same


@dataclass(frozen=True, kw_only=True)
class RecurrentConfig:
    """Which cell, how large, and how far errors are sent back."""

    vocab: int
    cell: Cell = "gru"
    layers: int = 2
    width: int = 256
    context: int = 64  # tokens that errors are sent back over; the state comes from further
    lanes: int = 32  # places of the text that are read at once in training
    dropout: float = 0.0  # between layers and before the head, in training

    def __post_init__(self) -> None:
        if self.cell not in get_args(Cell):
            raise ConfigError(f"cell={self.cell!r} is not known; cells: {', '.join(get_args(Cell))}.")
        if min(self.vocab, self.layers, self.width, self.context, self.lanes) < 1:
            raise ConfigError("vocab, layers, width, context and lanes must be at least 1.")
        if not 0 <= self.dropout < 1:
            raise ConfigError(f"dropout must lie from 0 to below 1; got {self.dropout}.")


class Recurrent(LanguageModel):
    """Tokens to a guess at each next token, by a state that goes along the text.

    In training, row r of a batch goes on where row r of the last one ended: `carried` is the state there. It is saved with the
    weights, so that a run that is resumed goes on as if it had not stopped.
    """

    carried: Tensor

    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocab, config.width)
        between = config.dropout if config.layers > 1 else 0.0
        self.cells = CELLS[config.cell](config.width, config.width, config.layers, batch_first=True, dropout=between)
        self.head = nn.Linear(config.width, config.vocab)
        nn.init.normal_(self.embedding.weight, std=0.5)
        self.register_buffer("carried", self.blank(config.lanes))

    def blank(self, rows: int) -> Tensor:
        """The state before any text: (1 or 2, layers, rows, width); an LSTM has a cell beside its output."""
        parts = 2 if self.config.cell == "lstm" else 1
        return self.head.weight.new_zeros(parts, self.config.layers, rows, self.config.width)

    def states(self, tokens: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """What the last layer says at each token, (rows, n, width), and the state after the last."""
        x = self.embedding(tokens)
        if self.config.cell == "lstm":
            x, both = self.cells(x, (state[0], state[1]))
            return x, torch.stack(both)
        x, last = self.cells(x, state[0])
        return x, last[None]

    def forward(self, tokens: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Logits for each next token, (rows, n, vocab), and the state to go on from."""
        x, state = self.states(tokens, self.blank(len(tokens)) if state is None else state)
        return self.head(x), state

    def loss(self, inputs: Tensor, targets: Tensor) -> Tensor:
        """Mean cross-entropy over the targets that count; errors stop where the batch begins, the state does not."""
        if len(inputs) != self.carried.shape[2]:  # fewer than all lanes where several processes share them
            raise ConfigError(
                f"training.batch must be lanes × context = {self.config.lanes} × {self.config.context} tokens; "
                f"this batch has {len(inputs)} rows."
            )
        x, state = self.states(inputs, self.carried)
        self.carried = state.detach()
        counted = targets >= 0
        return cross_entropy(self.head(dropout(x[counted], self.config.dropout, self.training)), targets[counted])

    @property
    def block(self) -> int:
        return self.config.context

    def reader(self) -> "RecurrentReader":
        return RecurrentReader(self)

    def sight(self, n: int) -> Tensor:
        """Each place sees itself and all before it, through the state: (n, n)."""
        return causal(n)

    def row_states(self) -> dict[str, int]:
        return {"carried": 2}

    def matrices(self) -> list[nn.Parameter]:
        return [weight for weight in self.cells.parameters() if weight.dim() == 2]


class RecurrentReader:
    """The state is the memory."""

    def __init__(self, model: Recurrent) -> None:
        self.model, self.state = model, model.blank(1)

    @torch.no_grad()
    def read(self, tokens: Sequence[int]) -> Tensor:
        logits: Tensor
        logits, self.state = self.model(torch.tensor([list(tokens)], device=self.model.device), self.state)
        return logits[0]

    @torch.no_grad()
    def read_long(self, tokens: Sequence[int]) -> Iterator[Tensor]:
        """Many stretches of a text side by side; each is read in from a little before, until its state is what it would be.

        A state forgets where it came from. How far, is looked at: where the state after reading in is not that in which the
        stretch before it ends, the text is read in from further back, and at last token after token.
        """
        ids = torch.tensor(list(tokens), device=self.model.device)
        lanes = min(LANES, len(ids) // SHORTEST_STRETCH)
        size = len(ids) // lanes if lanes > 1 else 0  # tokens of a stretch
        back = READ_IN
        while size and back <= size:
            stretches = ids[: lanes * size].view(lanes, size)
            begun = self.read_in(stretches, back)
            x, ended = self.states(stretches, begun)  # (size, lanes, width)
            if (ended[:, :, :-1] - begun[:, :, 1:]).abs().max() <= FORGOTTEN:
                yield from (self.model.head(some) for lane in range(lanes) for some in cut(x[:, lane]))
                self.state = ended[:, :, -1:]
                ids = ids[lanes * size :]
                break
            back *= 4
        for some in cut(ids):
            yield self.read(some.tolist())

    def states(self, tokens: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """What the last layer says at each token, (n, rows, width), and the state after the last."""
        model = self.model
        return states_along(model.config.cell, model.cells, model.embedding.weight, tokens, state)

    def read_in(self, stretches: Tensor, back: int) -> Tensor:
        """The state before each stretch, (parts, lanes, rows, width): that of the first is known, the others are read in."""
        _, read = self.states(stretches[:-1, -back:], self.model.blank(len(stretches) - 1))
        return torch.cat([self.state, read], dim=2)


def cut(rows: Tensor) -> Iterator[Tensor]:
    """Some rows at a time."""
    return (rows[start : start + TOGETHER] for start in range(0, len(rows), TOGETHER))


FAMILY = Family(RecurrentConfig, Recurrent)
