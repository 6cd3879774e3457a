"""A run that is gone on with under other settings: more tokens, other rates. What held before stays in its history."""

import math
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from clearhead.errors import ConfigError, InputError
from clearhead.training.folders.data_record import lasting_name
from clearhead.training.folders.run_folder import CHECKPOINTS, RECIPE
from clearhead.training.folders.runs import GO_ON, Note, Run, open_run, unheard
from clearhead.training.recipes.config import TrainConfig
from clearhead.training.recipes.config_tree import built, near
from clearhead.training.recipes.recipe import Recipe, write_recipe
from clearhead.training.recipes.recipe_keys import STAGES, parted
from clearhead.training.steps.batches import epoch_tokens
from clearhead.training.steps.checkpoints import Progress, progress_in

RATES = ("rate", "matrix_rate", "table_rate", "warmup", "decay", "decay_start", "decay_end", "floor")
MANNERS = ("validate_every", "precision", "accumulate", "recompute")
CHANGEABLE = ("tokens", *RATES, "weight_decay", "clip", "save_every", "compile", *MANNERS)
"""What of [training] may be other from some step on; the rest would make another run of it."""


def changed_run(folder: Path, settings: Sequence[str], minutes: float = 0.0, note: Note = unheard) -> Run:
    """Open a run to go on with it; settings that are said hold from its last checkpoint on, and are written into its recipe."""
    run = open_run(folder)
    progress = progress_in(folder / CHECKPOINTS)
    tree = {key: value for setting in settings if not as_it_is(run, setting) for key, value in [change(run, setting)]}
    if minutes:
        tree["tokens"] = tokens_in(run, progress, minutes)
        tree["seconds"] = progress.seconds + 60 * minutes
    if not tree:
        return run
    recipe = with_training(run.recipe, tree, progress)
    run.require_same_data(GO_ON)  # before anything is written: who is refused finds the run as it was
    write_recipe(recipe, folder / RECIPE)
    told = ", ".join(f"{key}={written(getattr(recipe.training, key))}" for key in tree)
    note(f"from token {progress.tokens:,} on: {told}")
    return replace(run, recipe=recipe)


def written(value: object) -> str:
    """A setting as people write it.

    >>> written(5.438350244), written(0.001), written(25704), written("linear")
    ('5.43835', '0.001', '25704', 'linear')
    """
    return f"{value:g}" if isinstance(value, float) else str(value)


def as_it_is(run: Run, setting: str) -> bool:
    """Whether a setting says what holds already: who repeats the command that started a run changes nothing."""
    path, value = parted(setting)
    path = path[1:] if path[0] in STAGES else path
    if path == ["epochs"]:
        return tokens_of_epochs(run, value, setting) == run.recipe.training.tokens
    inside: object = asdict(run.recipe)
    for key in path:
        if isinstance(inside, dict) and key in inside:
            inside = inside[key]
        elif isinstance(inside, tuple | list) and key.isascii() and key.isdigit() and int(key) < len(inside):
            inside = inside[int(key)]
        else:
            return False
    return inside == value or (isinstance(inside, tuple) and list(inside) == value) or inside == lasting_name(str(value))


def change(run: Run, setting: str) -> tuple[str, object]:
    """A key of [training] and its new value; refused by name where it cannot be changed any more."""
    path, value = parted(setting)
    name = ".".join(path)
    if path == ["epochs"]:
        return "tokens", tokens_of_epochs(run, value, setting)
    if len(path) == 2 and path[0] == "training" and path[1] in CHANGEABLE:
        return path[1], value
    changeable = ["epochs", *(f"training.{key}" for key in CHANGEABLE)]
    raise InputError(
        f"{name} cannot be changed in a run that has begun; {near(name, changeable)}what can: {', '.join(changeable)}."
    )


def with_training(recipe: Recipe, tree: dict[str, object], progress: Progress) -> Recipe:
    """The recipe with other settings from where the run is now; the ones before it stay in its history."""
    before = asdict(recipe.training)
    training = built(
        TrainConfig, before | {"since": progress.tokens, "seconds": 0.0, "plans": ()} | tree, f"recipe {recipe.name}, training"
    )
    if bool(training.matrix_rate) != bool(recipe.training.matrix_rate):
        raise ConfigError("matrix_rate cannot be switched on or off in a run that has begun: it moves weights of its own.")
    history = (*recipe.history, recipe.training) if progress.step else recipe.history
    return replace(recipe, training=training, history=history)


def tokens_of_epochs(run: Run, epochs: object, setting: str) -> int:
    """Passes over the first objective as tokens."""
    if isinstance(epochs, bool) or not isinstance(epochs, int | float) or not 0 < epochs < math.inf:
        raise InputError(f"the setting {setting!r}: a number of epochs above 0 was expected.")
    first = run.recipe.objectives[0]
    share = first.share / sum(each.share for each in run.recipe.objectives)
    each = epoch_tokens(first.source(run.vocabulary, run.corpus, run.model.block), run.recipe.seed)
    return max(1, round(epochs * each / share))


def tokens_in(run: Run, progress: Progress, minutes: float) -> int:
    """Tokens in all after so many more minutes, at the pace so far."""
    if not progress.tokens:
        raise InputError(f"{run.folder} has not begun, so its pace is not known; say how many tokens instead.")
    return progress.tokens + max(1, round(60 * minutes * progress.tokens / max(progress.seconds, 1e-9)))


def require_same_recipe(folder: Path, recipe: Recipe, wanted: str) -> None:
    """Refuse to go on with a run under the name of another recipe."""
    if recipe.name != wanted:
        raise InputError(
            f"{folder} is a run of the recipe {recipe.name!r}, not of {wanted!r}; name that one, or another folder."
        )
