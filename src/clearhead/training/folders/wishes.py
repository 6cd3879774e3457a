"""What a person wants trained, from the shell or from Python: a run started, or one gone on with."""

import math
import os
from collections.abc import Sequence
from pathlib import Path

from clearhead.errors import InputError
from clearhead.training.folders.changes import changed_run, require_same_recipe
from clearhead.training.folders.preparation import start_run
from clearhead.training.folders.run_folder import CHECKPOINTS, RECIPE
from clearhead.training.folders.runs import Note, Run, open_run, unheard
from clearhead.training.machines.processes import by_the_first, restarted
from clearhead.training.recipes.recipe import read_recipe
from clearhead.training.recipes.recipe_stages import from_start, named_recipe
from clearhead.training.steps.checkpoints import steps_in


def begun(
    folder: Path,
    recipe: str,
    settings: Sequence[str] = (),
    minutes: float = 0.0,
    seed: int | None = None,
    start: Path | None = None,
    note: Note = unheard,
    resume: bool = False,
    tune: bool = False,
    shard: bool = False,
) -> Run:
    """A run started, or with `resume` gone on with, open on every process; the first one prepares what is written.

    Processes that torchrun started again go on with what is there, as it is.
    """

    def prepared() -> Run:
        if restarted() and (folder / RECIPE).exists():
            return open_run(folder)
        if resume:
            return resumed(folder, recipe, settings, minutes, seed, start, note)
        return started(recipe, folder, settings, minutes, seed, start, note, tune, shard)

    return by_the_first(prepared) or open_run(folder)


def started(
    recipe: str,
    folder: Path,
    settings: Sequence[str] = (),
    minutes: float = 0.0,
    seed: int | None = None,
    start: Path | None = None,
    note: Note = unheard,
    tune: bool = False,
    shard: bool = False,
) -> Run:
    """A run of a recipe, prepared and open, from a blank model or from the weights of another run."""
    require_minutes(minutes)
    more = [*settings, *([] if seed is None else [f"seed={seed}"])]
    wanted = named_recipe(recipe, more, note, os.path.relpath(start, folder) if start else "")
    if start is not None:
        wanted = from_start(wanted, read_recipe(start / RECIPE), more, start)
    return start_run(wanted, folder, note, minutes, tune, shard)


def resumed(
    folder: Path,
    recipe: str = "",
    settings: Sequence[str] = (),
    minutes: float = 0.0,
    seed: int | None = None,
    start: Path | None = None,
    note: Note = unheard,
) -> Run:
    """A run that has begun, open to go on; what cannot be changed any more is refused by name."""
    require_minutes(minutes)
    kept = read_recipe(folder / RECIPE)
    if steps_in(folder / CHECKPOINTS) == [0]:
        told = f"{folder} holds weights that were imported, and no training to go on with; start a run of your own from them"
        raise InputError(f"{told}.", f"(clearhead train RECIPE --start {folder} --out NEW)")
    if recipe:
        require_same_recipe(folder, kept, named_recipe(recipe).name)
    if seed is not None and seed != kept.seed:
        raise InputError(f"seed cannot be changed in a run that has begun; {folder} has {kept.seed}, and {seed} came.")
    if start is not None:
        raise InputError(f"start cannot be changed in a run that has begun: {folder} has weights of its own.")
    return changed_run(folder, settings, minutes, note)


def require_minutes(minutes: float) -> None:
    """Refuse what is no span of time."""
    if not 0 <= minutes < math.inf:
        raise InputError(f"minutes must be a number above 0; got {minutes}.")
