"""The answers a model thinks of, each with how likely it finds it: the best few whole answers, not the best next token."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from clearhead.corpora import Vocabulary
from clearhead.models import GPT, Cache

BEAMS = 5  # beginnings of answers that are followed at once, and answers that come out
LONGEST = 32  # tokens of an answer at most
Found = list[tuple[float, list[int]]]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An answer and ln of the share that the model gives it."""

    answer: str
    log_share: float


@torch.no_grad()
def candidates(
    model: GPT,
    vocabulary: Vocabulary,
    prompts: Sequence[Sequence[int]],
    beams: int = BEAMS,
    longest: int = LONGEST,
    batch: int = 64,
) -> list[list[Candidate]]:
    """The likeliest answers after each prompt, the best first: a beam search over whole answers; at least one each."""
    found: list[Found] = [[] for _ in prompts]
    order = sorted(range(len(prompts)), key=lambda place: len(prompts[place]))
    for start in range(0, len(order), batch):
        chosen = order[start : start + batch]
        for place, answers in zip(chosen, search(model, vocabulary, [prompts[i] for i in chosen], beams, longest), strict=True):
            found[place] = answers
    return [gathered(vocabulary, each, beams) for each in found]


def search(
    model: GPT, vocabulary: Vocabulary, prompts: Sequence[Sequence[int]], beams: int, most: int = LONGEST
) -> list[Found]:
    """Whole answers of one batch with ln of their shares, in the order they ended."""
    rows, longest = len(prompts), max(len(prompt) for prompt in prompts)
    most = min(most, model.config.context - longest + 1)
    cache = Cache(torch.tensor([longest - len(prompt) for prompt in prompts]))
    tokens = torch.tensor([[vocabulary.pad] * (longest - len(prompt)) + list(prompt) for prompt in prompts])
    likely = torch.zeros(rows, 1)
    said: list[list[list[int]]] = [[[]] for _ in prompts]
    found: list[Found] = [[] for _ in prompts]
    for _ in range(most):
        after = log_shares(model, tokens, cache)  # (rows · width, vocab)
        width, vocab = likely.shape[1], after.shape[-1]
        total = likely[..., None] + after.view(rows, width, vocab)  # (rows, width, vocab)
        for row, ends in enumerate(total[..., vocabulary.mask].tolist()):
            found[row] += zip(ends, said[row], strict=True)
        total[..., vocabulary.mask] = -math.inf
        likely, places = total.flatten(1).topk(min(beams, vocab - 1))  # (rows, beams)
        if all(settled(found[row], best, beams) for row, best in enumerate(likely[:, 0].tolist())):
            return found
        parents, following = places // vocab, places % vocab
        said = [
            [[*said[row][parent], token] for parent, token in zip(parents[row].tolist(), following[row].tolist(), strict=True)]
            for row in range(rows)
        ]
        cache.drop_rows((torch.arange(rows)[:, None] * width + parents).flatten())
        tokens = following.reshape(-1, 1)
    for row, begun in enumerate(likely.tolist()):  # a model that never ends an answer has said this much
        found[row] += zip(begun, said[row], strict=True)
    return found


def settled(found: Found, best: float, beams: int) -> bool:
    """Whether no answer that is still going on can come among the best."""
    return sum(share >= best for share, _ in found) >= beams


def gathered(vocabulary: Vocabulary, found: Found, beams: int) -> list[Candidate]:
    """The best of the answers, different spellings in tokens of one text taken together."""
    shares: defaultdict[str, float] = defaultdict(float)
    for log_share, ids in found:
        shares[" ".join(vocabulary.decode(ids).split())] += math.exp(log_share)
    spoken = {text: share for text, share in shares.items() if text} or dict(shares)
    ranked = sorted(spoken.items(), key=lambda each: (-each[1], each[0]))[:beams]
    return [Candidate(text, math.log(max(min(share, 1.0), 1e-45))) for text, share in ranked]


def log_shares(model: GPT, tokens: Tensor, cache: Cache) -> Tensor:
    """ln of the share of each token after the last of each row: (rows, vocab)."""
    logits: Tensor = model.head(model.final(tokens, cache)[:, -1])
    return logits.log_softmax(-1)


@torch.no_grad()
def log_share_of(
    model: GPT, vocabulary: Vocabulary, prompts: Sequence[Sequence[int]], answers: Sequence[str], batch: int = 256
) -> list[float]:
    """ln of the share that a model gives an answer, its end included, after each prompt; logits are computed there only."""
    shares = [0.0] * len(prompts)
    rows = [[*prompt, *vocabulary.encode(answer), vocabulary.mask] for prompt, answer in zip(prompts, answers, strict=True)]
    order = sorted(range(len(rows)), key=lambda place: len(rows[place]))
    for start in range(0, len(order), batch):
        chosen = order[start : start + batch]
        longest = len(rows[chosen[-1]])
        tokens = torch.tensor([rows[i] + [vocabulary.pad] * (longest - len(rows[i])) for i in chosen])
        begins, ends = (torch.tensor([[len(each[i])] for i in chosen]) for each in (prompts, rows))
        places = torch.arange(1, longest)
        said = (places >= begins) & (places < ends)  # (rows, longest − 1)
        logged = model.head(model.final(tokens[:, :-1])[said]).log_softmax(-1)  # (said, vocab)
        of_tokens = torch.zeros(said.shape).masked_scatter(said, logged.gather(-1, tokens[:, 1:][said][:, None]))
        for place, total in zip(chosen, of_tokens.sum(1).tolist(), strict=True):
            shares[place] = total
    return shares
