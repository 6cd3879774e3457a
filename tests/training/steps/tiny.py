"""A run small enough to be killed many times: `python tiny.py FOLDER POINT` trains it, and dies at POINT.

POINT is `never`, `step:N` (killed once N steps are done), `write:N` (killed in the middle of writing the N-th file of
tensors) or `rename:N` (killed when the N-th checkpoint is written but not yet in its place).
"""

import os
import signal
import sys
from pathlib import Path

import torch

from clearhead.corpora import Example
from clearhead.corpora.examples.example import chance, shifted
from clearhead.models import GPT, GPTConfig
from clearhead.training import Batches, Interleaved, TrainConfig
from clearhead.training.steps import checkpoints, loop


class Letters:
    """Random sequences of unequal length."""

    def __init__(self, size: int, longest: int) -> None:
        self.size, self.longest = size, longest

    def __len__(self) -> int:
        return self.size

    def draw(self, index: int, epoch: int, seed: int) -> Example:
        random = chance(seed, epoch, index)
        return shifted([random.randint(1, 9) for _ in range(random.randint(2, self.longest))])


def tiny_model() -> GPT:
    """Everything that has a state of its own: dropout, Muon, AdamW, a memory with sparse Adam."""
    torch.manual_seed(5)
    return GPT(GPTConfig(vocab=10, context=16, layers=1, heads=2, width=8, memory=20))


def tiny_stream() -> Interleaved:
    streams = [
        Batches(Letters(13, 9), tokens=24, seed=1, pool=10),
        Batches(Letters(7, 6), tokens=24, seed=2, pool=10, frozen=("memory",)),
    ]
    return Interleaved(streams, [0.7, 0.3])


TINY = TrainConfig(tokens=400, batch=24, matrix_rate=0.02, save_every=4, weight_decay=0.1)


def kill_now() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def arm(point: str) -> None:
    """Set the trap."""
    kind, _, number = point.partition(":")
    left = int(number or 0)

    def counted(function, trap):
        def wrapper(*arguments):
            nonlocal left
            left -= 1
            return trap(function, *arguments) if left == 0 else function(*arguments)

        return wrapper

    def after(function, *arguments):
        function(*arguments)
        kill_now()

    def half_written(function, path: Path, tensors: dict) -> None:
        function(path, tensors)
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
        kill_now()

    if kind == "step":
        loop.one_step = counted(loop.one_step, after)
    elif kind == "write":
        checkpoints.write_tensors = counted(checkpoints.write_tensors, half_written)
    elif kind == "rename":
        checkpoints.write_synced = counted(checkpoints.write_synced, after)


if __name__ == "__main__":
    torch.set_num_threads(1)
    arm(sys.argv[2])
    loop.train(tiny_model(), tiny_stream(), TINY, Path(sys.argv[1]))
