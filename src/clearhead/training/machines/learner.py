"""A model that learns on one device or by many processes: the gradients of a whole batch, as if one process had seen it all."""

import math
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from hashlib import sha256
from warnings import catch_warnings, simplefilter

import torch
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel
from torch.optim import Optimizer

from clearhead.models import Model
from clearhead.training.machines.precision import autocasting, loss_scaler
from clearhead.training.machines.processes import rank, summed, world
from clearhead.training.machines.row_gradients import add_up_rows
from clearhead.training.machines.shares import parts_of
from clearhead.training.machines.weight_shards import add_up, is_sharded, require_dense, shard_weights
from clearhead.training.recipes.config import TrainConfig
from clearhead.training.steps.batches import Batch
from clearhead.training.steps.optimisers import clip


class Losses(nn.Module):
    """The loss of a model as its forward pass, which is where torch's own parallel trainers take hold."""

    def __init__(self, model: Model) -> None:
        super().__init__()
        self.model = model

    def forward(self, inputs: Tensor, targets: Tensor) -> Tensor:
        return self.model.loss(inputs, targets)


class Learner:
    """A model where it learns, and everything that a step needs to know of devices and of other processes.

    With several processes every one has all weights (DDP), or with `shard` a part of each (FSDP2). Both average the
    gradients of the processes, so each loss counts as many times as there are processes.
    """

    def __init__(self, model: Model, config: TrainConfig, shard: bool = False) -> None:
        self.model, self.config = model, config
        self.device, self.together = model.device, world()
        self.losses: nn.Module = Losses(model)
        self.scaler = loss_scaler(self.device, config.precision)
        if shard:
            require_dense(model, config.precision)
            shard_weights(self.losses, model)
        elif self.together > 1:
            self.losses = replicated(self.losses, model, self.device)

    def gradients(self, batch: Batch) -> float:
        """The mean loss of a batch over all its targets, whoever works on them; every weight then has its gradient by it."""
        parts = parts_of(batch, rank(), self.together, self.config.accumulate)
        total = torch.zeros((), dtype=torch.float32, device=self.device)
        for number, part in enumerate(parts, 1):
            inputs, targets = part.inputs.to(self.device), part.targets.to(self.device)
            with self.adding_up_later(number < len(parts)), autocasting(self.device, self.config.precision):
                loss: Tensor = self.losses(inputs, targets) * part.share
                total = total + loss.detach()
                self.scaler.scale(loss * self.together if self.together > 1 else loss).backward()  # type: ignore[no-untyped-call]
        if self.together > 1:
            add_up_rows(self.model.tables(), self.together)
        return summed([total.item()])[0]

    def step(self, optimisers: Sequence[Optimizer], largest: float) -> bool:
        """Move the weights by their gradients, shrunk to the largest norm; False where these are no numbers: nothing moves."""
        moving = [each for each in optimisers if any(w.grad is not None for g in each.param_groups for w in g["params"])]
        for optimiser in moving:
            self.scaler.unscale_(optimiser)
        sound = math.isfinite(clip(self.model, largest))
        for optimiser in moving if sound else ():
            self.scaler.step(optimiser)
        if self.scaler.is_enabled():
            self.scaler.update()  # too large a scale makes infinities, which are no sign of a run gone wrong
            return True
        return sound

    @property
    def plain(self) -> nn.Module:
        """The losses without what adds up gradients."""
        return self.losses.module if isinstance(self.losses, DistributedDataParallel) else self.losses

    def draw_anew(self, seed: int, step: int) -> None:
        """Let chance depend on the step and the process alone, where one state could not be saved for all of them."""
        if self.together > 1 or self.device.type != "cpu":
            torch.manual_seed(int.from_bytes(sha256(f"{seed}/{step}/{rank()}".encode()).digest()[:7]))

    def adding_up_later(self, wait: bool) -> AbstractContextManager[None]:
        """Between the parts of one step nothing is sent to other processes."""
        if isinstance(self.losses, DistributedDataParallel) and wait:
            return self.losses.no_sync()
        if is_sharded(self.losses):
            add_up(self.losses, not wait)
        return nullcontext()


def replicated(losses: nn.Module, model: Model, device: torch.device) -> nn.Module:
    """The losses under DDP, which adds up all gradients but those of tables: it cannot leave out a table that a batch only
    reads, and NCCL knows no sparse sums."""
    tables = {id(weight) for weight in model.tables()}
    left_out = [name for name, weight in losses.named_parameters() if id(weight) in tables]
    DistributedDataParallel._set_params_and_buffers_to_ignore_for_model(losses, left_out)  # type: ignore[no-untyped-call]
    with catch_warnings():  # a newer torch has another name for the third, which an older one does not know
        simplefilter("ignore", FutureWarning)
        return DistributedDataParallel(
            losses,
            device_ids=[device.index] if device.type == "cuda" else None,
            broadcast_buffers=False,  # each process carries the states of its own rows
            find_unused_parameters=True,  # a batch may leave parts of the model alone
        )
