"""A memory of phrases: a learned row for each short run of tokens, found by hashing, added to what the last token says.

Reading a row costs nothing next to a matrix product, so the model can hold many facts without growing slower. Which
phrases matter is left to training; two phrases that fall on one row share it.
"""

import torch
from torch import Tensor, nn
from torch.nn.functional import embedding, pad

START = 0.1  # spread of a row before it has learned anything
PRIME, STEP = 1_000_003, 7_919


class PhraseMemory(nn.Module):
    """Rows for phrases of 2 up to `reach` tokens; each length has a table of its own."""

    def __init__(self, rows: int, width: int, reach: int) -> None:
        super().__init__()
        self.tables = nn.ParameterList(nn.Parameter(torch.randn(rows, width) * START) for _ in range(2, reach + 1))

    def forward(self, tokens: Tensor) -> Tensor:
        """What the phrases that end at each token say: tokens (batch, n) give (batch, n, width)."""
        rows = [row_numbers(tokens, length, table.shape[0]) for length, table in enumerate(self.tables, 2)]
        found = [embedding(row, table, sparse=True) for row, table in zip(rows, self.tables, strict=True)]
        return torch.stack(found).sum(0)  # (batch, n, width)


def row_numbers(tokens: Tensor, length: int, rows: int) -> Tensor:
    """The row of the phrase of `length` tokens that ends at each token; before the first token stand pads (id 0)."""
    n = tokens.shape[1]
    mixed = tokens
    for back in range(1, length):
        mixed = mixed * PRIME + pad(tokens, (back, 0))[:, :n] * (STEP * back + 1)
        mixed = mixed ^ (mixed >> 17)
    return mixed % rows  # (batch, n); in torch the remainder of a negative number is not negative
