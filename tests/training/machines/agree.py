"""A few steps of small models by as many processes as torchrun starts: `torchrun … agree.py OUT [--shard] NAME…`.

Every model starts from the same random weights, without dropout: what is drawn by chance is drawn by each process
for its own rows, and so agrees with one process only in the mean. OUT/NAME-N.safetensors gets the gradients of the first
batch and the weights after the last, N being the number of processes.
"""

import sys
from pathlib import Path

import torch
from safetensors.torch import save_file

from clearhead.cli import leave
from clearhead.corpora import Example
from clearhead.corpora.examples.example import chance, shifted
from clearhead.models import Model, build_model
from clearhead.training import Batches, Interleaved, TrainConfig
from clearhead.training.machines.learner import Learner
from clearhead.training.machines.processes import joined, rank, world
from clearhead.training.machines.row_states import take_own_rows, whole_state
from clearhead.training.machines.weight_shards import whole
from clearhead.training.steps.loop import freeze, one_step
from clearhead.training.steps.optimisers import build_optimisers
from clearhead.training.steps.streams import Lanes, Stream

VOCAB, STEPS = 11, 12
GPT = {"kind": "gpt", "layers": 2, "heads": 2, "width": 8, "context": 16}
PERCEIVER = {**GPT, "kind": "perceiver", "style": "modern", "bottleneck": 4}
MODELS: dict[str, dict[str, object]] = {
    "course": {**GPT, "dropout": 0.0},
    "memory": {**GPT, "style": "modern", "memory": 20},
    "perceiver": {**PERCEIVER, "variant": "perceiver", "style": "course", "dropout": 0.0},
    "perceiver-causal": {**PERCEIVER, "variant": "perceiver-causal"},
    "bigram": {"kind": "bigram", "width": 5, "hidden": 7},
    "gru": {"kind": "recurrent", "cell": "gru", "width": 8, "context": 8, "lanes": 5},
    "lstm": {"kind": "recurrent", "cell": "lstm", "width": 8, "context": 8, "lanes": 5},
    "averaging": {"kind": "averaging", "width": 5, "hidden": 7, "pairs": 13, "word_dropout": 0.0, "dropout": 0.0},
    "convnet": {"kind": "convnet"},
}

BIASED_KEYS = ("course", "perceiver")
"""Computed in float64: the gradient of a key's bias is 0 on paper (a softmax does not see what all scores of a query share), so
it is rounding alone; in float32 Adam divides that by its own size and moves such a bias by chance, by a thousandth of it."""


class Made:
    """Sequences of unequal length; for a classifier with a class each, for pictures all of one length."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __len__(self) -> int:
        return 40

    def draw(self, index: int, epoch: int, seed: int) -> Example:
        random = chance(seed, epoch, index)
        if self.kind == "convnet":
            return Example([random.randint(0, 255) for _ in range(1024)], [random.randint(0, 9)])
        ids = [random.randint(1, VOCAB - 1) for _ in range(random.randint(2, 15))]
        if self.kind == "averaging":
            return Example(ids, [random.randint(0, 1)])
        return shifted(ids, first_target=random.randint(0, len(ids) - 2))  # the targets fall unequally


def stream(name: str) -> Stream:
    kind = str(MODELS[name]["kind"])
    if kind == "recurrent":
        return Lanes(torch.randint(VOCAB, (500,), generator=torch.Generator().manual_seed(3)).numpy().astype("uint16"), 5, 8)
    size = 5 * 1024 if kind == "convnet" else 60
    frozen = ("memory", "last_norm") if name == "memory" else ()
    parts = [Batches(Made(kind), size, 1, pool=16), Batches(Made(kind), size // 4, 2, pool=16, frozen=frozen)]
    return Interleaved(parts, [0.7, 0.3])


def fresh(name: str) -> Model:
    model = build_model(MODELS[name], VOCAB, 10)
    dice = torch.Generator().manual_seed(7)
    with torch.no_grad():
        for weight in model.parameters():
            weight.normal_(std=0.3, generator=dice)
    return model.double() if name in BIASED_KEYS else model


def moved(name: str, shard: bool, config: TrainConfig) -> dict[str, torch.Tensor]:
    """The gradients of the first batch, and the weights after some steps."""
    model = fresh(name)
    learner, optimisers, batches = Learner(model, config, shard), build_optimisers(model, config), stream(name)
    take_own_rows(model)
    model.train()
    first, found = batches.next(), {}
    freeze(model, first.frozen)
    found["loss"] = torch.tensor(learner.gradients(first))
    for weight_name, weight in model.named_parameters():
        if weight.grad is not None:
            gradient = whole(weight.grad)
            found[f"gradient/{weight_name}"] = gradient.to_dense() if gradient.is_sparse else gradient.clone()
    for optimiser in optimisers:
        optimiser.zero_grad()
    for _ in range(STEPS):
        one_step(learner, optimisers, batches.next(), config)
    return found | {f"weight/{key}": whole(value).contiguous() for key, value in whole_state(model).items()}


def main(out: Path, *names: str) -> None:
    torch.set_num_threads(1)
    shard = "--shard" in names
    with joined():
        for name in [name for name in names if name != "--shard"]:
            modern = MODELS[name].get("style") == "modern"
            config = TrainConfig(tokens=1, rate=0.003, matrix_rate=0.02 if modern else 0.0, weight_decay=0.1)
            found = moved(name, shard, config)
            if rank() == 0:
                save_file(found, out / f"{name}-{world()}.safetensors")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
    leave(0)
