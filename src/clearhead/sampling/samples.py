"""Text from a run."""

from collections.abc import Sequence

import torch

from clearhead.errors import InputError
from clearhead.models.model import reader_of
from clearhead.sampling.choice import Choice, continued
from clearhead.training.folders.runs import Run


def drawn_from(run: Run, prompt: str, tokens: int, choice: Choice, seed: int, count: int = 1) -> list[str]:
    """The prompt and what the model draws after it, so many times, by seeds one after the other."""
    if tokens < 0 or count < 1:
        raise InputError(f"tokens must be 0 or more, and at least one text be drawn; got {tokens} and {count}.")
    reader_of(run.model)  # a classifier is refused before its prompt is looked at
    reader_of(run.model)  # a classifier is refused before its prompt is looked at
    start = prompted(run, prompt)
    return [one_text(run, prompt, start, tokens, choice, seed + number) for number in range(count)]


def prompted(run: Run, prompt: str) -> list[int]:
    """What stands before the first token, and the prompt; a character that was never seen is refused."""
    vocabulary = run.vocabulary
    ids = vocabulary.encode(prompt)
    if vocabulary.pad in ids:
        strange = next((c for c in prompt if vocabulary.encode(c) == [vocabulary.pad]), prompt[:1])
        raise InputError(f"prompt: the run has never seen the character {strange!r}; leave it out.")
    return [vocabulary.beginning, *ids]


def one_text(run: Run, prompt: str, start: Sequence[int], tokens: int, choice: Choice, seed: int) -> str:
    """One text; a model of words stops at the end of its sentence by itself."""
    vocabulary, chance = run.vocabulary, torch.Generator().manual_seed(seed)
    never, stop = vocabulary.never_predicted, vocabulary.mask  # which words alone may end with
    drawn = list(continued(reader_of(run.model), start, tokens, choice, chance, never, stop))
    return prompt + (vocabulary.joint if prompt else "") + vocabulary.decode(drawn)
