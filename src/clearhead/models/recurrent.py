"""Recurrent models of text: a plain RNN, a GRU or an LSTM whose state is carried from one stretch of text to the next."""

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from itertools import pairwise
from queue import SimpleQueue
from threading import Event
from typing import Generic, Literal, get_args

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, dropout

from clearhead.errors import ConfigError
from clearhead.masks import causal
from clearhead.models.model import TOGETHER, Family, LanguageModel, Made, T, make_from
from clearhead.models.parts.recurrent_steps import RecurrentSteps
from clearhead.models.parts.single_threads import at_once, single_threads

Cell = Literal["rnn", "gru", "lstm"]
CELLS: dict[str, type[nn.RNN] | type[nn.GRU] | type[nn.LSTM]] = {"rnn": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}

LANES = 128  # stretches of a long text that are read side by side
SHORTEST_STRETCH = 256  # tokens of one at least
STEPS = 16  # tokens of each stretch that are read before the thread looks for others
FIRST_LOOK = 16  # tokens of a stretch that are read again, before it is looked whether that has changed anything
FORGOTTEN = 1e-5  # so far may two states be apart that are taken for the same


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
    def read_long(self, tokens: Sequence[int], make: Made[T]) -> Iterator[T]:
        """Many stretches of a text side by side, and then again as much of each as the text before it changes.

        At first nothing is known of what stands before a stretch. A state forgets where it came from, so each stretch ends as
        it should; the next one is begun again from there, until its state is what it was the first time. How long that takes is
        looked at; a stretch that has forgotten nothing by its end is read token after token, with all that follows.
        """
        ids = torch.from_numpy(np.array(tokens, dtype=np.int64)).to(self.model.device)  # a tenth of torch's time for a list
        lanes = min(LANES * (at_once(ids.device) + 1), len(ids) // SHORTEST_STRETCH)
        done = 0
        if lanes > 1:
            with single_threads(at_once(ids.device)) as threads:
                stretches = LaneReader(self.model, ids, lanes, threads, make)
                yield from stretches.first(self.state)
                yield from stretches.again()
            self.state, done = stretches.reached()
        for start in range(done, len(ids), TOGETHER):
            yield make_from(start, self.read(tokens[start : start + TOGETHER]), make)


@dataclass(slots=True)
class LaneGroup:
    """Stretches that go along together: how far they are, and the state there, (parts, layers, rows, width)."""

    rows: Tensor
    at: int
    state: Tensor
    stopped: list[Tensor] = field(default_factory=list)  # the state at each of the stops so far


class LaneReader(Generic[T]):
    """Stretches of one text, read side by side; the first ones are a token longer where they do not come out even."""

    def __init__(self, model: Recurrent, ids: Tensor, lanes: int, threads: Executor, make: Made[T]) -> None:
        self.model, self.threads, self.make = model, threads, make
        self.steps = RecurrentSteps(model.config.cell, model.cells, model.embedding.weight)
        self.size, self.longer = divmod(len(ids), lanes)
        self.every = torch.arange(lanes, device=ids.device)
        self.starts = self.every * self.size + self.every.clamp(max=self.longer)  # (lanes,)
        within = torch.arange(self.size + 1, device=ids.device)
        self.tokens = ids[(self.starts[:, None] + within).clamp(max=len(ids) - 1)]  # (lanes, size + 1)
        self.looks = looks(self.size)
        self.seen: dict[int, Tensor] = {}  # by tokens read: the state there the first time, (parts, layers, lanes, width)
        self.ended = model.blank(lanes)
        self.right = lanes  # so many of the stretches, from the first on, have their numbers

    def reached(self) -> tuple[Tensor, int]:
        """The state behind the last stretch that has its numbers, and how many tokens that is."""
        read = self.right * self.size + min(self.right, self.longer)
        return self.ended[:, :, self.right - 1, None], read

    def read(self, rows: Tensor, start: int, stops: Sequence[int], state: Tensor) -> Generator[T, None, list[Tensor]]:
        """What is made of some tokens of some stretches; gives back the state at each of the stops.

        There is one group of stretches more than threads, and whoever is free takes up the one that has waited longest: a core
        that others work on as well does less, and nobody waits for it.
        """
        several = at_once(rows.device)
        parts = zip(rows.chunk(several + 1), state.chunk(several + 1, dim=2), strict=True)
        groups = [LaneGroup(some, start, its) for some, its in parts]
        waiting = deque(groups)
        made: SimpleQueue[T | None] = SimpleQueue()
        left = Event()  # nobody listens any more

        def work() -> None:
            try:
                while not left.is_set() and (group := taken(waiting)):
                    made.put(self.step(group, stops))
                    if group.at < stops[-1]:
                        waiting.append(group)
            finally:
                made.put(None)

        workers = [self.threads.submit(work) for _ in range(several)]
        try:
            for _ in workers:
                while (some := made.get()) is not None:
                    yield some
        finally:
            left.set()
        for worker in workers:
            worker.result()
        return [torch.cat(states, dim=2) for states in zip(*(group.stopped for group in groups), strict=True)]

    @torch.no_grad()
    def step(self, group: LaneGroup, stops: Sequence[int]) -> T:
        """What is made of the next tokens of some stretches, up to the next stop at most."""
        stop = min(group.at + STEPS, stops[len(group.stopped)])
        x, group.state = self.steps.along(self.tokens[group.rows, group.at : stop], group.state)  # (n, rows, width)
        places = self.starts[group.rows] + torch.arange(group.at, stop, device=x.device)[:, None]  # (n, rows)
        group.at = stop
        if stop == stops[len(group.stopped)]:
            group.stopped.append(group.state)
        return self.make(places.flatten(), self.model.head(x.flatten(0, 1)))

    def first(self, state: Tensor) -> Iterator[T]:
        """All of them: the first from a state that is known, the others as if nothing stood before them."""
        state = torch.cat([state, self.model.blank(len(self.every) - 1)], dim=2)
        states = yield from self.read(self.every, 0, self.looks, state)
        self.seen = dict(zip(self.looks, states, strict=True))
        self.ended = state = states[-1]
        if self.longer:
            some = self.every[: self.longer]
            (after,) = yield from self.read(some, self.size, [self.size + 1], state[:, :, : self.longer])
            self.ended = torch.cat([after, state[:, :, self.longer :]], dim=2)

    def again(self) -> Iterator[T]:
        """The beginnings, each from where the stretch before it ended, until they are what they were."""
        rows, state = self.every[1:], self.ended[:, :, :-1]
        for start, stop in pairwise([0, *self.looks]):
            (state,) = yield from self.read(rows, start, [stop], state)
            other = (state - self.seen[stop][:, :, rows]).abs().amax(dim=(0, 1, 3)) > FORGOTTEN
            rows, state = rows[other], state[:, :, other]
            if not len(rows):
                return
        self.right = int(rows[0])  # from its beginning on all is read once more


def taken(waiting: deque[LaneGroup]) -> LaneGroup | None:
    """The first in the queue; none where the others are in other hands."""
    try:
        return waiting.popleft()  # nobody else gets it
    except IndexError:
        return None


def looks(size: int) -> list[int]:
    """After how many tokens of a stretch two readings are compared: ever more, and at its end.

    >>> looks(300)
    [16, 32, 64, 128, 256, 300]
    """
    doubled = [FIRST_LOOK << power for power in range(size.bit_length())]
    return [*(look for look in doubled if look < size), size]


FAMILY = Family(RecurrentConfig, Recurrent)
