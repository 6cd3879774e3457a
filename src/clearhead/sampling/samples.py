"""Text from a run folder."""

from pathlib import Path

import torch

from clearhead.errors import InputError
from clearhead.models.model import reader_of
from clearhead.sampling.choice import Choice, continued
from clearhead.training.folders.runs import trained


def sampled(folder: Path, prompt: str, tokens: int, choice: Choice, seed: int) -> str:
    """The prompt and what the model draws after it; a model of words goes on to the next sentence by itself."""
    if tokens < 0:
        raise InputError(f"--tokens must be 0 or more; got {tokens}.")
    run = trained(folder)
    vocabulary = run.vocabulary
    start = [vocabulary.beginning, *vocabulary.encode(prompt)]
    if vocabulary.pad in start[1:]:
        strange = next(c for c in prompt if vocabulary.encode(c) == [vocabulary.pad])
        raise InputError(f"--prompt: the run has never seen the character {strange!r}; leave it out.")
    chance = torch.Generator().manual_seed(seed)
    never, stop = vocabulary.never_predicted, vocabulary.mask  # which words alone may end with
    drawn = list(continued(reader_of(run.model), start, tokens, choice, chance, never, stop))
    return prompt + (vocabulary.joint if prompt else "") + vocabulary.decode(drawn)
