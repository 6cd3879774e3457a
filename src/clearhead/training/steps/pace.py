"""Minutes to tokens: a few throw-away steps are timed, and from there on only the token counts matter."""

import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from clearhead.corpora import Vocabulary
from clearhead.corpora.corpus import Corpus
from clearhead.models import build_model
from clearhead.training.machines.devices import placed
from clearhead.training.machines.learner import Learner
from clearhead.training.recipes.objectives import stream_of
from clearhead.training.recipes.recipe import Recipe
from clearhead.training.steps.checkpoints import Progress, load_checkpoint, save_checkpoint
from clearhead.training.steps.compilation import compiled
from clearhead.training.steps.loop import one_step
from clearhead.training.steps.optimisers import build_optimisers

WARM = 3  # steps that are not timed: the first ones allocate, or compile
LEAST = 3  # steps that are


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a recipe goes here and now."""

    tokens_per_second: float
    steps_per_second: float
    saving: float  # seconds that a checkpoint takes to write and read

    def tokens_in(self, seconds: float, save_every: int) -> int:
        """How many tokens so many seconds are worth, with a checkpoint every so often and one at the end."""
        share_saving = self.saving * self.steps_per_second / save_every
        return max(1, round((seconds - self.saving) / (1 + share_saving) * self.tokens_per_second))


def pace_of(recipe: Recipe, vocabulary: Vocabulary, corpus: Corpus, seconds: float) -> Pace:
    """Time throw-away steps of a blank model for about so many seconds, and one checkpoint of it."""
    model = placed(build_model(recipe.model, vocabulary.size, vocabulary.size))
    if recipe.training.compile:
        compiled(model, lambda text: None)
    model.train()
    stream = stream_of(recipe.objectives, vocabulary, corpus, model.block, recipe.training, recipe.seed)
    learner = Learner(model, recipe.training)
    optimisers = build_optimisers(model, recipe.training)
    tokens, steps, started = 0, 0, time.monotonic()
    while steps < WARM + LEAST or time.monotonic() - started < seconds:
        if steps == WARM:
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
    return Pace(tokens / spent, (steps - WARM) / spent, saving)
