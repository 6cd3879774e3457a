"""Examples and a model to a run folder: batches, loop, optimisers, checkpoints."""

from clearhead.training.folders.preparation import prepare_run, start_run
from clearhead.training.folders.runs import Run, open_run, trained
from clearhead.training.folders.stage import Teller, train_run, train_stage
from clearhead.training.recipes.config import TrainConfig
from clearhead.training.recipes.objectives import Objective
from clearhead.training.recipes.recipe import Recipe, read_recipe, shipped_recipes, write_recipe
from clearhead.training.recipes.recipe_stages import named_recipe, stage_recipe
from clearhead.training.steps.batches import Batch, Batches
from clearhead.training.steps.loop import train
from clearhead.training.steps.loss_log import Report
from clearhead.training.steps.stop_signals import Stopped
from clearhead.training.steps.streams import Interleaved

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
