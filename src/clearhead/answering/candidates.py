"""The answers a model thinks of, each with how likely it finds it: the best few whole answers, not the best next token."""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from clearhead.corpora import Vocabulary
from clearhead.models import GPT, Cache, lined_up

BEAMS = 5  # beginnings of answers that are followed at once, and answers that come out
LONGEST_ANSWER = 32  # tokens of an answer at most
Found = list[tuple[float, list[int]]]


@dataclass(frozen=True, slots=True)
class LikelyAnswer:
    """An answer and ln of the share that the model gives it."""

    answer: str
    log_share: float


@torch.no_grad()
def candidates(
    model: GPT,
    vocabulary: Vocabulary,
    prompts: Sequence[Sequence[int]],
    beams: int = BEAMS,
    longest: int = LONGEST_ANSWER,
    batch: int = 64,
) -> list[list[LikelyAnswer]]:
    """The likeliest answers after each prompt, the best first: a beam search over whole answers; at least one each."""
    found: list[Found] = [[] for _ in prompts]
    order = sorted(range(len(prompts)), key=lambda place: len(prompts[place]))
    for start in range(0, len(order), batch):
        chosen = order[start : start + batch]
        for place, answers in zip(chosen, search(model, vocabulary, [prompts[i] for i in chosen], beams, longest), strict=True):
            found[place] = answers
    return [gathered(vocabulary, each, beams) for each in found]


def search(
    model: GPT, vocabulary: Vocabulary, prompts: Sequence[Sequence[int]], beams: int, most: int = LONGEST_ANSWER
) -> list[Found]:
    """Whole answers of one batch with ln of their shares, in the order they ended; a settled prompt takes no more part."""
    tokens, cache = lined_up(prompts, vocabulary.pad, model.device)
    most = min(most, model.config.context - tokens.shape[1] + 1)
    likely = torch.zeros(len(prompts), 1, device=model.device)
    said: list[list[list[int]]] = [[[]] for _ in prompts]
    found: list[Found] = [[] for _ in prompts]
    going = list(range(len(prompts)))
    for _ in range(most):
        width = likely.shape[1]
        after = model.following(tokens, cache).log_softmax(-1)  # (going · width, vocab)
        total = likely[..., None] + after.view(len(going), width, -1)  # (going, width, vocab)
        for row, ends in zip(going, total[..., vocabulary.mask].tolist(), strict=True):
            found[row] += zip(ends, said[row], strict=True)
        total[..., vocabulary.mask] = -math.inf
        likely, places = total.flatten(1).topk(min(beams, total.shape[-1] - 1))  # (going, beams)
        on = [not settled(found[row], best, beams) for row, best in zip(going, likely[:, 0].tolist(), strict=True)]
        kept = torch.tensor(on, device=model.device).nonzero()  # (kept, 1)
        going = [row for row, more in zip(going, on, strict=True) if more]
        if not going:
            return found
        likely, places = likely[kept[:, 0]], places[kept[:, 0]]
        parents, following = places // total.shape[-1], places % total.shape[-1]  # (kept, beams)
        for row, begun, then in zip(going, parents.tolist(), following.tolist(), strict=True):
            said[row] = [[*said[row][parent], token] for parent, token in zip(begun, then, strict=True)]
        cache = cache.rows((kept * width + parents).flatten())
        tokens = following.reshape(-1, 1)
    for row, begun in zip(going, likely.tolist(), strict=True):  # a model that never ends an answer has said this much
        found[row] += zip(begun, said[row], strict=True)
    return found


def settled(found: Found, best: float, beams: int) -> bool:
    """Whether no answer that is still going on can come among the best."""
    return sum(share >= best for share, _ in found) >= beams


def gathered(vocabulary: Vocabulary, found: Found, beams: int) -> list[LikelyAnswer]:
    """The best of the answers, different spellings in tokens of one text taken together."""
    shares: defaultdict[str, float] = defaultdict(float)
    for log_share, ids in found:
        shares[" ".join(vocabulary.decode(ids).split())] += math.exp(log_share)
    spoken = {text: share for text, share in shares.items() if text} or dict(shares)
    ranked = sorted(spoken.items(), key=lambda each: (-each[1], each[0]))[:beams]
    return [LikelyAnswer(text, math.log(max(min(share, 1.0), 1e-45))) for text, share in ranked]


@torch.no_grad()
def log_share_of(
    model: GPT, vocabulary: Vocabulary, prompts: Sequence[Sequence[int]], answers: Sequence[str], batch: int = 128
) -> list[float]:
    """ln of the share that a model gives each answer, its end included, after its prompt; prompts are read once."""
    shares = [0.0] * len(prompts)
    answered = [[*vocabulary.encode(answer), vocabulary.mask] for answer in answers]
    asked: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for place, prompt in enumerate(prompts):
        asked[tuple(prompt)].append(place)
    longest = {prompt: max(len(answered[place]) for place in places) for prompt, places in asked.items()}
    for chosen in fitting_batches(longest, model.config.context, batch):
        tokens, cache = lined_up(chosen, vocabulary.pad, model.device)
        first = model.following(tokens, cache)  # (prompts, vocab)
        rows = [(row, place) for row, prompt in enumerate(chosen) for place in asked[prompt]]
        rows.sort(key=lambda each: len(answered[each[1]]))
        for start in range(0, len(rows), batch):
            owners, places = zip(*rows[start : start + batch], strict=True)
            of = torch.tensor(owners, device=model.device)
            logged = shares_after(model, cache.rows(of), first[of], [answered[place] for place in places])
            for place, share in zip(places, logged, strict=True):
                shares[place] = share
    return shares


def fitting_batches(longest: dict[tuple[int, ...], int], context: int, batch: int) -> Iterator[list[tuple[int, ...]]]:
    """Prompts of like length together, so that the longest of a batch and the longest answer in it fit into the context."""
    together: list[tuple[int, ...]] = []
    most = 0
    for prompt in sorted(longest, key=len):
        most = max(most, longest[prompt])
        if together and (len(together) == batch or len(prompt) + most - 1 > context):
            yield together
            together, most = [], longest[prompt]
        together.append(prompt)
    if together:
        yield together


def shares_after(model: GPT, cache: Cache, first: Tensor, said: Sequence[list[int]]) -> list[float]:
    """ln of the share of each row of tokens after what the cache has read: first (rows, vocab) are the logits of the first."""
    longest = max(len(row) for row in said)
    tokens = torch.tensor([row + [0] * (longest - len(row)) for row in said], device=model.device)  # (rows, longest)
    logits = first[:, None]  # (rows, 1, vocab)
    if longest > 1:
        logits = torch.cat([logits, model(tokens[:, :-1], cache)], dim=1)  # (rows, longest, vocab)
    logged = logits.log_softmax(-1).gather(-1, tokens[..., None])[..., 0]  # (rows, longest)
    lengths = torch.tensor([[len(row)] for row in said], device=model.device)  # (rows, 1)
    ended = torch.arange(longest, device=model.device) >= lengths  # (rows, longest)
    total: list[float] = logged.masked_fill(ended, 0.0).sum(1).tolist()
    return total
