"""A run that may take so many minutes: at each checkpoint its length is planned again, by its pace up to there.

The pace is that of as long a time as is still to come: far from the end a moment in which the machine is busy changes little,
and near the end only what the machine does now counts.
"""

from dataclasses import replace

from clearhead.training.folders.run_folder import RECIPE
from clearhead.training.folders.runs import Run
from clearhead.training.machines.processes import by_the_first, said_by_the_first
from clearhead.training.recipes.config import LengthPlan, TrainConfig
from clearhead.training.recipes.recipe import write_recipe
from clearhead.training.steps.checkpoints import Progress

SMALL = 0.01  # of what is left: a length that would change so little stays; that it stays is written down too


class Planning:
    """Asked at each checkpoint; a new length is in the recipe before anything follows it, so that resume is exact.

    Where a run goes over the same ground again, because a later checkpoint was lost, the plans made there hold again.
    """

    def __init__(self, run: Run, progress: Progress) -> None:
        self.run = run
        self.marks = [(progress.tokens, progress.seconds)]  # at each checkpoint of this sitting

    def __call__(self, config: TrainConfig, progress: Progress) -> TrainConfig:
        left = max(config.seconds - progress.seconds, 0.0)
        tokens, seconds = next((mark for mark in self.marks if progress.seconds - mark[1] <= left), self.marks[-1])
        done, spent = progress.tokens - tokens, progress.seconds - seconds
        self.marks.append((progress.tokens, progress.seconds))
        if not config.seconds or done <= 0 or any(plan.since >= progress.tokens for plan in config.plans):
            return config
        (wanted,) = said_by_the_first([progress.tokens + round(left * done / max(spent, 1e-9))])
        planned = replanned(config, progress.tokens, int(wanted))
        by_the_first(lambda: write_recipe(replace(self.run.recipe, training=planned), self.run.folder / RECIPE))
        return planned


def replanned(config: TrainConfig, seen: int, tokens: int) -> TrainConfig:
    """The config with its length from here on, which is the old one where that is nearly right.

    >>> replanned(TrainConfig(tokens=100), 50, 60).plans
    (LengthPlan(since=0, tokens=100), LengthPlan(since=50, tokens=60))
    >>> replanned(TrainConfig(tokens=1000), 500, 501 + 498).tokens
    1000
    """
    near = abs(tokens - config.tokens) <= SMALL * max(config.tokens - seen, 0)
    length = config.tokens if near else max(tokens, seen)
    before = config.plans or (LengthPlan(since=config.since, tokens=config.tokens),)
    return replace(config, tokens=length, plans=(*before, LengthPlan(since=seen, tokens=length)))
