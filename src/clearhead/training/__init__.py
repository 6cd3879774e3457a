"""Examples and a model to a run folder: batches, loop, optimisers, checkpoints."""

from clearhead.training.batches import Batch, Batches
from clearhead.training.config import TrainConfig
from clearhead.training.loop import Report, Stopped, train
from clearhead.training.objectives import Objective
from clearhead.training.preparation import prepare_run, start_run
from clearhead.training.recipe import Recipe, read_recipe, shipped_recipes, write_recipe
from clearhead.training.recipe_stages import named_recipe, stage_recipe
from clearhead.training.runs import Run, open_run, trained
from clearhead.training.stage import Teller, train_run, train_stage
from clearhead.training.streams import Interleaved

__all__ = [
    "Batch",
    "Batches",
    "Interleaved",
    "Objective",
    "Recipe",
    "Report",
    "Run",
    "Stopped",
    "Teller",
    "TrainConfig",
    "named_recipe",
    "open_run",
    "prepare_run",
    "read_recipe",
    "shipped_recipes",
    "stage_recipe",
    "start_run",
    "train",
    "train_run",
    "train_stage",
    "trained",
    "write_recipe",
]
