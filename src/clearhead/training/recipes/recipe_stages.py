"""The knowledge experiment's recipes: one file for its stages, a recipe of its own for each."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from clearhead.errors import ConfigError, InputError
from clearhead.training.recipes.recipe import Recipe, recipe_of, recipe_tree
from clearhead.training.recipes.recipe_keys import STAGES, of_stage, set_keys

Stage = Literal["pretrain", "finetune", "without"]
"""`without` is finetuning a blank model: the control."""

VARIANTS: dict[str, dict[str, Any]] = {
    "vanilla": {"kind": "gpt"},
    "perceiver": {"kind": "perceiver", "variant": "perceiver"},
    "perceiver-causal": {"kind": "perceiver", "variant": "perceiver-causal"},
}
"""What a variant changes in the model of a recipe; a recipe may say more in its own [variants.NAME]."""


def stage_recipe(
    name: str,
    stage: Stage,
    *,
    variant: str = "vanilla",
    corpus: str | None = None,
    seed: int | None = None,
    start: str = "",
    settings: Sequence[str] = (),
    note: Callable[[str], None] = lambda text: None,
) -> Recipe:
    """The recipe of one stage of the recipe `name`, with settings such as `pretrain.epochs=20` or `model.width=64` put in."""
    if variant not in VARIANTS:
        raise ConfigError(f"variant {variant!r} is not known; variants: {', '.join(VARIANTS)}.")
    own, others = of_stage(settings, stage)
    tree = set_keys(varied(deepcopy(recipe_tree(name)), variant, f"recipe {name}"), own, note)
    stages = {key: tree.pop(key, None) for key in ("pretrain", "finetune", "without")}
    chosen = stages[stage]
    if not isinstance(chosen, dict):
        raise InputError(f"recipe {name} has no [{stage}] part, which this command needs.")
    tree = set_keys(tree | chosen, others, note)
    with_some_length(tree)
    told = {"corpus": corpus, "seed": seed}
    tree |= {"variant": variant, "start": start} | {key: value for key, value in told.items() if value is not None}
    return recipe_of(tree, f"recipe {name}")


def varied(tree: dict[str, Any], variant: str, where: str) -> dict[str, Any]:
    """The tree with the model that a variant makes of it."""
    model, own = tree.get("model", {}), tree.pop("variants", {})
    changes = own.get(variant, {}) if isinstance(own, dict) else own
    if not isinstance(model, dict) or not isinstance(changes, dict):
        raise ConfigError(f"{where}: model and variants.{variant} must be tables, such as [model].")
    tree["model"] = {**model, **changes, **VARIANTS[variant]}
    return tree


def with_some_length(tree: dict[str, Any]) -> None:
    """A recipe that only names epochs gets a length, which epochs are turned into when the run starts."""
    training = tree.setdefault("training", {})
    if isinstance(training, dict):
        training.setdefault("tokens", 1)


def named_recipe(
    name: str, settings: Sequence[str] = (), note: Callable[[str], None] = lambda text: None, start: str = ""
) -> Recipe:
    """A recipe by the name of its file, of a shipped one, or of one stage of it, such as `fast:finetune`."""
    file, _, stage = name.rpartition(":") if name.endswith((":pretrain", ":finetune", ":without")) else (name, "", "")
    tree = recipe_tree(file)
    if stage or "pretrain" in tree:
        chosen: Stage = "finetune" if stage == "finetune" else "without" if stage == "without" else "pretrain"
        require_settings_of(chosen, settings)
        return stage_recipe(file, chosen, settings=settings, note=note, start=start)
    tree = set_keys(tree, settings, note)
    with_some_length(tree)
    return recipe_of(tree | {"start": start} if start else tree, name)


def require_settings_of(stage: Stage, settings: Sequence[str]) -> None:
    """Refuse a setting of another stage than the one that is trained: nobody would follow it."""
    for setting in settings:
        other = setting.partition(".")[0].strip()
        if other in STAGES and other != stage:
            raise InputError(f"the setting {setting!r} is of the stage {other!r}, and this run is the stage {stage!r}.")


def from_start(recipe: Recipe, start: Recipe, settings: Sequence[str], where: Path) -> Recipe:
    """A recipe that goes on from another run: its model and vocabulary are that run's; saying otherwise is refused."""
    for setting in settings:
        if setting.partition("=")[0].split(".")[0].strip() in ("model", "vocabulary", "variant", "vectors"):
            raise InputError(f"the setting {setting!r} cannot be: model and vocabulary are those of the start, {where}.")
    recipe = replace(recipe, model=start.model, vocabulary=start.vocabulary, variant=start.variant, vectors="")
    said = any(setting.partition("=")[0].strip() == "training.batch" for setting in settings)
    if "lanes" in start.model and not said:  # a recurrent model is as many rows wide as its batches
        return replace(recipe, training=replace(recipe.training, batch=start.training.batch))
    return recipe
