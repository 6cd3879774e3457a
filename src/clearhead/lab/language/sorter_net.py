"""The exam's one-layer decoder that is to learn to deduplicate and sort, and how it is taught."""

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from clearhead.attention import Attended, Attending, attend, attend_fused
from clearhead.heads import MultiHeadAttention
from clearhead.lab.language.sorting_task import IGNORED, Task


class Sorter(nn.Module):
    """Embedding, one head of causal attention, a map to logits: no positions, no residual, no feed-forward net."""

    def __init__(self, task: Task, width: int, positions: bool) -> None:
        super().__init__()
        self.task = task
        self.embedding = nn.Embedding(task.pad + 1, width)
        self.attention = MultiHeadAttention(width, 1)
        self.head = nn.Linear(width, task.stop + 1, bias=False)
        self.positions = nn.Parameter(torch.randn(2 * task.longest + 1, width)) if positions else None

    def forward(self, inputs: Tensor, answers: Tensor, attending: Attending = attend_fused) -> tuple[Tensor, Attended | None]:
        """Logits from START on, (rows, 1 + answered, symbols + 2), and the attention if there is one to see."""
        start = torch.full_like(inputs[:, :1], self.task.start)
        tokens = torch.cat([inputs, start, answers.clamp(min=0)], dim=1)  # (rows, n)
        x = self.embedding(tokens)
        if self.positions is not None:
            x = x + self.positions[: tokens.shape[1]]
        n, first = tokens.shape[1], inputs.shape[1]
        earlier = torch.ones(n, n, dtype=torch.bool).tril()[first:]
        mask = earlier & (tokens != self.task.pad)[:, None]  # (rows, n − first, n): START sees itself, so no row is empty
        output, attended = self.attention(x[:, first:], x, mask=mask, attending=attending)
        return self.head(output), attended

    @torch.no_grad()
    def write(self, inputs: Tensor) -> Tensor:
        """What it answers by itself, the likeliest symbol after the other: (rows, longest + 1); STOP goes on as STOP."""
        answers = inputs[:, :0]
        for _ in range(self.task.longest + 1):
            likeliest = self(inputs, answers, attend_fused)[0][:, -1].argmax(-1)
            over = (answers == self.task.stop).any(1)
            answers = torch.cat([answers, torch.where(over, self.task.stop, likeliest)[:, None]], dim=1)
        return answers


def learn(task: Task, width: int, positions: bool, steps: int, batch: int = 128, rate: float = 1e-2, starts: int = 4) -> Sorter:
    """Adam with teacher forcing. Attention that hardens too early sticks, so of a few starts the best one goes on."""
    trials = [attempt(Sorter(task, width, positions), rate) for _ in range(starts)]
    trial_steps, since = steps // 8, steps - steps // 8
    means = [descend(*trial, task, trial_steps, trial_steps * 8, 0, batch) for trial in trials]
    best = trials[means.index(min(means))]
    descend(*best, task, since, steps, trial_steps, batch)
    return best[0].eval()


def attempt(model: Sorter, rate: float) -> tuple[Sorter, torch.optim.Adam]:
    return model, torch.optim.Adam(model.parameters(), lr=rate, betas=(0.9, 0.98))


def descend(model: Sorter, optimiser: torch.optim.Adam, task: Task, steps: int, of: int, done: int, batch: int) -> float:
    """So many steps on fresh examples, at a rate that rises for 100 steps and falls in the second half; the last mean loss."""
    full, losses = optimiser.defaults["lr"], []
    for step in range(done, done + steps):
        for group in optimiser.param_groups:
            group["lr"] = full * min(1.0, (step + 1) / 100) * min(1.0, max(0.02, 2 * (of - step) / of))
        inputs, present = task.inputs(batch, held_out=False)
        answers = task.answers(present)
        logits, _ = model(inputs, answers[:, :-1])
        loss = cross_entropy(logits.flatten(0, 1), answers.flatten(), ignore_index=IGNORED)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        losses.append(loss.item())
    return sum(losses[-20:]) / len(losses[-20:])


def attention_of(model: Sorter, inputs: Tensor, answers: Tensor) -> Tensor:
    """Where each place from START on looks: (rows, answered + 1, n)."""
    _, attended = model(inputs, answers, attend)
    assert isinstance(attended, Attended)
    weights: Tensor = attended.weights[:, 0].detach()
    return weights
