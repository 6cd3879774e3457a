"""Gradients of tables of which a step touches a few rows: those of all processes, added up row by row."""

from collections.abc import Sequence

import torch
import torch.distributed as dist
from torch import Tensor, nn


def add_up_rows(tables: Sequence[nn.Parameter], processes: int) -> None:
    """Give each table, on every process, the mean over all processes of its sparse gradient."""
    for table in tables:
        if table.grad is not None:  # a batch that only reads the tables does so on every process
            own = table.grad.coalesce()
            numbers, rows = gathered(own.indices()[0]), gathered(own.values())
            whole = torch.sparse_coo_tensor(
                torch.cat(numbers)[None], torch.cat(rows) / processes, table.shape, device=table.device, check_invariants=False
            )
            table.grad = whole.coalesce()


def gathered(own: Tensor) -> list[Tensor]:
    """The tensors of all processes, in the order of the processes; they may differ in length."""
    lengths = torch.zeros(dist.get_world_size(), dtype=torch.long, device=own.device)
    lengths[dist.get_rank()] = len(own)
    dist.all_reduce(lengths)
    longest = int(lengths.max())
    filled = own.new_zeros(longest, *own.shape[1:])
    filled[: len(own)] = own
    everyone = [torch.empty_like(filled) for _ in lengths]
    dist.all_gather(everyone, filled)
    return [each[:length] for each, length in zip(everyone, lengths.tolist(), strict=True)]
