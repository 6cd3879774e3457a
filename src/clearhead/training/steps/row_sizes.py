"""Rows of a table that move by their own gradient over one running size each: next to nothing to keep beside the table."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.optim import Optimizer


class RowSizes(Optimizer):
    r"""For each row that a step touches, with gradient g of its `width` numbers:

    $$s \leftarrow \beta s + (1 - \beta)\,\overline{g^2}, \quad x \leftarrow x - \text{rate} \cdot g / \sqrt s$$

    s starts as the first $\overline{g^2}$. Sparse Adam keeps two numbers for each number of a table, this one for each row.
    """

    def __init__(self, tables: list[torch.nn.Parameter], lr: float, beta: float = 0.95, eps: float = 1e-12) -> None:
        super().__init__(tables, {"lr": lr, "beta": beta, "eps": eps})

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]  # no overloads
        loss = None if closure is None else closure()
        for group in self.param_groups:
            for table in group["params"]:
                if table.grad is not None:
                    self.move(table, group["lr"], group["beta"], group["eps"])
        return loss

    def move(self, table: Tensor, rate: float, beta: float, eps: float) -> None:
        """One step of the rows that a sparse gradient names."""
        assert table.grad is not None
        gradient = table.grad.coalesce()
        rows, values = gradient.indices()[0], gradient.values()  # (touched,) and (touched, width)
        state = self.state[table]
        if "size" not in state:
            state["size"] = table.new_zeros(len(table))
        squares = values.square().mean(1)  # (touched,)
        before = state["size"][rows]
        sizes = torch.where(before > 0, beta * before + (1 - beta) * squares, squares)
        state["size"][rows] = sizes
        table.index_add_(0, rows, values / (sizes + eps).sqrt()[:, None], alpha=-rate)
