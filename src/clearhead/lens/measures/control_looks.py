"""What labels are held against: the same look with models that have learned nothing, and with the words in other orders."""

import random
from collections.abc import Sequence
from dataclasses import replace

import torch

from clearhead.lens.capture.run_look import attending_model, layers_of, require_attention
from clearhead.lens.causes.interventions import Change, changed
from clearhead.lens.looks import Seen
from clearhead.models import build_model
from clearhead.training.folders.runs import Run


def blank_looks(run: Run, look: Seen, ids: Sequence[int], tokens: Sequence[str], count: int) -> list[Seen]:
    """The same text through models of the same recipe before any training, each by a seed of its own."""
    found = []
    for seed in range(1, count + 1):
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            model = require_attention(build_model(run.recipe.model, run.vocabulary.size), "a blank model")
        found.append(replace(look, layers=layers_of(model.eval(), ids, tokens), controls={}))
    return found


def shuffled_looks(run: Run, look: Seen, ids: Sequence[int], tokens: Sequence[str], change: Change, count: int) -> list[Seen]:
    """The same model on the same tokens in other orders; marks at the end stay, and names stay where they were."""
    model = attending_model(run)
    end = len(ids)
    while end and ids[end - 1] == run.vocabulary.mask:
        end -= 1
    found = []
    for seed in range(count):
        order = list(range(end))
        random.Random(seed).shuffle(order)
        order += range(end, len(ids))
        with changed(model, change):
            layers = layers_of(model, [ids[place] for place in order], [tokens[place] for place in order])
        found.append(replace(look, layers=layers, controls={}))
    return found
