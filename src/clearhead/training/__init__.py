"""Examples and a model to a run folder: batches, loop, optimisers, checkpoints."""

from clearhead.training.batches import Batch, Batches, Interleaved
from clearhead.training.config import TrainConfig
from clearhead.training.loop import Report, Stopped, train
from clearhead.training.objectives import Objective
from clearhead.training.recipe import Recipe, read_recipe, shipped_recipes, write_recipe
from clearhead.training.recipe_stages import named_recipe, stage_recipe
from clearhead.training.runs import Run, open_run, start_run, train_run, trained

__all__ = [
    "Batch",
    "Batches",
    "Interleaved",
    "Objective",
    "Recipe",
    "Report",
    "Run",
    "Stopped",
    "TrainConfig",
    "named_recipe",
    "open_run",
    "read_recipe",
    "shipped_recipes",
    "stage_recipe",
    "start_run",
    "train",
    "train_run",
    "trained",
    "write_recipe",
]
