"""Where the birthplaces live: the trace over many questions of a run, what each part brings over, with intervals."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from clearhead.corpora import Birthplaces, Question, prompt
from clearhead.errors import InputError
from clearhead.lens.capture.run_look import answers_questions, attending_model
from clearhead.lens.causes.causal_trace import REGIONS, Traced, trace
from clearhead.lens.causes.interventions import Change, changed
from clearhead.models import GPT, continue_greedily
from clearhead.pictures import ValueMap, two_digits, value_map
from clearhead.training.folders.runs import Run

RESAMPLES = 2000
LONGEST = 24
TITLE = "How much of the other birthplace comes along with each part (0: none, 1: all)"

Told = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Sampled:
    """A mean, and where it lies with 95 % certainty were the questions drawn anew."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        value, low, high = (two_digits(each) for each in (self.value, self.low, self.high))
        return f"{value} ({low} to {high})"


@dataclass(frozen=True, slots=True)
class FactPlaces:
    """The figure: what each part brings over, and how many answers stay right without it."""

    run: str
    pairs: int
    asked: int
    sites: tuple[str, ...]
    regions: tuple[str, ...]
    brought: dict[tuple[str, str], Sampled]
    without: dict[str, Sampled]  # the share of right answers


def fact_places(run: Run, count: int = 200, seed: int = 0, tell: Told | None = None) -> FactPlaces:
    """Trace `count` dev questions that the run answers rightly, each with another of as many tokens and another answer."""
    model, corpus = attending_model(run), run.corpus
    if not answers_questions(run) or not isinstance(corpus, Birthplaces):
        raise InputError(f"{run.folder} answers no questions; take a run of: clearhead birthplaces run.")
    questions = [question for question in corpus.dev if question.answer]
    right = right_ones(run, model, questions)
    traced = []
    for number, (one, two) in enumerate(pairs_of(run, right, count, seed)):
        prompts = [prompt(run.vocabulary, question.text) for question in (one, two)]
        answers = [(*run.vocabulary.encode(str(question.answer)), run.vocabulary.mask) for question in (one, two)]
        traced.append(trace(model, *prompts, *answers))
        if tell:
            tell(number + 1, count)
    if not traced:
        raise InputError("no two questions of equal length are answered rightly: there is nothing to trace.")
    sites = traced[0].sites
    brought = {(site, region): sampled(effects(traced, site, region), seed) for site in sites for region in REGIONS}
    asked = questions[: max(count, 1)]
    return FactPlaces(str(run.folder), len(traced), len(asked), sites, REGIONS, brought, left_over(run, model, asked, seed))


def right_ones(run: Run, model: GPT, questions: Sequence[Question]) -> list[Question]:
    """The questions that the model answers rightly, asked as they stand."""
    prompts = [prompt(run.vocabulary, question.text) for question in questions]
    said = continue_greedily(model, prompts, LONGEST, stop=run.vocabulary.mask, pad=run.vocabulary.pad)
    return [
        question for question, ids in zip(questions, said, strict=True) if run.vocabulary.decode(ids).strip() == question.answer
    ]


def pairs_of(run: Run, questions: Sequence[Question], count: int, seed: int) -> list[tuple[Question, Question]]:
    """Each question with another of equally many tokens and another answer, so far as there is one."""
    chance = random.Random(seed)
    sizes = [len(prompt(run.vocabulary, question.text)) for question in questions]
    pairs = []
    for one, size in zip(questions, sizes, strict=True):
        fitting = [two for two, other in zip(questions, sizes, strict=True) if other == size and two.answer != one.answer]
        if fitting:
            pairs.append((one, chance.choice(fitting)))
    return pairs[:count]


def effects(traced: Sequence[Traced], site: str, region: str) -> list[float]:
    """What a part brought over at a region, in every trace that has the region."""
    found = []
    for each in traced:
        names = [known.name for known in each.regions]
        if region in names:
            found.append(float(each.brought()[each.sites.index(site), names.index(region)]))
    return found


def left_over(run: Run, model: GPT, questions: Sequence[Question], seed: int) -> dict[str, Sampled]:
    """The share of right answers with each part left out."""
    parts = ["", *(["memory"] if model.memory is not None else [])]
    parts += [f"{block + 1}.{half}" for block in range(len(model.blocks)) for half in ("attention", "feed-forward")]
    found = {}
    for part in parts:
        with changed(model, Change((part,) if part else ())):
            right = {question.text for question in right_ones(run, model, questions)}
        found[part or "as trained"] = sampled([float(question.text in right) for question in questions], seed)
    return found


def sampled(values: Sequence[float], seed: int) -> Sampled:
    """The mean with a bootstrap interval.

    >>> sampled([1.0, 1.0], 0)
    Sampled(value=1.0, low=1.0, high=1.0)
    """
    if not values:
        return Sampled(float("nan"), float("nan"), float("nan"))
    numbers = torch.tensor(values, dtype=torch.float64)
    draws = torch.randint(len(values), (RESAMPLES, len(values)), generator=torch.Generator().manual_seed(seed))
    means = numbers[draws].mean(-1).sort().values  # (resamples,)
    return Sampled(float(numbers.mean()), float(means[int(0.025 * RESAMPLES)]), float(means[int(0.975 * RESAMPLES)]))


def fact_picture(found: FactPlaces) -> str:
    """The figure as an SVG: parts by regions, the darker the more of the answer comes with it."""
    cells = [[found.brought[site, region] for region in found.regions] for site in found.sites]
    values = [[each.value for each in row] for row in cells]
    intervals = [[(each.low, each.high) for each in row] for row in cells]
    return value_map(ValueMap(values, found.sites, found.regions, TITLE, intervals))


def fact_tables(found: FactPlaces) -> str:
    """The numbers with their intervals, as Markdown."""
    head = ["part brought over", *found.regions]
    lines = [f"| {' | '.join(head)} |", f"| {' | '.join('---' for _ in head)} |"]
    lines += [
        f"| {site} | {' | '.join(str(found.brought[site, region]) for region in found.regions)} |" for site in found.sites
    ]
    more = ["", "| left out | right answers |", "| --- | --- |"]
    more += [f"| {part} | {share.value:.1%} ({share.low:.1%} to {share.high:.1%}) |" for part, share in found.without.items()]
    return "\n".join([*lines, *more]) + "\n"
