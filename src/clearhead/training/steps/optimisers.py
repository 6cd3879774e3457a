"""Who moves which weights: Muon the matrices, sparse Adam or running sizes the tables, fused AdamW the rest."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import AdamW, Optimizer, SparseAdam

from clearhead.models import Model
from clearhead.training.machines.weight_shards import cut_like, whole
from clearhead.training.recipes.config import TrainConfig
from clearhead.training.steps.row_sizes import RowSizes

BETAS = (0.9, 0.95)


class Muon(torch.optim.Muon):
    """`torch.optim.Muon` in the weights' own precision, matrices of one shape together.

    The original orthogonalises in bfloat16, one matrix at a time, which is five times slower on a CPU without bfloat16
    arithmetic. The update is the same up to that rounding.
    """

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]  # no overloads
        loss = None if closure is None else closure()
        for group in self.param_groups:
            by_shape: dict[tuple[int, ...], list[tuple[Tensor, Tensor]]] = defaultdict(list)
            for weight in group["params"]:
                if weight.grad is not None:
                    by_shape[tuple(weight.shape)].append((weight, self.momentum(weight, group)))
            for pairs in by_shape.values():
                self.move(pairs, group)
        return loss

    def momentum(self, weight: Tensor, group: dict[str, Any]) -> Tensor:
        """The gradient after (Nesterov) momentum."""
        state = self.state[weight]
        if "momentum_buffer" not in state:
            state["momentum_buffer"] = torch.zeros_like(weight)
        gradient, buffer = weight.grad, state["momentum_buffer"]
        assert gradient is not None
        buffer.lerp_(gradient, 1 - group["momentum"])
        return gradient.lerp(buffer, group["momentum"]) if group["nesterov"] else buffer

    def move(self, pairs: list[tuple[Tensor, Tensor]], group: dict[str, Any]) -> None:
        """One step of weights of one shape (rows, columns)."""
        rows, columns = pairs[0][0].shape
        updates = torch.stack([whole(update) for _, update in pairs])
        updates = orthogonal(updates if rows <= columns else updates.mT, group)
        updates = updates if rows <= columns else updates.mT
        rate = group["lr"] * max(1.0, rows / columns) ** 0.5
        for (weight, _), update in zip(pairs, updates, strict=True):
            weight.mul_(1 - group["lr"] * group["weight_decay"])
            weight.add_(cut_like(update, weight), alpha=-rate)


def orthogonal(x: Tensor, group: dict[str, Any]) -> Tensor:
    """The nearest matrices with orthonormal rows, roughly: a few Newton–Schulz steps; x (count, rows, columns)."""
    a, b, c = group["ns_coefficients"]
    x = x / x.flatten(1).norm(dim=1).clamp(min=group["eps"])[:, None, None]
    for _ in range(group["ns_steps"]):
        gram = x @ x.mT  # (count, rows, rows)
        x = torch.baddbmm(x, torch.baddbmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return x


def build_optimisers(model: Model, config: TrainConfig) -> list[Optimizer]:
    """One optimiser for each kind of weight that the model has; each remembers its full rate as `full_rate`."""
    tables = model.tables()
    matrices = model.matrices() if config.matrix_rate else []
    special = {id(weight) for weight in (*tables, *matrices)}
    rest = [weight for weight in model.parameters() if id(weight) not in special and weight.requires_grad]
    decayed = [weight for weight in rest if weight.dim() > 1]
    plain = [weight for weight in rest if weight.dim() <= 1]
    groups = [{"params": decayed, "weight_decay": config.weight_decay}, {"params": plain, "weight_decay": 0.0}]
    optimisers: list[Optimizer] = []
    if rest:
        optimisers.append(AdamW([group for group in groups if group["params"]], lr=config.rate, betas=BETAS, fused=True))
    if matrices:
        optimisers.append(Muon(matrices, lr=config.matrix_rate, weight_decay=config.weight_decay))
    if tables:
        by_row = config.tables == "rows"
        rate = config.table_rate
        optimisers.append(RowSizes(tables, rate, BETAS[1]) if by_row else SparseAdam(tables, lr=rate, betas=BETAS))
    for optimiser in optimisers:
        for group in optimiser.param_groups:
            group["full_rate"] = group["lr"]
    return optimisers


def scale_rates(optimisers: list[Optimizer], factor: float) -> None:
    """Set every rate to its share of the full one."""
    for optimiser in optimisers:
        for group in optimiser.param_groups:
            group["lr"] = group["full_rate"] * factor


def clip(model: Model, largest: float) -> float:
    """Shrink all dense gradients together so that their norm is at most `largest`; the norm before.

    Rows of tables are left alone: they take steps of the size of their rate, whatever the size of the gradient.
    """
    tables = {id(weight) for weight in model.tables()}
    dense = [weight for weight in model.parameters() if id(weight) not in tables]
    return float(whole(nn.utils.clip_grad_norm_(dense, largest)))
