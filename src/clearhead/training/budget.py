"""Minutes to tokens: a few throw-away steps are timed, and from there on only the token counts matter."""

import time

from clearhead.corpora import Birthplaces, Vocabulary
from clearhead.models import build_model
from clearhead.training.loop import one_step
from clearhead.training.objectives import stream_of
from clearhead.training.optimisers import build_optimisers
from clearhead.training.recipe import Recipe

WARM = 2  # steps that are not timed: the first ones allocate
LEAST = 3  # steps that are


def tokens_per_second(recipe: Recipe, vocabulary: Vocabulary, corpus: Birthplaces, seconds: float) -> float:
    """How fast a blank model of this recipe learns here and now, timed for about so many seconds."""
    model = build_model(recipe.model, vocabulary.size)
    model.train()
    stream = stream_of(recipe.objectives, vocabulary, corpus, model.config.context, recipe.training, recipe.seed)
    optimisers = build_optimisers(model, recipe.training)
    tokens, steps, started = 0, 0, time.monotonic()
    while steps < WARM + LEAST or time.monotonic() - started < seconds:
        if steps == WARM:
            tokens, started = 0, time.monotonic()
        batch = stream.next()
        one_step(model, optimisers, batch, recipe.training)
        tokens += batch.tokens
        steps += 1
    return tokens / (time.monotonic() - started)
