"""Minutes to tokens: a few throw-away steps are timed, and from there on only the token counts matter."""

import time
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from clearhead.corpora import Vocabulary
from clearhead.corpora.corpus import Corpus
from clearhead.models import build_model
from clearhead.training.machines.devices import placed
from clearhead.training.machines.learner import Learner
from clearhead.training.machines.processes import launched
from clearhead.training.recipes.objectives import stream_of
from clearhead.training.recipes.recipe import Recipe
from clearhead.training.steps.checkpoints import Progress, load_checkpoint, save_checkpoint
from clearhead.training.steps.compilation import compiled
from clearhead.training.steps.loop import one_step
from clearhead.training.steps.optimisers import build_optimisers

WARM = 3  # steps that are not timed: the first ones allocate, or compile
LEAST = 3  # steps that are
TIMED = 0.03  # share of the time there is that finding the pace may take
LONGEST_TIMING = 2.0  # seconds: the length is planned again on the way
SHORTEST = 0.1  # seconds of a run that has a time; 0 would be none
CHECKPOINTS = 16  # of a run that is to take so long, at least ...
MOST_SAVING = 0.03  # ... unless writing them takes more than this share of its time
ALONG = 0.8  # of its pace alone each process is taken to have when several go together; the first checkpoint knows better


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a recipe goes here and now."""

    tokens_per_second: float
    steps_per_second: float
    saving: float  # seconds that a checkpoint takes to write and read
    starting: float = 0.0  # seconds that the first steps take: they allocate, or compile

    def fitted(self, recipe: Recipe, seconds: float) -> Recipe:
        """The recipe with as many tokens as so many seconds are worth, and with the time it may take.

        It is planned again at each checkpoint, so there are at least some, as long as writing them takes next to nothing.
        """
        steps = max(1.0, seconds * self.steps_per_second)
        dear = self.saving * self.steps_per_second / MOST_SAVING
        every = min(recipe.training.save_every, max(1, round(max(steps / CHECKPOINTS, dear))))
        tokens = self.tokens_in(seconds, every)
        training = replace(recipe.training, tokens=tokens, seconds=max(round(seconds, 1), SHORTEST), save_every=every)
        return replace(recipe, epochs=0.0, training=training)

    def tokens_in(self, seconds: float, save_every: int) -> int:
        """How many tokens so many seconds are worth, with a checkpoint every so often and one at the end."""
        share_saving = self.saving * self.steps_per_second / save_every
        return max(1, round((seconds - self.saving) / (1 + share_saving) * self.tokens_per_second))


def pace_within(recipe: Recipe, vocabulary: Vocabulary, corpus: Corpus, seconds: float) -> Pace:
    """The pace of a recipe that may take so many seconds, found in a small part of them."""
    return pace_of(recipe, vocabulary, corpus, min(TIMED * seconds, LONGEST_TIMING))


def pace_of(recipe: Recipe, vocabulary: Vocabulary, corpus: Corpus, seconds: float) -> Pace:
    """Time throw-away steps of a blank model for about so many seconds, and one checkpoint of it."""
    model = placed(build_model(recipe.model, vocabulary.size, vocabulary.size))
    if recipe.training.compile:
        compiled(model, lambda text: None)
    model.train()
    stream = stream_of(recipe.objectives, vocabulary, corpus, model.block, recipe.training, recipe.seed)
    learner = Learner(model, recipe.training)
    optimisers = build_optimisers(model, recipe.training)
    tokens, steps, started, starting = 0, 0, time.monotonic(), 0.0
    while steps < WARM + LEAST or time.monotonic() - started < seconds:
        if steps == WARM:
            starting = time.monotonic() - started
            tokens, started = 0, time.monotonic()
        batch = stream.next()
        one_step(learner, optimisers, batch, recipe.training)
        tokens += batch.tokens
        steps += 1
    spent = time.monotonic() - started
    with TemporaryDirectory() as folder:
        started = time.monotonic()
        load_checkpoint(save_checkpoint(Path(folder), model, optimisers, Progress(), stream.position), model)
        saving = time.monotonic() - started
    together = launched() * ALONG if launched() > 1 else 1.0
    return Pace(together * tokens / spent, together * (steps - WARM) / spent, saving, starting)
