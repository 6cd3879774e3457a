"""The mean loss on what is held out: nothing moves, nothing is drawn, every process works on its rows."""

from collections.abc import Sequence

import torch
from torch.nn.functional import cross_entropy

from clearhead.models.model import LanguageModel, Model, reader_of
from clearhead.training.machines.learner import Learner
from clearhead.training.machines.precision import autocasting
from clearhead.training.machines.processes import rank, summed
from clearhead.training.machines.shares import parts_of
from clearhead.training.steps.batches import Batch


@torch.no_grad()
def held_out_loss(learner: Learner, batches: Sequence[Batch]) -> float:
    """The mean loss over all targets that count, of the model as it is used and not as it learns."""
    model = learner.model
    learning = model.training
    model.eval()
    if model.row_states() and isinstance(model, LanguageModel):
        mean = read_on(model, batches)
    else:
        counts = [int((batch.targets >= 0).sum()) for batch in batches]
        own = 0.0
        for batch, count in zip(batches, counts, strict=True):
            (part,) = parts_of(batch, rank(), learner.together)
            with autocasting(learner.device, learner.config.precision):
                loss = learner.plain(part.inputs.to(learner.device), part.targets.to(learner.device))
            own += float(loss) * part.share * count
        mean = summed([own])[0] / max(sum(counts), 1)
    model.train(learning)
    return mean


def read_on(model: Model, batches: Sequence[Batch]) -> float:
    """The same for a model that carries a state: it reads piece after piece, on from where the last one ended."""
    reader, nats, count = reader_of(model), 0.0, 0
    for batch in batches:
        for inputs, targets in zip(batch.inputs, batch.targets, strict=True):
            logits = reader.read(inputs.tolist())
            nats += float(cross_entropy(logits, targets.to(logits.device), reduction="sum"))
            count += len(targets)
    return nats / max(count, 1)
