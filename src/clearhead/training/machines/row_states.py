"""States that a model carries from batch to batch, one a row: each process has those of its rows, a checkpoint has all."""

import torch.distributed as dist
from torch import Tensor

from clearhead.models import Model
from clearhead.training.machines.processes import rank, world


def take_own_rows(model: Model) -> None:
    """Keep only the states of this process's rows; rows go round the processes one by one, as in a batch."""
    if world() == 1:
        return
    for name, axis in model.row_states().items():
        state = model.get_buffer(name)
        own = range(rank(), state.shape[axis], world())
        setattr(model, name, state.index_select(axis, state.new_tensor(own).long()).contiguous())


def whole_state(model: Model) -> dict[str, Tensor]:
    """Everything that a model has learned or carries, with the states of all rows; every process must ask."""
    state: dict[str, Tensor] = dict(model.state_dict())
    if world() > 1:
        for name, axis in model.row_states().items():
            state[name] = gathered_rows(state[name], axis)
    return state


def gathered_rows(own: Tensor, axis: int) -> Tensor:
    """The rows of all processes in their places: each puts its own into zeros, and all are added up."""
    count = own.new_tensor(own.shape[axis]).long()
    dist.all_reduce(count)
    size = list(own.shape)
    size[axis] = int(count)
    rows = own.new_zeros(size)
    rows.index_copy_(axis, own.new_tensor(range(rank(), size[axis], world())).long(), own)
    dist.all_reduce(rows)
    return rows
