"""Which precision, and whether to compile: what a few steps show to pay here, for this recipe, is put into it."""

import shutil
from collections.abc import Callable
from dataclasses import replace

import torch

from clearhead.corpora import Vocabulary
from clearhead.corpora.corpus import Corpus
from clearhead.training.machines.devices import asked_device
from clearhead.training.recipes.config import Precision, TrainConfig
from clearhead.training.recipes.recipe import Recipe
from clearhead.training.steps.pace import Pace, pace_of

TRIED = 2.0  # seconds that each way is tried for, once it is warm
USUAL = 600.0  # seconds that a run is taken to last where nothing says so
PAYS = 0.95  # of the time of the plain way; what gains less is not worth another way of rounding
Way = tuple[Precision, bool]


def tuned(recipe: Recipe, vocabulary: Vocabulary, corpus: Corpus, note: Callable[[str], None], seconds: float = 0.0) -> Recipe:
    """The recipe with the way that would be over first, its start counted; told in one line. What it says already is kept."""
    plain: Way = (recipe.training.precision, recipe.training.compile)
    if plain != ("float32", False):
        return recipe
    paces: dict[Way, Pace] = {}
    tried = ways(asked_device(), recipe.training)
    note(f"a few steps of each way first: {', '.join(map(told, tried))}; compiling takes a minute or so")
    for way in tried:
        try:
            paces[way] = pace_of(with_way(recipe, way), vocabulary, corpus, TRIED)
        except (RuntimeError, NotImplementedError) as error:  # torch's own: no such kernel, no compiler
            note(f"{told(way)} cannot be tried here: {' '.join(str(error).split())[:80]}")
    if not paces:
        return recipe
    base = paces[plain]
    tokens = (seconds or USUAL) * base.tokens_per_second
    if not seconds and not recipe.epochs and recipe.training.tokens > 1:
        tokens = recipe.training.tokens
    lasts = {way: pace.starting + tokens / pace.tokens_per_second for way, pace in paces.items()}
    best = min(lasts, key=lambda way: lasts[way])
    best = best if lasts[best] < PAYS * lasts[plain] else plain
    speeds = ", ".join(f"{told(way)} {pace.tokens_per_second:,.0f}" for way, pace in paces.items())
    note(f"{told(best)} is taken, by a few steps of each; tokens a second: {speeds}")
    return with_way(recipe, best)


def ways(device: torch.device, config: TrainConfig) -> list[Way]:
    """What can be tried on a device, the plain way first."""
    halves: list[Precision] = []
    if device.type == "cuda":
        halves = ["bfloat16" if torch.cuda.is_bf16_supported() else "float16"]
    elif device.type == "mps":
        halves = ["float16"]
    elif device.type == "cpu":
        halves = ["bfloat16"]
    compiler = device.type != "mps" and any(shutil.which(name) for name in ("g++", "clang++", "c++", "cl"))
    precisions: list[Precision] = ["float32", *halves]
    return [(precision, compiling) for compiling in ((False, True) if compiler else (False,)) for precision in precisions]


def with_way(recipe: Recipe, way: Way) -> Recipe:
    return replace(recipe, training=replace(recipe.training, precision=way[0], compile=way[1]))


def told(way: Way) -> str:
    """
    >>> told(("bfloat16", True))
    'bfloat16 compiled'
    """
    return way[0] + (" compiled" if way[1] else "")
