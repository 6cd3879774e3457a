"""The checkpoint that did best on what is held out, as a run folder of its own, which every command opens."""

import shutil
from pathlib import Path

from clearhead.errors import InputError
from clearhead.training.folders.preparation import appearing_whole, require_free
from clearhead.training.folders.run_folder import CHECKPOINTS, DATA, METRICS, RECIPE, TOKENIZER, VECTORS
from clearhead.training.recipes.recipe import read_recipe
from clearhead.training.steps.checkpoints import progress_in, verified_state
from clearhead.training.steps.metrics import forget_after


def copy_best(folder: Path, out: Path) -> str:
    """Make a run of the best checkpoint of another, with nothing in it that was measured later; and say which it is."""
    read_recipe(folder / RECIPE)
    require_free(out)
    progress = progress_in(folder / CHECKPOINTS)
    if progress.best_loss is None:
        told = f"{folder}: its loss on what is held out was never looked at, so none of its checkpoints is known to be the best"
        raise InputError(f"{told}; train with training.validate_every.", "(--set training.validate_every=100)")
    best = folder / CHECKPOINTS / str(progress.best_step)
    verified_state(best)
    with appearing_whole(out) as workshop:
        shutil.copytree(best, workshop / CHECKPOINTS / best.name)
        for name in (TOKENIZER, VECTORS, DATA, METRICS, RECIPE):
            if (folder / name).exists():
                shutil.copyfile(folder / name, workshop / name)
        forget_after(workshop / METRICS, progress.best_step)
    return f"{out}: step {progress.best_step:,} of {folder}, held-out loss {progress.best_loss:.4f}"
