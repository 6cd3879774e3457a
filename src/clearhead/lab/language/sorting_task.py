"""Deduplicate and sort: the examples, and which of them are never learned from."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

IGNORED = -1


@dataclass(frozen=True, slots=True)
class Task:
    """Up to `longest` of so many symbols; then START, the answer, STOP. Symbols come first, then START, STOP and the pad."""

    symbols: int = 26
    longest: int = 20

    @property
    def start(self) -> int:
        return self.symbols

    @property
    def stop(self) -> int:
        return self.symbols + 1

    @property
    def pad(self) -> int:
        return self.symbols + 2

    def inputs(self, count: int, held_out: bool) -> tuple[Tensor, Tensor]:
        """Random inputs (count, longest), padded at the front, and which symbols each has, (count, symbols).

        A tenth of all sets of symbols is held out, by a hash of the set: what is judged was never learned from, in any order.
        """
        wanted, kept, present = count, [], []
        rows = 12 * count if held_out else 5 * count // 4  # about what it takes
        while wanted > 0:
            tokens = torch.randint(self.symbols, (rows, self.longest))
            real = torch.arange(self.longest) >= torch.randint(self.longest, (rows, 1))
            tokens = torch.where(real, tokens, self.pad)
            has = torch.zeros(rows, self.pad + 1, dtype=torch.bool).scatter(1, tokens, True)[:, : self.symbols]
            chosen = (hashed(has) == 0) == held_out
            kept.append(tokens[chosen])
            present.append(has[chosen])
            wanted -= int(chosen.sum())
        return torch.cat(kept)[:count], torch.cat(present)[:count]

    def answers(self, present: Tensor) -> Tensor:
        """The symbols in order, then STOP: (count, longest + 1); what comes after the first STOP is ignored."""
        order = torch.where(present, torch.arange(self.symbols), self.stop).sort(1).values
        order = nn.functional.pad(order, (0, self.longest + 1), value=self.stop)[:, : self.longest + 1]
        over = nn.functional.pad((order == self.stop).cumsum(1), (1, 0))[:, :-1] > 0
        return torch.where(over, IGNORED, order)


def hashed(present: Tensor) -> Tensor:
    """A number from 0 to 9 for each set of symbols."""
    primes = torch.tensor([7919 + 104_729 * k**2 for k in range(present.shape[1])])
    return ((present * primes).sum(1) % 100_003) % 10
