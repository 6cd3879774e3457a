"""The answer that is watched, and how likely a model finds it: as trained, and changed."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from clearhead.corpora import Vocabulary
from clearhead.errors import InputError
from clearhead.lens.causes.interventions import Change, changed
from clearhead.models import GPT, continue_greedily

LONGEST = 24  # tokens of an answer


@dataclass(frozen=True, slots=True)
class Watched:
    """An answer after a text, and what becomes of it under a change."""

    answer: str
    ids: tuple[int, ...]
    probability: float  # as trained, of the whole answer
    change: str = ""
    changed_probability: float | None = None
    changed_answer: str = ""

    def tree(self) -> dict[str, object]:
        """As JSON has it."""
        tree: dict[str, object] = {"answer": self.answer, "probability": round(self.probability, 6)}
        if self.changed_probability is not None:
            tree |= {
                "change": self.change,
                "changed_probability": round(self.changed_probability, 6),
                "changed_answer": self.changed_answer,
            }
        return tree


def watched_answer(
    model: GPT, vocabulary: Vocabulary, ids: Sequence[int], ends: bool, change: Change, named: str = ""
) -> Watched:
    """What the model says next, or the answer that is named; `ends`: it ends with a mark, else one token is said."""
    said = tuple(vocabulary.encode(named)) if named else greedy(model, vocabulary, ids, ends)
    if named and not said:
        raise InputError(f"the answer {named!r} has no token; name one that the vocabulary can spell.")
    whole = (*said, vocabulary.mask) if ends else said
    if len(ids) + len(whole) - 1 > model.config.context:
        raise InputError(f"text and answer need {len(ids) + len(whole) - 1} tokens; the model sees {model.config.context}.")
    before = chance(model, ids, whole)
    answer = vocabulary.decode(said).strip()
    if not change:
        return Watched(answer, whole, before)
    with changed(model, change):
        after = chance(model, ids, whole)
        other = vocabulary.decode(greedy(model, vocabulary, ids, ends)).strip()
    return Watched(answer, whole, before, str(change), after, other)


def answer_room(model: GPT, ends: bool) -> int:
    """Tokens of the context that are kept free for an answer; a model of running text says one token."""
    return min(LONGEST, model.config.context // 4) if ends else 0


def greedy(model: GPT, vocabulary: Vocabulary, ids: Sequence[int], ends: bool) -> tuple[int, ...]:
    """The likeliest next tokens, up to the mark; a model of running text says one."""
    most = min(LONGEST if ends else 1, model.config.context - len(ids))
    if most < 1:
        return ()
    return tuple(continue_greedily(model, [list(ids)], most, stop=vocabulary.mask if ends else -1, pad=vocabulary.pad)[0])


@torch.no_grad()
def chance(model: GPT, ids: Sequence[int], answer: Sequence[int]) -> float:
    """How likely the whole answer is after the tokens: the product of its tokens' shares."""
    if not answer:
        return 1.0
    tokens = torch.tensor([[*ids, *answer[:-1]]], device=next(model.parameters()).device)
    logs = model(tokens)[0, len(ids) - 1 :].log_softmax(-1)  # (answer, vocab)
    wanted = torch.tensor(list(answer), device=logs.device)
    return float(logs.gather(1, wanted[:, None]).sum().exp())
