"""Text from a run folder."""

from pathlib import Path

import torch

from clearhead.corpora.words import WordVocabulary
from clearhead.errors import InputError
from clearhead.evaluation.derivation import beginning, never_predicted
from clearhead.models.readers import reader_of
from clearhead.models.sampling import Choice, continued
from clearhead.training.runs import trained


def sampled(folder: Path, prompt: str, tokens: int, choice: Choice, seed: int) -> str:
    """The prompt and what the model draws after it; a model of words goes on to the next sentence by itself."""
    if tokens < 0:
        raise InputError(f"--tokens must be 0 or more; got {tokens}.")
    run = trained(folder)
    vocabulary, never = run.vocabulary, never_predicted(run.vocabulary)
    start = [beginning(vocabulary), *vocabulary.encode(prompt)]
    if not isinstance(vocabulary, WordVocabulary) and vocabulary.pad in start[1:]:
        strange = next(c for c in prompt if vocabulary.encode(c) == [vocabulary.pad])
        raise InputError(f"--prompt: the run has never seen the character {strange!r}; leave it out.")
    chance = torch.Generator().manual_seed(seed)
    stop = vocabulary.mask if isinstance(vocabulary, WordVocabulary) else -1
    drawn = list(continued(reader_of(run.model), start, tokens, choice, chance, never, stop))
    text = vocabulary.decode(drawn)
    joint = " " if isinstance(vocabulary, WordVocabulary) and prompt else ""
    return prompt + joint + text
