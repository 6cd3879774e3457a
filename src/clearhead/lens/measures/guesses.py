"""The logit lens: what the model would say if it stopped after each block."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from clearhead.corpora import Vocabulary
from clearhead.lens.capture.run_look import sides
from clearhead.lens.capture.token_names import token_names
from clearhead.models import GPT

BEST = 3


@dataclass(frozen=True, slots=True)
class BlockGuesses:
    """After one block, at each place where a state stands: the best tokens and how likely each is."""

    where: str
    places: tuple[int, ...]
    best: tuple[tuple[tuple[str, float], ...], ...]

    def tree(self) -> dict[str, Any]:
        """As JSON has it."""
        best = [[[token, round(share, 4)] for token, share in each] for each in self.best]
        return {"where": self.where, "places": list(self.places), "best": best}


@torch.no_grad()
def guesses(model: GPT, vocabulary: Vocabulary, ids: Sequence[int]) -> list[BlockGuesses]:
    """What stands in the states, read by the model's own last norm and head: before the first block and after each."""
    tokens = torch.tensor([list(ids)], device=next(model.parameters()).device)
    entered, _ = model.entered(tokens)
    found = [guessed("before the first block", entered[0], range(len(ids)), model, vocabulary)]
    for number, (state, _) in enumerate(model.states(tokens)):
        rows, _, _ = sides(model, number, len(ids))
        kind = " (latents)" if len(rows) < len(ids) or (number + 1 < len(model.blocks) and sides(model, number, 1)[2]) else ""
        if rows:
            found.append(guessed(f"after block {number + 1}{kind}", state[0], rows, model, vocabulary))
    return found


def guessed(where: str, state: Tensor, places: Sequence[int], model: GPT, vocabulary: Vocabulary) -> BlockGuesses:
    """State (n, width) to the best tokens at each place."""
    shares = model.head(model.last_norm(state)).softmax(-1)  # (n, vocab)
    top = shares.topk(min(BEST, shares.shape[-1]), dim=-1)
    best = tuple(
        tuple((token_names(vocabulary, [token])[0], share) for token, share in zip(ids, values, strict=True))
        for ids, values in zip(top.indices.tolist(), top.values.tolist(), strict=True)
    )
    return BlockGuesses(where, tuple(places), best)
