"""Causal tracing: read one text, bring in states of another at one place and part after the other, and see whose answer comes.

A part that carries the fact brings the other text's answer with it; one that does not changes nothing.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from clearhead.errors import InputError
from clearhead.lens.capture.run_look import sides
from clearhead.lens.causes.interventions import hooked
from clearhead.models import GPT
from clearhead.models.gpt import Block

REGIONS = ("whole name", "last of the name", "between", "last token", "everywhere")
"""What differs between the texts (in questions about people: the name), its last token, what comes after, and all."""


@dataclass(frozen=True, slots=True)
class Site:
    """A part of a model whose words can be exchanged, and where in a text of n tokens its rows stand."""

    name: str
    module: nn.Module
    places: Callable[[int], list[int]]


@dataclass(frozen=True, slots=True)
class Region:
    """Some places of a text, under a name."""

    name: str
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Traced:
    """What each part brings over at each region: a probability of each answer, (sites, regions)."""

    sites: tuple[str, ...]
    regions: tuple[Region, ...]
    own: float  # of the text's own answer, nothing exchanged
    other: float  # of the other's answer, nothing exchanged
    all_other: float  # of the other's answer after the other text
    own_left: Tensor  # (sites, regions) of the text's own answer
    other_come: Tensor  # (sites, regions) of the other's answer

    def brought(self) -> Tensor:
        """The share of the way from the text to the other: 0 nothing changed, 1 as sure as after the other text itself."""
        way = self.all_other - self.other
        if abs(way) < 1e-6:
            raise InputError("the two texts find the other's answer equally likely: there is nothing to trace.")
        return (self.other_come - self.other) / way  # (sites, regions)


def sites_of(model: GPT) -> list[Site]:
    """What a model is made of, in the order in which a text passes it."""

    def everywhere(n: int) -> list[int]:
        return list(range(n))

    found = [Site("token", model.embedding, everywhere)]
    if model.memory is not None:
        found.append(Site("memory", model.memory, everywhere))
    for number, block in enumerate(model.blocks):
        assert isinstance(block, Block)

        def rows(n: int, number: int = number) -> list[int]:
            return sides(model, number, n)[0]

        found += [
            Site(f"attention {number + 1}", block.attention, rows),
            Site(f"feed-forward {number + 1}", block.narrow, rows),
            Site(f"state after block {number + 1}", block, rows),
        ]
    return found


def regions_of(first: Sequence[int], second: Sequence[int]) -> list[Region]:
    """Where two texts differ, and what comes after: places of the first, as the second lines up with it from the end.

    >>> [(each.name, each.places) for each in regions_of([5, 1, 2, 6, 7], [5, 3, 4, 6, 7])][:3]
    [('whole name', (1, 2)), ('last of the name', (2,)), ('between', (3,))]
    """
    if list(first) == list(second):
        raise InputError("the two texts are the same; trace with one that has another answer.")
    start = next((k for k, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second)))
    backwards = zip(reversed(first), reversed(second), strict=False)
    same_end = next((k for k, (a, b) in enumerate(backwards) if a != b), min(len(first), len(second)))
    end = max(len(first) - same_end, start + 1)
    last = len(first) - 1
    places = (range(start, end), (end - 1,), range(end, last), (last,) if last >= end else (), range(len(first)))
    return [Region(name, tuple(each)) for name, each in zip(REGIONS, places, strict=True) if len(each)]


@torch.no_grad()
def trace(model: GPT, first: Sequence[int], second: Sequence[int], own: Sequence[int], other: Sequence[int]) -> Traced:
    """Read `first` with every part of `second` brought in, one part and region at a time; `own` and `other` are the answers.

    Their first tokens are watched, up to where they differ: what follows looks back at the text anew. Texts of unequal length
    are lined up from their ends, since questions end alike.
    """
    apart = next((k for k, (a, b) in enumerate(zip(own, other, strict=False)) if a != b), None)
    if apart is None:
        raise InputError("the two texts have the same answer; trace with one that has another.")
    own, other = own[: apart + 1], other[: apart + 1]
    sites, regions = sites_of(model), regions_of(first, second)
    kept = states_at(model, sites, second)
    shift = len(second) - len(first)
    chances = [
        brought_over(model, sites, regions, kept, shift, first, len(second), answer) for answer in (own, other)
    ]  # each (1 + sites·regions)
    plain = answer_chances(model, torch.tensor([list(second)], device=model.device), other)
    shape = (len(sites), len(regions))
    return Traced(
        tuple(site.name for site in sites),
        tuple(regions),
        float(chances[0][0]),
        float(chances[1][0]),
        float(plain[0]),
        chances[0][1:].reshape(shape),
        chances[1][1:].reshape(shape),
    )


def states_at(model: GPT, sites: Sequence[Site], ids: Sequence[int]) -> list[Tensor]:
    """What each part says when the model reads the tokens: (rows, width) each."""
    kept: list[Tensor] = []
    with ExitStack() as hooks:
        for site in sites:

            def keep(x: Tensor) -> Tensor:
                kept.append(x[0].clone())
                return x

            hooks.enter_context(hooked(site.module, keep))
        model(torch.tensor([list(ids)], device=model.device))
    return kept


def brought_over(
    model: GPT,
    sites: Sequence[Site],
    regions: Sequence[Region],
    kept: Sequence[Tensor],
    shift: int,
    ids: Sequence[int],
    n_other: int,
    answer: Sequence[int],
) -> Tensor:
    """How likely the answer is: first with nothing exchanged, then for every site and region, all side by side."""
    count = 1 + len(sites) * len(regions)
    n = len(ids) + len(answer) - 1
    tokens = torch.tensor([list(ids)], device=model.device).expand(count, -1)
    with ExitStack() as hooks:
        for s, site in enumerate(sites):
            where = {place: row for row, place in enumerate(site.places(n))}
            there = {place: row for row, place in enumerate(site.places(n_other))}
            cells = [
                (1 + s * len(regions) + r, where[place], there[place + shift])
                for r, region in enumerate(regions)
                for place in region.places
                if place in where and place + shift in there
            ]
            hooks.enter_context(hooked(site.module, Exchange(cells, kept[s])))
        return answer_chances(model, tokens, answer)


class Exchange:
    """Puts kept states into some rows of a batch: cells are (row of the batch, place, place in what was kept)."""

    def __init__(self, cells: Sequence[tuple[int, int, int]], kept: Tensor) -> None:
        self.cells, self.kept = cells, kept

    def __call__(self, x: Tensor) -> Tensor:
        if not self.cells:
            return x
        batch, place, source = (torch.tensor(each, device=x.device) for each in zip(*self.cells, strict=True))
        x = x.clone()
        x[batch, place] = self.kept[source]
        return x


def answer_chances(model: GPT, tokens: Tensor, answer: Sequence[int]) -> Tensor:
    """The probability of a whole answer after each row of tokens: (rows,)."""
    wanted = torch.tensor(list(answer), device=tokens.device).expand(len(tokens), -1)  # (rows, answer)
    logs = model(torch.cat([tokens, wanted[:, :-1]], dim=1))[:, -len(answer) :].log_softmax(-1)  # (rows, answer, vocab)
    shares: Tensor = logs.gather(2, wanted[..., None])[..., 0].sum(-1).exp()
    return shares.cpu()
