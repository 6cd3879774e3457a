"""A batch cut into what each process works on, and that into parts that are worked one after the other."""

from typing import NamedTuple

from torch import Tensor

from clearhead.training.steps.batches import Batch


class RowShare(NamedTuple):
    """Rows that are worked at once, and the share of the targets of the whole batch that stands in them."""

    inputs: Tensor
    targets: Tensor
    share: float


def parts_of(batch: Batch, process: int = 0, processes: int = 1, pieces: int = 1) -> list[RowShare]:
    """What one process works on, in so many pieces; the shares of all pieces of all processes make 1, so that the losses,
    each a mean, add up to the mean over the whole batch, however unequally its targets fall.

    Rows go round the processes one by one: batches are sorted by length, and so everyone gets long ones and short ones.
    A process that no row is left for works on one that counts nothing, since the others wait for it.
    """
    own = slice(None) if batch.counted else slice(process, None, processes)
    counted = batch.counted or int((batch.targets >= 0).sum())
    inputs, targets = batch.inputs[own], batch.targets[own]
    parts = []
    for piece in range(pieces):
        some = targets[piece::pieces]
        here = int((some >= 0).sum()) if len(some) else 0
        if here:
            parts.append(RowShare(inputs[piece::pieces], some, here / counted))
    if parts:
        return parts
    row = int((batch.targets >= 0).any(1).int().argmax())
    return [RowShare(batch.inputs[row : row + 1], batch.targets[row : row + 1], 0.0 if counted else 1.0)]
